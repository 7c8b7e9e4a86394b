// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI
import Platform

/// A vault that is locked, and the ways to unlock it.
struct LockedVault {
    private static let work = "unlocking the vault"

    private let kinds: [ProviderName]
    private let input: SecretInput
    private let output: OutputOptions

    init(_ vault: CredentialsAPI.Vault, _ input: SecretInput, _ output: OutputOptions) {
        kinds = vault.slots.compactMap { ProviderName(rawValue: $0.kind) }
        (self.input, self.output) = (input, output)
    }

    /// Unlocks the vault for the verb that needs it. Only a person at a terminal is asked.
    ///
    /// - Parameter arguments: what was typed.
    /// - Returns: false if nothing was tried.
    static func unlockInPlace(for arguments: [String]) throws -> Bool {
        // With --interactive the daemon has asked already.
        guard Terminal.inputIsTerminal, Terminal.errorIsTerminal, !arguments.contains("--interactive"),
            let vault = try? VaultCommand.status(DaemonClient()), [.sealed, .locked].contains(vault.state),
            vault.problem == nil
        else { return false }
        let isQuiet = arguments.prefix { $0 != "--" }.contains { ["-q", "--quiet"].contains($0) }
        Terminal.writeError("relctl: the vault is locked\n")
        try LockedVault(vault, SecretInput(), OutputOptions.parse(isQuiet ? ["--quiet"] : [])).unlock()
        return true
    }

    /// Unlocks it by the key that is kept outside where there is one, else by what a person types, who may try again.
    ///
    /// - Parameter passphraseStdin: reads the passphrase from standard input, once.
    func unlock(passphraseStdin: Bool = false) throws {
        if passphraseStdin {
            _ = try unlock(.passphrase, fromStandardInput: true)
            return
        }
        let kept = kinds.first { $0.prompt == nil }
        let typed = kinds.first { $0 == .passphrase } ?? kinds.first { $0.prompt != nil }
        do {
            if let kind = kept ?? typed { try unlockTrying(kind) }
        } catch let error as DaemonError where error.code == .providerUnavailable && kept != nil {
            guard let typed, Terminal.inputIsTerminal else { throw error }
            Terminal.writeError("relctl: \(PrintableText(error.message).text)\n")
            try unlockTrying(typed)
        }
    }

    /// Unlocks it by one kind of key slot.
    ///
    /// - Parameter fromStandardInput: reads what the slot needs as one line of standard input.
    func unlock(_ kind: ProviderName, fromStandardInput: Bool) throws -> CredentialsAPI.Vault {
        var secrets: [HeldSecret] = []
        if let prompt = kind.prompt {
            let secret = try input.read(
                prompt,
                fromStandardInput: fromStandardInput,
                isNew: false,
                maximumBytes: SecretLineReader.maximumPassphraseBytes,
                option: kind == .passphrase ? "--passphrase-stdin" : "--stdin"
            )
            secrets.append(HeldSecret(secret))
        }
        return try output.client(Self.work).call(CredentialsAPI.UnlockCall(provider: kind.rawValue), secrets: secrets)
            .vault
    }

    /// Unlocks a vault whose file shows no slots, so that the daemon says what is wrong with it.
    func unlockUnread() throws -> CredentialsAPI.Vault {
        try output.client(Self.work).call(CredentialsAPI.UnlockCall(), within: DaemonClient.slow).vault
    }

    private func unlockTrying(_ kind: ProviderName) throws {
        for attempt in 1... {
            do {
                _ = try unlock(kind, fromStandardInput: false)
                return
            } catch let error as DaemonError
                where error.code == .wrongKey && kind.prompt != nil && attempt < Question.attempts
            {
                Terminal.writeError("relctl: \(PrintableText(error.message).text): try again\n")
            }
        }
    }
}
