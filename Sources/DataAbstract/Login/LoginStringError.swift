// SPDX-License-Identifier: Apache-2.0

/// Why a field cannot go into a login string, or a login string cannot be read. Holds no value of a field.
public enum LoginStringError: Error, Hashable, Sendable {
    /// NUL, CR, LF or another control character (C0, DEL, C1).
    case controlCharacter(LoginField)
    case notUTF8(LoginField)
    /// More than `LoginString.fieldLimit` bytes.
    case tooLong(LoginField)
    /// A key that no login string can hold, or one that is there already.
    case badKey
    /// Not `key=value;key="value"`, or a key twice.
    case unreadable
}

extension LoginStringError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .controlCharacter(let field): "the \(field.rawValue) holds a control character"
        case .notUTF8(let field): "the \(field.rawValue) is not UTF-8"
        case .tooLong(let field): "the \(field.rawValue) is longer than \(LoginString.fieldLimit) bytes"
        case .badKey: "a further key of the login string is not possible, or there already"
        case .unreadable: "unreadable login string"
        }
    }
}
