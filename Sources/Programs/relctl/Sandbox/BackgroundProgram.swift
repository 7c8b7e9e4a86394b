// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform

/// A background process of relctl, which ends when relctl ends or is killed.
final class BackgroundProgram {
    /// The timeout for starting and for ending.
    static let patience = Duration.seconds(10)

    private let name: String
    private let log: String
    private let pid: pid_t
    private var isEnded = false

    /// Starts a program in relctl's directory.
    ///
    /// - Parameters:
    ///   - environment: the complete environment.
    ///   - log: the file for its output, which is overwritten.
    /// - Throws: `Failure`
    init(_ name: String, _ arguments: [String] = [], environment: [String: String], log: String) throws {
        self.name = name
        self.log = log
        // The kernel sends SIGTERM if relctl is killed and cannot end the program itself.
        let words = ["setpriv", "--pdeathsig", "TERM", "--", HelperProgram.path(beside: name)] + arguments
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let argv = words.map { strdup($0) } + [nil]
        let envp = variables.map { strdup($0) } + [nil]
        defer { for text in argv + envp { free(text) } }

        // In its own process group, so that Ctrl-C reaches only the program in the sandbox.
        let attributes = SpawnAttributes(restoring: [SIGPIPE], ownGroup: true)
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO)
        var pid = pid_t()
        let status = attributes.withPointer { posix_spawnp(&pid, words[0], &files, $0, argv, envp) }
        guard status == 0 else {
            throw Failure(.failed, "cannot run 'setpriv': \(String(cString: strerror(status)))")
        }
        self.pid = pid
    }

    /// Waits until `condition` returns a value for the output so far.
    ///
    /// - Returns: the value of `condition`.
    /// - Throws: `Failure` with the last line of the output, if the program ended or the timeout is over.
    func wait<Value>(until condition: (String) throws -> Value?) throws -> Value {
        let end = ContinuousClock.now + Self.patience
        while true {
            if let value = try condition(output) { return value }
            var status: Int32 = 0
            isEnded = waitpid(pid, &status, WNOHANG) == pid
            guard !isEnded, ContinuousClock.now < end else {
                let last = output.split(separator: "\n").last.map(String.init) ?? "no output"
                throw Failure(.failed, "\(name) \(isEnded ? "has ended" : "is not ready"): \(Printable(last))")
            }
            poll(nil, 0, 10)
        }
    }

    /// Sends SIGTERM, and SIGKILL after the timeout.
    func end() {
        guard !isEnded else { return }
        kill(pid, SIGTERM)
        let end = ContinuousClock.now + Self.patience
        var status: Int32 = 0
        while waitpid(pid, &status, WNOHANG) == 0 {
            if ContinuousClock.now > end { kill(pid, SIGKILL) }
            poll(nil, 0, 10)
        }
        isEnded = true
    }

    private var output: String { TextFile.read(log, maximumBytes: 1 << 20) ?? "" }
}
