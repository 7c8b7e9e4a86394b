// SPDX-License-Identifier: Apache-2.0

/// Why a text is not JSON, or exceeds the limits given.
public struct JSONSyntaxError: Error, Hashable {
    public enum Reason: String, Sendable {
        case tooLong = "text longer than allowed"
        case tooDeep = "nested deeper than allowed"
        case tooManyValues = "more values than allowed"
        case unexpectedEnd = "text ends within a value"
        case unexpectedByte = "unexpected byte"
        case trailingBytes = "bytes after the value"
        case duplicateKey = "key used twice in one object"
        case invalidNumber = "malformed number"
        case numberOutOfRange = "number too large for a double"
        case invalidEscape = "malformed escape sequence"
        case loneSurrogate = "surrogate without its partner"
        case controlCharacter = "control character in a string"
        case invalidUTF8 = "string is not valid UTF-8"
    }

    /// Bytes before the place where reading stopped.
    public let offset: Int

    public let reason: Reason
}

extension JSONSyntaxError: CustomStringConvertible {
    public var description: String { "\(reason.rawValue) at byte \(offset)" }
}
