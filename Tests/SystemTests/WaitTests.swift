// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Waiting for a server", .timeLimit(.minutes(2)))
struct WaitTests {
    @Test("a wait ends when the server starts, and otherwise with 75 and the reason")
    func reachable() async throws {
        let deployment = Deployment()
        let daemon = try await deployment.startDaemon()
        let late = try deployment.background("wait", "sample", "--timeout", "60s")
        let server = try await deployment.startServer()
        try await deployment.success("add", "sample", "127.0.0.1:\(server.port)")
        #expect(late.wait() == 0)

        let unseen = try await deployment.relctl("wait", "sample", "--for", "discovered", "--timeout", "300ms")
        #expect(unseen.status == 75 && unseen.standardError.contains("no source announces it"), "\(unseen)")
        try await server.program.end()
        let gone = try await deployment.relctl("wait", "sample", "--timeout", "1")
        #expect(gone.status == 75 && gone.standardError.contains("was not reachable in time: "), "\(gone)")
        for wrong in ["0s", "-1", "25h", "", "9999999999999999999s"] {
            #expect(try await deployment.relctl("wait", "sample", "--timeout", wrong).status == 64, "\(wrong)")
        }
        try await daemon.end()
    }

    @Test("an accepted login ends the wait, and an error that waiting cannot fix ends it immediately")
    func authenticated() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let wait = ["wait", "sample", "--for", "authenticated", "--timeout", "60s"]
        #expect(try await deployment.relctl(wait).status == 0)
        #expect(deployment.requests(of: "LoginService.LoginEx") == 2)
        try await eventually { deployment.requests(of: "LoginService.Logout") == 2 }

        #expect(try await deployment.relctl(wait + ["--login", "nobody"]).status == 11)
        try await deployment.success("vault", "lock")
        #expect(try await deployment.relctl(wait).status == 3)
        #expect(try await deployment.relctl(["wait", "sample", "--login", Deployment.login]).status == 64)
        try await started.daemon.end()
    }

    @Test(
        "a server that never responds does not prolong a wait beyond its timeout",
        arguments: [
            ("reachable", "https"), ("authenticated", "http"),
        ]
    )
    func silentServer(goal: String, scheme: String) async throws {
        let deployment = Deployment()
        let daemon = try await deployment.startDaemon()
        // The kernel accepts the connection, but no process reads its input.
        let silent = try UselessPort(.deaf)
        try await deployment.success("add", "sample", "\(scheme)://127.0.0.1:\(silent.number)/bin")
        if goal == "authenticated" {
            try await deployment.initialiseVault()
            #expect(try await deployment.addLogin(options: ["--no-test"]).status == 0)
        }
        let start = ContinuousClock.now
        let output = try await deployment.relctl("wait", "sample", "--for", goal, "--timeout", "1500ms")
        let taken = ContinuousClock.now - start
        #expect(output.status == 75 && output.standardError.contains("was not \(goal) in time: "), "\(output)")
        #expect((.milliseconds(1_500) ... .seconds(20)).contains(taken), "\(taken)")
        try await daemon.end()
    }

    @Test("without a name the login is that of the option, the environment or the default, and the source is printed")
    func defaultLogin() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let run = ["adapter", "run", "--", "true"]
        let none = try await deployment.relctl(run)
        #expect(none.status == 0 && none.standardError.contains("'\(Deployment.login)', the only one"), "\(none)")
        #expect(try await deployment.relctl("default", "set", "nobody").status == 11)

        try await deployment.success("default", "set", Deployment.login)
        let standing = try await deployment.relctl(run)
        #expect(standing.status == 0 && standing.standardError.contains("chosen by relctl default"), "\(standing)")
        #expect(
            try await deployment.json("default", "show") == [
                "login": .string(Deployment.login), "chosenBy": "relctl default",
            ]
        )
        let opened = try await deployment.relctl(["adapter", "open"])
        #expect(opened.status == 0 && opened.standardError.contains(Deployment.login), "\(opened)")

        let elsewhere = ["RELATIVITYD_LOGIN": "nobody"]
        let other = try await deployment.relctl("adapter", "run", "--", "true", environment: elsewhere)
        #expect(other.status == 11 && other.standardError.contains("'nobody', chosen by RELATIVITYD_LOGIN"), "\(other)")
        let named = try await deployment.relctl(
            "adapter",
            "run",
            "--login",
            Deployment.login,
            "--",
            "true",
            environment: elsewhere
        )
        #expect(named.status == 0 && named.standardError.isEmpty, "\(named)")
        try await deployment.success("default", "unset")
        let only: JSONValue = ["login": .string(Deployment.login), "chosenBy": "the only one"]
        #expect(try await deployment.json("default", "show") == only)
        try await deployment.success("login", "remove", Deployment.login)
        #expect(try await deployment.json("default", "show") == [:])
        try await started.daemon.end()
    }
}
