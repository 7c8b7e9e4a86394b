// SPDX-License-Identifier: Apache-2.0

package import Credentials
import Endpoints
package import Platform
package import Prompts
package import Registry

/// Opens adapters for callers that permit prompts to the user for missing input: the vault's passphrase, a login, or
/// a new password if the server refuses the stored one.
///
/// Input is stored as the commands of the command line would store it, under the same rules.
package struct InteractiveOpening: Sendable {
    let broker: ConnectionBroker
    let store: CredentialStore
    let desk: PromptDesk

    /// Combines the parts that an opening uses.
    package init(broker: ConnectionBroker, store: CredentialStore, desk: PromptDesk) {
        self.broker = broker
        self.store = store
        self.desk = desk
    }

    /// Opens an adapter, and prompts the user only if input is missing.
    ///
    /// - Parameter defaults: values for a new login; nil permits only a prompt for approval, if the server requires one.
    /// - Throws: the errors of `ConnectionBroker.open`; `UnansweredPrompt`, which contains such an error;
    ///   `CancellationError`.
    package func open(
        _ request: AdapterRequest,
        _ defaults: LoginDefaults?
    ) async throws -> Adapter {
        let before = await store.locks
        do {
            return try await broker.open(request)
        } catch {
            guard missingInput(error, defaults) != nil, await mayAsk(request.use) else { throw error }
            return try await unanswered(error) {
                try await desk.withTurn { turn in
                    let texts = PromptTexts(caller: AuditPeer.caller)
                    return try await open(
                        PromptContext(turn: turn, texts: texts, request: request, defaults: defaults),
                        since: before
                    )
                }
            }
        }
    }

    /// Prompts for one input after another, and for none twice.
    private func open(
        _ context: PromptContext,
        since locks: UInt64
    ) async throws -> Adapter {
        var request = context.request
        var agreed: ShownUse?
        var supplied: Set<MissingInput> = []
        while true {
            do {
                // Try first without a prompt: the caller that had the previous turn may have supplied the missing
                // input.
                request.agreed = agreed
                return try await broker.open(request)
            } catch {
                guard let input = missingInput(error, context.defaults), supplied.insert(input).inserted,
                    await canSupply(input)
                else { throw error }
                let shown = try await unanswered(error) { try await supply(input, context, since: locks) }
                agreed = shown ?? agreed
            }
        }
    }

    /// - Returns: the use that the user has just approved; nil after any other prompt.
    private func supply(
        _ input: MissingInput,
        _ context: PromptContext,
        since locks: UInt64
    ) async throws -> ShownUse? {
        let use = context.request.use
        switch input {
        case .agreement:
            let shown = try await broker.shown(use)
            try await agree(to: "an adapter", showing: shown, context.turn, since: locks)
            return shown
        case .passphrase: try await unlock(for: try? await broker.place(of: use), context)
        case .login: try await addLogin(to: try await broker.place(of: use), context)
        case .password(let login): try await replacePassword(of: login, context)
        }
        return nil
    }

    private func missingInput(_ failure: any Error, _ defaults: LoginDefaults?) -> MissingInput? {
        guard let input = MissingInput(failure), defaults != nil || input == .agreement else { return nil }
        return input
    }

    /// Whether the user can type the missing input. A typed password must not replace a command.
    private func canSupply(_ input: MissingInput) async -> Bool {
        guard case .password(let name) = input, let login = try? await store.ownLogin(named: name) else { return true }
        return login.command == nil
    }

    /// Whether a prompt may help. The user is not prompted for a server that this caller may not use.
    private func mayAsk(_ use: NamedUse) async -> Bool {
        // Without the endpoint, the vault must be unlocked first to find the server.
        guard let endpoint = try? await broker.place(of: use) else { return true }
        return await broker.mayUse(endpoint)
    }

    func unanswered<R>(_ failure: any Error, _ body: () async throws -> R) async throws -> R {
        do {
            return try await body()
        } catch let reason as PromptError {
            throw UnansweredPrompt(failure: failure, reason: reason)
        }
    }
}

/// The values that all prompts of one opening share.
struct PromptContext {
    let turn: PromptTurn
    let texts: PromptTexts
    let request: AdapterRequest
    let defaults: LoginDefaults?
}

extension InteractiveOpening {
    private static let vault = "vault"

    /// Prompts the user for the vault's passphrase until the vault is open, if it has a passphrase slot.
    func unlock(for endpoint: Endpoint?, _ context: PromptContext) async throws {
        guard await store.status.slots.contains(where: \.hasPassphrase) else { throw CredentialError.locked }
        let before = await store.locks
        let use =
            endpoint.map { "the server \(ShownText.quoted($0.name))" } ?? Self.text(ofLogin: context.request.use.login)
        var tries = Tries()
        var remark: String?
        repeat {
            let question = context.texts.passphrase(for: use, remark: remark)
            let answer = try await ask(question, about: Self.vault, context.turn, since: before)
            if !tries.wasRefused(answer), try await opens(answer) { return }
            remark = tries.failed(answer, because: "this does not open the vault")
        } while remark != nil
        throw CredentialError.wrongKey
    }

