// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// The output and exit status of a program.
struct ProgramOutput {
    private static let maximumBytes = 64 << 10

    /// Standard output and standard error, together.
    let text: String
    /// The exit status; -1 if a signal or the timeout ended the program.
    let status: Int32

    /// - Parameter arguments: the path of the program, then its arguments.
    /// - Returns: nil if the program cannot be started.
    init?(_ arguments: [String], withinMilliseconds patience: Int32) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        defer { close(ends[0]) }
        var program = ProgramStart(arguments[0], arguments: arguments)
        program.input = .null
        program.output = .descriptor(ends[1])
        program.errors = .descriptor(ends[1])
        let started = try? program.start()
        close(ends[1])
        guard let pid = started else { return nil }
        text = Self.read(ends[0], withinMilliseconds: patience)
        // The output is closed, or the timeout is over. Kill the program if it does not exit now.
        if Self.isRunning(pid) { kill(pid, SIGKILL) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        self.status = status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    }

    private static func isRunning(_ pid: pid_t) -> Bool {
        // A program normally exits within milliseconds after its output is closed.
        for _ in 0..<100 {
            var facts = siginfo_t()
            let options = WEXITED | WNOHANG | WNOWAIT
            guard waitid(P_PID, id_t(pid), &facts, options) == 0, facts.si_signo == 0 else { return false }
            poll(nil, 0, 1)
        }
        return true
    }

    private static func read(_ descriptor: Int32, withinMilliseconds patience: Int32) -> String {
        let end = ContinuousClock.now + .milliseconds(Int(patience))
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < maximumBytes {
            let rest = max(0, (end - ContinuousClock.now) / .milliseconds(1))
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, Int32(rest)) > 0 else { break }
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
