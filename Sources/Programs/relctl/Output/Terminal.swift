// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform
import Screens

/// Unbuffered standard output and standard error.
enum Terminal {
    static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The width of the terminal; nil if standard output is not a terminal.
    static var outputColumns: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Returns another descriptor of an open file, which a helper inherits. The standard input of a helper is its job.
    static func inherited(_ file: Int32) throws(PlatformError) -> Int32 {
        let descriptor = fcntl(file, F_DUPFD, STDERR_FILENO + 1)
        guard descriptor >= 0 else { throw .system(call: "fcntl", subject: "-", errno: errno) }
        return descriptor
    }

    static func write(_ text: String) { write(Array(text.utf8)) }

    static func write(_ bytes: [UInt8]) { writeAll(bytes, to: STDOUT_FILENO) }

    static func writeError(_ text: String) { writeAll(Array(text.utf8), to: STDERR_FILENO) }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
        let code = bytes.withUnsafeBytes { OpenFile.writeAll($0, to: descriptor) }
        if code != 0 { giveUp(code, writingTo: descriptor) }
    }

    /// Exits: with success if the reader has closed the pipe, otherwise with an error.
    private static func giveUp(_ code: Int32, writingTo descriptor: Int32) -> Never {
        guard code != EPIPE else { exit(ExitStatus.done.rawValue) }
        if descriptor == STDOUT_FILENO {
            writeError("relctl: error: the output cannot be written: \(String(cString: strerror(code)))\n")
        }
        exit(ExitStatus.failed.rawValue)
    }
}

extension ScreenTerminal {
    /// The terminal of standard input and output; nil if they are none with screen control.
    ///
    /// - Parameter hasMouse: whether clicks and the wheel are keys.
    static func ofProcess(hasMouse: Bool = false) -> ScreenTerminal? {
        ScreenTerminal(
            input: STDIN_FILENO,
            output: STDOUT_FILENO,
            kind: Environment.ofProcess()["TERM"],
            hasColours: Style.ofOutput.isColoured,
            hasMouse: hasMouse
        )
    }
}

/// Colours and character set, chosen once for an output.
struct Style: Hashable {
    private static let dumbTerminals: Set<String?> = [nil, "dumb"]

    let isColoured: Bool
    /// Whether relctl's own symbols may be non-ASCII. Does not affect names of servers.
    let isUnicode: Bool

    static let plain = Style(isTerminal: false, Environment([:]))
    static let ofOutput = Style(isTerminal: Terminal.outputIsTerminal, .ofProcess())

    /// - Parameter environment: `NO_COLOR` with any value and `TERM=dumb` disable colours. The first variable that is
    ///   set of `LC_ALL`, `LC_CTYPE` and `LANG` determines the character set.
    init(isTerminal: Bool, _ environment: Environment) {
        isColoured =
            isTerminal && environment["NO_COLOR"] == nil && !Self.dumbTerminals.contains(environment["TERM"])
        let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? ""
        isUnicode = isTerminal && locale.lowercased().filter { $0 != "-" }.contains("utf8")
    }

    /// The multiplication sign for counts: `3×`.
    var times: String { isUnicode ? "×" : "x" }

    /// The sign for truncated text.
    var ellipsis: String { isUnicode ? "…" : "..." }

    /// The sign between an old and a new value.
    var arrow: String { isUnicode ? "→" : "->" }

    func heading(_ text: String) -> String { painted(text, "1") }

    /// A state in its colour; any other word unchanged.
    func state(_ word: String) -> String {
        switch word {
        case "reachable", "up", "unlocked", "ok": painted(word, "32")
        case "stale", "sealed", "locked", "warning": painted(word, "33")
        case "unreachable", "conflict", "down", "failed", "fault": painted(word, "31")
        default: word
        }
    }

    private func painted(_ text: String, _ code: String) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// Lines made safe for a terminal again: existing escapes stay as they are.
struct PrintableText {
    let text: String

    init(_ text: String) {
        self.text = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Printable(again: String($0)).description }
            .joined(separator: "\n")
    }
}

/// JSON text that is safe for a terminal: characters that `Printable` escapes are written as JSON escapes.
struct PrintableJSON {
    let bytes: [UInt8]

    init(_ value: JSONValue) {
        let bytes = value.serialized()
        guard !bytes.allSatisfy({ $0 < 0x7F }) else {
            self.bytes = bytes
            return
        }
        var safe: [UInt8] = []
        safe.reserveCapacity(bytes.count)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            let text = String(scalar)
            if scalar == "\\" || Printable(text).description == text {
                safe += text.utf8
            } else {
                for unit in text.utf16 {
                    let digits = String(unit, radix: 16)
                    safe += Array("\\u".utf8) + Array(repeating: 0x30, count: 4 - digits.utf8.count) + digits.utf8
                }
            }
        }
        self.bytes = safe
    }
}

/// A status line on standard error, which is erased when the wait is over.
struct Progress {
    private let isWipeable: Bool

    /// - Returns: nil if standard error is not a terminal: a log should record only events.
    init?(_ environment: Environment = .ofProcess(), isTerminal: Bool = Terminal.errorIsTerminal) {
        guard isTerminal else { return nil }
        isWipeable = environment["TERM"] != "dumb"
    }

    /// - Parameter text: replaces the previous text. On a terminal that cannot erase a line, the text stays.
    func show(_ text: String) {
        Terminal.writeError((isWipeable ? Self.wipe : "") + "relctl: " + text + (isWipeable ? "" : "\n"))
    }

    func clear() {
        if isWipeable { Terminal.writeError(Self.wipe) }
    }

    /// Moves to the first column and erases the line.
    private static let wipe = "\r\u{1B}[K"
}
