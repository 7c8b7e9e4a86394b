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
