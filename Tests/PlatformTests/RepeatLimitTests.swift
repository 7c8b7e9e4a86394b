// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@Suite("The limit of repeated events") struct RepeatLimitTests {
    private let start = ContinuousClock.now

    @Test("permits one event of each key in an interval, and a refused one does not extend it")
    func interval() {
        var limit = RepeatLimit<String>(interval: .seconds(60), keys: 8)
        for (key, seconds, isPermitted) in [
            ("a", 0, true), ("a", 0, false), ("b", 1, true), ("a", 59, false), ("a", 60, true), ("a", 61, false),
            ("b", 61, true), ("a", 120, true),
        ] {
            let permits = limit.permits(key, at: start + .seconds(seconds))
            #expect(permits == isPermitted, "\(key) after \(seconds) s")
        }
    }

    @Test("refuses further keys when it is full, until an interval is over")
    func keys() {
        var limit = RepeatLimit<Int>(interval: .seconds(60), keys: 3)
        var permitted: [Bool] = []
        // The interval of the first key is over after 61 seconds, and the fourth takes its place.
        for (key, seconds) in [(1, 1), (2, 2), (3, 3), (4, 4), (4, 60), (4, 61), (1, 61)] {
            permitted.append(limit.permits(key, at: start + .seconds(seconds)))
        }
        #expect(permitted == [true, true, true, false, false, true, false])
    }
}
