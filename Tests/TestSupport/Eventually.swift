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

/// Checks repeatedly until `condition` holds, for conditions without a notification. The timeout is only for a
/// condition that never holds. It is not a performance requirement.
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
