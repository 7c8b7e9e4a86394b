// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@Suite(
    "Replies that end early",
    .enabled(if: Requirement.allMet([.program("/usr/bin/python3")], for: "replies"), "needs Debian's python3"),
    .timeLimit(.minutes(2))
)
struct InterruptTests {
    /// In the middle of a table, and more than the replies to a login.
    private static let bytes = 150_000

    private static func files(_ broken: ServerBehindProxy, _ name: String) -> [String] {
        broken.deployment.home.names().filter { $0.hasPrefix(name) }
    }

    @Test("a reply that is cut names table, row and byte, and leaves no file")
    func cut() async throws {
        let broken = try await ServerBehindProxy.ofManyRows()
        for command in [["get", "sample", "Users", "--format", "csv"], ["export", "sample", "Users", "-q"]] {
            try await broken.prepare("cut \(Self.bytes)")
            let path = broken.deployment.home.path(of: "rows")
            let output = try await broken.deployment.relctl(["table"] + command + ["--to", path])
            #expect(try await broken.line() == "cut")
            #expect(output.status == 12, "\(output)")
            let error = output.standardError
            #expect(error.contains("in row ") && error.contains(" of table \"Users\", at byte "), "\(output)")
            let byte = error.components(after: "at byte ").flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
            #expect((Self.bytes / 2...Self.bytes).contains(byte), "\(output)")
            #expect(Self.files(broken, "rows").isEmpty)
        }
    }

    @Test("a signal ends a read, the call at the server, and the file")
    func signals() async throws {
        let broken = try await ServerBehindProxy.ofManyRows()
        let path = broken.deployment.home.path(of: "rows")
        for (signal, command) in [
            (SIGTERM, ["get", "sample", "Users", "--format", "csv"]), (SIGINT, ["export", "sample", "Users", "-q"]),
        ] {
            try await broken.prepare("hold \(Self.bytes)")
            let relctl = try ChildProcess(
                [Products.path(of: "relctl"), "table"] + command + ["--to", path],
                environment: broken.deployment.environment
            )
            #expect(try await broken.line() == "held")
            // The rows of get are in a file without a name until it is complete.
            if command[0] == "export" { try await eventually { !Self.files(broken, "rows").isEmpty } }
            relctl.signal(signal)
            #expect(try await BlockingWork.run { relctl.wait() } == 128 + signal)
            #expect(try await broken.line() == "gone")
            #expect(Self.files(broken, "rows").isEmpty)
        }
    }

    @Test("an export to standard output leaves no file, whatever ends it", arguments: [SIGTERM, SIGKILL])
    func stream(_ signal: Int32) async throws {
        let broken = try await ServerBehindProxy.ofManyRows()
        let temporary = TemporaryDirectory()
        try await broken.prepare("hold \(Self.bytes)")
        let relctl = try ChildProcess(
            [Products.path(of: "relctl"), "table", "export", "sample", "Users", "-q", "--to", "-"],
            environment: broken.deployment.environment.merging(["TMPDIR": temporary.path]) { $1 }
        )
        #expect(try await broken.line() == "held")
        kill(try #require(relctl.helper), signal)
        #expect(try await BlockingWork.run { relctl.wait() } == 128 + signal)
        #expect(temporary.names().isEmpty)
    }

    @Test("Ctrl-C ends a read at a terminal")
    func terminal() async throws {
        let broken = try await ServerBehindProxy.ofManyRows()
        try await broken.prepare("hold \(Self.bytes)")
        let path = broken.deployment.home.path(of: "rows")
        let terminal = try TerminalSession(
            [Products.path(of: "relctl"), "table", "get", "sample", "Users", "--format", "csv", "--to", path],
            environment: broken.deployment.environment
        )
        #expect(try await broken.line() == "held")
        terminal.type("\u{3}")
        #expect(try await terminal.end().status == 128 + SIGINT)
        #expect(try await broken.line() == "gone")
        #expect(Self.files(broken, "rows").isEmpty)
    }

    @Test("in the shell Ctrl-C clears the line, and ends only the statement that runs")
    func shell() async throws {
        let broken = try await ServerBehindProxy.ofManyRows()
        let terminal = try TerminalSession(
            [Products.path(of: "relctl"), "sql", "sample"],
            environment: broken.deployment.environment
        )
        try await terminal.wait(for: "sql> ")
        terminal.type("select nonsense\u{3}")
        try await terminal.wait(for: "^C")
        try await terminal.wait(for: "sql> ")
        terminal.type("select Id * 10\r")
        try await terminal.wait(for: "...> ")
        terminal.type("from\u{3}")
        try await terminal.wait(for: "^C")
        try await terminal.answer("sql> ", "select Id + 1000 as N from Users where Id = 7;")
        try await terminal.wait(for: "1007")
        try await terminal.wait(for: "sql> ")
        try await broken.prepare("hold \(Self.bytes)")
        terminal.type("select * from Users;\r")
        #expect(try await broken.line() == "held")
        terminal.type("\u{3}")
        #expect(try await broken.line() == "gone")
        try await terminal.answer("sql> ", "select Id + 1000 as N from Users where Id = 8;")
        try await terminal.wait(for: "1008")
        try await terminal.answer("sql> ", "\\q")
        let end = try await terminal.end()
        #expect(end.status == 0, "\(end)")
    }
}

extension String {
    fileprivate func components(after text: String) -> Substring? {
        firstRange(of: text).map { self[$0.upperBound...] }
    }
}
