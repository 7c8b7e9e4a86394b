// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import LocalAPI
import Platform

/// The command tree: nouns with their verbs, and short forms of the most common ones.
struct Relctl: ParsableCommand {
    static let contents = ProgramContents("relctl", [.argumentParser])

    static let configuration = CommandConfiguration(
        commandName: "relctl",
        abstract: "Find Relativity servers, store logins, and open connections to servers.",
        discussion: "Uses relativityd, the daemon of this user session. 'relctl help COMMAND' shows more.",
        version: "relctl \(ProjectVersion.text)",
        groupedSubcommands: [
            CommandGroup(
                name: "Common",
                subcommands: [
                    ConnectCommand.self, ListCommand.self, ShowCommand.self, WatchCommand.self, TopCommand.self,
                    EndpointWaitCommand.self,
                    AddCommand.self, EndpointRenameCommand.self, EndpointCommand.Remove.self, EndpointHideCommand.self,
                    EndpointUnhideCommand.self,
                ]
            ),
            CommandGroup(
                name: "By subject",
                subcommands: [
                    EndpointCommand.self, VaultCommand.self, LoginCommand.self, AdapterCommand.self, GrantCommand.self,
                    DefaultCommand.self,
                ]
            ),
            CommandGroup(
                name: "Data",
                subcommands: [
                    TableCommand.self, BriefcaseCommand.self, SchemaCommand.self, SQLCommand.self,
                    DataCommandCommand.self, ServicesCommand.self, CallCommand.self, ClientCommand.self,
                ]
            ),
            CommandGroup(name: "Message and test", subcommands: [WireCommand.self, SandboxCommand.self]),
            CommandGroup(
                name: "Daemon",
                subcommands: [
                    StatusCommand.self, DoctorCommand.self, JournalCommand.self, AuditCommand.self, ConfigCommand.self,
                    MetricsCommand.self, VersionCommand.self,
                ]
            ),
        ]
    )
}

extension Relctl {
    /// Options of every verb, which may also precede the verb.
    private static let commonFlags: Set<String> = ["--json", "-q", "--quiet"]

    /// Whether these words are valid arguments of `relctl`.
    static func takes(_ words: [String]) -> Bool {
        UnknownVerb(words) == nil && (try? parseAsRoot(words)) != nil
    }

    /// Whether all of these words are nouns and verbs.
    static func hasVerb(_ words: [String]) -> Bool { depth(of: words) == words.count }

    /// Moves common options from before the verb to after it, where the parser expects them.
    static func withFlagsBehindVerb(_ arguments: [String]) -> [String] {
        let flags = arguments.prefix { commonFlags.contains($0) }
        // Looking up the verbs takes longer than all else that is done before the verb runs.
        guard !flags.isEmpty else { return arguments }
        let words = arguments.dropFirst(flags.count)
        let depth = depth(of: Array(words))
        return depth == 0 ? arguments : Array(words.prefix(depth) + flags + words.dropFirst(depth))
    }

    /// The number of leading words that are nouns or verbs.
    private static func depth(of words: [String]) -> Int {
        var verbs = configuration.subcommands
        for (depth, word) in words.enumerated() {
            guard let next = verbs.first(where: { $0.isCalled(word) }) else { return depth }
            verbs = next.configuration.subcommands
        }
        return words.count
    }
}

extension ParsableCommand {
    /// Whether a word is the name or an alias of this command.
    static func isCalled(_ word: String) -> Bool { _commandName == word || configuration.aliases.contains(word) }
}

/// An unknown word in the position of a verb, and the verb that was probably meant.
struct UnknownVerb {
    /// The words before it, such as `relctl endpoint`.
    private let prefix: [String]
    private let word: String
    private let known: [String]

    /// - Parameter arguments: the arguments after the program's name.
    /// - Returns: nil if the verb is known, or if help about a verb is requested.
    init?(_ arguments: some Sequence<String>) {
        var words = Array(arguments.prefix { !$0.hasPrefix("-") })[...]
        let isHelp = words.first == "help"
        if isHelp { words = words.dropFirst() }
        var verb: any ParsableCommand.Type = Relctl.self
        var prefix = isHelp ? ["relctl", "help"] : ["relctl"]
        while let word = words.popFirst(), !verb.configuration.subcommands.isEmpty {
            guard let next = verb.configuration.subcommands.first(where: { $0.isCalled(word) }) else {
                // The parser itself handles `relctl login help`.
                guard word != "help" else { return nil }
                known = verb.configuration.subcommands.map(Self.name)
                (self.word, self.prefix) = (word, prefix)
                return
            }
            verb = next
            prefix.append(word)
        }
        return nil
    }

    var failure: Failure {
        let place = prefix.last == "relctl" ? "" : " after '\(prefix.joined(separator: " "))'"
        let help = (prefix.filter { $0 != "help" } + ["--help"]).joined(separator: " ")
        return Failure(
            .usage,
            "unknown command '\(Printable(word))'\(place)",
            hint: Hint(
                command: NearestName.find(word, among: known).map {
                    (prefix.filter { $0 != "help" } + [$0, "--help"]).joined(separator: " ")
                }
                    ?? help
            )
        )
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command._commandName
    }
}

/// The command that prints the help of the entered verb.
struct VerbHelp {
    private static let nouns: Set<String> = [
        "endpoint", "server", "vault", "login", "adapter", "grant", "wire", "audit", "default", "table", "schema",
        "command", "briefcase",
    ]
    private static let innerNouns: Set<String> = ["slot"]

    let command: String

    /// - Parameter arguments: the arguments after the program's name.
    init(_ arguments: some Sequence<String>) {
        var words = ["relctl"]
        for argument in arguments {
            guard !argument.hasPrefix("-") else { break }
            words.append(argument)
            let isNoun = words.count == 2 ? Self.nouns.contains(argument) : Self.innerNouns.contains(argument)
            if !isNoun { break }
        }
        command = words.joined(separator: " ") + " --help"
    }
}

extension Hint {
    /// The command that prints the help of the verb of this process.
    static var helpOfVerb: Hint { Hint(command: VerbHelp(CommandLine.arguments.dropFirst()).command) }
}
