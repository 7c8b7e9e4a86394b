// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
import Platform
package import Prompts

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
    /// - Parameters:
    ///   - outline: defaults for a new login; nil permits only a prompt for approval, if the server requires one.
    ///   - find: finds the endpoint; may need an unlocked vault.
    /// - Throws: the errors of `ConnectionBroker.open`; `UnansweredPrompt`, which contains such an error;
    ///   `CancellationError`.
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

    /// Prompts for one input after another, and for none twice.
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
                // Try first without a prompt: the caller that had the previous turn may have supplied the missing
                // input.
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

    /// - Returns: the use that the user has just approved; nil after any other prompt.
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

    /// Whether a prompt may help. The user is not prompted for a server that this caller may not use.
    private func mayAsk(_ find: () async throws -> Endpoint) async -> Bool {
        // Without the endpoint, the vault must be unlocked first to find the server.
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

/// The values that all prompts of one opening share.
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
