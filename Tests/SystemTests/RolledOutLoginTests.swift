// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import Platform
import TestSupport
import Testing

@Suite("Configured logins on the command line", .timeLimit(.minutes(2)))
struct RolledOutLoginTests {
    private let deployment = Deployment()

    /// Writes the administrator's file for a server on this machine.
    private func write(_ password: String, to name: String, port: Int) throws {
        try write(line: "password=\(password)", to: name, port: port)
    }

    /// - Parameter line: the line with the password or the command.
    private func write(line: String, to name: String, port: Int) throws {
        // The pin's canonical record (docs/vault-format.md) for plain HTTP on loopback: strength, address, port.
        let record: [UInt8] = [0, 4, 0, 127, 0, 0, 1, 2, 0, UInt8(port & 0xFF), UInt8(port >> 8)]
        let lines = [
            "# A comment", "url=127.0.0.1:\(port)", "user=simple", "domain=DASamples", "schema=Simple",
            "pin=" + HexText.encode(SHA256.digest(of: record)), "allow_plaintext=yes",
            line, "",
        ]
        mkdir(deployment.home.path(of: "credentials"), 0o700)
        let bytes = Array(lines.joined(separator: "\n").utf8)
        deployment.home.write(bytes, to: "credentials/relativityd.login.\(name)", mode: 0o400)
    }

    @discardableResult
    private func start() async throws -> Supervised {
        try await deployment.startDaemon(environment: [
            "CREDENTIALS_DIRECTORY": deployment.home.path(of: "credentials")
        ])
    }

    @Test("a configured login works without a vault, survives a lock, cannot be removed; a bad file shows in status")
    func withoutVault() async throws {
        let server = try await deployment.startServer()
        try write("simple", to: "office", port: server.port)
        try write("simple", to: "stale", port: server.port == 1 ? 2 : 1)
        deployment.home.write(
            Array("user=x\nsecret words\n".utf8),
            to: "credentials/relativityd.login.bad",
            mode: 0o400
        )
        let daemon = try await start()

        let list = try #require(try await deployment.json("login", "list").arrayValue)
        #expect(try list.map { try #require($0.objectValue).string("name") } == ["office", "stale"])
        #expect(try list.map { try #require($0.objectValue).string("origin") } == ["configured", "configured"])
        let endpoint = try #require(try await deployment.json("show", "office").objectValue)
        #expect(try endpoint.string("origin") == "configured")
        let status = try await deployment.relctl("status")
        #expect(status.standardOutput.contains("relativityd.login.bad' is ignored: line 2"), "\(status)")
        #expect(!status.standardOutput.contains("secret words"))

        #expect(try await deployment.success("login", "test", "office").contains("ok  login"))
        let removed = try await deployment.relctl("login", "remove", "office")
        #expect(removed.status == 1 && removed.standardError.contains("administrator"), "\(removed)")
        #expect(try await deployment.relctl("endpoint", "remove", "office").status == 1)

        let (holder, adapter) = try await deployment.holdAdapter("office")
        #expect(try adapter.string("login") == "office")
        try await deployment.initialiseVault()
        try await deployment.success("vault", "lock")
        let adapters = try #require(try await deployment.json("adapter", "list").arrayValue)
        #expect(adapters.count == 1)
        let locked = try await deployment.relctl("login", "list")
        #expect(locked.status == 0 && locked.standardError.contains("vault is locked"), "\(locked)")
        #expect(locked.standardOutput.contains("office"))
        holder.signal(15)
        _ = holder.wait()
        try await daemon.end()
        #expect(!TextFile.text(of: deployment.daemonLog).contains("secret words"))
    }

    @Test("a password command runs once for each login, and its failure is shown and not repeated at once")
    func command() async throws {
        let server = try await deployment.startServer()
        let script = "echo x >>'\(deployment.home.path(of: "runs"))'; cat '\(deployment.home.path(of: "word"))'"
        deployment.home.write(Array("simple\nsecret notes\n".utf8), to: "word")
        deployment.home.write(Array(script.utf8), to: "get.sh")
        let words = "[\"sh\", \"\(deployment.home.path(of: "get.sh"))\"]"
        try write(line: "password_command=\(words)", to: "office", port: server.port)
        var runs: Int { TextFile.text(of: deployment.home.path(of: "runs")).split(separator: "\n").count }
        let daemon = try await start()
        _ = try await deployment.json("login", "list")
        #expect(runs == 0)
        #expect(try await deployment.success("login", "test", "office").contains("ok  login"))
        #expect(runs == 1)

        deployment.home.write(
            Array("echo x >>'\(deployment.home.path(of: "runs"))'; printf 'no \\033[31mkey' >&2; exit 3".utf8),
            to: "get.sh"
        )
        for _ in 0..<2 {
            let failed = try await deployment.relctl("login", "test", "office")
            #expect(failed.status != 0)
            #expect(
                failed.standardOutput.contains(#"login 'office' exited with status 3: no \u{1B}[31mkey"#),
                "\(failed)"
            )
        }
        #expect(runs == 2)
        try await daemon.end()
        #expect(!TextFile.text(of: deployment.daemonLog).contains("secret notes"))
    }

    @Test("a configured login works while the vault is suspected of rollback")
    func suspicion() async throws {
        let server = try await deployment.startServer()
        try write("simple", to: "office", port: server.port)
        let first = try await start()
        try await deployment.initialiseVault()
        #expect(try await deployment.addLogin(to: "office", options: ["--name", "own"]).status == 0)
        let vault = "data/relativityd/vault.rcv"
        let old = deployment.home.content(of: vault)
        #expect(try await deployment.addLogin(to: "office", options: ["--name", "later"]).status == 0)
        try await first.end()

        deployment.home.write(old, to: vault)
        try await start()
        let passphrase = Deployment.passphrase + "\n"
        _ = try await deployment.relctl("vault", "unlock", "--passphrase-stdin", input: passphrase)
        let suspected = try await deployment.relctl("login", "test", "own")
        #expect(
            suspected.status == 4 && suspected.standardError.contains("older than the last one saved"),
            "\(suspected)"
        )
        for name in ["office", "off"] {
            #expect(try await deployment.success("login", "test", name).contains("ok  login"))
        }
        let (holder, adapter) = try await deployment.holdAdapter("office", "--login", "office")
        #expect(try adapter.string("login") == "office")
        holder.signal(15)
        _ = holder.wait()
    }

    @Test("a refused password is treated as for any other login, and another pin sends nothing")
    func refused() async throws {
        let server = try await deployment.startServer()
        try write("wrong", to: "office", port: server.port)
        try await start()
        #expect(try await deployment.relctl("adapter", "open", "office", "--ttl", "60").status == 13)
        #expect(deployment.requests(of: "LoginService.LoginEx") == 1)
        // The daemon uses the files as they were at its start.
        try write("simple", to: "office", port: server.port + 1)
        let changed = try await deployment.relctl("login", "test", "office")
        #expect(changed.status != 0 && changed.standardOutput.contains("has changed"), "\(changed)")
        #expect(deployment.requests(of: "LoginService.LoginEx") == 1)
    }
}
