// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI
import Platform
import Registry
import Varlink
import VarlinkService

extension CredentialsInterface {
    func listLogins(_ call: TypedCall<CredentialsAPI.ListLoginsCall>) async throws {
        let (logins, missing) = await store.loginsInReach()
        if let missing, logins.isEmpty { throw missing }
        let sorted = logins.sorted { ($0.name, $0.origin.rawValue) < ($1.name, $1.origin.rawValue) }
        let isVaultThere = await store.state != .absent
        var records: [CredentialsAPI.Login] = []
        for login in sorted { records.append(try await record(login)) }
        call.reply(
            .init(
                logins: records,
                missing: isVaultThere ? missing?.description : nil
            )
        )
    }

    private func record(_ login: Login) async throws -> CredentialsAPI.Login {
        try CredentialsAPI.Login(login, at: await registry.endpoint(login.endpoint))
    }

    func addLogin(_ call: TypedCall<CredentialsAPI.AddLoginCall>) async throws {
        let endpoint = try await registry.find(call.parameters.endpoint)
        var login = try RequestedLogin(call, opening)
        let added = try await refusing(at: endpoint.id) { try await enrolment.add(to: endpoint, from: &login) }
        call.reply(.init(login: try await record(added), samplePassword: await isSample(added)))
    }

    func editLogin(_ call: TypedCall<CredentialsAPI.EditLoginCall>) async throws {
        let parameters = call.parameters
        let login = try await store.ownLogin(named: parameters.login)
        var edit = LoginEdit(
            name: parameters.name,
            user: parameters.user,
            domain: parameters.domain,
            schema: parameters.schema,
            userKey: try parameters.userKey.map { try UserKey(checking: $0) },
            extras: (parameters.extras ?? []).map { LoginExtra(key: $0.key, value: $0.value) }
        )
        guard !(edit.user ?? login.account.user).isEmpty else {
            throw DaemonError.invalidLogin(message: "the user is empty")
        }
        if let place = parameters.endpoint { edit.binding = try await binding(of: login, to: place, parameters) }
        if let words = parameters.passwordCommand {
            guard !call.untyped.wantsUpgrade else { throw VarlinkError.invalidParameter("passwordCommand") }
            let command = try SecretCommand(checking: words)
            let endpoint = await registry.endpoint(edit.binding?.endpoint ?? login.endpoint)
            try await opening.agree(to: command, of: edit.name ?? login.name, at: endpoint)
            edit.command = command
        }
        let isTried = parameters.test ?? true
        let changed = try await refusing(at: edit.binding?.endpoint ?? login.endpoint) { [edit] in
            guard call.untyped.wantsUpgrade else { return try await enrolment.change(login, edit, isTried: isTried) }
            var password = RequestedPassword(isTried: isTried, call: call.untyped)
            return try await enrolment.change(login, edit, from: &password)
        }
        await followDefault(of: login, to: changed.name)
        call.reply(.init(login: try await record(changed), samplePassword: await isSample(changed)))
    }

    /// Returns the pin of another endpoint for a login whose own one is gone.
    private func binding(
        of login: Login,
        to place: String,
        _ parameters: CredentialsAPI.EditLoginCall
    ) async throws -> PinnedEndpoint {
        if let own = await registry.endpoint(login.endpoint) {
            throw DaemonError.invalidLogin(
                message: "the login '\(Printable(login.name))' is for '\(Printable(own.name))', which is in the list"
            )
        }
        guard let pin = parameters.pin else { throw VarlinkError.invalidParameter("pin") }
        let agreement = try PinAgreement(
            pin: pin,
            trust: parameters.trust,
            allowsPlaintext: parameters.allowPlaintext ?? false
        )
        let endpoint = try await registry.find(place)
        return try await DaemonError.naming(endpoint.id) { try await enrolment.pin(of: endpoint, by: agreement) }
    }

