// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Faults of a vault on the command line", .timeLimit(.minutes(2)))
struct VaultIntegrityTests {
    @Test("a wrong key, damage, an older file, a newer format and a failing provider have five exit statuses and hints")
    func fiveErrors() async throws {
        let deployment = Deployment()
        mkdir(deployment.home.path(of: "credentials"), 0o700)
        let key = [UInt8](0..<32)
        deployment.home.write(key, to: "credentials/relativityd.vault-key", mode: 0o400)
        let environment = ["CREDENTIALS_DIRECTORY": deployment.home.path(of: "credentials")]
        let server = try await deployment.startServer()
        let daemon = try await deployment.startDaemon(environment: environment)
        try await deployment.success("vault", "init", "--provider", "credentials-directory")
        let old = TextFile.bytes(of: deployment.vaultFile)
        try await deployment.success("add", "sample", "127.0.0.1:\(server.port)")
        #expect(try await deployment.addLogin().status == 0)
        try await daemon.end()
        let good = TextFile.bytes(of: deployment.vaultFile)

        var newer = good
        newer[8] = 3
        var damaged = good
        damaged[good.count - 20] ^= 1
        let rows: [(file: [UInt8], key: [UInt8]?, status: Int32, hint: String)] = [
            (good, [UInt8](repeating: 9, count: 32), 7, "relctl vault status"),
            (damaged, key, 8, "relctl doctor"),
            (old, key, 4, "relctl vault accept --generation 1"),
            (newer, key, 10, "relctl version"),
            (good, nil, 6, "relctl vault"),
        ]
        for row in rows {
            deployment.home.write(row.file, to: "data/relativityd/vault.rcv")
            unlink(deployment.home.path(of: "credentials/relativityd.vault-key"))
            if let key = row.key { deployment.home.write(key, to: "credentials/relativityd.vault-key", mode: 0o400) }
            let daemon = try await deployment.startDaemon(environment: environment)
            let unlocked = try await deployment.relctl("vault", "unlock")
            #expect(unlocked.status == row.status, "\(unlocked)")
            #expect(unlocked.standardError.contains("relctl: error: "), "\(unlocked)")
            let hint = unlocked.standardError.split(separator: "\n").first { $0.hasPrefix("relctl: hint: ") }
            #expect(hint?.contains(row.hint) == true, "\(unlocked)")
            let verified = try await verify(deployment, [], environment: environment)
            #expect(verified.status == 0 || [8, 10].contains(row.status), "without --provider: the form only")
            let opened = try await verify(
                deployment,
                ["--provider", "credentials-directory"],
                environment: environment
            )
            #expect(opened.status == row.status, "\(opened)")
            #expect(opened.standardError.contains("relativityd: error: "), "\(opened)")
            try await daemon.end()
        }
        #expect(Set(rows.map(\.status)).count == 5)
    }

    @Test("a missing file is named with the command that restores its copy, which a new vault does not replace")
    func missingFile() async throws {
        let deployment = try await Deployment.withLogin()
        try await deployment.success("login", "rename", Deployment.login, "renamed")
        unlink(deployment.vaultFile)
        #expect(try await deployment.success("vault", "status").contains("next:         relctl vault export --out"))
        let unlocked = try await deployment.relctl("doctor")
        #expect(unlocked.standardOutput.contains("relctl vault export --out"), "\(unlocked)")
        let exported = deployment.home.path(of: "saved.rcv")
        try await deployment.success("vault", "export", "--out", exported, "--stdin", input: "correct horse\n")

        try await deployment.success("vault", "lock")
        let command = "cp -pn '\(deployment.vaultFile).prev' '\(deployment.vaultFile)'"
        #expect(try await deployment.success("vault", "status").contains(command))
        let diagnosis = try await deployment.relctl("doctor")
        #expect(diagnosis.standardOutput.contains(command), "\(diagnosis)")
        let refused = try await deployment.relctl("vault", "init", "--passphrase-stdin", input: "another one\n")
        #expect(refused.status == 8 && refused.standardError.contains("vault.rcv.prev"), "\(refused)")
        try await Command(["sh", "-c", command]).succeed()
        let passphrase = Deployment.passphrase + "\n"
        let old = try await deployment.relctl("vault", "unlock", "--passphrase-stdin", input: passphrase)
        #expect(old.status == 4 && old.standardError.contains("relctl vault accept"), "\(old)")
    }

    @Test("verbs that need the content of the file exit with its fault")
    func unreadable() async throws {
        let deployment = Deployment()
        try await deployment.startDaemon()
        try await deployment.initialiseVault()
        try await deployment.success("vault", "lock")
        let good = TextFile.bytes(of: deployment.vaultFile)
        var newer = good
        newer[8] = 3
        let verbs = [
            ["vault", "slot", "list"], ["vault", "slot", "list", "--json"], ["vault", "rotate-key", "--stdin"],
            ["login", "edit", "any", "--password-stdin"],
        ]
        for (file, status) in [(Array(good.prefix(100)), Int32(8)), (newer, 10)] {
            deployment.home.write(file, to: "data/relativityd/vault.rcv")
            for verb in verbs {
                let refused = try await deployment.relctl(verb, input: "secret\n")
                #expect(refused.status == status && refused.standardOutput.isEmpty, "\(verb): \(refused)")
                #expect(refused.standardError.hasSuffix("relctl: hint: relctl vault status\n"), "\(refused)")
            }
            #expect(try await deployment.relctl("vault", "init", "--passphrase-stdin", input: "another\n").status != 0)
            #expect(TextFile.bytes(of: deployment.vaultFile) == file)
        }
        deployment.home.write(good, to: "data/relativityd/vault.rcv")
        #expect(try await deployment.json("vault", "slot", "list").arrayValue?.count == 1)
    }

