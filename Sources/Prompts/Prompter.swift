// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
package import Platform

/// One way to put a question to a person.
package protocol Prompter: Sendable {
    /// Blocks until there is an answer.
    ///
    /// - Parameters:
    ///   - arena: for the answer, of `PromptLimits.answerBytes` at most, and for what it is made of.
    ///   - end: when the question is over.
    ///   - stop: takes the question back.
    /// - Returns: what was typed; nothing for an agreement, which is given by returning.
    /// - Throws: `PromptError.dismissed`, `.unanswered`, `.failed`, `.stopped`.
    func answer(
        _ question: PromptQuestion,
        in arena: SecretArena,
        until end: ContinuousClock.Instant,
        stop: StopSignal
    ) throws(PromptError) -> Secret
}

/// What bounds questions and answers.
package struct PromptLimits: Sendable {
    /// Of one answer, as of a password that comes over the local API from a terminal.
    package static let answerBytes = 4_096

    /// Callers that wait for their turn besides the one that is asked for.
    package var waiting = 8
    /// How long a caller's questions may take in all, and how long it waits for its turn.
    package var patience = Duration.seconds(90)
    /// For how long nobody is asked again what he has not answered.
    package var quiet = Duration.seconds(30)

    /// How long a person has for a yes or no to what is asked each time.
    package var confirmation = Duration.seconds(30)

    package init() {}
}

/// What there is to ask a person with, looked up for each question: agents come and go.
package struct PromptWays: Sendable {
    package enum Choice: Sendable, Hashable {
        /// A pinentry that was named or that has a place to draw, else password agents.
        case automatic
        case agents
        case pinentry
        case nothing
    }

    private let choice: Choice
    private let pinentry: String?
    private let environment: Environment
    private let systemDirectory: String

    /// - Parameters:
    ///   - pinentry: its path, as it was configured; nil looks in `PATH`.
    ///   - systemDirectory: in place of `/run`, for tests.
    package init(
        _ choice: Choice,
        pinentry: String? = nil,
        environment: Environment,
        systemDirectory: String = "/run"
    ) {
        self.choice = choice
        self.pinentry = pinentry
        self.environment = environment
        self.systemDirectory = systemDirectory
    }

    /// - Throws: `PromptError.noWay`
    package func prompter() throws(PromptError) -> any Prompter {
        switch choice {
        case .nothing: throw .noWay(reason: "prompts are turned off in relativityd.toml")
        case .pinentry:
            guard let found = foundPinentry else { throw .noWay(reason: "there is no pinentry") }
            return found
        case .agents:
            guard let agents else { throw .noWay(reason: "no password agent is watching") }
            return agents
        case .automatic:
            let canDraw =
                pinentry != nil || ["DISPLAY", "WAYLAND_DISPLAY", "GPG_TTY"].contains { environment[$0] != nil }
            if canDraw, let found = foundPinentry { return found }
            guard let agents else {
                throw .noWay(reason: "no password agent is watching, and no pinentry has a display")
            }
            return agents
        }
    }

    private var agents: PasswordAgents? {
        PasswordAgents.watched(environment["XDG_RUNTIME_DIR"], system: systemDirectory)
    }

    private var foundPinentry: Pinentry? {
        if let pinentry { return Pinentry(pinentry, environment) }
        let directories = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        let path = directories.lazy.map { "\($0)/pinentry" }.first { (path: String) in access(path, X_OK) == 0 }
        return path.map { Pinentry($0, environment) }
    }
}

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
