// SPDX-License-Identifier: Apache-2.0

/// The cost of one guess at a passphrase: 128·8·N bytes of memory, with r = 8 and p = 1 (RFC 7914).
package struct ScryptCost: Sendable, Hashable {
    /// log2 N, from 15 to 20. With 17, one guess takes 0.25 s and 137 MB.
    package let log2N: UInt8

    /// The accepted values of `log2N`.
    package static let accepted: ClosedRange<UInt8> = 15...20
    /// The lowest cost for the vault's own slots.
    package static let standard = ScryptCost(accepting: 17)
    /// The lowest accepted cost.
    package static let minimum = ScryptCost(accepting: accepted.lowerBound)
    /// The cost for files that leave the machine.
    package static let export = ScryptCost(accepting: 18)
    static let r: UInt8 = 8
    static let p: UInt8 = 1

    /// Makes a cost.
    ///
    /// - Returns: nil outside `accepted`. A lower cost is too weak, and with a higher one a hostile file could take
    ///   gigabytes.
    package init?(log2N: UInt8) {
        guard Self.accepted.contains(log2N) else { return nil }
        self.log2N = log2N
    }

    private init(accepting log2N: UInt8) {
        self.log2N = log2N
    }
}
