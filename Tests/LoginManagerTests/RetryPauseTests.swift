// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LoginManager

@Suite("The backoff between attempts to reach the bus")
struct RetryPauseTests {
    @Test("it doubles up to five minutes, and reset restores the shortest interval")
    func doubling() {
        var pause = RetryPause()
        var expected = RetryPause.shortest
        for _ in 0..<40 {
            #expect(pause.next() == expected)
            expected = min(expected * 2, .seconds(300))
        }
        #expect(expected == .seconds(300))
        pause.reset()
        #expect(pause.next() == .milliseconds(500))
    }
}
