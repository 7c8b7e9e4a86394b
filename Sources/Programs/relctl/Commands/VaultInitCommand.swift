// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI
import Platform

struct VaultInitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a vault.",
        discussion: """
            On a terminal the best key provider that works here is proposed, and a recovery code is offered. A script \
            names the provider, and a file for the code. A provider that fails is never replaced by another in silence; \
            'relctl vault slot add' adds other ways to open the vault.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var key: KeyOptions
    @Flag(help: "Read the passphrase as one line of standard input.")
    var passphraseStdin = false
    @Option(help: "Write a recovery code into this new file.", completion: .file())
    var recoveryCodeFile: String?
    @Flag(help: "Make no recovery code, and do not ask.")
    var noRecoveryCode = false

    func validate() throws {
        if key.provider == .recoveryCode {
            throw ValidationError("a recovery code is no provider of its own: it comes with any")
        }
        if passphraseStdin, key.provider ?? .passphrase != .passphrase {
            throw ValidationError("--passphrase-stdin is for --provider passphrase")
        }
        if recoveryCodeFile != nil, noRecoveryCode {
            throw ValidationError("--recovery-code-file and --no-recovery-code exclude each other")
        }
    }

    func run() throws {
        let input = try SecretInput()
        try checkThereIsNone()
        let provider = try chooseProvider()
        var secrets: [HeldSecret] = []
        if provider == .passphrase {
            let passphrase = try input.read(
                "passphrase",
                fromStandardInput: passphraseStdin,
                isNew: true,
                maximumBytes: SecretLineReader.maximumPassphraseBytes,
                option: "--passphrase-stdin"
            )
            secrets.append(HeldSecret(passphrase))
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
        VaultCommand.tell(reply.vault, output)
    }

    /// Fails if a vault exists, before the user chooses a passphrase.
    private func checkThereIsNone() throws {
        let vault = try VaultCommand.status(try output.client())
        guard vault.state == .absent else {
            throw Failure(
                .failed,
                "there is a vault at '\(Printable(vault.path))' already",
                hint: "relctl vault status"
            )
        }
    }

    private func chooseProvider() throws -> ProviderName {
        if let provider = key.provider { return provider }
        guard !passphraseStdin else { return .passphrase }
        guard Terminal.inputIsTerminal else {
            throw Failure(
                .usage,
                "standard input is no terminal to choose a key provider on: --provider names it",
                hint: "relctl vault providers"
            )
        }
        let providers = try VaultProvidersCommand.providers(output)
        Terminal.writeError(VaultProvidersCommand.table(providers, .plain))
        let proposal = providers.first { $0.proposed }?.kind ?? ProviderName.passphrase.rawValue
        let answer = Question.choice("What should open the vault?", proposal: proposal)
        guard let chosen = ProviderName(rawValue: answer), chosen != .recoveryCode, chosen != .keyFile else {
            throw Failure(.usage, "'\(Printable(answer))' cannot be chosen here", hint: "relctl vault init --help")
        }
        return chosen
    }

    private func recoveryCode(_ arena: SecretArena) throws -> HeldSecret? {
        let codes = RecoveryCodeInput(arena: arena)
        if let recoveryCodeFile { return try codes.write(to: recoveryCodeFile) }
        guard !noRecoveryCode, Terminal.inputIsTerminal else { return nil }
        guard Question.isNotNo("Make a recovery code, which opens the vault if all else is lost?") else { return nil }
        return try codes.show()
    }
}

struct VaultProvidersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers",
        abstract: "Try the key providers, and show which work here.",
        discussion: "The one that 'relctl vault init' proposes is marked with a star."
    )

    @OptionGroup var output: OutputOptions

    func run() throws {
        let providers = try Self.providers(output)
        output.show(["providers": .array(providers.map { .object($0.json) })], else: Self.table(providers))
    }

    static func providers(_ output: OutputOptions) throws -> [CredentialsAPI.Provider] {
        try output.client().call(CredentialsAPI.ListProvidersCall(), within: DaemonClient.slow).providers
    }

    static func table(_ providers: [CredentialsAPI.Provider], _ style: Style = .ofOutput) -> String {
        let rows = providers.map { provider in
            [
                provider.kind + (provider.proposed ? " *" : ""), provider.available ? "yes" : "no",
                provider.reason ?? provider.strength,
            ]
        }
        return Table(["PROVIDER", "WORKS", "STRENGTH, OR WHY NOT"], rows, style).text
    }
}
