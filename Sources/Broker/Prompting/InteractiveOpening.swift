// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
import Platform
package import Prompts

/// Opens adapters for callers who let a person be asked where something is missing: what opens the vault, a login, or
/// the password of one that the server refuses.
///
/// What a person brings is stored as the verbs of the command line would, under the same rules.
package struct InteractiveOpening: Sendable {
    let broker: ConnectionBroker
    let store: CredentialStore
    let connector: ServerConnector
    let desk: PromptDesk

    package init(broker: ConnectionBroker, store: CredentialStore, connector: ServerConnector, desk: PromptDesk) {
        self.broker = broker
        self.store = store
        self.connector = connector
        self.desk = desk
    }

    /// Opens an adapter, and asks only when that fails for want of something.
    ///
    /// - Parameters:
    ///   - outline: for a login that is made; nil asks for a yes alone, where the server wants one.
    ///   - find: tells the endpoint; it may need an unlocked vault.
    /// - Throws: what `ConnectionBroker.open` throws; `UnansweredPrompt` with that; `CancellationError`.
    package func open(
        _ order: AdapterOrder,
        _ outline: LoginOutline?,
        at find: () async throws -> Endpoint
    ) async throws -> Adapter {
        let before = await store.locks
        do {
            return try await broker.open(try await find(), order)
        } catch {
            guard mayMeet(error, outline) != nil, await mayAsk(find) else { throw error }
            return try await unanswered(error) {
                try await desk.withTurn { turn in
                    let questions = OpeningQuestions(caller: AuditPeer.caller)
                    return try await open(
                        Asking(turn: turn, questions: questions, order, outline),
                        since: before,
                        at: find
                    )
                }
            }
        }
    }

    /// Asks for one thing after the other, and for none twice.
    private func open(
        _ asking: Asking,
        since locks: UInt64,
        at find: () async throws -> Endpoint
    ) async throws -> Adapter {
        var order = asking.order
        var agreed: ShownUse?
        var met: Set<PromptNeed> = []
        while true {
            do {
                // Also at first: whoever had the turn before may have brought what is missing.
                let endpoint = try await find()
                order.agreed = agreed
                return try await broker.open(endpoint, order)
            } catch {
                guard let need = mayMeet(error, asking.outline), met.insert(need).inserted else { throw error }
                let shown = try await unanswered(error) { try await meet(need, asking, since: locks, at: find) }
                agreed = shown ?? agreed
            }
        }
    }

    /// - Returns: what a person has just agreed to; nil where something else was asked for.
    private func meet(
        _ need: PromptNeed,
        _ asking: Asking,
        since locks: UInt64,
        at find: () async throws -> Endpoint
    ) async throws -> ShownUse? {
        switch need {
        case .agreement:
            let order = asking.order
            let shown = try await broker.shownUse(of: find(), login: order.login, isAnonymous: order.isAnonymous)
            try await agree(to: "an adapter", showing: shown, asking.turn, since: locks)
            return shown
        case .passphrase: try await unlock(for: try? await find(), asking)
        case .login: try await addLogin(to: try await find(), asking)
        case .password(let login): try await replacePassword(of: login, asking)
        }
        return nil
    }

    private func mayMeet(_ failure: any Error, _ outline: LoginOutline?) -> PromptNeed? {
        guard let need = PromptNeed(failure), outline != nil || need == .agreement else { return nil }
        return need
    }

    /// A server that this caller could not use anyway is nothing to ask a person about.
    private func mayAsk(_ find: () async throws -> Endpoint) async -> Bool {
        // Without one, the vault has to be open before it is known which server is meant.
        guard let endpoint = try? await find() else { return true }
        do {
            try await broker.check(.use, of: endpoint, isAgreed: true)
            return true
        } catch {
            return false
        }
    }

    func unanswered<R>(_ failure: any Error, _ body: () async throws -> R) async throws -> R {
        do {
            return try await body()
        } catch let reason as PromptError {
            throw UnansweredPrompt(failure: failure, reason: reason)
        }
    }
}

/// What the questions of one opening have in common.
struct Asking {
    let turn: PromptTurn
    let questions: OpeningQuestions
    let order: AdapterOrder
    let outline: LoginOutline?

    init(turn: PromptTurn, questions: OpeningQuestions, _ order: AdapterOrder, _ outline: LoginOutline?) {
        self.turn = turn
        self.questions = questions
        self.order = order
        self.outline = outline
    }
}
