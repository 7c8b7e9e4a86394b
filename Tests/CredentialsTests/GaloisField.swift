// SPDX-License-Identifier: Apache-2.0

/// GF(2^128) as used by GHASH (NIST SP 800-38D, section 6.3): the first bit of a block is the lowest power.
struct GaloisField: Equatable {
    private var bits: UInt128

    static let one = GaloisField(bits: 1 << 127)

    private init(bits: UInt128) {
        self.bits = bits
    }

    /// Makes an element of up to 16 bytes, padded with zeros.
    init(_ block: some Collection<UInt8>) {
        precondition(block.count <= 16)
        bits = block.reduce(0) { $0 << 8 | UInt128($1) } << UInt128(8 * (16 - block.count))
    }

    var block: [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: bits >> UInt128(120 - 8 * $0)) } }

    static func + (left: GaloisField, right: GaloisField) -> GaloisField {
        GaloisField(bits: left.bits ^ right.bits)
    }

    static func * (left: GaloisField, right: GaloisField) -> GaloisField {
        var sum: UInt128 = 0
        var shifted = left.bits
        for place in 0..<128 {
            if right.bits >> UInt128(127 - place) & 1 == 1 { sum ^= shifted }
            shifted = shifted & 1 == 1 ? shifted >> 1 ^ 0xE1 << 120 : shifted >> 1
        }
        return GaloisField(bits: sum)
    }

    /// The inverse by Fermat's little theorem: the power 2^128 - 2.
    var inverse: GaloisField {
        var power = self
        var product = GaloisField.one
        for _ in 1..<128 {
            power = power * power
            product = product * power
        }
        return product
    }

    func power(_ exponent: Int) -> GaloisField {
        (0..<exponent).reduce(.one) { product, _ in product * self }
    }
}
