// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite("Pins and edited logins on the command line", .timeLimit(.minutes(3)))
struct PinTests {
    @Test("once a call of an open session has met another key, no adapter is opened, and the hint is the next step")
    func keyOfOpenSession() async throws {
        let deployment = Deployment()
        try await deployment.startDaemon()
        let server = try await deployment.startServer()
        let front = try await TLSFront(deployment, backend: server.port)
        try await deployment.success("add", "sample", "https://127.0.0.1:\(front.port)/bin")
        try await deployment.initialiseVault()
        #expect(try await deployment.addLogin().status == 0)
        let held = try await deployment.holdAdapter("sample")
        try await front.program.end()
        _ = try await TLSFront(deployment, backend: server.port, port: front.port)

        for words in [
            ["table", "count", "sample", "Deps"], ["table", "list", "sample"],
            ["adapter", "run", "sample", "--", "true"], ["connect", "sample", "--", "true"],
            ["adapter", "open", "sample", "--ttl", "60s"],
        ] {
            let refused = try await deployment.relctl(words)
            #expect(refused.status == 5 && refused.standardOutput.isEmpty, "\(words): \(refused)")
            #expect(refused.standardError.contains("relctl: hint: relctl endpoint repin "), "\(words): \(refused)")
        }
        held.holder.signal(15)
        _ = held.holder.wait()
    }

    @Test("a server whose TLS key changes is refused until it is pinned again, and then its logins work")
    func repin() async throws {
        let deployment = try await Deployment.running()
        let server = try await deployment.startServer()
        var front = try await TLSFront(deployment, backend: server.port)
        try await deployment.success("add", "office", "https://127.0.0.1:\(front.port)/bin")
        try await deployment.initialiseVault()
        let old = try await deployment.fingerprint(of: "office")
        #expect(try await deployment.relctl("endpoint", "pin", "office").status == 64)
        #expect(try await deployment.relctl("endpoint", "repin", "office", "--pin", old).status == 11)
        try await deployment.success("endpoint", "pin", "office", "--pin", old)
        #expect(try await deployment.addLogin(to: "office", options: ["--name", "clerk"]).status == 0)
        try await deployment.success("login", "test", "clerk")

        try await front.program.end()
        front = try await TLSFront(deployment, backend: server.port, port: front.port)
        let new = try await deployment.fingerprint(of: "office")
        #expect(new != old)
        let logins = deployment.requests(of: "LoginService.LoginEx")
        let tested = try await deployment.relctl("login", "test", "clerk")
        #expect(tested.status == 5 && !tested.standardOutput.contains("ok"), "no step succeeds: \(tested)")
        #expect(try await deployment.relctl("adapter", "open", "office").status == 5)
        #expect(try await deployment.relctl("doctor").standardOutput.contains("relctl endpoint repin"))
        let diagnosis = try await deployment.relctl("doctor", "office").standardOutput
        #expect(!diagnosis.contains("refused the login"), "the login was not sent: \(diagnosis)")
        #expect(try await deployment.relctl("endpoint", "pin", "office", "--pin", new).status == 5)
        #expect(try await deployment.relctl("endpoint", "repin", "office").status == 64)
        #expect(try await deployment.relctl("endpoint", "repin", "office", "--pin", old).status == 5)
        #expect(deployment.requests(of: "LoginService.LoginEx") == logins, "no password went to the changed server")

        let repinned = try await deployment.relctl("endpoint", "repin", "office", "--pin", new)
        #expect(repinned.status == 0, "\(repinned)")
        #expect(repinned.standardError.contains(old) && repinned.standardError.contains(new))
        #expect(repinned.standardOutput.contains("clerk"))
        try await deployment.success("login", "test", "clerk")
        try await deployment.success("adapter", "open", "office")

        let refused = try await deployment.relctl("endpoint", "forget", "office")
        #expect(refused.status == 1 && refused.standardError.contains("clerk"), "\(refused)")
        let kept = try await deployment.relctl("endpoint", "remove", "office")
        #expect(kept.status == 64 && kept.standardError.contains("--yes") && kept.standardError.contains("clerk"))
        let removed = try await deployment.relctl("endpoint", "remove", "office", "--yes")
        #expect(removed.status == 0 && removed.standardError.contains("clerk"), "\(removed)")
        let id = try #require(try await deployment.json("login", "list").arrayValue?.first?.objectValue).string(
            "endpoint"
        )
        #expect(try await deployment.success("endpoint", "forget", id, "--logins", "--yes").contains("clerk"))
        #expect(try await deployment.json("login", "list") == [])
        try await deployment.success("vault", "lock")
        #expect(try await deployment.relctl("endpoint", "forget", id).status == 3)

        try await deployment.success("vault", "unlock", "--passphrase-stdin", input: Deployment.passphrase + "\n")
        let lines = try #require(try await deployment.json("audit").arrayValue).compactMap(\.objectValue)
        let told = lines.compactMap { $0["event"]?.stringValue }
        for event in ["pin.set", "conflict.seen", "pin.changed", "pin.removed"] {
            #expect(told.contains(event), "\(event)")
        }
        #expect(try await deployment.relctl("audit", "verify").status == 0)
    }

    @Test("an edited login is tested first, closes its sessions, and keeps the other values")
    func edit() async throws {
        let deployment = try await Deployment.withLogin()
        let (holder, _) = try await deployment.holdAdapter("sample")
        let name = Deployment.login
        #expect(try await deployment.relctl("login", "edit", name).status == 64)
        #expect(try await deployment.relctl("login", "edit", "nobody", "--user", "x").status == 11)

        // The server does not know this domain, so nothing changes, and the adapter stays open.
        #expect(try await deployment.relctl("login", "edit", name, "--domain", "Nowhere").status == 13)
        let wrong = try await deployment.relctl("login", "edit", name, "--password-stdin", input: "wrong\n")
        #expect(wrong.status == 13, "\(wrong)")
        #expect(try await deployment.json("adapter", "list").arrayValue?.count == 1)
        try await deployment.success("login", "test", name)

        try await deployment.success("login", "rename", name, "clerk")
        #expect(try await deployment.json("adapter", "list").arrayValue?.count == 1)
        try await deployment.success("login", "edit", "clerk", "--password-stdin", input: "simple\n")
        #expect(try await deployment.json("adapter", "list") == [])
        // The holder of a held adapter is notified when it is closed.
        #expect(holder.wait() == 11)

        let switched = try await deployment.relctl(
            ["login", "edit", "clerk", "--user", "Data", "--password-stdin", "--json"],
            input: "Relativity\n"
        )
        #expect(switched.status == 0 && switched.standardError.contains("vendor's samples"), "\(switched)")
        let login = try #require(try await deployment.json("login", "list").arrayValue?.first?.objectValue)
        #expect(try login.string("user") == "Data" && login.string("domain") == "DASamples")
        let tested = try await deployment.relctl("login", "test", "clerk")
        #expect(tested.status == 0 && tested.standardOutput.contains("strength  loopback"), "\(tested)")
        #expect(tested.standardError.contains("vendor's samples"))
        #expect(try await deployment.addLogin(options: ["--name", "second"]).status == 0)
        #expect(try await deployment.relctl("login", "rename", "second", "clerk").status == 1)
        let removed = try await deployment.relctl("login", "remove", "second")
        #expect(removed.status == 0 && removed.standardError.contains("backups"), "\(removed)")
    }
}
