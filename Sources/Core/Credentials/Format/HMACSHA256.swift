// SPDX-License-Identifier: Apache-2.0

import CLibCrypto
import Platform

/// HMAC-SHA-256 (RFC 2104).
enum HMACSHA256 {
    /// - Returns: the tag, of 32 bytes.
    static func tag(of bytes: [UInt8], key: UnsafeRawBufferPointer) throws(PlatformError) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: SHA256.byteCount)
        var written = 0
        let result = EVP_Q_mac(
            nil,
            "HMAC",
            nil,
            "SHA256",
            nil,
            key.baseAddress,
            key.count,
            bytes,
            bytes.count,
            &tag,
            tag.count,
            &written
        )
        guard result != nil, written == tag.count else { throw .crypto(call: "EVP_Q_mac") }
        return tag
    }
}
