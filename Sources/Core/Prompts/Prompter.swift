// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
package import Platform

/// A way to ask the user a question.
package protocol Prompter: Sendable {
    /// Blocks until there is an answer.
    ///
    /// - Parameters:
    ///   - arena: memory for the answer, of `PromptLimits.answerBytes` at most, and for intermediate data.
    ///   - end: when the question times out.
    ///   - stop: withdraws the question.
    /// - Returns: the typed text; empty for an approval, which is given by returning.
    /// - Throws: `PromptError.dismissed`, `.unanswered`, `.failed`, `.stopped`.
    func answer(
        _ question: PromptQuestion,
        in arena: SecretArena,
        until end: ContinuousClock.Instant,
        stop: StopSignal
    ) throws(PromptError) -> Secret
}

/// Limits for questions and answers.
package struct PromptLimits: Sendable {
    /// The maximum size of one answer, and of a password that comes over the local API from a terminal.
    package static let answerBytes = 4_096

    /// Callers that may wait in addition to the one that has its turn.
    package var waiting = 8
    /// Timeout for all questions of one caller together, and for its wait in the queue.
    package var patience = Duration.seconds(90)
    /// How long a question that was not answered is not shown again.
    package var quiet = Duration.seconds(30)

    /// Timeout for the approval of an action that is confirmed every time.
    package var confirmation = Duration.seconds(30)

    /// The default limits.
    package init() {}
}

/// Selects the prompter. The selection is repeated for each question, because agents start and exit.
package struct PromptWays: Sendable {
    /// The configured kind of prompter, by its name in relativityd.toml.
    package enum Choice: String, Sendable, Hashable, CaseIterable {
        /// A pinentry if its path is configured or there is a display or terminal for it, otherwise password agents.
        case automatic = "auto"
        /// Password agents.
        case agents = "systemd"
        /// A pinentry.
        case pinentry
        /// No prompts.
        case nothing = "none"
    }

    private let choice: Choice
    private let pinentry: String?
    private let environment: Environment
    private let systemDirectory: String

    /// - Parameters:
    ///   - pinentry: the configured path; nil searches `PATH`.
    ///   - systemDirectory: replaces `/run` in tests.
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

    /// Returns the prompter to use now.
    ///
    /// - Throws: `PromptError.noWay`.
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

/// The reason why a question has no answer.
package enum PromptError: Error, Sendable, Hashable {
    /// The user refused, or closed the prompt.
    case dismissed
    /// The user did not answer in time.
    case unanswered(Duration)
    /// No password agent answered in time. Whether one is running is unknown: its directory stays when it ends.
    case unansweredByAgents(Duration)
    /// There is no prompter.
    case noWay(reason: String)
    /// Too many other questions are waiting.
    case busy
    /// The user has just not answered the same question.
    case tooSoon(Duration)
    /// The prompter has failed. The reason never contains text from the prompter.
    case failed(reason: String)
    /// The caller has withdrawn the question.
    case stopped
}

extension PromptError: CustomStringConvertible {
    /// A sentence fragment.
    package var description: String {
        switch self {
        case .dismissed: "the prompt was dismissed"
        case .unanswered(let time): "the prompt was not answered within \(Counted(time.components.seconds, "second"))"
        case .unansweredByAgents(let time):
            "no password agent answered the prompt within \(Counted(time.components.seconds, "second")): perhaps none is running"
        case .noWay(let reason): "no prompt is possible: \(reason)"
        case .busy: "too many other prompts are waiting for an answer"
        case .tooSoon(let time):
            "a recent prompt for this was not answered, so there is none for \(Counted(time.components.seconds, "second"))"
        case .failed(let reason): "the prompt failed: \(reason)"
        case .stopped: "the client that requested the prompt has disconnected"
        }
    }
}
