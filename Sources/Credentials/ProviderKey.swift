// SPDX-License-Identifier: Apache-2.0

import Platform

/// Parses a provider's key from a file: 32 bytes, or 64 hexadecimal digits and a line feed.
enum ProviderKey {
    static let byteCount = 32
    static let hexByteCount = 65

    /// Parses a key.
    ///
    /// - Parameter text: the content of the file.
    /// - Returns: nil if it has neither form.
    static func parse(_ text: consuming Secret, in arena: SecretArena) throws(CredentialError) -> Secret? {
        if text.count == byteCount { return text }
        return try decodeHex(text, in: arena)
    }

    static func formText(_ path: String) -> String {
        "'\(path)' holds neither 32 bytes nor 64 hexadecimal digits and a line feed"
    }

    private static func decodeHex(_ text: borrowing Secret, in arena: SecretArena) throws(CredentialError) -> Secret? {
        let isHex = text.withBytes { bytes in
            bytes.count == hexByteCount && bytes.last == UInt8(ascii: "\n")
                && bytes.dropLast().allSatisfy { HexText.value(of: $0) != nil }
        }
        guard isHex else { return nil }
        return try translated { () throws(PlatformError) in
            try Secret(capacity: byteCount, in: arena) { room in
                text.withBytes { bytes in
                    for index in 0..<byteCount {
                        let high = HexText.value(of: bytes[2 * index]) ?? 0
                        room[index] = high << 4 | (HexText.value(of: bytes[2 * index + 1]) ?? 0)
                    }
                }
                return byteCount
            }
        }
    }
}
