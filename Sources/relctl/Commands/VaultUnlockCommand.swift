// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI
import Platform

struct VaultUnlockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Unlock the vault.",
        discussion: """
            Takes the key that is kept outside the vault where there is one; else asks for the passphrase. On a vault \
            that is unlocked already it tells whether the key, passphrase or code is right.
            """
    )

    @OptionGroup var output: OutputOptions
    @Option(help: "Which kind of key slot to open.")
    var provider: ProviderName?
    @Flag(help: "Open with the recovery code; short for --provider recovery-code.")
    var recoveryCode = false
    @Flag(help: "Read the passphrase or recovery code as one line of standard input.")
    var stdin = false
    @Flag(help: "Short for --provider passphrase --stdin.")
    var passphraseStdin = false

    func validate() throws {
        if passphraseStdin, recoveryCode || provider ?? .passphrase != .passphrase {
            throw ValidationError("--passphrase-stdin is for --provider passphrase")
        }
        if recoveryCode, provider ?? .recoveryCode != .recoveryCode {
            throw ValidationError("--recovery-code and --provider exclude each other")
        }
        if stdin, let provider, provider.prompt == nil {
            throw ValidationError("--provider \(provider.rawValue) takes nothing from standard input")
        }
    }

    func run() throws {
        let vault = try VaultCommand.status(try output.client())
        let locked = LockedVault(vault, try SecretInput(), output)
        let kinds = vault.slots.compactMap { ProviderName(rawValue: $0.kind) }
        // A vault that cannot be read shows no slots.
        guard !kinds.isEmpty else { return try VaultCommand.tellUnlocked(locked.unlockUnread(), output) }
        let kind = chosen(of: kinds)
        do {
            try VaultCommand.tellUnlocked(locked.unlock(kind, fromStandardInput: stdin || passphraseStdin), output)
        } catch DaemonError.providerUnavailable(let error) {
            throw failure(error, others: kinds.filter { $0 != kind })
        }
    }

    private func chosen(of kinds: [ProviderName]) -> ProviderName {
        if let provider { return provider }
        if recoveryCode { return .recoveryCode }
        if passphraseStdin { return .passphrase }
        let typed = kinds.contains(.passphrase) ? ProviderName.passphrase : .recoveryCode
        return stdin ? typed : kinds.first { $0.prompt == nil } ?? typed
    }

    /// There is no silent fallback, but a hint of another slot.
    private func failure(
        _ error: CredentialsAPI.ProviderUnavailableError,
        others: [ProviderName]
    ) -> any Error {
        guard let other = others.first(where: { $0.prompt != nil }) ?? others.first else {
            return DaemonError.providerUnavailable(error)
        }
        return Failure(
            .providerUnavailable,
            error.message,
            hint: Hint(command: "relctl vault unlock --provider \(other.rawValue)")
        )
    }
}