    @Test("an older vault is read-only until its generation is accepted")
    func acceptance() async throws {
        let deployment = try await Deployment.running()
        let server = try await deployment.startServer()
        try await deployment.success("add", "sample", "127.0.0.1:\(server.port)")
        try await deployment.initialiseVault()
        let first = TextFile.bytes(of: deployment.vaultFile)
        #expect(try await deployment.addLogin().status == 0)

        deployment.home.write(first, to: "data/relativityd/vault.rcv")
        let status = try await deployment.success("vault", "status")
        #expect(status.contains("degraded") && status.contains("relctl vault accept --generation 1"), "\(status)")
        #expect(try await deployment.relctl("adapter", "open", "sample").status == 4)
        #expect(try await deployment.relctl("login", "test", Deployment.login).status == 4)
        #expect(try await deployment.relctl("login", "remove", Deployment.login).status == 4)
        #expect(try await deployment.success("login", "list").contains(Deployment.login))
        #expect(try await deployment.addLogin(options: ["--name", "two"]).status == 4)
        #expect(TextFile.bytes(of: deployment.vaultFile) == first)

        #expect(try await deployment.relctl("vault", "accept", "--generation", "1").status == 64)
        #expect(try await deployment.relctl("vault", "accept", "--generation", "2", "--yes").status == 64)
        try await deployment.success("vault", "accept", "--generation", "1", "--yes")
        #expect(try await deployment.success("login", "list").isEmpty)
        #expect(try await deployment.addLogin(options: ["--name", "other"]).status == 0)
    }

    @Test("a vault is verified without a daemon, with and without its passphrase")
    func verification() async throws {
        let deployment = Deployment()
        let daemon = try await deployment.startDaemon()
        try await deployment.initialiseVault()
        try await daemon.end()
        let before = deployment.home.names(in: "data/relativityd") + deployment.home.names(in: "state/relativityd")

        let sound = try await verify(deployment, [], input: Deployment.passphrase + "\n")
        #expect(sound.status == 0, "\(sound)")
        for expected in [
            "generation: 1\n", "passphrase", "logins:     0\n", "current, generation 1 is known", "sound\n",
        ] {
            #expect(sound.standardOutput.contains(expected), "\(sound)")
        }
        let wrong = try await verify(deployment, [], input: "wrong\n")
        #expect(wrong.status == 7 && wrong.standardOutput.contains("refused\n"), "\(wrong)")
        for arguments in [[], ["--structure"]] {
            let form = try await verify(deployment, arguments)
            #expect(form.status == 0 && form.standardOutput.contains("does not show who wrote"), "\(form)")
        }
        let none = try await verify(deployment, ["--provider", "secret-service"])
        #expect(none.status == 6, "\(none)")
        #expect(try await verify(deployment, ["--provider", "nonsense"]).status == 64)
        #expect(try await verify(deployment, ["--provider", "passphrase"]).status == 64)

        let json = try await verify(deployment, ["--json"], input: Deployment.passphrase + "\n")
        #expect(json.standardOutput.contains("\"verdict\":\"current\""), "\(json)")
        #expect(!json.standardOutput.contains(Deployment.passphrase))
        let after = deployment.home.names(in: "data/relativityd") + deployment.home.names(in: "state/relativityd")
        #expect(before == after, "it writes nothing")

        // Without its anchor, and for a file that is not a vault.
        unlink(deployment.home.path(of: "state/relativityd/anchor"))
        let unanchored = try await verify(deployment, [], input: Deployment.passphrase + "\n")
        let warning = "an older file in its place would not be noticed"
        #expect(unanchored.status == 0 && unanchored.standardOutput.contains(warning), "\(unanchored)")
        #expect(!sound.standardOutput.contains(warning))
        let directory = try await verify(deployment, [], file: deployment.home.path)
        #expect(directory.status == 1, "\(directory)")
        #expect(try await verify(deployment, [], file: "/nonexistent").status == 1)
        #expect(try await verify(deployment, [], file: "/dev/zero").status == 1)
        #expect(try await verify(deployment, [], file: Products.path(of: "relctl")).status == 8)
    }

    private func verify(
        _ deployment: Deployment,
        _ options: [String],
        file: String? = nil,
        input: String = "",
        environment: [String: String] = [:]
    ) async throws -> Command.Output {
        let program = [Products.path(of: "relativityd"), "--verify-vault", file ?? deployment.vaultFile]
        let all = deployment.environment.merging(environment) { $1 }
        return try await Command(program + options, environment: all).run(input: input)
    }
}
