// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Prompts

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
        let question = OpeningQuestions(caller: AuditPeer.caller).use(use, of: shown)
        let limit = desk.limits.confirmation
        _ = try await ask(question, about: "use of \(shown.endpoint)", turn, since: locks, within: limit)
    }
}
