// SPDX-License-Identifier: Apache-2.0

import Endpoints
package import Platform

/// One question to the user. All its text is printable and limited in length (`ShownText`).
package struct PromptQuestion: Sendable, Hashable {
    /// The kind of answer.
    package enum Kind: Sendable, Hashable {
        /// A text that must not be shown on the screen, such as a password.
        case secret
        /// A text that may be shown.
        case text
        /// Approval or refusal.
        case agreement
    }

    /// The kind of answer.
    package var kind: Kind
    /// A short name of the requested answer.
    package var label: String
    /// The facts that the answer depends on, one per line.
    package var lines: [String]
    /// The reason why the previous answer was rejected.
    package var remark: String?

    /// A question. All texts must be safe to show (`ShownText`).
    package init(_ kind: Kind, _ label: String, _ lines: [String], remark: String? = nil) {
        self.kind = kind
        self.label = label
        self.lines = lines
        self.remark = remark
    }
}

/// Untrusted text as part of a question: printable, and short enough not to displace other facts.
package enum ShownText {
    /// Limit for one name in bytes. A question contains several, and every prompter limits the size of the question.
    private static let mostBytes = 110
    private static let columns = 80
    /// Limit for a text that is not cut.
    private static let wholeBytes = 500

    /// Returns the text, printable and cut.
    package static func of(_ text: String) -> String {
        cut(Printable(text, columns: columns).description)
    }

    /// Returns a name in quotes, so that a fact which the name imitates is recognisable as part of the name. Quotes
    /// inside are escaped.
    package static func quoted(_ text: String) -> String {
        "'" + cut(Printable(text, columns: columns).description.replacing("'", with: "\\'")) + "'"
    }

    /// Returns `process 12 ('name')`. The process chooses its own name, so neither value proves its identity.
    ///
    /// - Parameter claimant: the process that claims to act for `pid`; nil if `pid` itself makes the call.
    package static func of(process pid: Int32?, named name: String?, claimedBy claimant: Int32? = nil) -> String {
        guard let pid else { return "an unknown process" }
        let process = name.map { "process \(pid) (\(quoted($0)))" } ?? "process \(pid)"
        return claimant.map { "\(process), as claimed by process \($0)," } ?? process
    }

    /// Returns a printable text unchanged; nil if it does not fit into a question.
    package static func whole(_ text: String) -> String? {
        text.unicodeScalars.reduce(0) { $0 + cost(of: $1) } <= wholeBytes ? text : nil
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

    /// The size of a character after escaping (`AssuanText`).
    private static func cost(of character: Unicode.Scalar) -> Int {
        switch character {
        case "%": 3
        case "<": 6
        default: UTF8.width(character)
        }
    }
}

/// Counts the attempts to enter one secret and remembers rejected answers, so that none of them is sent again.
package struct Tries: Sendable {
    /// The number of attempts for one secret.
    package static let limit = 3

    private var left = Self.limit
    private var refused: [SharedSecret] = []

    /// - Parameter known: a secret that is already known to be rejected.
    package init(known: SharedSecret? = nil) {
        refused = [known].compactMap { $0 }
    }

    /// Records a rejected answer.
    ///
    /// - Returns: the remark for the next attempt; nil if there is none.
    package mutating func failed(_ answer: SharedSecret, because reason: String) -> String? {
        if !wasRefused(answer) { refused.append(answer) }
        left -= 1
        guard left > 0 else { return nil }
        return "\(reason); \(Counted(left, "try", "tries")) left"
    }

    /// Whether the same answer was rejected before.
    package func wasRefused(_ answer: SharedSecret) -> Bool {
        refused.contains { $0.secret.isEqual(to: answer.secret) }
    }
}
