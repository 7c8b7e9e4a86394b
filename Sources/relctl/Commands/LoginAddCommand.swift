// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import LocalAPI
import Platform

struct LoginAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Store a login for a server, bound to the server's identity.",
        discussion: """
            Shows who the server is and asks. Without a terminal, --pin FINGERPRINT says what you would have agreed to \
            ('relctl show ENDPOINT' prints it), and plain HTTP needs --allow-plaintext too. With --trust ca the login goes to \
            whoever has a certificate for the server's host name from a certificate authority that is trusted here. The login is tried before \
            it is saved. Domain and schema that a file gave with the server are used where none are given here. Without \
            --user a terminal is asked for the user, and for domain and schema where nothing gives them.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var agreement: ServerAgreement
    @Argument(help: "The id of an endpoint, or a name that only one has.", completion: LiveNames.endpoints)
    var endpoint: String
    @Option(help: "The name of the login itself; by default USER@ENDPOINT/DOMAIN/SCHEMA.")
    var name: String?
    @Option(help: "The user; asked for on a terminal.")
    var user: String?
    @Option(help: "The domain; Relativity servers need one.")
    var domain: String?
    @Option(help: "The schema.")
    var schema: String?
    @OptionGroup var extraKeys: ExtraKeyOptions
    @Flag(help: "Read the password as one line of standard input.")
    var passwordStdin = false
    @Flag(help: "Save the login without trying it.")
    var noTest = false

    func run() throws {
        let input = try SecretInput()
        try offerVault()
        let client = try output.client("asking the server who it is")
        let record = try RegistryAPI.Endpoint.fetch(endpoint, client)
        try LoginCommand.checkVault(client)
        let identity = try agreement.identity(of: record, client)
        try agreement.obtain(for: identity, of: record, asking: "Is this the server?")
        let account = try account(at: record)
        let password = try input.read(
            "password",
            fromStandardInput: passwordStdin,
            isNew: true,
            maximumBytes: SecretLineReader.maximumPasswordBytes,
            option: "--password-stdin"
        )
        let reply = try output.client("logging in").call(
            CredentialsAPI.AddLoginCall(
                endpoint: record.id,
                name: name,
                user: account.user,
                domain: account.domain,
                schema: account.schema,
                userKey: extraKeys.userKey,
                extras: extraKeys.extras,
                pin: identity.fingerprint,
                trust: identity.trust,
                allowPlaintext: identity.isPlain,
                test: !noTest
            ),
            secrets: [HeldSecret(password)]
        )
        LoginCommand.show(reply.login, samplePassword: reply.samplePassword, as: "added", output)
    }

    /// The first login needs a vault; at a terminal one can be made on the way.
    private func offerVault() throws {
        guard Terminal.inputIsTerminal, try VaultCommand.status(output.client()).state == .absent,
            Question.isYes("There is no vault yet. Make one?")
        else { return }
        let initialise = try VaultInitCommand.parse(output.isQuiet ? ["--quiet"] : [])
        try initialise.run()
    }

    /// Who logs in to what.
    private struct Account {
        var user: String
        var domain: String?
        var schema: String?
    }

    /// Takes what was given, and asks for the rest where nobody has named a user.
    private func account(at record: RegistryAPI.Endpoint) throws -> Account {
        let (domain, schema) = (domain ?? record.loginDomain, schema ?? record.loginSchema)
        if let user { return Account(user: user, domain: domain, schema: schema) }
        guard Terminal.inputIsTerminal else {
            throw Failure(.usage, "standard input is no terminal to ask for the user on: --user names it")
        }
        return Account(
            user: Question.text("user"),
            domain: domain ?? Question.optionalText("domain"),
            schema: schema ?? Question.optionalText("schema")
        )
    }
}
