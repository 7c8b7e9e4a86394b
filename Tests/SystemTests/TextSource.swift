// SPDX-License-Identifier: Apache-2.0

/// A text in a stand-in's reply, and how relctl has to show it.
struct ServedText: Sendable {
    let raw: String
    let shown: String
    /// As shown in a sentence whose backslashes are escapes already: they stay.
    let shownAgain: String
}

/// Where the texts of a stand-in's replies come from.
protocol TextSource: Sendable {
    /// One that may stand in a cell of a table.
    mutating func next() -> ServedText
    /// As many as fit where a verb shows one in full.
    mutating func several() -> [ServedText]
}

/// A word that hurts nobody.
struct PlainTexts: TextSource {
    func next() -> ServedText { ServedText(raw: "word", shown: "word", shownAgain: "word") }
    func several() -> [ServedText] { [next()] }
}
