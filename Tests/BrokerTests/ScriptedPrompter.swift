// SPDX-License-Identifier: Apache-2.0

import Platform
import Prompts
import Locks

@testable import Broker

/// A user whose answers the test defines: one after the other, and then none.
final class ScriptedPrompter: Prompter {
    enum Answer: Sendable {
        case typed(String)
        case agreed
        /// Approves when the test calls `release`.
        case agreedLater
        case dismissed
        /// Does not answer until the question times out or is withdrawn.
        case silent
    }

    private struct State {
        var answers: [Answer]
        var questions: [PromptQuestion] = []
        var isReleased = false
    }

    private let state: Lock<State>

    init(_ answers: [Answer]) {
        state = Lock(State(answers: answers))
    }

    /// The questions so far.
    var questions: [PromptQuestion] { state.withLock { $0.questions } }

    func release() { state.withLock { $0.isReleased = true } }

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
        case .agreedLater:
            while !state.withLock({ $0.isReleased }) {
                let next = min(end, .now + .milliseconds(1))
                if case .stopped = StopSignal.wait(for: 0, of: -1, or: stop, until: next) { throw .stopped }
                guard .now < end else { throw .unanswered(.zero) }
            }
            return try Self.secret("", in: arena)
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
    /// Opens adapters, with a user who can be prompted.
    func opening(asking person: any Prompter, _ limits: PromptLimits) -> InteractiveOpening {
        InteractiveOpening(
            broker: broker,
            store: store,
            desk: PromptDesk(limits: limits, loop: loop) { person }
        )
    }
}
