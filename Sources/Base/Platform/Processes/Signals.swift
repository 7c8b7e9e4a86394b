// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// Signals that a program reads from a descriptor while it polls several things, instead of being interrupted
/// (signalfd(2)).
///
/// They stay blocked after this object is gone: in the thread that made it, and in programs that it starts with its
/// own signal mask.
package final class HeldSignals {
    /// A descriptor for poll(2). It is readable when `next` has a signal.
    package let descriptor: Int32

    /// - Throws: `PlatformError.system`
    package init(_ signals: [Int32]) throws(PlatformError) {
        let result = relx_hold_signals(signals, signals.count)
        guard result >= 0 else { throw .system(call: "signalfd", subject: "", errno: -result) }
        descriptor = result
    }

    deinit { close(descriptor) }

    /// The number of the next pending signal; nil if there is none.
    package func next() -> Int32? {
        let number = relx_next_signal(descriptor)
        return number == 0 ? nil : number
    }

    /// Gives a signal its default effect. Most signals end this process; SIGTSTP stops it until it is continued.
    package func take(_ number: Int32) { relx_take_signal(number) }
}

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
