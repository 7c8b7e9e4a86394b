// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI
import Platform

struct ConnectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Get a logged-in connection to a server, from nothing to done.",
        discussion: """
            Finds the server, or adds it if SERVER is an address. If there is no login for it yet, shows the server's \
            identity, makes or unlocks the vault and asks for the login. Then opens an adapter and prints how to use it, or \
            runs the program behind '--' with it. Where no terminal can be asked, the answers are options, and secrets are \
            lines of standard input: the passphrase first, then the password.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var agreement: ServerAgreement
    @Argument(
        help: "The id or name of a server, or its address: HOST:PORT or a full URL.",
        completion: LiveNames.endpoints
    )
    var server: String
    @Option(help: "The name of a server that is added; by default its host.")
    var name: String?
    @Option(help: "The name of a login, stored or new; needed if the server has several.", completion: LiveNames.logins)
    var login: String?
    @Option(help: "The user of a new login; asked for on a terminal.")
    var user: String?
    @Option(help: "The domain of a new login; asked for on a terminal.")
    var domain: String?
    @Option(help: "The schema of a new login; asked for on a terminal.")
    var schema: String?
    @Flag(help: "Read the password of a new login as one line of standard input.")
    var passwordStdin = false
    @Option(help: "What opens a new vault; by default the provider that 'relctl vault providers' marks.")
    var provider: ProviderName?
    @Flag(help: "Read the passphrase of the vault as one line of standard input.")
    var passphraseStdin = false
    @Flag(help: "Take a port of 127.0.0.1 instead of a Unix socket, for programs that know nothing of relativityd.")
    var loopback = false
    @Argument(parsing: .postTerminator, help: "A program and its arguments, behind '--'.")
    var program: [String] = []

    func validate() throws {
        if let provider, [.recoveryCode, .keyFile].contains(provider) {
            throw ValidationError("--provider \(provider.rawValue) is for 'relctl vault init'")
        }
        if passphraseStdin, provider ?? .passphrase != .passphrase {
            throw ValidationError("--passphrase-stdin is for --provider passphrase")
        }
        if output.isJSON, !program.isEmpty { throw ValidationError("--json and a program exclude each other") }
    }

    func run() throws {
        let input = try SecretInput()
        let record = try NamedServer(server, name: name, output).found()
        let login = try storedLogin(for: record) ?? newLogin(for: record, input)
        try open(record, login, input)
    }

    /// The login that is there already, as far as it can be seen; nil if there is none.
    private func storedLogin(for record: RegistryAPI.Endpoint) throws -> String? {
        try StoredLogins(of: record, output).choose(login)
    }

    private func newLogin(for record: RegistryAPI.Endpoint, _ input: SecretInput) throws -> String {
        let vault = NeededVault(input: input, provider: provider, passphraseStdin: passphraseStdin, output)
        // A new vault is made for a server that was agreed to, but a locked one may have the login already.
        let isNew = try vault.isAbsent()
        if !isNew {
            try vault.open()
            if let name = try storedLogin(for: record) { return name }
        }
        let identity = try agreedIdentity(of: record, isPinned: !isNew)
        if isNew { try vault.open() }
        return try NewLogin(record, identity, input, self).add()
    }

    /// The identity of the server, agreed to now or when it was pinned.
    private func agreedIdentity(of record: RegistryAPI.Endpoint, isPinned: Bool) throws -> RegistryAPI.Identity {
        let client = try output.client("asking the server who it is")
        let identity = try agreement.identity(of: record, client)
        if isPinned, let pin = try CredentialsAPI.Pin.fetch(record.id, client), pin.verified,
            pin.fingerprint == identity.fingerprint, pin.allowPlaintext || !identity.isPlain
        {
            return identity
        }
        try agreement.obtain(
            for: identity,
            of: record,
            asking: "Is this the server?",
            orInPlain: "Is this the server, and may the password go to it unencrypted?"
        )
        return identity
    }

    private func open(_ record: RegistryAPI.Endpoint, _ login: String, _ input: SecretInput) throws {
        let call = BrokerAPI.OpenCall(endpoint: record.id, login: login, form: loopback ? "loopback" : "socket")
        try RefusedPassword(of: login, input, output).replacing(isPermitted: Terminal.inputIsTerminal) {
            guard program.isEmpty else { return try AdapterProgram.run(program, call) }
            let adapter = try output.client("logging in").call(call, within: DaemonClient.ofPerson).adapter
            output.show(adapter.json, else: text(of: adapter, record))
        }
    }

    private func text(of adapter: BrokerAPI.Adapter, _ record: RegistryAPI.Endpoint) -> String {
        let again = "relctl connect \(ShellWord.quote(record.name))"
        let place =
            adapter.socketPath.map { "--unix-socket \(ShellWord.quote($0)) http://localhost/bin" } ?? adapter.url
        return AdapterCommand.facts(adapter).text
            + Facts([
                "post a message": "curl --data-binary @MESSAGE \(place)",
                "next time": Printable(again: again),
                "with a program": Printable(again: "\(again) -- PROGRAM"),
            ]).text
    }
}
