// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The input modes of a terminal: those that it had, and others that are set for a time.
package final class TerminalModes {
    /// The modes that are set for a time. Keys are not buffered and not echoed in both.
    package enum Kind: Sendable {
        /// Ctrl-C, Ctrl-Z and Ctrl-\ still send signals.
        case screen
        /// All keys are read.
        case line
    }

    /// The descriptor of the keys.
    package let input: Int32
    private let usual: termios

    /// - Returns: nil if the descriptor is not a terminal.
    package init?(of input: Int32) {
        var modes = termios()
        guard tcgetattr(input, &modes) == 0 else { return nil }
        self.input = input
        usual = modes
    }

    /// Sets other modes, after the output so far was written.
    package func set(_ kind: Kind) {
        var modes = usual
        modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
        modes.c_iflag &= ~tcflag_t(ICRNL)
        if kind == .line {
            modes.c_lflag &= ~tcflag_t(ISIG | IEXTEN)
            modes.c_iflag &= ~tcflag_t(IXON)
        }
        tcsetattr(input, TCSADRAIN, &modes)
    }

    /// Sets the modes that the terminal had.
    package func restore() {
        var modes = usual
        tcsetattr(input, TCSADRAIN, &modes)
    }

    /// Whether keys are buffered and echoed as they were before.
    package var areUsual: Bool {
        var modes = termios()
        guard tcgetattr(input, &modes) == 0 else { return true }
        return modes.c_lflag == usual.c_lflag && modes.c_iflag == usual.c_iflag
    }
}
