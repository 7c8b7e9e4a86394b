// SPDX-License-Identifier: Apache-2.0

import Glibc

/// SHA-256 (FIPS 180-4), computed over several chunks. For a single chunk there is `SHA256.digest(of:)`.
///
/// Written here and not taken from libcrypto, so that relctl starts without that library (decision 79). Everything that
/// is derived from the message is wiped.
package struct SHA256: ~Copyable {
    /// The length of a digest.
    package static let byteCount = 32

    private static let blockByteCount = 64

    private static let initialState: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A,
        0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]

    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]

    /// The eight words of the state, then the 64 of the message schedule. The first 16 of these are the block.
    private let words = UnsafeMutablePointer<UInt32>.allocate(capacity: 8 + 64)
    private var byteCount: UInt64 = 0

    /// Starts a digest.
    package init() {
        words.initialize(repeating: 0, count: 8 + 64)
        for (index, word) in Self.initialState.enumerated() { words[index] = word }
    }

    deinit {
        explicit_bzero(words, (8 + 64) * MemoryLayout<UInt32>.stride)
        words.deallocate()
    }

    /// Adds a chunk.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let filled = Int(byteCount % UInt64(Self.blockByteCount))
            let piece = rest.prefix(Self.blockByteCount - filled)
            UnsafeMutableRawBufferPointer(start: words + 8, count: Self.blockByteCount)[filled...].copyBytes(
                from: piece
            )
            byteCount += UInt64(piece.count)
            rest = rest.dropFirst(piece.count)
            if byteCount.isMultiple(of: UInt64(Self.blockByteCount)) { addBlock() }
        }
    }

    /// Adds a chunk.
    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// - Returns: the 32 bytes of the digest.
    package consuming func finalize() -> [UInt8] {
        let bitCount = byteCount * 8
        let filled = Int(byteCount % UInt64(Self.blockByteCount))
        let zeros = (filled < 56 ? 55 : 119) - filled
        update([0x80] + [UInt8](repeating: 0, count: zeros) + Self.bigEndian(bitCount))
        return (0..<8).flatMap { Self.bigEndian(words[$0]) }
    }

    /// - Returns: the 32 bytes of the digest.
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        var digest = SHA256()
        digest.update(bytes)
        return digest.finalize()
    }

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// Section 6.2.2: the schedule of the block, and 64 rounds.
    private func addBlock() {
        let schedule = words + 8
        for index in 0..<16 { schedule[index] = UInt32(bigEndian: schedule[index]) }
        for index in 16..<64 {
            let (old, new) = (schedule[index - 15], schedule[index - 2])
            let first = rotated(old, 7) ^ rotated(old, 18) ^ old >> 3
            let second = rotated(new, 17) ^ rotated(new, 19) ^ new >> 10
            schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
        }
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        var (e, f, g, h) = (words[4], words[5], words[6], words[7])
        Self.constants.withUnsafeBufferPointer { constants in
            for index in 0..<64 {
                let choice = e & f ^ ~e & g
                let majority = a & b ^ a & c ^ b & c
                let first =
                    h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ constants[index]
                    &+ schedule[index]
                let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
                (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
            }
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { words[index] &+= word }
    }

    private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word &>> count | word &<< (32 &- count)
    }
}
