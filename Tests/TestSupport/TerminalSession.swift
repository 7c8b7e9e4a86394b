// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A program with a terminal of its own, by script(1): prompts are waited for and answered as a person would.
package final class TerminalSession: Sendable {
    private let child: ChildProcess
    private let seen = Mutex(Transcript())

    private struct Transcript {
        var bytes: [UInt8] = []
        /// How far the prompts that were answered reach.
        var answered = 0
    }

    /// - Parameters: as those of `ChildProcess`.
    package init(_ arguments: [String], environment: [String: String] = [:]) throws {
        let command = arguments.map { "'\($0)'" }.joined(separator: " ")
        child = try ChildProcess(
            ["script", "-q", "-e", "-f", "-c", command, "/dev/null"],
            environment: environment.merging(["SHELL": "/bin/sh", "TERM": "dumb"]) { $1 }
        )
    }

    /// Waits for a prompt that was not answered yet, and types a line.
    ///
    /// - Throws: `Command.Failure.deadline` when it does not come, with all that did.
    package func answer(_ prompt: String, _ line: String) async throws {
        try await wait(for: prompt)
        child.write(line + "\n")
    }

    /// Waits until a text was shown behind the last one that was waited for.
    ///
    /// - Returns: what was shown before it.
    @discardableResult
    package func wait(for text: String) async throws -> String {
        try await BlockingWork.run { [self] in try waitBlocking(for: Array(text.utf8)) }
    }

    /// Waits for the end of the program.
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
            // script(1) says something of its own there when it cannot start.
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
