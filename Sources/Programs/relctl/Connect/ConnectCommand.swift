// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI
import Platform

struct ConnectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Set up a logged-in connection to a server in one step.",
        discussion: """
            Finds the server, or adds it if SERVER is an address. If there is no login for it yet, shows the server's \
            identity, creates or unlocks the vault, and asks for the login. Then opens an adapter and prints how to \
            use it, or runs the program after '--' with it. Without a terminal, give answers as options, and secrets \
            as lines of standard input: first the passphrase, then the password.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var agreement: ServerAgreement
    @Argument(
        help: "Endpoint ID, unique name, or address (HOST:PORT or a full URL).",
        completion: LiveNames.endpoints
    )
    var server: String
    @Option(help: "Name of a server that is added; by default its host.")
    var name: String?
    @Option(help: "Login name, stored or new; required if the server has several.", completion: LiveNames.logins)
    var login: String?
    @Option(help: "The user of a new login; by default asked for at the terminal.")
    var user: String?
    @Option(help: "The domain of a new login; by default asked for at the terminal.")
    var domain: String?
    @Option(help: "The schema of a new login; by default asked for at the terminal.")
    var schema: String?
    @Flag(help: "Read the password of a new login as one line of standard input.")
    var passwordStdin = false
    @Option(help: "Key provider of a new vault; by default the one that 'relctl vault providers' marks.")
    var provider: ProviderName?
    @Flag(help: "Read the passphrase of the vault as one line of standard input.")
    var passphraseStdin = false
    @Flag(help: "Use a port of 127.0.0.1 instead of a Unix socket, for programs without support for it.")
    var loopback = false
    @Argument(parsing: .postTerminator, help: "A program and its arguments, after '--'.")
    var program: [String] = []

    func validate() throws {
        if let provider, [.recoveryCode, .keyFile].contains(provider) {
            throw ValidationError("--provider \(provider.rawValue) can only be used with 'relctl vault init'")
        }
        if passphraseStdin, provider ?? .passphrase != .passphrase {
            throw ValidationError("--passphrase-stdin requires --provider passphrase")
        }
        if output.isJSON, !program.isEmpty { throw ValidationError("--json and a program cannot be used together") }
    }

    func run() throws {
        let input = try SecretInput()
        let (record, named) = try found(input)
        let login = try storedLogin(for: record, named) ?? newLogin(for: record, named, input)
        try open(record, login, input)
    }

    /// The server, and the login if the argument names one too, which may need an open vault.
    private func found(_ input: SecretInput) throws -> (RegistryAPI.Endpoint, login: String?) {
        let server = NamedServer(text: server, name: name, login: login, output: output)
        do {
            return try server.found()
        } catch let error as DaemonError where error.code == .vaultLocked {
            try vault(input).open()
            return try server.found()
        }
    }

    /// The stored login to use; nil if none is visible that fits the options.
    private func storedLogin(for record: RegistryAPI.Endpoint, _ named: String?) throws -> String? {
        let account = LoginAccount(user: user, domain: domain, schema: schema)
        return try StoredLogins(of: record, output).choose(named ?? login, as: account)
    }

    private func vault(_ input: SecretInput) -> NeededVault {
        NeededVault(input: input, provider: provider, passphraseStdin: passphraseStdin, output: output)
    }

    private func newLogin(
        for record: RegistryAPI.Endpoint,
        _ named: String?,
        _ input: SecretInput
    ) throws -> String {
        let vault = vault(input)
        // A locked vault may already contain the login. A new vault is created only after the server is confirmed.
        let isNew = try vault.isAbsent()
        if !isNew {
            try vault.open()
            if let name = try storedLogin(for: record, named) { return name }
        }
        let identity = try agreedIdentity(of: record, isPinned: !isNew)
        if isNew { try vault.open() }
        return try NewLogin(server: record, identity: identity, input: input, options: self).add()
    }

    /// The identity of the server, confirmed now or when it was pinned.
    private func agreedIdentity(of record: RegistryAPI.Endpoint, isPinned: Bool) throws -> RegistryAPI.Identity {
        let client = try output.client("fetching the server's identity")
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
            orInPlain: "Is this the server, and may the password be sent to it unencrypted?"
        )
        return identity
    }

    private func open(_ record: RegistryAPI.Endpoint, _ login: String, _ input: SecretInput) throws {
        let call = BrokerAPI.OpenCall(endpoint: record.id, login: login, form: loopback ? "loopback" : "socket")
        try RefusedPassword(login: login, input: input, output: output).replacing(isPermitted: Terminal.inputIsTerminal)
        {
            guard program.isEmpty else { return try AdapterProgram.run(program, call) }
            let adapter = try output.client("logging in").call(call, within: DaemonClient.interactive).adapter
            try output.show(adapter.json, else: try text(of: adapter, record))
        }
    }

    private func text(of adapter: BrokerAPI.Adapter, _ record: RegistryAPI.Endpoint) throws -> String {
        let again = try again(record, login: adapter.login)
        let place =
            adapter.socketPath.map { "--unix-socket \(ShellWord.quote($0)) http://localhost/bin" } ?? adapter.url
        return adapter.facts.text
            + Facts([
                "post a message": "curl --data-binary @MESSAGE \(place)",
                "next time": Printable(again: again),
                "with a program": Printable(again: "\(again) -- PROGRAM"),
            ]).text
    }

    /// The command that connects to the same server with the same login.
    private func again(_ record: RegistryAPI.Endpoint, login: String?) throws -> String {
        let client = try DaemonClient()
        let isUnique = try? RegistryAPI.Endpoint.fetch(record.name, client).id == record.id
        let server = isUnique == true && !record.name.hasPrefix("-") ? record.name : record.id
        var words = ["relctl connect \(ShellWord.quote(server))"]
        // Without the variable, because the next time it may be absent.
        let usual = try? client.call(BrokerAPI.ChooseCall(endpoint: record.id))
        if let login, usual?.login != login { words.append("--login=\(ShellWord.quote(login))") }
        if loopback { words.append("--loopback") }
        return words.joined(separator: " ")
    }
}

/// A server as typed by the user: an ID, a name or an address.
struct NamedServer {
    let text: String
    /// The name of the server, if it is added.
    let name: String?
    /// The option of the verb.
    let login: String?
    let output: OutputOptions

    /// Finds the server in the list, and adds it if the text is an address.
    ///
    /// - Returns: the server, and the login if the text names one too.
    /// - Throws: usage, if the list has it with another name than the given one.
    func found() throws -> (RegistryAPI.Endpoint, login: String?) {
        let (server, login) = try server()
        guard let name, server.name != name else { return (server, login) }
        throw Failure(
            .usage,
            "the server is in the list as '\(Printable(server.name))', not as '\(Printable(name))'",
            hint: "relctl rename \(server.name) \(name)"
        )
    }

    private func server() throws -> (RegistryAPI.Endpoint, login: String?) {
        let client = try output.client()
        guard let url = Self.address(text) else { return try listed(client) }
        // Prefix matches are ignored: the text is an address.
        if let found = try? RegistryAPI.Endpoint.fetch(text, client), [found.name, found.id].contains(text) {
            return (found, nil)
        }
        let known = try Self.known(at: url, client.call(RegistryAPI.ListCall()).endpoints)
        return (try known ?? added(url, client), nil)
    }

    /// Finds the server by its ID or name, or by those of a login and a server. If there is none, and the text is an
    /// invalid address rather than a name, the error says what is invalid.
    private func listed(_ client: DaemonClient) throws -> (RegistryAPI.Endpoint, login: String?) {
        if let chosen = try chosen(client) {
            let server = try RegistryAPI.Endpoint.fetch(chosen.endpoint, client)
            return (server, chosen.chosenBy == .named ? chosen.login : nil)
        }
        do {
            return (try RegistryAPI.Endpoint.fetch(text, client), nil)
        } catch let error as DaemonError where error.code == .endpointNotFound && Self.isLikeAddress(text) {
            _ = try ServerURL(completing: text)
            throw error
        }
    }

    /// The server and the login of a text with an `@`. The daemon decides, because any host can announce such a name.
    ///
    /// - Returns: nil if the text is only the name of a server, or none.
    private func chosen(_ client: DaemonClient) throws -> BrokerAPI.ChooseCall.Reply? {
        guard text.contains("@") else { return nil }
        do {
            return try client.call(BrokerAPI.ChooseCall(endpoint: text, login: login))
        } catch let error as DaemonError where error.code == .loginNotFound && error.login == text {
            throw error
        } catch let error as DaemonError
            where [.endpointNotFound, .loginNotFound, .loginNeeded, .loginAmbiguous, .vaultAbsent].contains(error.code)
        {
            return nil
        }
    }

    private func added(_ url: ServerURL, _ client: DaemonClient) throws -> RegistryAPI.Endpoint {
        let call = RegistryAPI.AddCall(name: name ?? Self.name(of: url), address: "\(url)")
        let added = try client.call(call, within: .seconds(10)).endpoint
        output.note("relctl: added '\(Printable(added.name))', \(Printable(added.url))\n")
        return added
    }

    /// The server with this URL. An added server takes precedence over a discovered one.
    static func known(at url: ServerURL, _ endpoints: [RegistryAPI.Endpoint]) -> RegistryAPI.Endpoint? {
        let fitting = endpoints.filter { $0.url == url.description }
        return fitting.first { $0.origin != .discovered } ?? (fitting.count == 1 ? fitting[0] : nil)
    }

    /// The URL of an address; nil for a single word, which may be a mistyped name.
    static func address(_ text: String) -> ServerURL? {
        isLikeAddress(text) ? try? ServerURL(completing: text) : nil
    }

    private static func isLikeAddress(_ text: String) -> Bool {
        text.contains(".") || text.contains(":") || text == "localhost"
    }

    static func name(of url: ServerURL) -> String {
        let host = url.host.urlText
        return url.port == ServerURL.usualPort ? host : "\(host):\(url.port)"
    }
}

/// The parts of a login that the options of `connect` name. A part that is nil is not named.
struct LoginAccount: Hashable {
    var user: String?
    var domain: String?
    var schema: String?

    /// The first part that a login has otherwise, as the name of its option with the value that the login has.
    func difference(from login: CredentialsAPI.Login) -> (option: String, value: String)? {
        let parts = [
            ("user", user, login.user), ("domain", domain, login.domain ?? ""), ("schema", schema, login.schema ?? ""),
        ]
        return parts.first { $0.1 != nil && $0.1 != $0.2 }.map { ($0.0, $0.2) }
    }
}

/// The visible logins of one server. Those in the vault are missing while it is locked.
struct StoredLogins {
    private let server: RegistryAPI.Endpoint
    private let logins: [CredentialsAPI.Login]

    init(of server: RegistryAPI.Endpoint, _ output: OutputOptions) throws {
        self.server = server
        do {
            logins = try output.client().call(CredentialsAPI.ListLoginsCall()).logins
                .filter { $0.endpoint == server.id }
        } catch let error as DaemonError where [.vaultAbsent, .vaultLocked].contains(error.code) {
            logins = []
        }
    }

    /// The choice among stored logins.
    enum Choice: Hashable {
        case stored(String)
        /// None fits, so that a new one is needed.
        case new
        /// The rule for all commands decides.
        case byRule
        /// These fit equally.
        case several([String])
    }

    /// Chooses a login for the options of `connect`.
    ///
    /// - Parameters:
    ///   - named: the name of a stored or a new login. Its beginning is enough if no part of an account is named.
    ///   - account: the parts that the login must have.
    /// - Throws: usage, if the login with this name has another account, or if several begin with the name.
    static func choice(
        of named: String?,
        as account: LoginAccount,
        among logins: [CredentialsAPI.Login]
    ) throws -> Choice {
        let isNew = account != LoginAccount()
        if let named {
            let names = isNew ? [] : NameReference(named).matches(in: logins.map(\.name))
            let name = try names.isEmpty ? named : one(of: logins, for: named).name
            guard let login = logins.first(where: { $0.name == name }) else { return .new }
            guard let (option, value) = account.difference(from: login) else { return .stored(name) }
            throw Failure(
                .usage,
                "the login '\(Printable(name))' has the \(option) '\(Printable(value))': use another name for a new login",
                hint: "relctl login edit --help"
            )
        }
        guard !logins.isEmpty else { return .new }
        guard isNew else { return .byRule }
        let fitting = logins.filter { account.difference(from: $0) == nil }.map(\.name)
        return fitting.isEmpty ? .new : fitting.count == 1 ? .stored(fitting[0]) : .several(fitting)
    }

    /// Chooses a login, and asks the user at a terminal if several are possible.
    ///
    /// - Returns: nil if there is none, or not the one that is named.
    func choose(_ named: String?, as account: LoginAccount) throws -> String? {
        switch try Self.choice(of: named, as: account, among: logins) {
        case .stored(let name): return name
        case .new: return nil
        case .several(let names): return try ask(names)
        case .byRule:
            do {
                let call = BrokerAPI.ChooseCall(endpoint: server.id, preferredLogin: ChosenLogin.preferred)
                return try DaemonClient().call(call).login
            } catch let error as DaemonError where error.code == .loginAmbiguous && Terminal.inputIsTerminal {
                return try LoginQuestion(names: error.candidates ?? []).ask()
            }
        }
    }

    private func ask(_ names: [String]) throws -> String {
        guard Terminal.inputIsTerminal else {
            let list = names.map { "\(Printable($0))" }.joined(separator: ", ")
            throw Failure(.usage, "several logins of '\(Printable(server.name))' fit, name one with --login: \(list)")
        }
        return try LoginQuestion(names: names).ask()
    }
}

/// The question at a terminal which of several logins is used.
struct LoginQuestion {
    let names: [String]

    /// - Throws: usage, if the user chooses none.
    func ask() throws -> String {
        for (number, name) in names.enumerated() { Terminal.writeError("\(number + 1)  \(Printable(name))\n") }
        for _ in 0..<Question.attempts {
            let answer = Question.text("which login, 1 to \(names.count)")
            if let number = Int(answer), number > 0, names.indices.contains(number - 1) { return names[number - 1] }
        }
        throw Failure(.usage, "no login was chosen: use --login NAME")
    }
}

extension StoredLogins {
    /// Returns the login that a name or its beginning stands for.
    ///
    /// - Throws: not found, or usage if several begin with it.
    static func one(of logins: [CredentialsAPI.Login], for reference: String) throws -> CredentialsAPI.Login {
        let found = NameReference(reference).matches(in: logins.map(\.name))
        guard let login = logins.first(where: { $0.name == found.first }) else {
            throw Failure(.notFound, "no login '\(Printable(reference))'", hint: "relctl login list")
        }
        guard found.count == 1 else {
            let candidates = found.map { "\(Printable($0))" }.joined(separator: ", ")
            throw Failure(
                .usage,
                "'\(Printable(reference))' may be one of several logins: \(candidates)",
                hint: "relctl login list"
            )
        }
        return login
    }

    /// Returns the record of the login that a name or its beginning stands for.
    static func record(_ reference: String, _ output: OutputOptions) throws -> CredentialsAPI.Login {
        let reply = try output.client().call(CredentialsAPI.ListLoginsCall())
        if let login = reply.logins.first(where: { $0.name == reference }) { return login }
        // The text may be the name of a login in the closed vault.
        if reply.missing != nil { try CredentialsAPI.Vault.requireUnlocked(output.client()) }
        return try one(of: reply.logins, for: reference)
    }

    /// Completes the beginning of a login's name. Text that is not the beginning of exactly one name, or cannot be looked up
    /// while the vault is closed, stays as it is: the daemon answers with the reason.
    ///
    /// - Throws: if no daemon answers.
    static func wholeName(_ reference: String) throws -> String {
        do {
            let reply = try DaemonClient().call(CredentialsAPI.ListLoginsCall())
            let found = NameReference(reference).matches(in: reply.logins.map(\.name))
            return reply.missing == nil && found.count == 1 ? found[0] : reference
        } catch is DaemonError {
            return reference
        }
    }
}

/// The password of a stored login that the server refuses, replaced at a terminal.
struct RefusedPassword {
    let login: String
    let input: SecretInput
    let output: OutputOptions

    /// Calls `use`, and calls it again after the password was replaced.
    ///
    /// - Parameter isPermitted: whether a new password may be asked for.
    func replacing(isPermitted: Bool, _ use: () throws -> Void) throws {
        do {
            try use()
        } catch let error as DaemonError where error.code == .loginRejected && isPermitted {
            // A typed password must not replace a command.
            guard try StoredLogins.record(login, output).passwordCommand == nil else { throw error }
            Terminal.writeError("relctl: \(PrintableText(error.message).text)\n")
            try replace()
            try use()
        }
    }

    private func replace() throws {
        _ = try Question.retrying(after: [.newLoginRejected]) {
            let password = try input.readPassword("new password", fromStandardInput: false)
            return try output.client("logging in").call(
                CredentialsAPI.EditLoginCall(login: login),
                secrets: [password]
            )
        }
    }
}
