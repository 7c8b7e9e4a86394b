// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Standard output and standard error as bytes, without a buffer of their own.
enum Terminal {
    static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The columns of the terminal that standard output is; nil elsewhere.
    static var outputColumns: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    static func write(_ text: String) { write(Array(text.utf8)) }

    static func write(_ bytes: [UInt8]) { writeAll(bytes, to: STDOUT_FILENO) }

    static func writeError(_ text: String) { writeAll(Array(text.utf8), to: STDERR_FILENO) }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { giveUp(errno, writingTo: descriptor) }
            rest = rest.dropFirst(count)
        }
    }

    /// Whoever no longer reads has what he wanted.
    private static func giveUp(_ code: Int32, writingTo descriptor: Int32) -> Never {
        guard code != EPIPE else { exit(ExitStatus.done.rawValue) }
        if descriptor == STDOUT_FILENO {
            writeError("relctl: error: the output cannot be written: \(String(cString: strerror(code)))\n")
        }
        exit(ExitStatus.failed.rawValue)
    }
}
