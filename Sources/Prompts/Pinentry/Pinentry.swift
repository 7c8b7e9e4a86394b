// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Platform

/// Asks by way of a pinentry, the program that GnuPG asks for passphrases with. One run answers one question.
package struct Pinentry: Prompter {
    /// The variables that a pinentry gets: where to draw, and in what language.
    private static let variables = [
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "XDG_SESSION_TYPE",
        "XDG_CURRENT_DESKTOP", "HOME", "PATH", "TERM", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES",
    ]
    /// One that keeps the time by itself ends in better order than one that is killed.
    private static let margin = Duration.seconds(1)
    private static let farewell = Duration.milliseconds(300)

    let program: String
    private let environment: [String]
    private let options: [String]

    /// - Parameter program: a path.
    package init(_ program: String, _ environment: Environment) {
        self.program = program
        self.environment = Self.variables.compactMap { name in environment[name].map { "\(name)=\($0)" } }
        let characters = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"]
        options = [
            environment["GPG_TTY"].map { "ttyname=\($0)" },
            environment["GPG_TTY"].flatMap { _ in environment["TERM"] }.map { "ttytype=\($0)" },
            characters.map { "lc-ctype=\($0)" },
        ].compactMap { $0 }
    }

    package func answer(
        _ question: PromptQuestion,
        in arena: SecretArena,
        until end: ContinuousClock.Instant,
        stop: StopSignal
    ) throws(PromptError) -> Secret {
        let process: HelperProcess
        do {
            process = try HelperProcess(program, environment: environment, end: end + Self.margin, stop: stop)
        } catch {
            throw PromptError(error)
        }
        do throws(PromptError) {
            return try ask(question, by: PinentryTalk(process: process, arena: arena), until: end)
        } catch {
            // It may have a terminal to put in order.
            process.interrupt(within: Self.farewell)
            throw error
        }
    }

    private func ask(
        _ question: PromptQuestion,
        by talk: PinentryTalk,
        until end: ContinuousClock.Instant
    ) throws(PromptError) -> Secret {
        try talk.begin()
        for option in options { try talk.say("OPTION", option, isNeeded: false) }
        try talk.say("SETTIMEOUT", "\(max(1, (end - .now).components.seconds))", isNeeded: false)
        try talk.say("SETTITLE", "relativityd", isNeeded: false)
        let facts = question.lines.joined(separator: "\n")
        guard question.kind == .agreement else {
            try talk.say("SETDESC", facts)
            try talk.say("SETPROMPT", question.label + ":")
            if let remark = question.remark { try talk.say("SETERROR", remark) }
            return try talk.ask("GETPIN")
        }
        try talk.say("SETDESC", facts + "\n\n" + question.label + "?")
        return try talk.ask("CONFIRM")
    }
}
