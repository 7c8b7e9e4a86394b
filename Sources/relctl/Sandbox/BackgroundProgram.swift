// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform

/// A program of ours that runs beside relctl, and ends with it however that ends.
final class BackgroundProgram {
    /// How long it may take to start or to end.
    static let patience = Duration.seconds(10)

    private let name: String
    private let log: String
    private let pid: pid_t
    private var isEnded = false

    /// Starts one that stands beside relctl.
    ///
    /// - Parameters:
    ///   - environment: all of it.
    ///   - log: a file for its output, made anew.
    /// - Throws: `Failure`
    init(_ name: String, _ arguments: [String] = [], environment: [String: String], log: String) throws {
        self.name = name
        self.log = log
        // The kernel ends it where relctl is killed and cannot.
        let words = ["setpriv", "--pdeathsig", "TERM", "--", HelperProgram.path(beside: name)] + arguments
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let argv = words.map { strdup($0) } + [nil]
        let envp = variables.map { strdup($0) } + [nil]
        defer { for text in argv + envp { free(text) } }

        // Out of the terminal's reach: Ctrl-C is for the program in the sandbox.
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
            throw Failure(.failed, "'setpriv' was not started: \(String(cString: strerror(status)))")
        }
        self.pid = pid
    }

    /// Waits until its output, or something else, is as the caller needs it.
    ///
    /// - Returns: what `condition` found in the output so far.
    /// - Throws: `Failure` with the end of its output, when it ended instead or took too long.
    func wait<Value>(until condition: (String) throws -> Value?) throws -> Value {
        let end = ContinuousClock.now + Self.patience
        while true {
            if let value = try condition(output) { return value }
            var status: Int32 = 0
            isEnded = waitpid(pid, &status, WNOHANG) == pid
            guard !isEnded, ContinuousClock.now < end else {
                let last = output.split(separator: "\n").last.map(String.init) ?? "it said nothing"
                throw Failure(.failed, "\(name) \(isEnded ? "ended" : "does not get ready"): \(Printable(last))")
            }
            poll(nil, 0, 10)
        }
    }

    /// Asks it to end, and makes it where it does not.
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
