// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import LocalAPI
import Platform
import Screens

/// The terminal of the SQL shell: reads lines in raw mode, and restores the terminal on every way out.
final class ShellTerminal {
    private static let ending = [SIGHUP, SIGTERM, SIGQUIT]
    /// The maximum interval between the bytes of one key.
    private static let keyPause: Int32 = 50

    private let usual: termios
    private let signals: HeldSignals
    private var decoder = KeyDecoder()
    private var keys: [Key] = []

    /// - Returns: nil unless standard input and output are a terminal.
    init?() throws {
        var mode = termios()
        guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &mode) == 0 else { return nil }
        usual = mode
        signals = try HeldSignals(Self.ending + [SIGINT])
    }

    /// Reads a line.
    ///
    /// - Parameter complete: changes the line after Tab.
    /// - Returns: nil at the end of input; an empty line after Ctrl-C.
    func line(_ prompt: String, _ editor: inout LineEditor, _ complete: (inout LineEditor) -> Void) -> String? {
        enter()
        defer { leave() }
        while true {
            paint(prompt, editor)
            guard let key = nextKey() else { return nil }
            switch editor.handle(key) {
            case .edited: continue
            case .wantsCompletion:
                // Reads the schema, which Ctrl-C must be able to end.
                leave()
                complete(&editor)
                enter()
            case .accepted(let line):
                Terminal.write("\n")
                return line
            case .abandoned:
                Terminal.write("^C\n")
                return ""
            case .ended:
                Terminal.write("\n")
                return nil
            }
        }
    }

    /// The width of the terminal.
    var columns: Int { max(20, Terminal.outputColumns ?? 80) }

    private func paint(_ prompt: String, _ editor: LineEditor) {
        let room = columns - prompt.unicodeScalars.count - 1
        let (text, cursor) = editor.visible(in: max(2, room))
        let column = prompt.unicodeScalars.count + cursor
        Terminal.write("\r\u{1B}[K\(prompt)\(text)\r" + (column > 0 ? "\u{1B}[\(column)C" : ""))
    }

    private func enter() {
        var mode = usual
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        mode.c_iflag &= ~tcflag_t(ICRNL | IXON)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    }

    private func leave() {
        var mode = usual
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    }

    /// - Returns: nil at the end of input. SIGINT counts as Ctrl-C; other signals end the process.
    private func nextKey() -> Key? {
        while keys.isEmpty {
            var entries = [STDIN_FILENO, signals.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let ready = poll(&entries, 2, decoder.isUndecided ? Self.keyPause : -1)
            if let signal = signals.next() {
                guard signal == SIGINT else { end(by: signal) }
                return .control("c")
            }
            if ready == 0, let key = decoder.flush() { return key }
            guard entries[0].revents != 0 else { continue }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            guard count > 0 else { return nil }
            keys = decoder.keys(for: Array(buffer.prefix(count)))
        }
        return keys.removeFirst()
    }

    private func end(by signal: Int32) -> Never {
        leave()
        Terminal.write("\n")
        signals.take(signal)
        // Reached only if the signal was ignored when this process started.
        exit(128 + signal)
    }
}

/// The lines that were typed in earlier shells.
struct ShellHistory {
    private static let file = "sql-history"
    private static let mostLines = 1_000
    private static let maximumBytes = 4 << 20

    private let directory: String
    private(set) var lines: [String] = []

    /// Reads the history; empty if it cannot be read.
    init() throws(PlatformError) {
        directory = try Directories(.ofProcess()).state
        guard let opened = try? ProtectedDirectory(directory, creating: true),
            let bytes = try? AtomicFile.read(Self.file, in: opened, maximumBytes: Self.maximumBytes)
        else { return }
        lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").suffix(Self.mostLines).map(String.init)
    }

    /// Adds a line, and writes the file with mode 0600. A shell without a file for it works too.
    mutating func add(_ line: String) {
        lines = Array((lines + [line]).suffix(Self.mostLines))
        guard let opened = try? ProtectedDirectory(directory, creating: true) else { return }
        try? AtomicFile.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: Self.file, in: opened)
    }
}
