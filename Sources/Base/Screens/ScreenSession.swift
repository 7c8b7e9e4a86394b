// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import Platform

/// A program on the full screen: its keys, and the signals that stop, continue, resize or end it.
///
/// The terminal is restored before the process stops or ends by a signal.
package final class ScreenSession {
    /// A thing that was waited for.
    package enum Event: Hashable, Sendable {
        case key(Key)
        /// The size, which may have changed. All is drawn again.
        case resized(ScreenSize)
        /// One of the other descriptors is readable.
        case ready(Int32)
        /// The terminal is gone, or a signal ends the program that was ignored when it started.
        case end
    }

    /// The signals that end a program.
    package static let ending = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    /// The terminal.
    package let terminal: ScreenTerminal
    private let reader: KeyReader
    private let interruptIsKey: Bool

    /// - Parameter interruptIsKey: whether SIGINT is the key Ctrl-C instead of ending the process.
    /// - Throws: `PlatformError.system`
    package init(_ terminal: ScreenTerminal, interruptIsKey: Bool = false) throws(PlatformError) {
        self.terminal = terminal
        self.interruptIsKey = interruptIsKey
        reader = try KeyReader(terminal.input, holding: Self.ending + [SIGTSTP, SIGCONT, SIGWINCH, SIGCHLD])
    }

    /// The signals that are held.
    package var signals: HeldSignals { reader.signals }

    /// Waits. Parameters and result are those of `KeyReader.wait`.
    package func wait(for others: [Int32] = [], until deadline: ContinuousClock.Instant? = nil) -> [Event] {
        reader.wait(for: others, until: deadline).compactMap { event in
            switch event {
            case .key(let key): .key(key)
            case .signal(let number): take(number)
            case .ready(let descriptor): .ready(descriptor)
            case .end: .end
            }
        }
    }

    /// Does what a signal demands.
    package func take(_ signal: Int32) -> Event? {
        switch signal {
        case SIGINT where interruptIsKey: return .key(.control("c"))
        case SIGWINCH:
            terminal.forget()
            return .resized(terminal.size)
        case SIGTSTP:
            terminal.leave()
            signals.take(SIGTSTP)
            return resume()
        case SIGCONT: return resume()
        case SIGCHLD: return nil
        default:
            terminal.leave()
            signals.take(signal)
            return .end
        }
    }

    /// Shows the screen again, after another process used the terminal.
    package func resume() -> Event {
        terminal.enter()
        return .resized(terminal.size)
    }
}
