// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Prompts

extension InteractiveOpening {
    /// Does what a server may want a person's word for, and asks for that only where it does.
    ///
    /// - Parameters:
    ///   - use: what is wanted, as `a grant`.
    ///   - find: finds the server and the login that are shown with the question.
    ///   - body: gets what a person has agreed to; it is called again when one has.
    /// - Throws: `UnansweredPrompt` if the user does not agree; the errors of the closures.
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
