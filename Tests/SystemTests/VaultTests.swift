// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@Suite("The vault on the command line", .timeLimit(.minutes(2)))
struct VaultTests {
    @Test("init works once, then lock and unlock; a wrong passphrase and a locked vault have separate exit statuses")
    func lifeOfAVault() async throws {
        let deployment = Deployment()
        var daemon = try await deployment.startDaemon()
        #expect(try await deployment.relctl("vault", "unlock", "--passphrase-stdin", input: "x\n").status == 3)
        #expect(try await deployment.relctl("login", "list").status == 3)
        try await deployment.initialiseVault()
        let again = try await initialise(deployment, "another one\n")
        #expect(again.status == 1 && again.standardError.contains("already"), "\(again)")
        try await deployment.success("vault", "lock")
        #expect(try await deployment.relctl("login", "list").status == 3)
        #expect(try await unlock(deployment, "wrong\n").status == 7)
        #expect(try await unlock(deployment, Deployment.passphrase + "\n").status == 0)
        #expect(try await daemon.end() == 0)

        daemon = try await deployment.startDaemon()
        #expect(try await deployment.success("vault", "status").contains("sealed"))
        #expect(try await unlock(deployment, Deployment.passphrase + "\n").status == 0)
        #expect(try await deployment.success("login", "list").isEmpty)
        try await daemon.end()
    }

    @Test(
        "a file that was changed, truncated or written by a newer version is refused and not changed",
        arguments: [Damage.flipped, .cut, .empty, .newer]
    )
    func damagedFile(damage: Damage) async throws {
        let deployment = Deployment()
        let daemon = try await deployment.startDaemon()
        try await deployment.initialiseVault()
        try await daemon.end()
        let damaged = damage.applied(to: TextFile.bytes(of: deployment.vaultFile))
        deployment.home.write(damaged, to: "data/relativityd/vault.rcv")

        let second = try await deployment.startDaemon()
        let unlocked = try await unlock(deployment, Deployment.passphrase + "\n")
        #expect(unlocked.status == damage.status, "\(unlocked)")
        #expect(unlocked.standardError.hasPrefix("relctl: error: "))
        #expect(try await initialise(deployment, "another one\n").status != 0)
        #expect(TextFile.bytes(of: deployment.vaultFile) == damaged)
        try await deployment.success("list")
        try await second.end()
    }

    @Test("the key from systemd's credentials directory unlocks the vault at the start")
    func credentialsDirectory() async throws {
        let deployment = Deployment()
        mkdir(deployment.home.path(of: "credentials"), 0o700)
        let key = (0..<32).map { UInt8($0 * 7 & 0xFF) }
        deployment.home.write(key, to: "credentials/relativityd.vault-key", mode: 0o400)
        let environment = ["CREDENTIALS_DIRECTORY": deployment.home.path(of: "credentials")]
        let daemon = try await deployment.startDaemon(environment: environment)
        try await deployment.success("vault", "init", "--provider", "credentials-directory")
        try await daemon.end()

        let withKey = try await deployment.startDaemon(environment: environment)
        #expect(try await deployment.success("vault", "status").contains("unlocked"))
        try await withKey.end()

        let withoutKey = try await deployment.startDaemon()
        let refused = try await deployment.relctl("vault", "unlock")
        #expect(refused.status == 6, "\(refused)")
        try await withoutKey.end()
    }

    @Test("an empty, oversized or NUL passphrase is refused, and none is read from a variable or without a terminal")
    func secretInput() async throws {
        let deployment = Deployment()
        let daemon = try await deployment.startDaemon()
        for input in ["", "\n", "with\0zero\n", String(repeating: "x", count: 5_000) + "\n"] {
            let refused = try await initialise(deployment, input)
            #expect(refused.status == 64 || refused.status == 1, "\(refused)")
            #expect(refused.standardError.hasPrefix("relctl: error: "))
            #expect(!refused.standardError.contains("zero\n") && !refused.standardError.contains("xxx"))
        }
        let fromVariable = try await deployment.relctl(
            "vault",
            "init",
            "--passphrase-stdin",
            input: "good enough\n",
            environment: ["RELATIVITYD_PASSWORD": "canary"]
        )
        #expect(fromVariable.status == 64)
        #expect(fromVariable.standardError.contains("RELATIVITYD_PASSWORD is set"))
        #expect(!fromVariable.standardError.contains("canary"))
        #expect(try await deployment.relctl("vault", "init").status == 64)
        #expect(try await deployment.success("vault", "status").contains("absent"))
        try await daemon.end()
    }

    enum Damage: Sendable {
        case flipped, cut, empty, newer

        var status: Int32 { self == .newer ? 10 : 8 }

        func applied(to bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            switch self {
            case .flipped: bytes[bytes.count - 20] ^= 1
            case .cut: bytes.removeLast(bytes.count / 2)
            case .empty: bytes = []
            // The major version follows the magic (docs/vault-format.md).
            case .newer: bytes[8] = 99
            }
            return bytes
        }
    }

    private func initialise(_ deployment: Deployment, _ input: String) async throws -> Command.Output {
        try await deployment.relctl("vault", "init", "--passphrase-stdin", input: input)
    }

    private func unlock(_ deployment: Deployment, _ input: String) async throws -> Command.Output {
        try await deployment.relctl("vault", "unlock", "--passphrase-stdin", input: input)
    }
}
