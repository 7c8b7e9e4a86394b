// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite("Logins on the command line", .timeLimit(.minutes(2)))
struct LoginTests {
    @Test("a login needs the right pin and permission for plain HTTP, and one that the server refuses is not saved")
    func adding() async throws {
        let deployment = try await Deployment.running()
        let server = try await deployment.startServer()
        try await deployment.success("add", "sample", "127.0.0.1:\(server.port)")
        try await deployment.initialiseVault()
        let fingerprint = try await deployment.fingerprint(of: "sample")

        let arguments = [
            Products.path(of: "relctl"), "login", "add", "sample", "--user", "simple", "--domain", "DASamples",
            "--schema", "Simple", "--password-stdin",
        ]
        for (options, status) in [
            ([], Int32(64)), (["--allow-plaintext"], 64), (["--pin", fingerprint], 64),
            (["--pin", String(repeating: "0", count: 64), "--allow-plaintext"], 5),
            (["--pin", "SHA256:" + String(repeating: "AA:", count: 32), "--allow-plaintext"], 5),
            (["--pin", "nonsense", "--allow-plaintext"], 64), (["--pin", "", "--allow-plaintext"], 64),
            (["--pin", String(fingerprint.dropLast()), "--allow-plaintext"], 64),
        ] {
            let refused = try await Command(arguments + options, environment: deployment.environment).run(
                input: "simple\n"
            )
            #expect(refused.status == status, "\(options): \(refused)")
            #expect(refused.standardError.hasPrefix("relctl: error: "))
        }
        #expect(deployment.requests(of: "LoginService.LoginEx") == 0)

        let wrong = try await deployment.addLogin(password: "wrong")
        #expect(wrong.status == 13, "\(wrong)")
        #expect(try await deployment.json("login", "list") == [])
        #expect(deployment.requests(of: "LoginService.LoginEx") == 1)

        #expect(try await deployment.addLogin().status == 0)
        #expect(deployment.requests(of: "LoginService.LoginEx") == 2)
        #expect(deployment.requests(of: "LoginService.Logout") == 1)
        let login = try #require(try await deployment.json("login", "list").arrayValue?.first?.objectValue)
        #expect(try login.string("name") == Deployment.login)
        #expect(try login.string("pin") == fingerprint)
        #expect(try await deployment.addLogin().status == 1)

        #expect(try await deployment.success("login", "test", Deployment.login).contains("ok  login"))
        #expect(try await deployment.relctl("login", "test", "nobody").status == 11)
        #expect(try await deployment.addLogin(user: #"simple";Domain="Other"#).status == 13)
        try await server.program.end()
        #expect(try await deployment.relctl("login", "test", Deployment.login).status == 12)
        try await deployment.success("login", "remove", Deployment.login)
        #expect(try await deployment.json("login", "list") == [])
        #expect(try await deployment.relctl("login", "remove", Deployment.login).status == 11)
    }

    @Test("the beginning of a login's name is enough where only one has it, and no verb guesses")
    func beginnings() async throws {
        let deployment = try await Deployment.withLogin()
        #expect(try await deployment.addLogin(user: "Data", password: "Relativity").status == 0)
        #expect(try await deployment.success("login", "test", "D").contains("ok  login"))
        try await deployment.success("login", "rename", "Dat", "simon")
        for verb in [
            ["login", "test", "sim"], ["login", "edit", "sim", "--schema", "x", "--no-test"],
            ["default", "set", "sim"], ["login", "remove", "sim", "--yes"],
            ["adapter", "open", "sample", "--login", "sim"], ["connect", "sample", "--login", "sim"],
        ] {
            let output = try await deployment.relctl(verb)
            #expect(output.status == 64, "\(verb): \(output)")
            #expect(
                output.standardError.contains("'sim' may be one of several logins: ")
                    && output.standardError.contains(Deployment.login) && output.standardError.contains("simon"),
                "\(verb): \(output)"
            )
        }
        let removed = try #require(try await deployment.json("login", "remove", "simo", "--yes").objectValue)
        #expect(try removed.string("login") == "simon")
        #expect(try await deployment.success("login", "test", "sim").contains("ok  login"))
    }

    @Test("a login whose server is gone is marked, and attached to another one after its identity was confirmed")
    func attach() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        func login() async throws -> JSONObject {
            try #require(try await deployment.json("login", "list").arrayValue?.first?.objectValue)
        }
        #expect(try await login().string("endpointName") == "sample")
        try await deployment.success("add", "other", "127.0.0.1:1")
        let edit = ["login", "edit", Deployment.login, "--endpoint"]
        let early = try await deployment.relctl(edit + ["other", "--no-test"])
        #expect(early.status != 0, "\(early)")
        try await deployment.success("endpoint", "remove", "sample", "--yes")
        #expect(try await login()["endpointName"] == nil)
        let listed = try await deployment.relctl("login", "list")
        #expect(listed.standardOutput.contains(", gone") && listed.standardError.contains("--endpoint"), "\(listed)")
        #expect(try await deployment.relctl("adapter", "open", "--login", Deployment.login).status == 12)

        try await deployment.success("add", "moved", "127.0.0.1:\(started.port)")
        let unseen = try await deployment.relctl(edit + ["moved"])
        #expect(unseen.status == 64 && unseen.standardError.contains("--pin"), "\(unseen)")
        let wrong = try await deployment.relctl(edit + ["moved", "--pin", String(repeating: "0", count: 64)])
        #expect(wrong.status == 5, "\(wrong)")
        let pin = ["--pin", try await deployment.fingerprint(of: "moved"), "--allow-plaintext"]
        let attached = try await deployment.relctl(edit + ["moved"] + pin)
        #expect(attached.status == 0, "\(attached)")
        #expect(try await login().string("endpointName") == "moved")
        try await deployment.success("adapter", "open", "moved")
        // Only a login whose server is gone is attached.
        let again = try await deployment.relctl(edit + ["moved"] + pin)
        #expect(again.status == 64 && again.standardError.contains("is in the list"), "\(again)")
    }
}
