// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Registry

@Suite("Registry and its model")
struct RegistryModelTests {
    private static let shares = 0..<4
    private static let share = Soak.count(25_000, soak: 1_000_000) / shares.count

    @Test(
        "after a random sequence the list equals the model and the fold of all changes, within every limit"
    )
    func sequences() async throws {
        _ = try await Cores.map(Self.shares) { Self.check(part: $0) }
    }

    private static func check(part: Int) {
        var total = RandomRun.Tally()
        for number in 0..<Self.share {
            let seed = part * Self.share + number
            var run = RandomRun(seed: UInt64(seed))
            let steps = 1 + seed % (Soak.isOn ? 24 : 10)
            if let problem = run.run(steps: steps) {
                var again = RandomRun(seed: UInt64(seed))
                let first = again.run(steps: steps, isThorough: true)
                Issue.record("sequence \(seed): \(first ?? problem)")
                return
            }
            total.add(run.tally)
        }
        print(
            "registry model, part \(part): \(Self.share) sequences, \(total.steps) steps, \(total.changes) changes, "
                + "\(total.conflicts) in conflict, \(total.merged) of two sources, \(total.remembered) remembered, "
                + "\(total.counters.dropped) dropped, \(total.counters.evicted) evicted, \(total.counters.cut) cut, "
                + "\(total.counters.folded) folded"
        )
        let met = [
            total.changes, total.conflicts, total.merged, total.remembered, Int(total.counters.dropped),
            Int(total.counters.evicted), Int(total.counters.cut), Int(total.counters.malformed),
            Int(total.counters.folded),
        ]
        #expect(met.allSatisfy { $0 > Self.share / 50 }, "too seldom met: \(met)")
    }
}

extension RandomRun.Tally {
    fileprivate mutating func add(_ other: Self) {
        steps += other.steps
        changes += other.changes
        conflicts += other.conflicts
        merged += other.merged
        remembered += other.remembered
        counters.dropped += other.counters.dropped
        counters.evicted += other.counters.evicted
        counters.cut += other.counters.cut
        counters.malformed += other.counters.malformed
        counters.folded += other.counters.folded
    }
}
