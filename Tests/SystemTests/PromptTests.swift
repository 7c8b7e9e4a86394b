// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite("Prompts", .timeLimit(.minutes(2)))
struct PromptTests {
    private let deployment = Deployment()

    /// A pinentry that knows the answers, and records its input.
    private func configure(agent: String) {
        let script = """
            #!/bin/sh
            echo OK
            while read -r line; do
                printf '%s\\n' "$line" >> '\(deployment.home.path(of: "said"))'
                case $line in
                    'SETPROMPT Passphrase'*) answer='\(Deployment.passphrase)' ;;
                    'SETPROMPT Password'*) answer=simple ;;
                    GETPIN) echo "D $answer" ;;
                esac
                echo OK
            done
            """
        deployment.home.write(Array(script.utf8), to: "pinentry", mode: 0o700)
        let configuration = """
            [probe]
            mode = "off"
            [prompts]
            agent = "\(agent)"
            pinentry = "\(deployment.home.path(of: "pinentry"))"

            """
        deployment.home.write(Array(configuration.utf8), to: "config/relativityd/relativityd.toml")
    }

    private var said: [Substring] { TextFile.text(of: deployment.home.path(of: "said")).split(separator: "\n") }

    @Test("for a locked vault and a server without a login the user is prompted, and the login is stored")
    func asking() async throws {
        configure(agent: "auto")
        try await deployment.startDaemon()
        let server = try await deployment.startServer()
        try await deployment.success("add", "sample", "127.0.0.1:\(server.port)")
        try await deployment.initialiseVault()
        try await deployment.success("vault", "lock")
        let opened = try await deployment.relctl([
            "adapter", "open", "sample", "--interactive", "--user", "simple", "--domain", "DASamples", "--schema",
            "Simple",
        ])
        #expect(opened.status == 0 && opened.standardOutput.contains(Deployment.login), "\(opened)")
        #expect(opened.standardError.contains("prompts appear in a pinentry or a password agent, not here"))
        let questions = said.filter { $0.hasPrefix("SETDESC") }
        #expect(questions.count == 3 && questions.allSatisfy { $0.contains("('relctl') wants to ") })
        #expect(said.count { $0 == "GETPIN" } == 2 && said.count { $0 == "CONFIRM" } == 1)
        #expect(try await deployment.success("login", "list").contains(Deployment.login))

        try await deployment.success("vault", "lock")
        let run = try await deployment.relctl(
            ["adapter", "run", "--login", Deployment.login, "--interactive", "--", "true"]
        )
        #expect(run.status == 0 && said.count { $0 == "GETPIN" } == 3, "\(run)")
        #expect(deployment.requests(of: "LoginService.LoginEx") == 3)
    }

    @Test("without a prompter, the errors are the usual ones, with the reason why there was no prompt")
    func nobody() async throws {
        configure(agent: "none")
        try await deployment.startDaemon()
        try await deployment.success("add", "sample", "127.0.0.1:1")
        try await deployment.initialiseVault()
        let needed = try await deployment.relctl("adapter", "open", "sample", "--interactive")
        #expect(needed.status == 11 && needed.standardError.contains("relctl login add 'sample'"))
        #expect(needed.standardError.contains("prompts are turned off in relativityd.toml"))
        try await deployment.success("vault", "lock")
        let locked = try await deployment.relctl("adapter", "open", "sample", "--interactive")
        #expect(locked.status == 3 && locked.standardError.contains("relctl vault unlock"), "\(locked)")
        let wrong = try await deployment.relctl("adapter", "open", "sample", "--user", "jane")
        #expect(wrong.status == 64)
        #expect(said.isEmpty)
    }
}
