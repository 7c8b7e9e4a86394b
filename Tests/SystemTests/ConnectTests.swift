// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite(
    "Connecting for the first time",
    .enabled(if: Requirement.allMet([.program("script")]), "needs script(1)"),
    .timeLimit(.minutes(2))
)
struct ConnectTests {
    private typealias Answer = (prompt: String, line: String)

    private static let newVault: [Answer] = [
        ("Is this the server, and may the password be sent to it unencrypted? [y/N] ", "y"),
        ("passphrase: ", Deployment.passphrase), ("passphrase again: ", Deployment.passphrase),
    ]
    private static let place: [Answer] = [
        ("domain (empty for none): ", "DASamples"), ("schema (empty for none): ", "Simple"),
    ]

    private static func start(_ deployment: Deployment, _ arguments: String...) throws -> TerminalSession {
        try TerminalSession([Products.path(of: "relctl")] + arguments, environment: deployment.environment)
    }

    private static func answer(_ answers: [Answer], _ terminal: TerminalSession) async throws {
        for (prompt, line) in answers { try await terminal.answer(prompt, line) }
    }

    @Test("a new home needs seven answers, and the next time none, also to run a program")
    func freshHome() async throws {
        let deployment = try await Deployment.running()
        let server = try await deployment.startServer()
        let address = "127.0.0.1:\(server.port)"
        let first = try Self.start(deployment, "connect", address)
        let answers: [Answer] = Self.newVault + [("user: ", "simple"), ("password: ", "simple")] + Self.place
        #expect(answers.count == 7)
        try await Self.answer(answers, first)
        let done = try await first.end()
        #expect(done.status == 0, "\(done)")
        for text in ["fingerprint:", "in words:", "socket:", "curl --data-binary", "relctl connect '\(address)'"] {
            #expect(done.standardOutput.contains(text), "\(text): \(done)")
        }
        #expect(!done.standardOutput.contains(Deployment.passphrase))
        let login = try #require(try await deployment.json("login", "list").arrayValue?.first?.objectValue)
        #expect(try login.string("name") == "simple@\(address)")

        let second = try await Self.start(deployment, "connect", address).end()
        #expect(second.status == 0 && second.standardOutput.contains("socket:"), "\(second)")
        #expect(!second.standardOutput.contains(": \r\n") && !second.standardOutput.contains("[y/N]"), "\(second)")
        let program = try await deployment.relctl([
            "connect", address, "--", "sh", "-c",
            "echo $RELATIVITYD_DOMAIN $RELATIVITYD_SCHEMA $RELATIVITYD_DATA_SERVICE; test -S $RELATIVITYD_ADAPTER_SOCKET; exit $((3+$?))",
        ])
        #expect(program.status == 3 && program.standardOutput == "DASamples Simple DataService\n", "\(program)")
    }

    @Test("input that the server refuses is asked for again, with the other answers as defaults")
    func wrongAnswers() async throws {
        let deployment = try await Deployment.running()
        let server = try await deployment.startServer()
        let terminal = try Self.start(deployment, "connect", "127.0.0.1:\(server.port)")
        try await Self.answer(
            [
                Self.newVault[0], ("passphrase: ", ""), ("passphrase: ", "one"), ("passphrase again: ", "two"),
                ("the two entries differ", ""),
            ].dropLast() + Self.newVault.dropFirst() + [("user: ", ""), ("user: ", "simple"), ("password: ", "wrong")],
            terminal
        )
        try await Self.answer(Self.place, terminal)
        try await terminal.wait(for: "try again")
        try await Self.answer(
            [
                ("user [simple]: ", ""), ("password: ", "simple"), ("domain [DASamples; - for none]: ", ""),
                ("schema [Simple; - for none]: ", ""),
            ],
            terminal
        )
        let done = try await terminal.end()
        #expect(done.status == 0 && done.standardOutput.contains("socket:"), "\(done)")
        #expect(deployment.requests(of: "LoginService.LoginEx") == 3)

        // A stored password that the server now refuses is replaced.
        let name = "simple@127.0.0.1:\(server.port)"
        try await deployment.success("login", "edit", name, "--password-stdin", "--no-test", input: "old\n")
        let later = try Self.start(deployment, "connect", "127.0.0.1:\(server.port)")
        try await Self.answer([("new password: ", "wrong"), ("new password: ", "simple")], later)
        let again = try await later.end()
        #expect(again.status == 0 && again.standardOutput.contains("socket:"), "\(again)")
    }

    @Test("without a terminal each missing option is named, and with all of them it succeeds")
    func script() async throws {
        let deployment = try await Deployment.running()
        let server = try await deployment.startServer()
        try await deployment.success("add", "sample", "127.0.0.1:\(server.port)")
        var options = ["connect", "127.0.0.1:\(server.port)"]
        let input = "\(Deployment.passphrase)\nsimple\n"
        let steps = [
            ("--pin", ["--pin", try await deployment.fingerprint(of: "sample")]),
            ("--allow-plaintext", ["--allow-plaintext"]), ("--passphrase-stdin", ["--passphrase-stdin"]),
            ("--user", ["--user", "simple", "--domain", "DASamples", "--schema", "Simple"]),
            ("--password-stdin", ["--password-stdin"]),
        ]
        for (missing, given) in steps {
            let refused = try await deployment.relctl(options, input: input)
            #expect(refused.status == 64 && refused.standardError.contains(missing), "\(missing): \(refused)")
            options += given
        }
        // The vault exists by then, so the password is the first line.
        let done = try await deployment.relctl(options + ["--json"], input: "simple\n")
        #expect(done.status == 0, "\(done)")
        #expect(try JSONValue(parsing: done.standardOutput).objectValue?.string("login") == "simple@sample")
        #expect(try await deployment.json("list").arrayValue?.count == 1)
        try await deployment.success("vault", "lock")
        #expect(try await deployment.relctl("connect", "sample", "--passphrase-stdin", input: input).status == 0)
        #expect(try await deployment.relctl("connect", "smaple").status == 11)
        let invalid = try await deployment.relctl("connect", "127.0.0.1:70999")
        #expect(invalid.status == 64 && invalid.standardError.contains("'70999' is not a valid port"), "\(invalid)")
    }

    @Test(
        "only at a terminal a locked vault is unlocked in place, and the passphrase may be typed again"
    )
    func lockedVault() async throws {
        let deployment = try await Deployment.withLogin()
        for verb in [["connect", "sample"], ["adapter", "open", "sample"], ["login", "test", Deployment.login]] {
            try await deployment.success("vault", "lock")
            let terminal = try TerminalSession(
                [Products.path(of: "relctl")] + verb,
                environment: deployment.environment
            )
            try await Self.answer([("passphrase: ", "wrong"), ("passphrase: ", Deployment.passphrase)], terminal)
            let done = try await terminal.end()
            #expect(done.status == 0, "\(verb): \(done)")
        }
        try await deployment.success("vault", "lock")
        #expect(try await deployment.relctl("adapter", "open", "sample").status == 3)
        let refused = try Self.start(deployment, "adapter", "open", "sample")
        for _ in 0..<3 { try await refused.answer("passphrase: ", "wrong") }
        #expect(try await refused.end().status == 7)
    }
}
