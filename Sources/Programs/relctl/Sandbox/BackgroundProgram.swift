// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import LocalAPI
import Platform

/// A background process of relctl, which ends when relctl ends or is killed.
final class BackgroundProgram {
    /// The timeout for starting and for ending.
    static let patience = Duration.seconds(10)
    private static let shownLines = 3
    private static let fullBelow: UInt = 16 << 10

    private let name: String
    private let log: String
    private let pid: pid_t
    private var isEnded = false

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: the path of the program.
    ///   - environment: the complete environment.
    ///   - log: the file for its output, which is overwritten.
    /// - Throws: `Failure`
    init(_ path: String, _ arguments: [String], environment: [String: String], log: String) throws {
        name = path.split(separator: "/").last.map(String.init) ?? path
        self.log = log
        // The kernel sends SIGTERM if relctl is killed and cannot end the program itself.
        let words = ["setpriv", "--pdeathsig", "TERM", "--", path] + arguments
        var program = ProgramStart(words[0], arguments: words)
        program.searchesPath = true
        program.environment = environment.map { "\($0.key)=\($0.value)" }
        // In its own process group, so that Ctrl-C reaches only the program in the sandbox.
        program.hasOwnGroup = true
        program.restored = [SIGPIPE]
        program.input = .null
        program.output = .file(log, flags: O_WRONLY | O_CREAT | O_TRUNC | O_APPEND)
        program.errors = .descriptor(STDOUT_FILENO)
        do throws(ProgramStart.Failure) {
            pid = try program.start()
        } catch {
            throw Failure(.failed, "cannot run 'setpriv': \(String(cString: strerror(error.errno)))")
        }
    }

    /// Waits until `condition` returns a value for the output so far.
    ///
    /// - Returns: the value of `condition`.
    /// - Throws: `Failure` with the error in the output, or its last lines, if the program ended or the timeout is over.
    func wait<Value>(until condition: (String) throws -> Value?) throws -> Value {
        let end = ContinuousClock.now + Self.patience
        while true {
            if let value = try condition(output) { return value }
            var status: Int32 = 0
            isEnded = waitpid(pid, &status, WNOHANG) != 0
            guard !isEnded, ContinuousClock.now < end else {
                throw failure
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

    private var failure: Failure {
        let words = lastWords
        let isFull = isDiskFull
        let place = isFull ? ", and no space is left for '\(Printable(log))'" : ""
        return Failure(
            .failed,
            "\(name) \(isEnded ? "has ended" : "is not ready"): \(Printable(words))\(place)",
            hint: isFull || words.contains("disk is full") ? Hint(command: Repair.showFreeSpace(at: log)) : nil
        )
    }

    /// The error that the program has printed, before its usage; otherwise its last lines.
    private var lastWords: String {
        let lines = output.split(separator: "\n")
        if let error = lines.last(where: { $0.hasPrefix("Error: ") }) { return String(error.dropFirst(7)) }
        return lines.isEmpty ? "no output" : lines.suffix(Self.shownLines).joined(separator: "; ")
    }

    /// Whether even a log does not fit on the disk.
    private var isDiskFull: Bool {
        var facts = statvfs()
        return statvfs(log, &facts) == 0 && facts.f_bavail <= (Self.fullBelow - 1) / max(facts.f_frsize, 1)
    }

    private var output: String { TextFile.read(log, maximumBytes: 1 << 20) ?? "" }
}
