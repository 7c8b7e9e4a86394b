// SPDX-License-Identifier: Apache-2.0

import CLibCrypto

/// Base64 with padding and without line breaks (RFC 4648, section 4), as Varlink writes bytes.
package enum Base64 {
    package static func encode(_ bytes: [UInt8]) -> String {
        guard !bytes.isEmpty else { return "" }
        return String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4 + 1) { room in
            Int(EVP_EncodeBlock(room.baseAddress, bytes, Int32(bytes.count)))
        }
    }

    /// - Returns: nil for anything but the one spelling of some bytes.
    package static func decode(_ text: String) -> [UInt8]? {
        let symbols = Array(text.utf8)
        guard symbols.count.isMultiple(of: 4), symbols.count < Int(Int32.max) else { return nil }
        guard !symbols.isEmpty else { return [] }
        let padding = symbols.suffix(2).count { $0 == UInt8(ascii: "=") }
        var bytes = [UInt8](repeating: 0, count: symbols.count / 4 * 3)
        guard EVP_DecodeBlock(&bytes, symbols, Int32(symbols.count)) == bytes.count else { return nil }
        bytes.removeLast(padding)
        // libcrypto passes over white space, and over bits that padding leaves unused.
        return encode(bytes) == text ? bytes : nil
    }
}
