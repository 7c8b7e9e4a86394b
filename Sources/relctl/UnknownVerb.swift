// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints

/// A word where a verb was to stand, and the verb that may have been meant.
struct UnknownVerb {
    /// What was typed before it, such as `relctl endpoint`.
    private let prefix: [String]
    private let word: String
    private let known: [String]

    /// - Parameter arguments: those behind the program's name.
    /// - Returns: nil where the words lead to a verb, or to help about one.
    init?(_ arguments: some Sequence<String>) {
        var words = Array(arguments.prefix { !$0.hasPrefix("-") })[...]
        let isHelp = words.first == "help"
        if isHelp { words = words.dropFirst() }
        var verb: any ParsableCommand.Type = Relctl.self
        var prefix = isHelp ? ["relctl", "help"] : ["relctl"]
        while let word = words.popFirst(), !verb.configuration.subcommands.isEmpty {
            guard let next = verb.configuration.subcommands.first(where: { $0.isCalled(word) }) else {
                // `relctl login help` is the parser's own.
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
        let place = prefix.last == "relctl" ? "" : " behind '\(prefix.joined(separator: " "))'"
        let help = (prefix.filter { $0 != "help" } + ["--help"]).joined(separator: " ")
        return Failure(
            .usage,
            "there is no verb '\(Printable(word))'\(place)",
            hint: Hint(
                command: nearest.map { (prefix.filter { $0 != "help" } + [$0, "--help"]).joined(separator: " ") }
                    ?? help
            )
        )
    }

    /// The verb that takes the fewest letters to change, and not more than two fifths of them.
    private var nearest: String? {
        let near = known.map { (name: $0, distance: Self.distance(word.lowercased(), $0)) }.min {
            $0.distance < $1.distance
        }
        return near.flatMap { $0.distance <= max(1, $0.name.count * 2 / 5) ? $0.name : nil }
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command._commandName
    }

    /// Letters to put in, take out or replace.
    static func distance(_ one: String, _ other: String) -> Int {
        // What is longer than any verb is none of them.
        guard one.utf8.count <= 64 else { return .max }
        let (one, other) = (Array(one), Array(other))
        var row = Array(0...other.count)
        for (index, letter) in one.enumerated() {
            var next = [index + 1]
            for (place, candidate) in other.enumerated() {
                next.append(min(row[place + 1] + 1, next[place] + 1, row[place] + (letter == candidate ? 0 : 1)))
            }
            row = next
        }
        return row[other.count]
    }
}
