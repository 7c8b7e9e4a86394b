// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Waiting for a server", .timeLimit(.minutes(2)))
struct WaitTests {
    @Test("a wait ends when the server starts, and otherwise with 75 and the reason")
    func reachable() async throws {
        let deployment = try await Deployment.running()
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
    }

    @Test("an accepted login ends the wait, and an error that waiting cannot fix ends it immediately")
    func authenticated() async throws {
        let deployment = try await Deployment.withLogin()
        let wait = ["wait", "sample", "--for", "authenticated", "--timeout", "60s"]
        #expect(try await deployment.relctl(wait).status == 0)
        #expect(deployment.requests(of: "LoginService.LoginEx") == 2)
        try await eventually { deployment.requests(of: "LoginService.Logout") == 2 }

        #expect(try await deployment.relctl(wait + ["--login", "nobody"]).status == 11)
        try await deployment.success("vault", "lock")
        #expect(try await deployment.relctl(wait).status == 3)
        #expect(try await deployment.relctl(["wait", "sample", "--login", Deployment.login]).status == 64)
    }

    @Test(
        "a server that never responds does not prolong a wait beyond its timeout",
        arguments: [
            ("reachable", "https"), ("authenticated", "http"),
        ]
    )
    func silentServer(goal: String, scheme: String) async throws {
        let deployment = try await Deployment.running()
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
    }
}
