// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite("Prompts", .timeLimit(.minutes(2)))
struct PromptTests {
    private let deployment = Deployment()

    @Test("for a locked vault and a server without a login the user is prompted, and the login is stored")
    func asking() async throws {
        deployment.configurePinentry()
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
        let questions = deployment.said.filter { $0.hasPrefix("SETDESC") }
        #expect(questions.count == 3 && questions.allSatisfy { $0.contains("('relctl') wants to ") })
        #expect(deployment.said.count { $0 == "GETPIN" } == 2 && deployment.said.count { $0 == "CONFIRM" } == 1)
        #expect(try await deployment.success("login", "list").contains(Deployment.login))

        try await deployment.success("vault", "lock")
        let run = try await deployment.relctl(
            ["adapter", "run", "--login", Deployment.login, "--interactive", "--", "true"]
        )
        #expect(run.status == 0 && deployment.said.count { $0 == "GETPIN" } == 3, "\(run)")
        #expect(deployment.requests(of: "LoginService.LoginEx") == 3)
    }

    @Test("without a prompter, the errors are the usual ones, with the reason why there was no prompt")
    func nobody() async throws {
        deployment.configurePinentry(agent: "none")
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
        #expect(deployment.said.isEmpty)
    }
}
