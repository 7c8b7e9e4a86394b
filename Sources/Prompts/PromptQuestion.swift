// SPDX-License-Identifier: Apache-2.0

import Endpoints
package import Platform

/// One question to a person. Every text in it is safe to show (`ShownText`).
package struct PromptQuestion: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Something that nobody else may read on the screen.
        case secret
        /// Something that may be seen.
        case text
        /// Yes or no.
        case agreement
    }

    package var kind: Kind
    /// What is asked for, in a few words.
    package var label: String
    /// The facts that the answer depends on, one a line.
    package var lines: [String]
    /// What was wrong with the answer before.
    package var remark: String?

    package init(_ kind: Kind, _ label: String, _ lines: [String], remark: String? = nil) {
        self.kind = kind
        self.label = label
        self.lines = lines
        self.remark = remark
    }
}

/// Foreign text as part of a question: printable, and short enough that it crowds out no other fact.
package enum ShownText {
    /// Of one name. A question has room for several, and every prompt has its limit in bytes.
    private static let mostBytes = 110
    private static let columns = 80

    package static func of(_ text: String) -> String {
        cut(Printable(text, columns: columns).description)
    }

    /// A name between quotes, so that a fact that the name imitates is seen to be a part of it. Quotes inside are escaped.
    package static func quoted(_ text: String) -> String {
        "'" + cut(Printable(text, columns: columns).description.replacing("'", with: "\\'")) + "'"
    }

    /// `process 12 ('name')`. The name is the process's own choice, and both are a claim only.
    package static func of(process pid: Int32?, named name: String?) -> String {
        guard let pid else { return "an unknown process" }
        return name.map { "process \(pid) (\(quoted($0)))" } ?? "process \(pid)"
    }

    private static func cut(_ text: String) -> String {
        var kept = ""
        var byteCount = 0
        for character in text.unicodeScalars {
            byteCount += cost(of: character)
            guard byteCount <= mostBytes else { return kept + "…" }
            kept.unicodeScalars.append(character)
        }
        return kept
    }

    /// How long it becomes on the way to a prompt (`AssuanText`).
    private static func cost(of character: Unicode.Scalar) -> Int {
        switch character {
        case "%": 3
        case "<": 6
        default: UTF8.width(character)
        }
    }
}

/// How often a person may be asked for one secret, and which were refused: none of them goes out again.
package struct Tries: Sendable {
    package static let limit = 3

    private var left = Self.limit
    private var refused: [SharedSecret] = []

    /// - Parameter known: one that is known to be refused.
    package init(known: SharedSecret? = nil) {
        refused = [known].compactMap { $0 }
    }

    /// Counts a refusal.
    ///
    /// - Returns: what to say at the next try; nil if there is none.
    package mutating func failed(_ answer: SharedSecret, because reason: String) -> String? {
        if !wasRefused(answer) { refused.append(answer) }
        left -= 1
        guard left > 0 else { return nil }
        return "\(reason); \(Counted(left, "try", "tries")) left"
    }

    package func wasRefused(_ answer: SharedSecret) -> Bool {
        refused.contains { $0.secret.isEqual(to: answer.secret) }
    }
}
