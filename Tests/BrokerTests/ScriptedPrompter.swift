// SPDX-License-Identifier: Apache-2.0

import Glibc
import Locks
import Platform
import Prompts

@testable import Broker

/// A user whose answers the test defines: one after the other, and then none.
final class ScriptedPrompter: Prompter {
    enum Answer: Sendable {
        case typed(String)
        case agreed
        /// Approves when the test gives the signal.
        case agreedAfter(StopSignal)
        case dismissed
        /// Does not answer until the question times out or is withdrawn.
        case silent
    }

    private struct State {
        var answers: [Answer]
        var questions: [PromptQuestion] = []
    }

    private let state: Lock<State>

    init(_ answers: [Answer]) {
        state = Lock(State(answers: answers))
    }

    /// The questions so far.
    var questions: [PromptQuestion] { state.withLock { $0.questions } }

    func answer(
        _ question: PromptQuestion,
        in arena: SecretArena,
        until end: ContinuousClock.Instant,
        stop: StopSignal
    ) throws(PromptError) -> Secret {
        let answer = state.withLock { state in
            state.questions.append(question)
            return state.answers.isEmpty ? Answer.silent : state.answers.removeFirst()
        }
        switch answer {
        case .dismissed: throw .dismissed
        case .agreed: return try Self.secret("", in: arena)
        case .typed(let text): return try Self.secret(text, in: arena)
        case .agreedAfter(let signal):
            switch StopSignal.wait(for: Int32(POLLIN), of: signal.descriptor, or: stop, until: end) {
            case .ready: return try Self.secret("", in: arena)
            case .stopped: throw .stopped
            case .late: throw .unanswered(.zero)
            }
        case .silent:
            switch StopSignal.wait(for: 0, of: -1, or: stop, until: end) {
            case .stopped: throw .stopped
            case .late, .ready: throw .unanswered(.zero)
            }
        }
    }

    private static func secret(_ text: String, in arena: SecretArena) throws(PromptError) -> Secret {
        do {
            return try Secret(copying: Array(text.utf8), in: arena)
        } catch {
            throw .failed(reason: "\(error)")
        }
    }
}

extension BrokerFixture {
    /// Opens adapters, with a user who can be asked.
    func opening(asking person: any Prompter, _ limits: PromptLimits) -> InteractiveOpening {
        InteractiveOpening(
            broker: broker,
            store: store,
            desk: PromptDesk(limits: limits, loop: loop) { person }
        )
    }
}
