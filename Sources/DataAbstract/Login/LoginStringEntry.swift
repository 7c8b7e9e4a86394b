// SPDX-License-Identifier: Apache-2.0

/// A further key of a login string, for servers that want more than the usual four.
public struct LoginStringEntry: Hashable, Sendable {
    /// Bytes of a key.
    public static let keyLimit = 64

    public let key: String
    public let value: String

    /// - Throws: `badKey` for a key that is empty or long, holds anything but ASCII letters, digits, spaces inside, `_`,
    ///   `-` and `.`, or is one of the usual keys; what is refused in every value.
    public init(key: String, value: String) throws(LoginStringError) {
        guard (1...Self.keyLimit).contains(key.utf8.count), key.utf8.allSatisfy(Self.isKeyByte), !key.hasPrefix(" "),
            !key.hasSuffix(" "), LoginStringParser.keys[key.lowercased()] == nil
        else { throw .badKey }
        try LoginString.check(value.utf8, .other)
        self.key = key
        self.value = value
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: " _-.".utf8.contains(byte)
        }
    }
}
