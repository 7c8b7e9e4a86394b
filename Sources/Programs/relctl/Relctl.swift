// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import LocalAPI
import Platform

/// The command tree: nouns with their verbs, and short forms of the most common ones.
struct Relctl: ParsableCommand {
    static let contents = ProgramContents("relctl", [.argumentParser])

    static let configuration = CommandConfiguration(
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
                    SQLiteCommand.self, MCPCommand.self,
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
    private static let commonFlags = ["--json", "-q", "--quiet"]

    /// Whether these words are valid arguments of `relctl`.
    static func takes(_ words: [String]) -> Bool {
        UnknownVerb(words) == nil && (try? parseAsRoot(words)) != nil
    }

    /// Whether all of these words are nouns and verbs.
    static func hasVerb(_ words: [String]) -> Bool { VerbPath(words).words == words }

    /// Moves common options from before the verb to after it, where the parser expects them.
    static func withFlagsAfterVerb(_ arguments: [String]) -> [String] {
        let flags = arguments.prefix { commonFlags.contains($0) }
        // Looking up the verbs takes longer than all else that is done before the verb runs.
        guard !flags.isEmpty else { return arguments }
        let words = arguments.dropFirst(flags.count)
        let depth = VerbPath(words).words.count
        return depth == 0 ? arguments : Array(words.prefix(depth) + flags + words.dropFirst(depth))
    }
}

/// The nouns and verbs at the beginning of arguments.
struct VerbPath {
    private(set) var words: [String] = []
    /// The command that the words name.
    private(set) var command: any ParsableCommand.Type = Relctl.self

    init(_ arguments: some Sequence<String>) {
        for word in arguments {
            guard let next = command.configuration.subcommands.first(where: { $0.isCalled(word) }) else { return }
            command = next
            words.append(word)
        }
    }

    /// The command line that prints their help.
    var help: String { (["relctl"] + words + ["--help"]).joined(separator: " ") }
}

extension ParsableCommand {
    /// Whether a word is the name or an alias of this command.
    static func isCalled(_ word: String) -> Bool { _commandName == word || configuration.aliases.contains(word) }
}

/// An unknown word in the position of a verb, and the verb that was probably meant.
struct UnknownVerb {
    private let path: VerbPath
    private let isHelp: Bool
    private let word: String

    /// - Parameter arguments: the arguments after the program's name.
    /// - Returns: nil if the verb is known, or if help about a verb is requested.
    init?(_ arguments: some Sequence<String>) {
        var words = Array(arguments.prefix { !$0.hasPrefix("-") })[...]
        isHelp = words.first == "help"
        if isHelp { words = words.dropFirst() }
        path = VerbPath(words)
        // The parser itself handles `relctl login help`.
        guard let word = words.dropFirst(path.words.count).first, word != "help",
            !path.command.configuration.subcommands.isEmpty, path.command.configuration.defaultSubcommand == nil
        else { return nil }
        self.word = word
    }

    var failure: Failure {
        let prefix = ["relctl"] + (isHelp ? ["help"] : []) + path.words
        let place = path.words.isEmpty && !isHelp ? "" : " after '\(prefix.joined(separator: " "))'"
        let nearest = NearestName.find(word, among: path.command.configuration.subcommands.map { $0._commandName })
        let hint = nearest.map { VerbPath(path.words + [$0]).help } ?? path.help
        return Failure(.usage, "unknown command '\(Printable(word))'\(place)", hint: Hint(command: hint))
    }
}

extension Hint {
    /// The command that prints the help of the verb of this process.
    static var helpOfVerb: Hint { Hint(command: VerbPath(CommandLine.arguments.dropFirst()).help) }
}
