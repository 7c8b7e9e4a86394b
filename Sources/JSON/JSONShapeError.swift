// SPDX-License-Identifier: Apache-2.0

/// A well-formed JSON object did not have the member that its reader needs.
public struct JSONShapeError: Error, Hashable {
    public enum Shape: String, Sendable {
        case bool
        case integer
        case number
        case string
        case array
        case object
        /// The type was right, the value is none of those allowed.
        case validValue = "valid value"
    }

    /// Keys from the outermost object inwards, joined by dots; array positions as `[3]`.
    public let path: String

    public let expected: Shape

    public init(path: String, expected: Shape) {
        self.path = path
        self.expected = expected
    }

    /// The same error as seen from the value that holds the failing one at `key`: a member's key, or `[3]` in an array.
    public func nested(under key: String) -> JSONShapeError {
        let isBeforeIndex = path.isEmpty || path.utf8.first == UInt8(ascii: "[")
        return JSONShapeError(path: isBeforeIndex ? key + path : "\(key).\(path)", expected: expected)
    }
}

extension JSONShapeError: CustomStringConvertible {
    public var description: String { "member \"\(path)\" is missing or no \(expected.rawValue)" }
}
