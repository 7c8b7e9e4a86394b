// SPDX-License-Identifier: Apache-2.0

/// A recovery code, as text with dashes.
extension Canary {
    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    var withoutDashes: Canary { Canary(name + "-bare", bytes: bytes.filter { $0 != UInt8(ascii: "-") }) }

    /// The 20 bytes that the text encodes (docs/vault-format.md).
    var decodedCode: Canary {
        let symbols = text.compactMap { Self.digits.firstIndex(of: $0) }
        let bits = symbols.flatMap { symbol in [16, 8, 4, 2, 1].map { symbol & $0 == 0 ? 0 : 1 } }
        let decoded = stride(from: 0, to: 160, by: 8).map { start in
            bits.dropFirst(start).prefix(8).reduce(UInt8(0)) { $0 << 1 | UInt8($1) }
        }
        return Canary(name + "-bytes", bytes: decoded)
    }
}
