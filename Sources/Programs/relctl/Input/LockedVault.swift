// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import LocalAPI

/// Unlocks a locked vault.
struct LockedVault {
    private static let work = "unlocking the vault"

    private let kinds: [ProviderName]
    private let input: SecretInput
    private let output: OutputOptions

    init(_ vault: CredentialsAPI.Vault, _ input: SecretInput, _ output: OutputOptions) {
        kinds = vault.slots.compactMap { ProviderName(rawValue: $0.kind) }
        (self.input, self.output) = (input, output)
    }

    /// Unlocks the vault for a command that failed because it is locked. Prompts only at a terminal.
    ///
    /// - Parameter arguments: the arguments of the command.
    /// - Returns: false if no unlocking was attempted.
    static func unlockInPlace(for arguments: [String]) throws -> Bool {
        // With --interactive the daemon has already shown a prompt.
        guard Terminal.inputIsTerminal, Terminal.errorIsTerminal, !arguments.contains("--interactive"),
            let vault = try? CredentialsAPI.Vault.fetch(DaemonClient()), [.sealed, .locked].contains(vault.state),
            vault.problem == nil
        else { return false }
        let isQuiet = arguments.prefix { $0 != "--" }.contains { ["-q", "--quiet"].contains($0) }
        Terminal.writeError("relctl: the vault is locked\n")
        try LockedVault(vault, SecretInput(), OutputOptions.parse(isQuiet ? ["--quiet"] : [])).unlock()
        return true
    }

    /// Unlocks the vault with a key stored outside it, if there is one; otherwise with a secret that the user types, in
    /// at most three attempts.
    ///
    /// - Parameter passphraseStdin: reads the passphrase from standard input, without retries.
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

    /// Unlocks the vault with one kind of key slot.
    ///
    /// - Parameter fromStandardInput: reads the secret as one line of standard input.
    func unlock(_ kind: ProviderName, fromStandardInput: Bool) throws -> CredentialsAPI.Vault {
        var secrets: [HeldSecret] = []
        if let prompt = kind.prompt {
            let option = kind == .passphrase ? "--passphrase-stdin" : "--stdin"
            secrets.append(try input.read(prompt, fromStandardInput: fromStandardInput, option: option))
        }
        return try output.client(Self.work).call(CredentialsAPI.UnlockCall(provider: kind.rawValue), secrets: secrets)
            .vault
    }

    /// Unlocks a vault of which the key slots could not be read, so that the daemon reports the reason.
    func unlockUnread() throws -> CredentialsAPI.Vault {
        try output.client(Self.work).call(CredentialsAPI.UnlockCall(), within: DaemonClient.slow).vault
    }

    private func unlockTrying(_ kind: ProviderName) throws {
        _ = try Question.retrying(after: kind.prompt == nil ? [] : [.wrongKey]) {
            try unlock(kind, fromStandardInput: false)
        }
    }
}
