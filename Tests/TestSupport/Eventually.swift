// SPDX-License-Identifier: Apache-2.0

internal import EventLoops
internal import NIOPosix
internal import Platform

/// A condition did not come true in time.
package struct NotInTime: Error {
    package let seconds: Double

    package init(seconds: Double) {
        self.seconds = seconds
    }
}

/// Asks again and again until `condition` holds: for conditions that nothing announces. The bound is for what never comes;
/// it says nothing of how soon it has to.
package func eventually(
    within seconds: Double = 60,
    _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while try await !condition() {
        guard ContinuousClock.now < end else { throw NotInTime(seconds: seconds) }
        try await MultiThreadedEventLoopGroup.singleton.next().sleep(for: .milliseconds(10))
    }
}