    func testLogin(_ call: TypedCall<CredentialsAPI.TestLoginCall>) async throws {
        let login = try await store.loginInReach(named: call.parameters.login)
        try await store.checkTrust(in: login)
        let trial = try await DaemonError.naming(login.endpoint) { try await broker.test(login) }
        call.reply(
            .init(
                strength: trial.strength,
                steps: trial.steps.map { CredentialsAPI.Step(step: $0.name, ok: $0.isOK, detail: $0.detail) },
                samplePassword: await isSample(login),
                error: trial.steps.last?.error.map { DaemonError($0).code.rawValue }
            )
        )
    }

    /// Whether to warn about a sample password. An error means no warning, because the rest of the reply must still be
    /// sent.
    private func isSample(_ login: Login) async -> Bool {
        (try? await store.hasSamplePassword(login)) ?? false
    }

    func removeLogin(_ call: TypedCall<CredentialsAPI.RemoveLoginCall>) async throws {
        let login = try await store.ownLogin(named: call.parameters.login)
        try await store.remove(login.name)
        await broker.forget(login.id)
        await followDefault(of: login, to: nil)
        call.reply(.init())
    }

    /// Keeps the default of an endpoint on a login that was renamed or removed.
    private func followDefault(of login: Login, to name: String?) async {
        guard name != login.name, let endpoint = await registry.endpoint(login.endpoint),
            endpoint.defaultLogin == login.name,
            await !store.loginsInReach().logins.contains(where: { $0.name == login.name && $0.endpoint == endpoint.id })
        else { return }
        // The login has changed. If the list cannot be saved, its next use names the missing default.
        _ = try? await registry.set(endpoint.id, EndpointSettings { $0.defaultLogin = name ?? "" })
    }

    /// Runs `body`. A refused login that is not stored cannot be tested, so its error asks the user to enter it again.
    private func refusing<Value>(at endpoint: EndpointID, _ body: () async throws -> Value) async throws -> Value {
        try await DaemonError.naming(endpoint) {
            do {
                return try await body()
            } catch BrokerError.loginRejected(_, let reason) {
                let name = await registry.endpoint(endpoint)?.name
                throw BrokerError.newLoginRejected(endpoint: name ?? endpoint.text, reason: reason)
            }
        }
    }
}

/// The login that a call of `Credentials.AddLogin` describes. Unless it has a command, its password follows the call.
struct RequestedLogin: LoginSource {
    let name: String?
    let command: SecretCommand?
    private let opening: InteractiveOpening
    private let account: Account
    private let agreement: PinAgreement
    private let secret: RequestedPassword

    /// Reads the parameters of the call.
    ///
    /// - Throws: `DaemonError.invalidLogin` for an invalid value.
    init(_ call: TypedCall<CredentialsAPI.AddLoginCall>, _ opening: InteractiveOpening) throws {
        let parameters = call.parameters
        name = parameters.name
        self.opening = opening
        command = try parameters.passwordCommand.map { try SecretCommand(checking: $0) }
        guard command == nil || !call.untyped.wantsUpgrade else {
            throw VarlinkError.invalidParameter("passwordCommand")
        }
        account = Account(
            user: parameters.user,
            domain: parameters.domain ?? "",
            schema: parameters.schema ?? "",
            userKey: try parameters.userKey.map { try UserKey(checking: $0) } ?? .userID,
            extras: (parameters.extras ?? []).map { LoginExtra(key: $0.key, value: $0.value) }
        )
        agreement = try PinAgreement(parameters)
        secret = RequestedPassword(isTried: parameters.test ?? true, call: call.untyped)
        guard !account.user.isEmpty else { throw DaemonError.invalidLogin(message: "the user is empty") }
    }

    var trust: ServerTrust? { agreement.trust }
    var isTried: Bool { secret.isTried }

    func agree(to proposal: ServerProposal) async throws { try await agreement.agree(to: proposal) }

    var knownAccount: Account? { account }

    func account(for proposal: ServerProposal) -> Account { account }

    func password(for login: NewLogin, after refusal: BrokerError?) async throws -> Secret {
        try await secret.password(for: login, after: refusal)
    }

    func agree(to command: SecretCommand, of login: NewLogin, at endpoint: Endpoint) async throws {
        try await opening.agree(to: command, of: login.name, at: endpoint)
    }
}

