// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Platform

/// Asks by way of systemd's password agents, which watch a directory for files with questions.
package struct PasswordAgents: Prompter {
    let directory: String

    /// - Parameter directory: one that agents may be watching.
    package init(directory: String) {
        self.directory = directory
    }

    /// The user's own, and the system's for a daemon of root's. An agent makes the directory that it watches, so one that
    /// is not there, or is not ours to write in, has none.
    package static func watched(_ runtimeDirectory: String?, system: String = "/run") -> PasswordAgents? {
        let places = [runtimeDirectory, geteuid() == 0 ? system : nil].compactMap { $0 }
        let directories = places.map { $0 + "/systemd/ask-password" }
        return directories.first(where: isOurs).map { PasswordAgents(directory: $0) }
    }

    private static func isOurs(_ directory: String) -> Bool {
        var facts = stat()
        guard lstat(directory, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return false }
        return facts.st_uid == geteuid() && facts.st_mode & 0o022 == 0 && access(directory, W_OK) == 0
    }

    package func answer(
        _ question: PromptQuestion,
        in arena: SecretArena,
        until end: ContinuousClock.Instant,
        stop: StopSignal
    ) throws(PromptError) -> Secret {
        let posted = try PostedQuestion(question, in: directory, until: end)
        switch try posted.answer(in: arena, until: end, stop: stop) {
        case .dismissed: throw .dismissed
        case .typed(let typed):
            guard question.kind == .agreement else { return typed }
            guard typed.withBytes({ $0.elementsEqual(AgentQuestion.agreement.utf8) }) else { throw .dismissed }
            return typed
        }
    }
}
