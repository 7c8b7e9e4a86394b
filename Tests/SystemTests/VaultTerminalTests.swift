// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite(
    "The vault at a terminal",
    .enabled(if: Requirement.allMet([.program("script")]), "needs script(1)"),
    .timeLimit(.minutes(2))
)
struct VaultTerminalTests {
    @Test("init proposes a provider, shows the recovery code once and asks for parts of it; the code then unlocks")
    func initialise() async throws {
        let deployment = try await Deployment.running()
        let terminal = try start(deployment, "vault", "init")
        try await terminal.wait(for: "PROVIDER")
        try await terminal.answer("Which key provider should open the vault? [", "passphrase")
        try await terminal.answer("passphrase: ", Deployment.passphrase)
        try await terminal.answer("passphrase again: ", Deployment.passphrase)
        try await terminal.answer("[Y/n] ", "")
        try await terminal.wait(for: "keep it away from this machine:")
        let code = try await terminal.wait(for: "group ").filter { !$0.isWhitespace }
        let groups = code.split(separator: "-")
        try #require(groups.count == 9, "\(code)")
        // After a typo the group is asked for again.
        let first = try await group(terminal)
        try await terminal.answer(": ", "0000" == groups[first] ? "1111" : "0000")
        let ended = try await finish(terminal, groups)
        #expect(ended.status == 0, "\(ended)")
        #expect(!ended.standardOutput.contains(Deployment.passphrase))
        #expect(ended.standardOutput.ranges(of: code).count == 1)

        try await deployment.success("vault", "lock")
        let unlock = try start(deployment, "vault", "unlock", "--recovery-code")
        try await unlock.answer("recovery code: ", code.lowercased())
        let unlocked = try await unlock.end()
        #expect(unlocked.status == 0 && unlocked.standardOutput.contains("unlocked"), "\(unlocked)")
        #expect(!unlocked.standardOutput.contains(code.lowercased()))
    }

    @Test("an unconfirmed code makes no vault, and an existing vault is reported before any prompt")
    func refusals() async throws {
        let deployment = try await Deployment.running()
        let terminal = try start(deployment, "vault", "init", "--provider", "passphrase")
        try await terminal.answer("passphrase: ", "one")
        try await terminal.answer("passphrase again: ", "one")
        try await terminal.answer("[Y/n] ", "y")
        for _ in 0..<3 { try await terminal.answer("of the code: ", "?") }
        let ended = try await terminal.end()
        #expect(ended.status == 1 && ended.standardOutput.contains("nothing was changed"), "\(ended)")
        #expect(try await deployment.success("vault", "status").contains("absent"))

        let different = try start(deployment, "vault", "init", "--provider", "passphrase")
        try await different.answer("passphrase: ", "one")
        try await different.answer("passphrase again: ", "two")
        #expect(try await different.end().status == 1)

        try await deployment.initialiseVault()
        let again = try await start(deployment, "vault", "init").end()
        #expect(again.status == 1 && again.standardOutput.contains("already"), "\(again)")
        #expect(!again.standardOutput.contains("passphrase: "))
    }

    @Test("change-passphrase asks for the new one twice, and offers to rotate the key")
    func changePassphrase() async throws {
        let deployment = try await Deployment.running()
        try await deployment.initialiseVault()
        let terminal = try start(deployment, "vault", "change-passphrase")
        try await terminal.answer("old passphrase: ", Deployment.passphrase)
        try await terminal.answer("new passphrase: ", "new one")
        try await terminal.answer("new passphrase again: ", "new one")
        try await terminal.answer("Rotate the key now? [y/N] ", "y")
        try await terminal.answer("passphrase of slot ", "new one")
        let ended = try await terminal.end()
        #expect(ended.status == 0, "\(ended)")
        #expect(try await deployment.success("vault", "status").contains("generation:   3"))

        let removal = try start(deployment, "vault", "slot", "remove", "nothing")
        try await removal.answer("[y/N] ", "n")
        #expect(try await removal.end().status == 1)
    }

    private func start(_ deployment: Deployment, _ arguments: String...) throws -> TerminalSession {
        try TerminalSession([Products.path(of: "relctl")] + arguments, environment: deployment.environment)
    }

    /// The number of the requested group, from 0. The word before the number was already waited for.
    private func group(_ terminal: TerminalSession) async throws -> Int {
        let number = try #require(Int(try await terminal.wait(for: " of the code")))
        return number - 1
    }

    /// Types every requested group.
    private func finish(_ terminal: TerminalSession, _ groups: [Substring]) async throws -> Command.Output {
        for _ in 0..<2 {
            try await terminal.wait(for: "group ")
            let index = try await group(terminal)
            try await terminal.answer(": ", groups[index].lowercased())
        }
        return try await terminal.end()
    }
}
