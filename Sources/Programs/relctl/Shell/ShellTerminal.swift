// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import LocalAPI
import Platform
import Screens

/// The terminal of the SQL shell: reads lines in raw mode, and restores the terminal on every way out.
final class ShellTerminal {
    private let modes: TerminalModes
    private let reader: KeyReader
    private var events: [KeyReader.Event] = []

    /// - Returns: nil unless standard input and output are a terminal.
    init?() throws {
        guard Terminal.outputIsTerminal, let modes = TerminalModes(of: STDIN_FILENO) else { return nil }
        self.modes = modes
        reader = try KeyReader(STDIN_FILENO, holding: ScreenSession.ending)
    }

    /// The end of a line.
    enum Line: Hashable {
        /// The user has ended it.
        case typed(String)
        /// The user has discarded it by Ctrl-C.
        case discarded
    }

    /// Reads a line.
    ///
    /// - Parameter complete: changes the line after Tab.
    /// - Returns: nil at the end of input.
    func line(_ prompt: String, _ editor: inout LineEditor, _ complete: (inout LineEditor) -> Void) -> Line? {
        modes.set(.line)
        defer { modes.restore() }
        while true {
            paint(prompt, editor)
            guard let key = nextKey() else { return nil }
            switch editor.handle(key) {
            case .edited: continue
            case .wantsCompletion:
                // Reads the schema, which Ctrl-C must be able to end.
                modes.restore()
                complete(&editor)
                modes.set(.line)
            case .accepted(let line):
                Terminal.write("\n")
                return .typed(line)
            case .abandoned:
                Terminal.write("^C\n")
                return .discarded
            case .ended:
                Terminal.write("\n")
                return nil
            }
        }
    }

    /// The width of the terminal.
    var columns: Int { max(20, Terminal.outputColumns ?? 80) }

    private func paint(_ prompt: String, _ editor: LineEditor) {
        let width = columns - prompt.unicodeScalars.count - 1
        let (text, cursor) = editor.visible(in: max(2, width))
        let column = prompt.unicodeScalars.count + cursor
        Terminal.write("\r\u{1B}[K\(prompt)\(text)\r" + (column > 0 ? "\u{1B}[\(column)C" : ""))
    }

    /// - Returns: nil at the end of input. SIGINT counts as Ctrl-C; other signals end the process.
    private func nextKey() -> Key? {
        while true {
            while events.isEmpty { events = reader.wait() }
            switch events.removeFirst() {
            case .key(let key): return key
            case .signal(SIGINT): return .control("c")
            case .signal(let number): end(by: number)
            case .ready: continue
            case .end: return nil
            }
        }
    }

    private func end(by signal: Int32) -> Never {
        modes.restore()
        Terminal.write("\n")
        reader.signals.take(signal)
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
