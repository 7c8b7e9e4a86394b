// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The terminal that `relctl top` has to itself while it shows its screen.
final class TopTerminal {
    private let usual: termios
    private var painter: TopPainter
    private var isEntered = false

    /// - Returns: nil where standard input and output are not both a terminal that takes control sequences.
    init?(hasColours: Bool) {
        var mode = termios()
        guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &mode) == 0 else { return nil }
        let kind = getenv("TERM").map { String(cString: $0) } ?? ""
        guard !kind.isEmpty, kind != "dumb" else { return nil }
        usual = mode
        painter = TopPainter(hasColours: hasColours)
    }

    var size: TopSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TopSize(columns: 80, lines: 24)
        }
        return TopSize(columns: Int(size.ws_col), lines: Int(size.ws_row))
    }

    /// Takes the screen, and keys as they are pressed; those that send signals do so as ever. Repeats are harmless: who had
    /// this process stopped may have changed the terminal.
    func enter() {
        var mode = usual
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        mode.c_iflag &= ~tcflag_t(ICRNL)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
        painter.forget()
        isEntered = true
        Terminal.write(TopPainter.enter)
    }

    /// Gives everything back as it was.
    func leave() {
        guard isEntered else { return }
        isEntered = false
        Terminal.write(TopPainter.leave)
        var mode = usual
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    }

    func show(_ screen: TopScreen) {
        let text = painter.update(to: screen.lines)
        if !text.isEmpty { Terminal.write(text) }
    }

    /// The terminal has another size.
    func forget() { painter.forget() }

    /// - Returns: empty at its end.
    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        return Array(buffer.prefix(max(0, count)))
    }
}
