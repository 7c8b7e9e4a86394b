// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Platform

/// A login that is asked for until the server takes it, a few times at most; answers that were given are proposed again.
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

    /// Who logs in to which domain and schema.
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
        var attempt = 1
        while true {
            account.user = try user(account.user)
            let password = HeldSecret(try password())
            try askPlace(&account)
            do {
                return try save(account, password)
            } catch let error as DaemonError
                where [.loginRejected, .invalidLogin].contains(error.code) && attempt < attempts
            {
                Terminal.writeError("relctl: \(PrintableText(error.message).text): try again\n")
                attempt += 1
            }
        }
    }

    private func user(_ last: String) throws -> String {
        if let user = options.user { return user }
        guard Terminal.inputIsTerminal else {
            throw Failure(.usage, "standard input is no terminal to ask for the user on: name it with --user")
        }
        return try Question.needed("user", proposal: last)
    }

    private func password() throws -> Secret {
        try input.read(
            "password",
            fromStandardInput: options.passwordStdin,
            isNew: false,
            maximumBytes: SecretLineReader.maximumPasswordBytes,
            option: "--password-stdin"
        )
    }

    private func askPlace(_ account: inout Account) throws {
        guard Terminal.inputIsTerminal, options.user == nil else { return }
        if options.domain == nil { account.domain = Question.changed("domain", from: account.domain) }
        if options.schema == nil { account.schema = Question.changed("schema", from: account.schema) }
    }

    /// Saves the login under a short name, or under its long one if that name is taken.
    private func save(_ account: Account, _ password: HeldSecret) throws -> String {
        do {
            return try save(account, password, name: options.login ?? "\(account.user)@\(server.name)")
        } catch let error as DaemonError where error.code == .loginExists && options.login == nil {
            return try save(account, password, name: nil)
        }
    }

    private func save(_ account: Account, _ password: HeldSecret, name: String?) throws -> String {
        let reply = try options.output.client("logging in").call(
            CredentialsAPI.AddLoginCall(
                endpoint: server.id,
                name: name,
                user: account.user,
                domain: account.domain,
                schema: account.schema,
                pin: identity.fingerprint,
                trust: identity.trust,
                allowPlaintext: identity.isPlain
            ),
            secrets: [password]
        )
        LoginCommand.warn(samplePassword: reply.samplePassword)
        return reply.login.name
    }
}
