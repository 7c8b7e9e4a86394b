// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// Signals that wait in a descriptor for a program that polls several things, instead of interrupting it.
///
/// They stay blocked when this object is gone: of the thread that made it, and of programs that it starts unless told
/// otherwise.
package final class HeldSignals {
    /// For poll(2): readable when `next` has one.
    package let descriptor: Int32

    /// - Throws: `PlatformError.system`
    package init(_ signals: [Int32]) throws(PlatformError) {
        let result = relx_hold_signals(signals, signals.count)
        guard result >= 0 else { throw .system(call: "signalfd", subject: "", errno: -result) }
        descriptor = result
    }

    deinit { close(descriptor) }

    /// The number of the next signal that has come; nil for none.
    package func next() -> Int32? {
        let number = relx_next_signal(descriptor)
        return number == 0 ? nil : number
    }

    /// Lets a signal do what it does to a program that does not care: most end this process, SIGTSTP stops it until
    /// somebody has it go on.
    package func take(_ number: Int32) { relx_take_signal(number) }
}
