// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

extension ScryptCost {
    /// The time that one guess at a passphrase should take.
    static let target = Duration.milliseconds(250)
    /// The lowest cost that is chosen, even on a slow machine (OWASP Password Storage Cheat Sheet).
    static let floor: ScryptCost = .standard
    /// scrypt uses at most one part in 16 of the machine's memory.
    private static let memoryShare: UInt64 = 16

    /// Chooses the cost for this machine by measuring, which takes 0.1 to 0.2 s.
    static func calibrated(in arena: SecretArena) throws(PlatformError) -> ScryptCost {
        let probe = try Secret(copying: [1], in: arena)
        var quickest = Duration.seconds(60)
        // The first run also includes the time for allocating the memory.
        for _ in 0..<2 {
            let start = ContinuousClock.now
            _ = try KeyDerivation.scrypt(probe, salt: [0], cost: .minimum, in: arena)
            quickest = min(quickest, ContinuousClock.now - start)
        }
        let pages = UInt64(max(sysconf(Int32(_SC_PHYS_PAGES)), 0))
        let pageSize = UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 0))
        return chosen(minimumTakes: quickest, memory: pages.multipliedReportingOverflow(by: pageSize).partialValue)
    }

    /// Chooses the cost whose time is closest to the target. The time doubles with each step of log2 N.
    ///
    /// - Parameters:
    ///   - measured: the time that `minimum` takes.
    ///   - memory: the machine's memory in bytes.
    static func chosen(minimumTakes measured: Duration, memory: UInt64) -> ScryptCost {
        var best = floor
        for log2N in (floor.log2N + 1)...accepted.upperBound {
            guard let cost = ScryptCost(log2N: log2N), cost.byteCount <= memory / memoryShare else { break }
            // On a logarithmic scale, half a step above the target is as close as half a step below it.
            let time = measured * (1 << (Int(log2N) - Int(minimum.log2N)))
            guard time * 5 <= target * 7 else { break }
            best = cost
        }
        return best
    }

    /// The memory of one derivation: 128·r·N bytes.
    var byteCount: UInt64 { 128 * UInt64(Self.r) << UInt64(log2N) }
}
