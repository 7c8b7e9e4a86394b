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

    /// The same error as seen from the object that holds the failing one under `key`.
    public func nested(under key: String) -> JSONShapeError {
        JSONShapeError(path: "\(key).\(path)", expected: expected)
    }
}

extension JSONShapeError: CustomStringConvertible {
    public var description: String { "member \"\(path)\" is missing or no \(expected.rawValue)" }
}
