// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport

@testable import Credentials

/// Random edits at every depth: of the file, with a repaired digest, with a repaired header tag, and of the payload
/// itself.
enum RandomDamage {
    static func damaged(_ vault: RandomVault, _ random: inout SeededRandom, in arena: SecretArena) throws -> [UInt8] {
        let depth = random.number(0...3)
        guard depth > 0 else { return edited(vault.bytes, upTo: vault.bytes.count, &random) }
        let base = try FormatBase(vault.bytes, dataKey: vault.dataKey, in: arena)
        var header = base.header
        var plain = base.plain
        if depth < 3 {
            for _ in 0..<random.number(1...2) {
                let offset = random.number(8...(header.count - 33))
                header[offset] =
                    random.chance(1, of: 2) ? header[offset] ^ UInt8(1 << random.number(0...7)) : random.bytes(1)[0]
            }
            try base.setDigest(in: &header)
            if depth == 2 { try base.setTag(in: &header) }
            return header + base.sealed
        }
        let used = max(1, (plain.lastIndex { $0 != 0 } ?? 0) + 1)
        plain = edited(plain, upTo: used, &random)
        // The length of a payload is a multiple of the block size; any other length makes the header invalid.
        plain = Array((plain + [UInt8](repeating: 0, count: 4096))[..<base.plain.count])
        if random.chance(1, of: 4) { header[10] = 1 }
        try base.setDigest(in: &header)
        try base.setTag(in: &header)
        return header + (try base.seal(plain, under: header))
    }

    private static func edited(_ bytes: [UInt8], upTo limit: Int, _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<random.number(1...3) {
            let offset = random.number(0...(min(limit, bytes.count) - 1))
            switch random.number(0...5) {
            case 0: bytes[offset] = random.bytes(1)[0]
            case 1: bytes[offset] ^= 1 << random.number(0...7)
            case 2: bytes[offset] = random.element([0, 1, 0x7F, 0x80, 0xFF])
            case 3: bytes.remove(at: offset)
            case 4: bytes.insert(random.bytes(1)[0], at: offset)
            default: bytes.swapAt(offset, random.number(0...(min(limit, bytes.count) - 1)))
            }
            if bytes.isEmpty { break }
        }
        return bytes
    }
}
