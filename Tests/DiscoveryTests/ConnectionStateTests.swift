// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Discovery

@Suite("Decisions about connecting to Avahi")
struct ConnectionStateTests {
    private var random = FixedRandom()
    private var state = ConnectionState()

    @Test("it connects, begins when avahi-daemon responds, and reports that once")
    mutating func goodCase() {
        #expect(state.start() == [.connect])
        #expect(state.start() == [])
        #expect(state.becameUsable() == [.tell(.up), .begin])
        #expect(state.becameUsable() == [])
    }

    @Test("an absent avahi-daemon is reported once, and nothing is tried until it appears")
    mutating func absent() {
        _ = state.start()
        #expect(state.waits() == [.tell(.down(SourceFault(.avahiNotRunning)))])
        #expect(state.waits() == [])
        #expect(state.becameUsable() == [.tell(.up), .begin])
    }

    @Test("a failure frees everything, is reported, and is followed by another attempt")
    mutating func failure() {
        _ = state.start()
        _ = state.becameUsable()
        let lost = DiscoveryError.avahi(code: DiscoveryError.disconnected)
        #expect(
            state.failed(lost, using: &random) == [
                .tell(.down(SourceFault(.avahiLost))), .disconnect,
                .retry(after: .milliseconds(100)),
            ]
        )
        #expect(state.failed(lost, using: &random) == [], "a second report of the same failure")
        #expect(state.becameUsable() == [], "a late report of what was freed")
        #expect(state.retry() == [.connect])
        #expect(state.retry() == [])
    }

    @Test("a request during the backoff causes an immediate attempt")
    mutating func asked() {
        _ = state.start()
        #expect(state.asked() == [])
        _ = state.failed(.avahi(code: DiscoveryError.accessDenied), using: &random)
        #expect(state.asked() == [.retry(after: .zero)])
        #expect(state.retry() == [.connect])
        #expect(state.asked() == [])
    }

    @Test("the same reason is reported once, while the backoff grows up to 15 s")
    mutating func pauses() {
        var pauses: [Duration] = []
        var told = 0
        var actions = state.start()
        for _ in 0..<10 {
            #expect(actions == [.connect])
            for action in state.failed(.noSystemBus, using: &random) {
                if case .retry(let pause) = action { pauses.append(pause) }
                if case .tell = action { told += 1 }
            }
            actions = state.retry()
        }
        #expect(pauses == [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 15_000, 15_000].map { .milliseconds($0) })
        #expect(told == 1)
    }

    @Test("a fault that passes without a sign is retried at least once a second")
    mutating func passingFaults() {
        for error in [DiscoveryError.notAnswering, .avahi(code: DiscoveryError.disconnected)] {
            var state = ConnectionState()
            var actions = state.start()
            for expected in [100, 200, 400, 800, 800, 800] {
                #expect(actions == [.connect])
                let failed = state.failed(error, using: &random)
                #expect(failed.last == .retry(after: .milliseconds(expected)))
                actions = state.retry()
            }
        }
    }

    @Test("when the bus appears, the backoff starts again with its shortest interval")
    mutating func busAppears() {
        _ = state.start()
        for _ in 0..<8 {
            _ = state.failed(.noSystemBus, using: &random)
            _ = state.retry()
        }
        #expect(state.busAppeared(using: &random) == [], "it is trying")
        _ = state.failed(.noSystemBus, using: &random)
        #expect(state.busAppeared(using: &random) == [.retry(after: .milliseconds(100))])
        #expect(state.retry() == [.connect])
    }

    @Test("only success resets the backoff, so an unstable avahi-daemon is not queried faster")
    mutating func flapping() {
        _ = state.start()
        for expected in [100, 200, 400] {
            _ = state.becameUsable()
            let actions = state.failed(.notAnswering, using: &random)
            #expect(actions.last == .retry(after: .milliseconds(expected)))
            _ = state.retry()
        }
        _ = state.becameUsable()
        state.succeeded()
        #expect(state.failed(.notAnswering, using: &random).last == .retry(after: .milliseconds(100)))
    }

    @Test("after stop nothing happens")
    mutating func stopped() {
        _ = state.start()
        #expect(state.stop() == [.disconnect])
        #expect(state.stop() == [])
        #expect(state.becameUsable() == [])
        #expect(state.retry() == [])
        #expect(state.start() == [])
        #expect(state.failed(.notRunning, using: &random) == [])
    }
}

/// Returns the upper end of every range: no jitter.
private struct FixedRandom: RandomNumberGenerator {
    mutating func next() -> UInt64 { .max }
}
