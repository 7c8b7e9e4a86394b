// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Platform

/// The vault that a new login needs: made if there is none, unlocked if it is locked.
struct NeededVault {
    private let input: SecretInput
    private let provider: ProviderName?
    private let passphraseStdin: Bool
    private let output: OutputOptions

    /// - Parameters:
    ///   - provider: what opens a new vault; nil for the one that the daemon proposes.
    ///   - passphraseStdin: reads the passphrase from standard input.
    init(input: SecretInput, provider: ProviderName?, passphraseStdin: Bool, _ output: OutputOptions) {
        (self.input, self.provider, self.passphraseStdin, self.output) = (input, provider, passphraseStdin, output)
    }

    func isAbsent() throws -> Bool { try status().state == .absent }

    func open() throws {
        let vault = try status()
        try VaultCommand.checkReadable(vault)
        switch vault.state {
        case .unlocked: return
        case .absent: try make()
        case .sealed, .locked:
            try LockedVault(vault, input, output).unlock(passphraseStdin: passphraseStdin)
        }
    }

    private func status() throws -> CredentialsAPI.Vault { try VaultCommand.status(output.client()) }

    private func make() throws {
        guard provider != nil || passphraseStdin || Terminal.inputIsTerminal else {
            throw Failure(
                .usage,
                """
                there is no vault, and no terminal to ask for its passphrase on: give it with --passphrase-stdin, or name \
                another provider with --provider
                """
            )
        }
        let provider = try provider ?? (passphraseStdin ? .passphrase : proposed())
        var secrets: [HeldSecret] = []
        if provider == .passphrase {
            output.note("relctl: a new vault will keep the login; choose its passphrase\n")
            secrets.append(HeldSecret(try passphrase()))
        }
        _ = try output.client("deriving the vault's key").call(
            CredentialsAPI.InitCall(provider: provider.rawValue),
            secrets: secrets
        )
        output.note(
            """
            relctl: made a vault that \(provider.rawValue) opens
            relctl: a recovery code opens it if that is lost: relctl vault slot add --provider recovery-code

            """
        )
    }

    private func passphrase() throws -> Secret {
        let maximumBytes = SecretLineReader.maximumPassphraseBytes
        guard passphraseStdin || !Terminal.inputIsTerminal else {
            return try input.readNew("passphrase", maximumBytes: maximumBytes, attempts: Question.attempts)
        }
        return try input.read(
            "passphrase",
            fromStandardInput: passphraseStdin,
            isNew: true,
            maximumBytes: maximumBytes,
            option: "--passphrase-stdin"
        )
    }

    private func proposed() throws -> ProviderName {
        let kind = try VaultProvidersCommand.providers(output).first { $0.proposed }?.kind
        return kind.flatMap(ProviderName.init(rawValue:)) ?? .passphrase
    }
}
