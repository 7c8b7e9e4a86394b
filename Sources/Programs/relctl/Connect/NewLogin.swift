// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

/// Asks for a new login until the server accepts it, at most three times. Previous answers become the defaults.
struct NewLogin {
    let server: RegistryAPI.Endpoint
    let identity: RegistryAPI.Identity
    let input: SecretInput
    let options: ConnectCommand

    /// - Returns: the name of the login.
    func add() throws -> String {
        var call = CredentialsAPI.AddLoginCall(
            endpoint: server.id,
            name: options.login,
            user: options.user ?? "",
            domain: options.domain ?? server.loginDomain,
            schema: options.schema ?? server.loginSchema,
            pin: identity.fingerprint,
            trust: identity.trust,
            allowPlaintext: identity.isPlain
        )
        let attempts = Terminal.inputIsTerminal && !options.passwordStdin ? Question.attempts : 1
        let reply = try Question.retrying(after: [.newLoginRejected, .invalidLogin], attempts: attempts) {
            call.user = try user(call.user)
            let password = try input.readPassword(fromStandardInput: options.passwordStdin)
            askPlace(&call)
            return try options.output.client("logging in").call(call, secrets: [password])
        }
        Self.warn(samplePassword: reply.samplePassword)
        return reply.login.name
    }

    private func user(_ last: String) throws -> String {
        if let user = options.user { return user }
        try Question.requireTerminal("name the user with --user")
        return try Question.needed("user", proposal: last)
    }

    private func askPlace(_ call: inout CredentialsAPI.AddLoginCall) {
        guard Terminal.inputIsTerminal, options.user == nil else { return }
        if options.domain == nil { call.domain = Question.changed("domain", from: call.domain) }
        if options.schema == nil { call.schema = Question.changed("schema", from: call.schema) }
    }

    static func warn(samplePassword: Bool) {
        guard samplePassword else { return }
        Terminal.writeError("relctl: warning: this is the well-known password of the vendor's samples\n")
    }
}

/// The vault for a new login: created if there is none, unlocked if it is locked.
struct NeededVault {
    let input: SecretInput
    /// The key provider of a new vault; nil for the one that the daemon proposes.
    let provider: ProviderName?
    /// Whether the passphrase is read from standard input.
    let passphraseStdin: Bool
    let output: OutputOptions

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
