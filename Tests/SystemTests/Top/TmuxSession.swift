// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// A shell on a terminal of tmux, which a test types on and reads. tmux ends with this object.
final class TmuxSession: Sendable {
    private static let prompt = "ready:"

    private let server: Supervised
    private let environment: [String: String]
    private let socket: String

    init(_ deployment: Deployment, columns: Int = 80, lines: Int = 24) async throws {
        socket = deployment.home.path(of: "tmux")
        let programs = Products.path(of: "relctl").split(separator: "/").dropLast().joined(separator: "/")
        environment = deployment.environment.merging([
            "PS1": Self.prompt, "ENV": "", "SHELL": "/bin/sh", "TMUX": "", "PATH": "/\(programs):/usr/bin:/bin",
        ]) { $1 }
        server = try Supervised(
            ["tmux", "-D", "-u", "-S", socket, "-f", "/dev/null"],
            environment: environment,
            log: deployment.home.path(of: "tmux.log")
        )
        let session = ["new-session", "-d", "-x", "\(columns)", "-y", "\(lines)", "sh"]
        try await eventually { try await self.command(session).status == 0 }
        try await wait(for: Self.prompt)
    }

    /// Types a line at the shell.
    func enter(_ line: String) async throws {
        try await run("send-keys", "-l", line)
        try await keys("Enter")
    }

    /// Types text, which may be control sequences.
    func type(_ text: String) async throws { try await run("send-keys", "-l", text) }

    /// - Parameter keys: letters, or key names of tmux.
    func keys(_ keys: String...) async throws { try await self.keys(keys) }

    func keys(_ keys: [String]) async throws { try await run(["send-keys"] + keys) }

    func resize(columns: Int, lines: Int) async throws {
        try await run("resize-window", "-x", "\(columns)", "-y", "\(lines)")
    }

    /// The settings of its terminal, as the kernel reports them.
    func settings() async throws -> TerminalSettings {
        let path = try await command(["display-message", "-p", "#{pane_tty}"]).standardOutput
        return try #require(TerminalSettings(of: String(path.prefix { $0 != "\n" })))
    }

    /// Its lines, without trailing blanks.
    func screen() async throws -> [String] {
        try await command(["capture-pane", "-p"]).standardOutput
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { String($0) }
    }

    /// Waits until lines of the screen have these texts. If they do not appear, fails with the screen.
    func wait(for texts: String..., location: SourceLocation = #_sourceLocation) async throws {
        try await wait("no \(texts)", location) { screen in
            texts.allSatisfy { text in screen.contains { $0.contains(text) } }
        }
    }

    /// Waits until a line ends with a question that was asked this many times, without text below.
    func wait(for question: String, asked count: Int, location: SourceLocation = #_sourceLocation) async throws {
        try await wait("not asked: \(question)", location) { screen in
            screen.count { $0.contains(question) } == count && screen.last { !$0.isEmpty }?.contains(question) == true
        }
    }

    /// Waits until the shell prompts for a command and the screen has only its text.
    func waitForShell(location: SourceLocation = #_sourceLocation) async throws {
        try await wait("no shell", location) { screen in
            screen.last { !$0.isEmpty } == Self.prompt && !screen.contains { $0.contains("q quit") }
        }
    }

    private func wait(
        _ complaint: String,
        _ location: SourceLocation,
        until holds: ([String]) -> Bool
    ) async throws {
        do {
            try await eventually { holds(try await screen()) }
        } catch let error as NotInTime {
            Issue.record("\(complaint):\n\(try await screen().joined(separator: "\n"))", sourceLocation: location)
            throw error
        }
    }

    private func run(_ arguments: String...) async throws { try await run(arguments) }

    private func run(_ arguments: [String]) async throws {
        let output = try await command(arguments)
        try #require(output.status == 0, "\(arguments): \(output)")
    }

    /// Never starts a server itself, because that server would have no parent.
    private func command(_ arguments: [String]) async throws -> Command.Output {
        try await Command(["tmux", "-N", "-u", "-S", socket] + arguments, environment: environment).run()
    }
}
