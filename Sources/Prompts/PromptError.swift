// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Why a question has no answer.
package enum PromptError: Error, Sendable, Hashable {
    /// The person said no, or closed the prompt.
    case dismissed
    /// Nobody answered within the time.
    case unanswered(Duration)
    /// There is nothing that could ask a person.
    case noWay(reason: String)
    /// Too many questions wait for others to be answered.
    case busy
    /// A person has just not answered the same question.
    case tooSoon(Duration)
    /// What was to ask has failed; its own words are in no way part of the reason.
    case failed(reason: String)
    /// Whoever wanted to know has gone.
    case stopped
}

extension PromptError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .dismissed: "the prompt was dismissed"
        case .unanswered(let time): "nobody answered the prompt within \(Counted(time.components.seconds, "second"))"
        case .noWay(let reason): "nobody can be asked: \(reason)"
        case .busy: "too many other prompts are waiting for an answer"
        case .tooSoon(let time):
            "a prompt for this was not answered just now, so there is none for \(Counted(time.components.seconds, "second"))"
        case .failed(let reason): "the prompt failed: \(reason)"
        case .stopped: "whoever asked has gone"
        }
    }
}
