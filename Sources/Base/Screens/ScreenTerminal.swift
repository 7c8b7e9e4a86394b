// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Platform

/// A terminal in full-screen mode.
package final class ScreenTerminal {
    /// The descriptor of the keys, for poll(2).
    package let input: Int32
    private let output: Int32
    private let usual: termios
    private var painter: ScreenPainter
    private var isEntered = false

    /// - Parameters:
    ///   - input: the descriptor that the keys are read from.
    ///   - output: the descriptor that the screen is written to.
    ///   - kind: the variable `TERM`.
    /// - Returns: nil unless both are a terminal that supports control sequences.
    package init?(input: Int32, output: Int32, kind: String?, hasColours: Bool) {
        var mode = termios()
        guard isatty(output) == 1, tcgetattr(input, &mode) == 0 else { return nil }
        guard let kind, !kind.isEmpty, kind != "dumb" else { return nil }
        (self.input, self.output) = (input, output)
        usual = mode
        painter = ScreenPainter(hasColours: hasColours)
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
        var mode = usual
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        mode.c_iflag &= ~tcflag_t(ICRNL)
        tcsetattr(input, TCSADRAIN, &mode)
        painter.forget()
        isEntered = true
        write(ScreenPainter.enter)
    }

    /// Restores the terminal.
    package func leave() {
        if isEntered { restore() }
    }

    /// Restores the terminal after another process has entered it and was killed.
    package func restore() {
        isEntered = false
        write(ScreenPainter.leave)
        var mode = usual
        tcsetattr(input, TCSADRAIN, &mode)
    }

    /// Shows a screen; only what has changed is written.
    package func show(_ lines: [ScreenLine]) {
        let text = painter.update(to: lines)
        if !text.isEmpty { write(text) }
    }

    /// Redraws the whole screen at the next update, because its size has changed.
    package func forget() { painter.forget() }

    /// Reads the bytes of keys.
    ///
    /// - Returns: the bytes read; empty at end of file.
    package func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = Glibc.read(input, &buffer, buffer.count)
        return Array(buffer.prefix(max(0, count)))
    }

    /// A terminal that is gone takes no output. Then reading it ends too.
    private func write(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { OpenFile.writeAll($0, to: output) }
    }
}