extension SecretCommand {
    /// - Throws: `DaemonError.invalidLogin` unless the words are a command.
    fileprivate init(checking words: [String]) throws {
        guard let command = SecretCommand(words) else {
            throw DaemonError.invalidLogin(
                message: "a password command is 1 to 32 texts, first a program's name or absolute path"
            )
        }
        self = command
    }
}

extension UserKey {
    /// Parses the key of the user name.
    ///
    /// - Throws: `DaemonError.invalidLogin` if the text is not a known key.
    init(checking text: String) throws {
        guard let key = UserKey(rawValue: text) else {
            let names = Self.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or ")
            throw DaemonError.invalidLogin(message: "the user's key must be \(names), not '\(Printable(text))'")
        }
        self = key
    }
}

/// The password that follows a call. There is only one attempt.
struct RequestedPassword: PasswordSource {
    let isTried: Bool
    let call: VarlinkCall

    func password(for login: NewLogin, after refusal: BrokerError?) async throws -> Secret {
        if let refusal { throw refusal }
        return try await call.secret(maximumBytes: SecretLineReader.maximumPasswordBytes)
    }
}

extension VarlinkCall {
    /// Reads a secret that follows the call.
    func secret(maximumBytes: Int) async throws -> Secret {
        let arena = try SecretArena(byteCount: SecretLineReader.maximumPasswordBytes)
        return try await upgraded(maximumBytes: maximumBytes) { bytes in
            try Secret(copying: bytes, in: arena)
        }
    }
}

/// The verification of a server by the parameters of a call: the fingerprint that the user has seen, the kind of trust,
/// and the permission for plain HTTP if the server has no TLS.
struct PinAgreement: ServerAgreement {
    let trust: ServerTrust?
    private let pin: Fingerprint
    private let allowsPlaintext: Bool

    /// - Throws: `DaemonError.invalidLogin` if the fingerprint is malformed.
    init(_ parameters: some PinParameters) throws {
        try self.init(
            pin: parameters.pin,
            trust: parameters.trust,
            allowsPlaintext: parameters.allowPlaintext ?? false
        )
    }

    /// - Throws: `DaemonError.invalidLogin` if the fingerprint is malformed.
    init(pin: String, trust: ServerTrust?, allowsPlaintext: Bool) throws {
        self.trust = trust
        self.allowsPlaintext = allowsPlaintext
        guard let pin = Fingerprint(pin) else {
            throw DaemonError.invalidLogin(message: "the pin is not a fingerprint: 64 hexadecimal digits")
        }
        self.pin = pin
    }

    /// Checks the server against the parameters.
    ///
    /// - Throws: `DaemonError.identityChanged` if it is another server; `DaemonError.plaintextNotAllowed` if
    ///   plain HTTP was not permitted.
    func agree(to proposal: ServerProposal) async throws {
        let found = Fingerprint(of: proposal.identity.pin)
        guard found == pin else {
            throw DaemonError.identityChanged(
                message: "the server's fingerprint is \(found.text) now, not the confirmed one",
                endpoint: proposal.endpoint.id.text,
                fingerprint: found.text
            )
        }
        let permission = PlaintextPermission(user: allowsPlaintext ? .here : .none)
        guard PlaintextRule(proposal.identity.pin, permission).refusal() == nil else {
            throw DaemonError.plaintextNotAllowed(
                message: "this server uses plain HTTP: the password would cross the network unencrypted",
                endpoint: proposal.endpoint.id.text,
                pinned: proposal.isPinned
            )
        }
    }
}

/// Parameters by which the caller approves the identity of an endpoint's server.
protocol PinParameters {
    var endpoint: String { get }
    /// The fingerprint that the user was shown.
    var pin: String { get }
    var trust: ServerTrust? { get }
    var allowPlaintext: Bool? { get }
}

extension CredentialsAPI.AddLoginCall: PinParameters {}
extension CredentialsAPI.PinEndpointCall: PinParameters {}
extension CredentialsAPI.RepinEndpointCall: PinParameters {}
