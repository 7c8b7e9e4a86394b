// SPDX-License-Identifier: Apache-2.0

/// As Varlink writes bytes that are no secret.
extension Base64 {
    package static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: encodedCount(of: bytes.count)) { room in
            bytes.withUnsafeBytes { encode($0, into: UnsafeMutableRawBufferPointer(room)) }
        }
    }

    /// - Returns: nil for anything but the one spelling of some bytes.
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
