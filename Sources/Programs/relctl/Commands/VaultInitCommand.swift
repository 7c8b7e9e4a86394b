// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI
import Platform

struct VaultInitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create a vault.",
        discussion: """
            At a terminal, proposes the best available key provider and offers a recovery code. Scripts use --provider \
            and --recovery-code-file. If a provider fails, no other is used instead. 'relctl vault slot add' adds \
            further key slots.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var key: KeyOptions
    @Flag(help: "Read the passphrase as one line of standard input.")
    var passphraseStdin = false
    @Option(help: "Write a recovery code to this new file.", completion: .file())
    var recoveryCodeFile: String?
    @Flag(help: "Create no recovery code, and do not ask.")
    var noRecoveryCode = false

    func validate() throws {
        if key.provider == .recoveryCode {
            throw ValidationError("a recovery code supplements another provider, which --provider must name")
        }
        if passphraseStdin, key.provider ?? .passphrase != .passphrase {
            throw ValidationError("--passphrase-stdin requires --provider passphrase")
        }
        if recoveryCodeFile != nil, noRecoveryCode {
            throw ValidationError("--recovery-code-file and --no-recovery-code cannot be used together")
        }
    }

    func run() throws {
        let input = try SecretInput()
        try checkThereIsNone()
        let provider = try chooseProvider()
        var secrets: [HeldSecret] = []
        if provider == .passphrase {
            let option = "--passphrase-stdin"
            secrets.append(
                try input.read("passphrase", fromStandardInput: passphraseStdin, isNew: true, option: option)
            )
        }
        let code = try recoveryCode(input.arena)
        if let code { secrets.append(code) }
        let reply = try RecoveryCodeInput.keeping(recoveryCodeFile) {
            try output.client("deriving the vault's key").call(
                CredentialsAPI.InitCall(
                    provider: provider.rawValue,
                    label: key.label,
                    recoveryCode: code != nil,
                    insecureKeyFile: key.insecureKeyfile
                ),
                secrets: secrets
            )
        }
        VaultCommand.report(reply.vault, output)
    }

    /// Fails if a vault exists, before the user chooses a passphrase.
    private func checkThereIsNone() throws {
        let vault = try CredentialsAPI.Vault.fetch(try output.client())
        guard vault.state == .absent else {
            if vault.isFileMissing || vault.isUnsafe { try vault.checkReadable() }
            throw Failure(
                .failed,
                "a vault already exists at '\(Printable(vault.path))'",
                hint: "relctl vault status"
            )
        }
    }

    private func chooseProvider() throws -> ProviderName {
        if let provider = key.provider { return provider }
        guard !passphraseStdin else { return .passphrase }
        try Question.requireTerminal("choose a key provider with --provider", hint: "relctl vault providers")
        let providers = try CredentialsAPI.Provider.fetchAll(output)
        Terminal.writeError(VaultProvidersCommand.table(providers, .plain))
        let proposal = providers.first { $0.proposed }?.kind ?? ProviderName.passphrase.rawValue
        let answer = Question.choice("Which key provider should open the vault?", proposal: proposal)
        guard let chosen = ProviderName(rawValue: answer), chosen != .recoveryCode, chosen != .keyFile else {
            throw Failure(.usage, "'\(Printable(answer))' is not a valid provider", hint: "relctl vault init --help")
        }
        return chosen
    }

    private func recoveryCode(_ arena: SecretArena) throws -> HeldSecret? {
        let codes = RecoveryCodeInput(arena: arena)
        if let recoveryCodeFile { return try codes.write(to: recoveryCodeFile) }
        guard !noRecoveryCode, Terminal.inputIsTerminal else { return nil }
        guard Question.isNotNo("Create a recovery code, which opens the vault if the key is lost?") else { return nil }
        return try codes.show()
    }
}

struct VaultProvidersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers",
        abstract: "Test the key providers, and show which are available.",
        discussion: "The one that 'relctl vault init' proposes is marked with a star."
    )

    @OptionGroup var output: OutputOptions

    func run() throws {
        let providers = try CredentialsAPI.Provider.fetchAll(output)
        output.show(["providers": .array(providers.map { .object($0.json) })], else: Self.table(providers))
    }

    static func table(_ providers: [CredentialsAPI.Provider], _ style: Style = .ofOutput) -> String {
        let rows = providers.map { provider in
            [
                provider.kind + (provider.proposed ? " *" : ""), provider.available ? "yes" : "no",
                provider.reason?.text.description ?? provider.strength.description,
            ]
        }
        return Table(["PROVIDER", "AVAILABLE", "STRENGTH OR REASON"], rows, style).text
    }
}
