// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

/// Asks for a new login until the server accepts it, at most three times. Previous answers become the defaults.
struct NewLogin {
    private let server: RegistryAPI.Endpoint
    private let identity: RegistryAPI.Identity
    private let input: SecretInput
    private let options: ConnectCommand

    init(
        _ server: RegistryAPI.Endpoint,
        _ identity: RegistryAPI.Identity,
        _ input: SecretInput,
        _ options: ConnectCommand
    ) {
        (self.server, self.identity, self.input, self.options) = (server, identity, input, options)
    }

    /// User, domain and schema.
    struct Account {
        var user: String
        var domain: String?
        var schema: String?
    }

    /// - Returns: the name of the login.
    func add() throws -> String {
        var account = Account(
            user: options.user ?? "",
            domain: options.domain ?? server.loginDomain,
            schema: options.schema ?? server.loginSchema
        )
        let attempts = Terminal.inputIsTerminal && !options.passwordStdin ? Question.attempts : 1
        return try Question.retrying(after: [.newLoginRejected, .invalidLogin], attempts: attempts) {
            account.user = try user(account.user)
            let password = try input.readPassword(fromStandardInput: options.passwordStdin)
            try askPlace(&account)
            return try save(account, password)
        }
    }

    private func user(_ last: String) throws -> String {
        if let user = options.user { return user }
        try Question.requireTerminal("name the user with --user")
        return try Question.needed("user", proposal: last)
    }

    private func askPlace(_ account: inout Account) throws {
        guard Terminal.inputIsTerminal, options.user == nil else { return }
        if options.domain == nil { account.domain = Question.changed("domain", from: account.domain) }
        if options.schema == nil { account.schema = Question.changed("schema", from: account.schema) }
    }

    /// Saves the login under a short name, or under its long name if the short one exists.
    private func save(_ account: Account, _ password: HeldSecret) throws -> String {
        let reply = try options.output.client("logging in").call(
            CredentialsAPI.AddLoginCall(
                endpoint: server.id,
                name: options.login,
                user: account.user,
                domain: account.domain,
                schema: account.schema,
                pin: identity.fingerprint,
                trust: identity.trust,
                allowPlaintext: identity.isPlain
            ),
            secrets: [password]
        )
        NewLogin.warn(samplePassword: reply.samplePassword)
        return reply.login.name
    }

    static func warn(samplePassword: Bool) {
        guard samplePassword else { return }
        Terminal.writeError("relctl: warning: this is the well-known password of the vendor's samples\n")
    }
}

/// The vault for a new login: created if there is none, unlocked if it is locked.
struct NeededVault {
    private let input: SecretInput
    private let provider: ProviderName?
    private let passphraseStdin: Bool
    private let output: OutputOptions

    /// - Parameters:
    ///   - provider: the key provider of a new vault; nil for the one that the daemon proposes.
    ///   - passphraseStdin: reads the passphrase from standard input.
    init(input: SecretInput, provider: ProviderName?, passphraseStdin: Bool, _ output: OutputOptions) {
        (self.input, self.provider, self.passphraseStdin, self.output) = (input, provider, passphraseStdin, output)
    }

    func isAbsent() throws -> Bool { try status().state == .absent }

    func open() throws {
        let vault = try status()
        try vault.checkReadable()
        switch vault.state {
        case .unlocked: return
        case .absent: try make()
        case .sealed, .locked:
            try LockedVault(vault, input, output).unlock(passphraseStdin: passphraseStdin)
        }
    }

    private func status() throws -> CredentialsAPI.Vault { try CredentialsAPI.Vault.fetch(output.client()) }

    private func make() throws {
        guard provider != nil || passphraseStdin || Terminal.inputIsTerminal else {
            throw Failure(
                .usage,
                """
                there is no vault, and no terminal to ask for its passphrase: use --passphrase-stdin, or another \
                provider with --provider
                """
            )
        }
        let provider = try provider ?? (passphraseStdin ? .passphrase : proposed())
        var secrets: [HeldSecret] = []
        if provider == .passphrase {
            output.note("relctl: the login is stored in a new vault; choose its passphrase\n")
            let passphrase = try input.read(
                "passphrase",
                fromStandardInput: passphraseStdin,
                isNew: true,
                option: "--passphrase-stdin",
                attempts: Question.attempts
            )
            secrets.append(passphrase)
        }
        _ = try output.client("deriving the vault's key").call(
            CredentialsAPI.InitCall(provider: provider.rawValue),
            secrets: secrets
        )
        output.note(
            """
            relctl: created a vault with the key provider \(provider.rawValue)
            relctl: to add a recovery code, in case the key is lost: relctl vault slot add --provider recovery-code

            """
        )
    }

    private func proposed() throws -> ProviderName {
        let kind = try CredentialsAPI.Provider.fetchAll(output).first { $0.proposed }?.kind
        return kind.flatMap(ProviderName.init(rawValue:)) ?? .passphrase
    }
}
