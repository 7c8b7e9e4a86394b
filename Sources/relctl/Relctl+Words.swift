// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

extension Relctl {
    /// Whether these words are a command as it can be typed behind `relctl`.
    static func takes(_ words: [String]) -> Bool {
        UnknownVerb(words) == nil && (try? parseAsRoot(words)) != nil
    }

    /// Whether these words lead to a noun or a verb.
    static func hasVerb(_ words: [String]) -> Bool {
        var verbs = configuration.subcommands
        for word in words {
            guard let next = verbs.first(where: { $0._commandName == word }) else { return false }
            verbs = next.configuration.subcommands
        }
        return true
    }
}
