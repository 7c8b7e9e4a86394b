// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Platform

/// A terminal in full-screen mode.
package final class ScreenTerminal {
    /// The descriptor of the keys.
    package var input: Int32 { modes.input }
    private let output: Int32
    private let modes: TerminalModes
    private var painter: ScreenPainter
    private var isEntered = false

    /// - Parameters:
    ///   - input: the descriptor that the keys are read from.
    ///   - output: the descriptor that the screen is written to.
    ///   - kind: the variable `TERM`.
    ///   - hasMouse: whether clicks and the wheel are keys while the screen is shown. The terminal then selects no text.
    /// - Returns: nil unless both are a terminal that supports control sequences.
    package init?(input: Int32, output: Int32, kind: String?, hasColours: Bool, hasMouse: Bool = false) {
        guard isatty(output) == 1, let modes = TerminalModes(of: input) else { return nil }
        guard let kind, !kind.isEmpty, kind != "dumb" else { return nil }
        self.output = output
        self.modes = modes
        painter = ScreenPainter(hasColours: hasColours, hasMouse: hasMouse)
    }

    /// The size now; 80 columns and 24 lines if the terminal does not know it.
    package var size: ScreenSize {
        var size = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return ScreenSize(columns: 80, lines: 24)
        }
        return ScreenSize(columns: Int(size.ws_col), lines: Int(size.ws_row))
    }

    /// Switches to the alternate screen and to unbuffered input; keys that send signals still do. May be called
    /// repeatedly, because another process may have changed the terminal while this one was stopped.
    package func enter() {
        modes.set(.screen)
        painter.forget()
        isEntered = true
        write(painter.enter)
    }

    /// Restores the terminal.
    package func leave() {
        guard isEntered else { return }
        isEntered = false
        write(ScreenPainter.leave)
        modes.restore()
    }

    /// Restores a terminal that another process has not restored, because it crashed.
    package func recover() {
        guard !modes.areUsual else { return }
        isEntered = true
        leave()
    }

    /// Shows a screen; only what has changed is written.
    package func show(_ lines: [ScreenLine]) {
        let text = painter.update(to: lines)
        if !text.isEmpty { write(text) }
    }

    /// Redraws the whole screen at the next update, because its size has changed.
    package func forget() { painter.forget() }

    /// A terminal that is gone takes no output. Then reading it ends too.
    private func write(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { OpenFile.writeAll($0, to: output) }
    }
}
