// SPDX-License-Identifier: Apache-2.0

import Credentials
package import Endpoints
import Prompts

extension InteractiveOpening {
    /// Does what a server may want a person's word for, and asks for that only where it does.
    ///
    /// - Parameters:
    ///   - use: what is wanted, as `a grant`.
    ///   - body: is told whether a person has agreed; called again when one has.
    /// - Throws: `UnansweredPrompt` where nobody agrees; what `body` throws.
    package func agreed<R>(
        to use: String,
        at find: () async throws -> Endpoint,
        _ body: (_ isAgreed: Bool) async throws -> R
    ) async throws -> R {
        let before = await store.locks
        do {
            return try await body(false)
        } catch BrokerError.refused(.notAgreed) {
            try await unanswered(BrokerError.refused(.notAgreed)) {
                try await desk.withTurn { turn in try await agree(to: use, at: try await find(), turn, since: before) }
            }
        }
        return try await body(true)
    }

    func agree(to use: String, at endpoint: Endpoint, _ turn: PromptTurn, since locks: UInt64) async throws {
        let question = OpeningQuestions(caller: AuditPeer.caller).use(use, of: endpoint)
        let limit = desk.limits.confirmation
        _ = try await ask(question, about: "use of \(endpoint.id)", turn, since: locks, within: limit)
    }
}
