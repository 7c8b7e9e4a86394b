// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Aborts the poll(2) of another thread. Once given, the signal stays.
package final class StopSignal: Sendable {
    /// A descriptor that is at its end, and so readable, once the signal was given.
    package let descriptor: Int32
    private let other: Int32

    /// A signal that was not given yet.
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

    /// Gives the signal. Can be called from any thread, any number of times.
    package func give() {
        shutdown(other, Int32(SHUT_WR))
    }

    /// Waits for `descriptor` to become ready, for the signal, or until `end`.
    ///
    /// - Parameter signal: nil waits for the other two only.
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
            // poll(2) ignores a negative descriptor.
            var entries = [
                pollfd(fd: descriptor, events: Int16(event), revents: 0),
                pollfd(fd: signal?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&entries, 2, Int32(clamping: milliseconds))
            if entries[1].revents != 0 { return .stopped }
            if count > 0 { return .ready }
        }
    }

    /// The event that came first.
    package enum Waited { case ready, stopped, late }
}
