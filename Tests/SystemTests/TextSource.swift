// SPDX-License-Identifier: Apache-2.0

/// A text in a stand-in's reply, and its expected output by relctl.
struct ServedText: Sendable {
    let raw: String
    let shown: String
    /// The output in a sentence that is already escaped: its backslashes stay.
    let shownAgain: String
}

/// The source of texts for a stand-in's replies.
protocol TextSource: Sendable {
    /// A text that fits a cell of a table.
    mutating func next() -> ServedText
    /// As many texts as fit where a verb shows one completely.
    mutating func several() -> [ServedText]
}

/// A harmless word.
struct PlainTexts: TextSource {
    func next() -> ServedText { ServedText(raw: "word", shown: "word", shownAgain: "word") }
    func several() -> [ServedText] { [next()] }
}
