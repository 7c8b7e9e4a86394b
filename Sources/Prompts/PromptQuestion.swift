// SPDX-License-Identifier: Apache-2.0

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
