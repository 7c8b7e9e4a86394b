// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

extension Relctl {
    /// Options of every verb, which may stand before the verb too.
    private static let commonFlags: Set<String> = ["--json", "-q", "--quiet"]

    /// Whether these words are a command as it can be typed behind `relctl`.
    static func takes(_ words: [String]) -> Bool {
        UnknownVerb(words) == nil && (try? parseAsRoot(words)) != nil
    }

    /// Whether these words lead to a noun or a verb.
    static func hasVerb(_ words: [String]) -> Bool { depth(of: words) == words.count }

    /// Moves the common options that stand before the verb behind it, where the parser expects them.
    static func withFlagsBehindVerb(_ arguments: [String]) -> [String] {
        let flags = arguments.prefix { commonFlags.contains($0) }
        let words = arguments.dropFirst(flags.count)
        let depth = depth(of: Array(words))
        return depth == 0 ? arguments : Array(words.prefix(depth) + flags + words.dropFirst(depth))
    }

    /// The number of words that lead to a noun or a verb.
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
    /// Whether a word is the name of this command, or another name of it.
    static func isCalled(_ word: String) -> Bool { _commandName == word || configuration.aliases.contains(word) }
}
