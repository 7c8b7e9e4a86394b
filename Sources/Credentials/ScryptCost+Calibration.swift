// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

extension ScryptCost {
    /// What a guess at a passphrase should take.
    static let target = Duration.milliseconds(250)
    /// Nothing less is chosen, however slow the machine (OWASP Password Storage Cheat Sheet).
    static let floor: ScryptCost = .standard
    /// scrypt gets at most this part of the machine's memory.
    private static let memoryShare: UInt64 = 16

    /// Measures this machine, which takes a tenth of a second or two.
    static func calibrated(in arena: SecretArena) throws(PlatformError) -> ScryptCost {
        let probe = try Secret(copying: [1], in: arena)
        var quickest = Duration.seconds(60)
        // The first run also pays for the memory.
        for _ in 0..<2 {
            let start = ContinuousClock.now
            _ = try KeyDerivation.scrypt(probe, salt: [0], cost: .minimum, in: arena)
            quickest = min(quickest, ContinuousClock.now - start)
        }
        let pages = UInt64(max(sysconf(Int32(_SC_PHYS_PAGES)), 0))
        let pageSize = UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 0))
        return chosen(minimumTakes: quickest, memory: pages.multipliedReportingOverflow(by: pageSize).partialValue)
    }

    /// The cost whose time comes closest to the target, given that of `minimum`; the time doubles with each step.
    ///
    /// - Parameter memory: of the machine, in bytes.
    static func chosen(minimumTakes measured: Duration, memory: UInt64) -> ScryptCost {
        var best = floor
        for log2N in (floor.log2N + 1)...accepted.upperBound {
            guard let cost = ScryptCost(log2N: log2N), cost.byteCount <= memory / memoryShare else { break }
            // Half a step over the target is as near as half a step under it.
            let time = measured * (1 << (Int(log2N) - Int(minimum.log2N)))
            guard time * 5 <= target * 7 else { break }
            best = cost
        }
        return best
    }

    /// 128·r·N: what one derivation takes.
    var byteCount: UInt64 { 128 * UInt64(Self.r) << UInt64(log2N) }
}
