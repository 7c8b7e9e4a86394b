// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// One of our words for a state, in its colour, and why it is so.
struct StateWord: Fact {
    let shown: String

    /// - Parameter old: the word before; the same for none.
    init(_ word: String, after old: String, _ style: Style) {
        shown = (word == old ? "" : "\(style.state(old)) \(style.arrow) ") + style.state(word)
    }

    /// - Parameters:
    ///   - word: never foreign text.
    ///   - reason: the reason for the state.
    init(_ word: String, because reason: Printable? = nil, _ style: Style = .ofOutput) {
        shown = style.state(word) + (reason.map { ": \($0)" } ?? "")
    }
}
