// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Breaks off what another thread waits for in poll(2). Once given it stays.
package final class StopSignal: Sendable {
    /// Readable, at its end, once the signal was given.
    package let descriptor: Int32
    private let other: Int32

    package init() throws(PlatformError) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .system(call: "socketpair", subject: "", errno: errno)
        }
        (descriptor, other) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(other)
    }

    /// Called from any thread, any number of times.
    package func give() {
        shutdown(other, Int32(SHUT_WR))
    }

    /// Waits for `descriptor` to become ready, for the signal, or until `end`.
    ///
    /// - Parameter signal: nil waits for the two others alone.
    package static func wait(
        for event: Int32,
        of descriptor: Int32,
        or signal: StopSignal?,
        until end: ContinuousClock.Instant
    ) -> Waited {
        while true {
            let left = end - .now
            guard left > .zero else { return .late }
            let milliseconds = left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000 + 1
            // poll(2) passes over a negative descriptor.
            var entries = [
                pollfd(fd: descriptor, events: Int16(event), revents: 0),
                pollfd(fd: signal?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&entries, 2, Int32(clamping: milliseconds))
            if entries[1].revents != 0 { return .stopped }
            if count > 0 { return .ready }
        }
    }

    /// What came first.
    package enum Waited { case ready, stopped, late }
}
