// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Copies of the vault between machines", .timeLimit(.minutes(3)))
struct CopyTests {
    @Test("on a new machine, a backup and the recovery code restore a working login in at most five commands")
    func recovery() async throws {
        let old = Deployment()
        let lost = try await old.startDaemon()
        let server = try await old.startServer()
        try await old.success("add", "sample", "127.0.0.1:\(server.port)")
        let code = old.home.path(of: "code")
        let passphrase = Deployment.passphrase + "\n"
        try await old.success("vault", "init", "--passphrase-stdin", "--recovery-code-file", code, input: passphrase)
        let added = try await old.addLogin()
        try #require(added.status == 0, "\(added)")
        let backup = try #require(
            try await old.json("vault", "backup", "--to", old.home.path).objectValue
        ).string("file")
        var facts = stat()
        #expect(stat(backup, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        try await lost.end()

        let new = Deployment()
        try await new.startDaemon()
        let commands = [
            ["vault", "restore", backup, "--recovery-code", "--stdin"],
            ["login", "test", Deployment.login],
        ]
        #expect(commands.count <= 5)
        for command in commands {
            let output = try await Command([Products.path(of: "relctl")] + command, environment: new.environment)
                .run(input: TextFile.text(of: code))
            #expect(output.status == 0, "\(command): \(output)")
        }
        try await new.success("audit", "verify")
        let endpoints = try await new.json("list").arrayValue?.compactMap(\.objectValue)
        #expect(try endpoints?.map { try $0.string("name") } == ["sample"])
        #expect(try endpoints?.map { try $0.string("origin") } == ["imported"])
        #expect(try await new.relctl("vault", "restore", backup, "--stdin", input: passphrase).status == 1)
        print("recovery on a new machine: \(commands.count) commands")
    }

    @Test("vault init and vault restore name the repair of a directory that is open to others")
    func openDirectory() async throws {
        let deployment = try await Deployment.running()
        let directory = deployment.home.path(of: "data/relativityd")
        mkdir(directory, 0o700)
        #expect(chmod(directory, 0o755) == 0)
        deployment.home.write(Array("no vault".utf8), to: "copy")
        let passphrase = Deployment.passphrase + "\n"
        let create = ["vault", "init", "--provider", "passphrase", "--passphrase-stdin"]
        for verb in [create, ["vault", "restore", "--stdin", deployment.home.path(of: "copy")]] {
            let refused = try await deployment.relctl(verb, input: passphrase)
            #expect(refused.status == 1, "\(refused)")
            #expect(refused.standardError.contains("; try: chmod 700 '\(directory)'\n"), "\(refused)")
        }
        #expect(chmod(directory, 0o700) == 0)
        #expect(try await deployment.relctl(create, input: passphrase).status == 0)
    }

    @Test("an older backup is read instead of the vault, and used only after it was accepted")
    func olderBackup() async throws {
        let deployment = Deployment()
        try await deployment.startWithLogin()
        let passphrase = Deployment.passphrase + "\n"
        let backup = try await self.backup(deployment)
        try await deployment.success("login", "rename", Deployment.login, "new name")
        let restored = try await deployment.relctl(
            ["vault", "restore", backup.file, "--replace", "--stdin"],
            input: passphrase
        )
        #expect(restored.status == 4, "\(restored)")
        #expect(try await deployment.relctl("login", "test", Deployment.login).status == 4)
        try await deployment.success("vault", "accept", "--generation", "\(backup.generation + 1)", "--yes")
        try await deployment.success("login", "test", Deployment.login)
        try await deployment.success("audit", "verify")
    }

    @Test("an import shows its effect first, replaces nothing, and its server must be verified")
    func importing() async throws {
        let (here, there) = (Deployment(), Deployment())
        let (first, _, _) = try await here.startWithLogin()
        let more = try await here.addLogin(options: ["--name", "second"])
        try #require(more.status == 0, "\(more)")
        let file = here.home.path(of: "export.rcv")
        let secret = "travel light\n"
        try await here.success("vault", "export", "--out", file, "--stdin", input: secret)
        #expect(try await here.relctl("vault", "export", "--out", file, "--stdin", input: secret).status == 1)
        try await first.end()

        try await there.startDaemon()
        #expect(try await there.relctl("vault", "import", file, "--stdin", input: secret).status == 3)
        try await there.initialiseVault()
        let wrong = try await there.relctl("vault", "import", file, "--stdin", input: "travel heavy\n")
        #expect(wrong.status == 7, "\(wrong)")
        let plan = try await there.json("vault", "import", file, "--stdin", "--dry-run", input: secret)
        #expect(try verdicts(plan) == ["added", "added"])
        #expect(try await there.json("login", "list") == [])
        #expect(try await there.json("list") == [])
        let unasked = try await there.relctl("vault", "import", file, "--stdin", input: secret)
        #expect(unasked.status == 64 && unasked.standardError.contains("--yes"), "\(unasked)")
        let done = try await there.json("vault", "import", file, "--stdin", "--yes", input: secret)
        #expect(try verdicts(done) == ["added", "added"])

        let early = try await there.relctl("login", "test", "second")
        #expect(early.status == 5 && early.standardError.contains("import"), "\(early)")
        #expect(here.requests(of: "LoginService.LoginEx") == 2)
        #expect(try await there.success("login", "list").contains(", not verified"))
        let fingerprint = try await there.fingerprint(of: "sample")
        try await there.success("endpoint", "repin", "sample", "--pin", fingerprint, "--allow-plaintext")
        try await there.success("login", "test", "second")
        #expect(try await !there.success("login", "list").contains("not verified"))

        let again = try await there.json("vault", "import", file, "--stdin", "--yes", input: secret)
        #expect(try verdicts(again) == ["unchanged", "unchanged"])
        try await there.success("login", "edit", "second", "--schema", "Other", "--no-test")
        let differing = try await there.relctl("vault", "import", file, "--stdin", "--yes", "--json", input: secret)
        #expect(differing.status == 15, "\(differing)")
        let told = try #require(try JSONValue(parsing: differing.standardOutput).objectValue)
        #expect(try verdicts(.array(told.array("logins"))).sorted() == ["conflict", "unchanged"])
        let log = try await there.success("audit", "list", "--json")
        #expect(log.contains("vault.imported"))
    }

    @Test("a file that is no vault, damaged, newer or missing is reported as such, and changes nothing")
    func badFiles() async throws {
        let deployment = Deployment()
        try await deployment.startWithLogin()
        let passphrase = Deployment.passphrase + "\n"
        let sound = TextFile.bytes(of: try await backup(deployment).file)
        var damaged = sound
        damaged[damaged.count - 40] ^= 1
        var newer = sound
        newer[8] = 9
        let before = TextFile.bytes(of: deployment.vaultFile)
        for (name, bytes, status) in [
            ("damaged", damaged, 8), ("newer", newer, 10), ("text", Array("no vault at all".utf8), 8), ("empty", [], 8),
            ("short", Array(sound.prefix(sound.count - 1)), 8),
            ("long", [UInt8](repeating: 0x89, count: (16 << 20) + 1), 8),
        ] {
            let path = deployment.home.path(of: name)
            deployment.home.write(bytes, to: name)
            let imported = try await deployment.relctl("vault", "import", path, "--stdin", "--yes", input: passphrase)
            #expect(imported.status == Int32(status), "\(name): \(imported)")
            let restored = try await deployment.relctl(
                ["vault", "restore", path, "--replace", "--stdin"],
                input: passphrase
            )
            #expect(restored.status == Int32(status), "\(name): \(restored)")
            #expect(TextFile.bytes(of: deployment.vaultFile) == before)
        }
        for (path, status) in [(deployment.home.path(of: "none"), 11), (deployment.home.path, 1)] {
            let refused = try await deployment.relctl("vault", "import", path, "--stdin", input: passphrase)
            #expect(refused.status == status && refused.standardError.hasPrefix("relctl: error: "), "\(refused)")
            #expect(refused.standardError.split(separator: "\n").first?.contains("'\(path)'") == true, "\(refused)")
        }
        for path in ["/dev/null", "/dev/zero"] {
            let refused = try await deployment.relctl("vault", "import", path, "--stdin", input: passphrase)
            #expect(refused.status == 8 && refused.standardError.contains("'\(path)'"), "\(refused)")
        }
        #expect(try await deployment.relctl("vault", "backup", "--to", "/proc/none").status == 11)
    }

    private func backup(_ deployment: Deployment) async throws -> (file: String, generation: Int64) {
        let made = try #require(
            try await deployment.json("vault", "backup", "--to", deployment.home.path).objectValue
        )
        return (try made.string("file"), try made.integer("generation"))
    }

    private func verdicts(_ reply: JSONValue) throws -> [String] {
        try (reply.arrayValue ?? []).map { try #require($0.objectValue).string("verdict") }
    }
}
