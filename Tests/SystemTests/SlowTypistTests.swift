// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

/// The daemon closes connections that are idle for a minute. Here it has even been replaced by another daemon when the
/// user answers, so a verb that reused its first connection would fail immediately.
@Suite(
    "Users who answer slowly",
    .enabled(if: Requirement.allMet([.program("script")]), "needs script(1)"),
    .timeLimit(.minutes(2))
)
struct SlowTypistTests {
    @Test("a verb that prompts connects again for its next call")
    func reconnecting() async throws {
        let deployment = Deployment()
        mkdir(deployment.home.path(of: "credentials"), 0o700)
        deployment.home.write([UInt8](0..<32), to: "credentials/relativityd.vault-key", mode: 0o400)
        let environment = ["CREDENTIALS_DIRECTORY": deployment.home.path(of: "credentials")]
        var daemon = try await deployment.startDaemon(environment: environment)
        try await deployment.success("vault", "init", "--provider", "credentials-directory")
        let server = try await deployment.startServer()
        try await deployment.success("add", "sample", "127.0.0.1:\(server.port)")
        let asked: [(verb: [String], question: String, answers: [(prompt: String, line: String)])] = [
            (["endpoint", "pin", "sample", "--allow-plaintext"], "Is this the server?", [("[y/N]", "y")]),
            (["endpoint", "repin", "sample", "--allow-plaintext"], "passwords of its logins?", [("[y/N]", "y")]),
            (
                [
                    "login", "add", "sample", "--allow-plaintext", "--user", "simple", "--domain", "DASamples",
                    "--schema", "Simple", "--pin", try await deployment.fingerprint(of: "sample"),
                ],
                "password", [(": ", "simple"), ("again: ", "simple")]
            ),
            (
                ["login", "edit", Deployment.login, "--password"], "password",
                [(": ", "simple"), ("again: ", "simple")]
            ),
            (["vault", "accept", "--generation", "5"], "Accept generation 5", [("[y/N]", "y")]),
            (["endpoint", "remove", "sample"], "Remove the server?", [("[y/N]", "y")]),
        ]
        for (verb, question, answers) in asked {
            let terminal = try TerminalSession(
                [Products.path(of: "relctl")] + verb,
                environment: deployment.environment
            )
            try await terminal.wait(for: question)
            try await daemon.end()
            daemon = try await deployment.startDaemon(environment: environment)
            for (prompt, line) in answers { try await terminal.answer(prompt, line) }
            let ended = try await terminal.end()
            #expect(ended.status == 0, "\(verb): \(ended)")
        }
        #expect(try await deployment.json("list") == [])
    }
}
