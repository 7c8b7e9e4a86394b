// SPDX-License-Identifier: Apache-2.0

/// The work that one guess at a passphrase takes: 128·8·N bytes, r = 8, p = 1 (RFC 7914).
package struct ScryptCost: Sendable, Hashable {
    /// 15...20. A quarter of a second and 137 MB at 17.
    package let log2N: UInt8

    package static let accepted: ClosedRange<UInt8> = 15...20
    package static let standard = ScryptCost(accepting: 17)
    package static let minimum = ScryptCost(accepting: accepted.lowerBound)
    /// For files that leave the machine.
    package static let export = ScryptCost(accepting: 18)
    static let r: UInt8 = 8
    static let p: UInt8 = 1

    /// - Returns: nil outside `accepted`: less is too weak, and more lets a hostile file take gigabytes.
    package init?(log2N: UInt8) {
        guard Self.accepted.contains(log2N) else { return nil }
        self.log2N = log2N
    }

    private init(accepting log2N: UInt8) {
        self.log2N = log2N
    }
}
