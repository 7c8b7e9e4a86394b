// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// How a piece of the screen looks.
enum TopStyle: Hashable {
    case plain, title, faint, chosen, good, bad, warning
}

/// A line of the screen: pieces that begin at columns of their own, so that no piece can push another one away, whatever
/// a terminal makes of the letters in it.
struct TopLine: Hashable {
    struct Piece: Hashable {
        /// From 0.
        let column: Int
        let text: String
        let style: TopStyle
    }

    private(set) var pieces: [Piece] = []
    private let columns: Int

    /// - Parameter columns: those of the screen.
    init(columns: Int) {
        self.columns = columns
    }

    /// Puts a text at a column, cut at `width` and at the end of the line. One that is wholly beyond it is left out.
    mutating func put(_ text: any Fact, at column: Int, width: Int = .max, _ style: TopStyle = .plain) {
        let room = min(width, columns - column)
        guard room > 0 else { return }
        let shown = text.printable.cut(to: room)
        if !shown.isEmpty { pieces.append(Piece(column: column, text: shown, style: style)) }
    }

    /// The whole width of the line in one style.
    mutating func fill(_ text: any Fact, _ style: TopStyle) {
        let shown = text.printable.cut(to: columns)
        let rest = String(repeating: " ", count: columns - Printable.width(of: shown))
        pieces.append(Piece(column: 0, text: shown + rest, style: style))
    }
}

extension Fact {
    /// To be cut at a column; it has no colours of its own.
    var printable: Printable { Printable(again: shown) }
}

extension Printable {
    /// The beginning of it that fits, with an ellipsis where something is missing.
    fileprivate func cut(to columns: Int) -> String {
        guard Printable.width(of: description) > columns else { return description }
        var shown = ""
        var width = 0
        for letter in description.unicodeScalars {
            width += Printable.width(of: String(letter))
            // A column is the ellipsis'.
            if width >= columns { break }
            shown.unicodeScalars.append(letter)
        }
        return shown + "…"
    }
}
