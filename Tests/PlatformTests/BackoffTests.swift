// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@Suite("The backoff between attempts")
struct BackoffTests {
    @Test("it doubles up to the longest interval, less half at most, and reset restores the shortest")
    func doubling() {
        var random = SystemRandomNumberGenerator()
        var backoff = Backoff(shortest: .milliseconds(500), longest: .seconds(300))
        var expected = Duration.milliseconds(500)
        for _ in 0..<40 {
            #expect((expected / 2...expected).contains(backoff.pause(using: &random)))
            expected = min(expected * 2, .seconds(300))
        }
        #expect(expected == .seconds(300))
        #expect((.milliseconds(500)...Duration.seconds(1)).contains(backoff.pause(atMost: .seconds(1), using: &random)))
        backoff.reset()
        #expect(backoff.pause(using: &random) <= .milliseconds(500))
    }
}
