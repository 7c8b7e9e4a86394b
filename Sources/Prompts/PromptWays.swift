// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Platform

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
