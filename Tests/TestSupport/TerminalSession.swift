// SPDX-License-Identifier: Apache-2.0

internal import Locks

/// A program with its own terminal, by script(1). Prompts are awaited and answered like by a user.
package final class TerminalSession: Sendable {
    private let child: ChildProcess
    private let seen = Lock(Transcript())

    private struct Transcript {
        var bytes: [UInt8] = []
        /// The end of the last prompt that was answered.
        var answered = 0
    }

    /// - Parameters: those of `ChildProcess`.
    package init(_ arguments: [String], environment: [String: String] = [:]) throws {
        // Without a shell between, which would also receive Ctrl-C.
        let command = "exec " + arguments.map { "'\($0)'" }.joined(separator: " ")
        child = try ChildProcess(
            ["script", "-q", "-e", "-f", "-c", command, "/dev/null"],
            environment: environment.merging(["SHELL": "/bin/sh", "TERM": "dumb"]) { $1 }
        )
    }

    /// Waits for the next prompt, and types a line.
    ///
    /// - Throws: `Command.Failure.deadline` with the output, if the prompt does not appear.
    package func answer(_ prompt: String, _ line: String) async throws {
        try await wait(for: prompt)
        child.write(line + "\n")
    }

    /// Types keys, such as `\u{3}` for Ctrl-C.
    package func type(_ keys: String) { child.write(keys) }

    /// Waits until a text is shown after the last one that was waited for.
    ///
    /// - Returns: the text that was shown before it.
    @discardableResult
    package func wait(for text: String) async throws -> String {
        try await BlockingWork.run { [self] in try waitBlocking(for: Array(text.utf8)) }
    }

    /// Waits until the program exits.
    package func end() async throws -> Command.Output {
        try await BlockingWork.run { [self] in
            while try read() {}
            return output(status: child.wait())
        }
    }

    private func waitBlocking(for text: [UInt8]) throws -> String {
        while true {
            let before: String? = seen.withLock { seen in
                let rest = seen.bytes[seen.answered...]
                guard let found = rest.indices.first(where: { rest[$0...].starts(with: text) }) else { return nil }
                seen.answered = found + text.count
                return String(decoding: rest[..<found], as: UTF8.self)
            }
            if let before { return before }
            guard try read() else { throw Command.Failure.status(["terminal"], output(status: child.wait())) }
        }
    }

    /// - Returns: false at the end of the output.
    private func read() throws -> Bool {
        let end = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < end {
            let ready = child.awaitOutput(milliseconds: 100)
            if ready.output {
                let piece = child.readOutput()
                seen.withLock { $0.bytes += piece }
                return !piece.isEmpty
            }
            // script(1) prints a message there if it cannot start.
            if ready.errors { seen.withLock { [errors = child.readErrors()] in $0.bytes += errors } }
        }
        child.signal(15)
        throw Command.Failure.deadline(["terminal"], output(status: child.wait()))
    }

    private func output(status: Int32) -> Command.Output {
        let text = seen.withLock { String(decoding: $0.bytes, as: UTF8.self) }
        return Command.Output(status: status, standardOutput: text, standardError: "")
    }
}
