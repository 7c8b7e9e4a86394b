// SPDX-License-Identifier: Apache-2.0

/// Base64 as Varlink encodes bytes, for bytes that are not secret.
extension Base64 {
    /// Returns the bytes as base64 with padding.
    package static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: encodedCount(of: bytes.count)) { room in
            bytes.withUnsafeBytes { encode($0, into: UnsafeMutableRawBufferPointer(room)) }
        }
    }

    /// - Returns: nil unless the text is the canonical encoding of some bytes.
    package static func decode(_ text: String) -> [UInt8]? {
        let symbols = Array(text.utf8)
        var isSound = false
        let bytes = [UInt8](unsafeUninitializedCapacity: symbols.count / 4 * 3) { room, count in
            let decoded = symbols.withUnsafeBytes { decode($0, into: UnsafeMutableRawBufferPointer(room)) }
            count = decoded ?? 0
            isSound = decoded != nil
        }
        return isSound ? bytes : nil
    }
}