    private func opens(_ answer: SharedSecret) async throws -> Bool {
        do {
            try await store.unlock(.passphrase(answer))
            return true
        } catch CredentialError.wrongKey, CredentialError.invalid {
            return false
        }
    }

    private static func text(ofLogin name: String?) -> String {
        name.map { "the login \(ShownText.quoted($0))" } ?? "a login"
    }

    /// Prompts the user until there is an answer or the vault is locked. An answer to a prompt from before a lock has
    /// no effect.
    ///
    /// - Parameters:
    ///   - locks: the vault's lock count when the operation began.
    ///   - limit: a timeout of this prompt, shorter than the turn's.
    func ask(
        _ question: PromptQuestion,
        about subject: String,
        _ turn: PromptTurn,
        since locks: UInt64,
        within limit: Duration? = nil
    ) async throws -> SharedSecret {
        let answer = try await withThrowingTaskGroup(of: SharedSecret.self) { group in
            group.addTask { try await turn.ask(question, about: subject, within: limit) }
            group.addTask { [store] in
                for await count in await store.lockCounts() where count != locks { throw CredentialError.locked }
                throw CancellationError()
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
        try await store.checkNotLocked(since: locks)
        return answer
    }
}

extension InteractiveOpening {
    /// Performs an action, and prompts the user for approval only if the server requires it.
    ///
    /// - Parameters:
    ///   - use: the action as a noun phrase, such as `a grant`.
    ///   - find: finds the server and the login that the prompt shows.
    ///   - body: performs the action. It is first called with nil, and again with the approved use after an approval.
    /// - Throws: `UnansweredPrompt` if the user does not approve; the errors of the closures.
    package func agreed<R>(
        to use: String,
        showing find: () async throws -> ShownUse,
        _ body: (_ agreed: ShownUse?) async throws -> R
    ) async throws -> R {
        let before = await store.locks
        do {
            return try await body(nil)
        } catch BrokerError.refused(.notAgreed) {
            let agreed = try await unanswered(BrokerError.refused(.notAgreed)) {
                try await desk.withTurn { turn in
                    let shown = try await find()
                    try await agree(to: use, showing: shown, turn, since: before)
                    return shown
                }
            }
            return try await body(agreed)
        }
    }

    func agree(to use: String, showing shown: ShownUse, _ turn: PromptTurn, since locks: UInt64) async throws {
        let question = PromptTexts(caller: AuditPeer.caller).use(use, of: shown)
        let limit = desk.limits.confirmation
        _ = try await ask(question, about: "use of \(shown.endpoint)", turn, since: locks, within: limit)
    }
}

extension InteractiveOpening {
    /// Prompts the user for agreement to a command that prints the password of a login. Each caller of the local API
    /// could otherwise run programs outside its sandbox.
    ///
    /// - Parameters:
    ///   - login: the name of the login.
    ///   - endpoint: its server; nil if that is not in the list.
    /// - Throws: `CredentialError.invalid` for a command that a prompt cannot show completely; `.passwordCommandFailed`,
    ///   before the prompt, if there is no such program; `UnansweredPrompt` if the user does not agree;
    ///   `CredentialError.locked` if the vault is locked meanwhile.
    package func agree(to command: SecretCommand, of login: String, at endpoint: Endpoint?) async throws {
        let question = try PromptTexts(caller: AuditPeer.caller).command(command, of: login, at: endpoint)
        do throws(SecretCommand.Failure) {
            try command.checkProgram()
        } catch {
            throw CredentialError.passwordCommandFailed(login, error)
        }
        let before = await store.locks
        try await unanswered(CredentialError.commandNotAgreed(login)) {
            try await desk.withTurn { turn in
                _ = try await ask(question, about: "command of \(login)", turn, since: before)
            }
        }
    }
}

extension InteractiveOpening {
    private var enrolment: Enrolment { broker.enrolment }

    /// Asks for a login, tries it, and stores it, as `relctl login add` does.
    func addLogin(to endpoint: Endpoint, _ context: PromptContext) async throws {
        var source = PromptedLogin(at: endpoint, self, context, since: await store.locks)
        _ = try await enrolment.add(to: endpoint, from: &source)
    }

    /// Asks for another password of a login, tries it, and stores it, as `relctl login edit` does.
    func replacePassword(of name: String, _ context: PromptContext) async throws {
        let login = try await store.ownLogin(named: name)
        let endpoint = try await broker.access.endpoint(of: login)
        let locks = await store.locks
        var source = PromptedPassword(replacingThatOf: login, at: endpoint, self, context, since: locks)
        _ = try await enrolment.change(login, LoginEdit(), from: &source)
    }
}

/// A new login. The user is prompted for the values that the caller has not given.
struct PromptedLogin: LoginSource {
    let trust: ServerTrust? = nil
    private let opening: InteractiveOpening
    private let context: PromptContext
    private let locks: UInt64
    private var passwords: PromptedPassword

    /// - Parameter locks: the vault's lock count when the operation began.
    init(at endpoint: Endpoint, _ opening: InteractiveOpening, _ context: PromptContext, since locks: UInt64) {
        self.opening = opening
        self.context = context
        self.locks = locks
        passwords = PromptedPassword(at: endpoint, opening, context, since: locks)
    }

    func agree(to proposal: ServerProposal) async throws {
        let endpoint = proposal.endpoint
        switch proposal.standing {
        case .known: return
        case .unverified: throw BrokerError.identityUnverified
        case .other: throw CredentialError.pinMismatch(endpoint.id)
        case .new, .plaintextOpen:
            let question = try context.texts.agreement(
                to: endpoint,
                proposal.identity,
                isKnown: proposal.standing == .plaintextOpen
            )
            _ = try await opening.ask(question, about: endpoint.id.text, context.turn, since: locks)
        }
    }

    var name: String? { nil }
    var knownAccount: Account? { nil }
    var command: SecretCommand? { nil }

    func agree(to command: SecretCommand, of login: NewLogin, at endpoint: Endpoint) async throws {}

    mutating func account(for proposal: ServerProposal) async throws -> Account {
        passwords.identity = proposal.identity
        let endpoint = proposal.endpoint
        return Account(
            user: try await user(for: proposal),
            domain: context.defaults?.domain ?? endpoint.loginDomain ?? "",
            schema: context.defaults?.schema ?? endpoint.loginSchema ?? ""
        )
    }

    private func user(for proposal: ServerProposal) async throws -> String {
        if let user = context.defaults?.user, !user.isEmpty { return user }
        let endpoint = proposal.endpoint
        let question = try context.texts.user(at: endpoint, proposal.identity)
        let answer = try await opening.ask(question, about: endpoint.id.text, context.turn, since: locks)
        let user = answer.secret.withBytes { String(validating: $0, as: UTF8.self) }
        guard let user, !user.isEmpty else { throw PromptError.dismissed }
        return user
    }

    var isTried: Bool { passwords.isTried }

    mutating func password(for login: NewLogin, after refusal: BrokerError?) async throws -> Secret {
        try await passwords.password(for: login, after: refusal)
    }
}

/// The passwords that the user enters for one login, at most three.
struct PromptedPassword: PasswordSource {
    let isTried = true
    private let opening: InteractiveOpening
    private let context: PromptContext
    private let endpoint: Endpoint
    private let locks: UInt64
    /// The login whose stored password was refused; nil for a new login.
    private let refused: Login?
    private let failure: @Sendable (_ reason: String) -> BrokerError
    /// The server's identity, which the prompt shows.
    var identity: ServerIdentity?

    private var tries = Tries()
    private var last: SharedSecret?
    private var remark: String?
    private var reason: String

    /// - Parameters:
    ///   - refused: the stored login whose password was refused; nil for a new login.
    ///   - locks: the vault's lock count when the operation began.
    init(
        replacingThatOf refused: Login? = nil,
        at endpoint: Endpoint,
        _ opening: InteractiveOpening,
        _ context: PromptContext,
        since locks: UInt64
    ) {
        self.opening = opening
        self.context = context
        self.endpoint = endpoint
        self.locks = locks
        self.refused = refused
        guard let refused else {
            reason = ""
            failure = { [name = endpoint.name] in .newLoginRejected(endpoint: name, reason: $0) }
            return
        }
        remark = "the server refused the stored password"
        reason = "this password was refused before"
        failure = { [name = refused.name] in .loginRejected(login: name, reason: $0) }
    }

    mutating func password(for login: NewLogin, after refusal: BrokerError?) async throws -> Secret {
        if case .loginRejected(_, let said)? = refusal, let last {
            reason = said
            try countFailure(of: last)
        }
        while true {
            let question = context.texts.password(of: login, at: endpoint, identity, remark: remark)
            let answer = try await opening.ask(question, about: endpoint.id.text, context.turn, since: locks)
            if !tries.wasRefused(answer), try await !isStored(answer) {
                last = answer
                return try answer.secret.duplicate(in: try SecretArena(byteCount: PromptLimits.answerBytes))
            }
            try countFailure(of: answer)
        }
    }

    private mutating func countFailure(of answer: SharedSecret) throws(BrokerError) {
        remark = tries.failed(answer, because: "the server refused it")
        guard remark != nil else { throw failure(reason) }
    }

    private func isStored(_ answer: SharedSecret) async throws -> Bool {
        guard let refused else { return false }
        return try await opening.store.withPassword(of: refused.id, pin: refused.pin) { stored in
            answer.secret.withBytes { ConstantTime.areEqual($0, stored) }
        }
    }
}
