// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite(
    "Kernel keyring and the daemon",
    .timeLimit(.minutes(2)),
    .enabled(if: Requirement.allMet([.keyring, .program("unshare"), .program("python3")]), "needs a kernel keyring")
)
struct KernelCacheTests {
    private let deployment = Deployment()

    init() throws {
        for name in ["config", "config/relativityd"] { mkdir(deployment.home.path(of: name), 0o700) }
        let text = Array("vault = { cache_kernel = true }\n".utf8)
        deployment.home.write(text, to: "config/relativityd/relativityd.toml")
    }

    private func vaultState() async throws -> String {
        try #require(try await deployment.json("vault", "status").objectValue).string("state")
    }

    @Test("a restarted daemon has the vault open, and after a lock it has not")
    func restart() async throws {
        let first = try await deployment.startDaemon()
        try await deployment.initialiseVault()
        try await deployment.success("vault", "lock")
        try await deployment.success("vault", "unlock", "--passphrase-stdin", input: Deployment.passphrase + "\n")
        try await first.end()
        let second = try await deployment.startDaemon()
        #expect(try await vaultState() == "unlocked")
        try await deployment.success("vault", "lock")
        try await second.end()
        try await deployment.startDaemon()
        #expect(try await vaultState() == "sealed")
    }

    /// Runs a program in its own session keyring, without a link to the user's, like KeyringMode=private.
    private static let privateKeyring = """
        import ctypes, os, platform, sys
        keyctl = {"x86_64": 250, "aarch64": 219}[platform.machine()]
        ctypes.CDLL(None).syscall(keyctl, 1, None)
        os.execv(sys.argv[1], sys.argv[1:])
        """

    @Test(
        "if keys would be lost or cannot be read, status reports it and the passphrase is asked for",
        arguments: [
            (["unshare", "--user", "--map-root-user"], "PrivateUsers=yes"),
            (["python3", "-c", privateKeyring], "KeyringMode=private"),
        ]
    )
    func fallbacks(_ wrapper: [String], _ reason: String) async throws {
        let daemon = try await deployment.startDaemon(wrapper: wrapper)
        try await deployment.initialiseVault()
        let status = try await deployment.success("status")
        #expect(status.contains("the kernel cannot keep the vault's key") && status.contains(reason), "\(status)")
        try await daemon.end()
        try await deployment.startDaemon()
        #expect(try await vaultState() == "sealed")
    }
}
