// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// A provider's key as it stands in a file: 32 bytes, or 64 hexadecimal digits and a line feed.
enum ProviderKey {
    static let byteCount = 32
    static let hexByteCount = 65

    /// - Returns: nil if the file has neither form.
    static func read(
        from descriptor: Int32,
        named path: String,
        in arena: SecretArena
    ) throws(PlatformError) -> Secret? {
        let text = try Secret(capacity: hexByteCount + 1, in: arena) { room throws(PlatformError) in
            try fill(room, from: descriptor, path)
        }
        if text.count == byteCount { return text }
        return try decodeHex(text, in: arena)
    }

    static func formText(_ path: String) -> String {
        "'\(path)' holds neither 32 bytes nor 64 hexadecimal digits and a line feed"
    }

    private static func fill(
        _ room: UnsafeMutableRawBufferPointer,
        from descriptor: Int32,
        _ path: String
    ) throws(PlatformError) -> Int {
        var filled = 0
        while filled < room.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: room[filled...])
            let count = Glibc.read(descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(call: "read", subject: path, errno: errno)
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    private static func decodeHex(_ text: borrowing Secret, in arena: SecretArena) throws(PlatformError) -> Secret? {
        let isHex = text.withBytes { bytes in
            bytes.count == hexByteCount && bytes.last == UInt8(ascii: "\n")
                && bytes.dropLast().allSatisfy { HexText.value(of: $0) != nil }
        }
        guard isHex else { return nil }
        return try Secret(capacity: byteCount, in: arena) { room in
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
