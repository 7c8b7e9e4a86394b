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
        guard pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO)
        let words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid = pid_t()
        let failure = SpawnAttributes().withPointer { posix_spawn(&pid, arguments[0], &files, $0, words, environ) }
        close(ends[1])
        guard failure == 0 else { return nil }
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
