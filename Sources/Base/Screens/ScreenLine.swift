// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// A terminal's size in character cells, within bounds.
package struct ScreenSize: Hashable, Sendable {
    package let columns: Int
    package let lines: Int

    package init(columns: Int, lines: Int) {
        self.columns = min(max(columns, 1), 500)
        self.lines = min(max(lines, 1), 300)
    }
}

/// One of the eight colours that every terminal with colours has, in the order of their SGR codes.
package enum ScreenColor: String, Hashable, Sendable, CaseIterable {
    case black, red, green, yellow, blue, magenta, cyan, white
}

/// The appearance of a piece of the screen.
package struct ScreenStyle: Hashable, Sendable {
    package var isBold = false
    package var isFaint = false
    /// Whether text and background are exchanged.
    package var isReverse = false
    /// The colour of the text; nil for that of the terminal. Left out on a terminal without colours.
    package var text: ScreenColor?
    /// The colour of the cells; nil for that of the terminal. Left out on a terminal without colours.
    package var background: ScreenColor?

    /// Creates a style; by default that of plain text.
    package init(
        isBold: Bool = false,
        isFaint: Bool = false,
        isReverse: Bool = false,
        text: ScreenColor? = nil,
        background: ScreenColor? = nil
    ) {
        (self.isBold, self.isFaint, self.isReverse) = (isBold, isFaint, isReverse)
        (self.text, self.background) = (text, background)
    }

    package static let plain = ScreenStyle()
    package static let title = ScreenStyle(isBold: true)
    package static let faint = ScreenStyle(isFaint: true)
    package static let chosen = ScreenStyle(isReverse: true)
    package static let good = ScreenStyle(text: .green)
    package static let bad = ScreenStyle(text: .red)
    package static let warning = ScreenStyle(text: .yellow)
}

/// A line of the screen. Its pieces begin at fixed columns, so that no piece shifts another, whatever width a terminal
/// gives to the characters.
package struct ScreenLine: Hashable, Sendable {
    /// A text at a column.
    package struct Piece: Hashable, Sendable {
        /// The first column, counted from 0.
        package let column: Int
        package let text: String
        package let style: ScreenStyle
    }

    /// The pieces, in the order in which they were added.
    package private(set) var pieces: [Piece] = []
    private let columns: Int

    /// - Parameter columns: the width of the screen.
    package init(columns: Int) {
        self.columns = columns
    }

    /// Adds a text at a column, cut to `width` and to the end of the line. A text that begins outside the line is left
    /// out.
    package mutating func put(_ text: Printable, at column: Int, width: Int = .max, _ style: ScreenStyle = .plain) {
        guard (0..<max(0, columns)).contains(column), width > 0 else { return }
        let available = min(width, columns - column)
        let shown = text.cut(to: available)
        if !shown.isEmpty { pieces.append(Piece(column: column, text: shown, style: style)) }
    }

    /// Adds a text, which is escaped, as the other function does.
    package mutating func put(_ text: String, at column: Int, width: Int = .max, _ style: ScreenStyle = .plain) {
        put(Printable(text), at: column, width: width, style)
    }

    /// Fills the whole width of the line in one style.
    package mutating func fill(_ text: Printable, _ style: ScreenStyle) {
        let shown = text.cut(to: columns)
        let rest = String(repeating: " ", count: max(0, columns - Printable.width(of: shown)))
        pieces.append(Piece(column: 0, text: shown + rest, style: style))
    }

    /// Fills the whole width of the line with a text, which is escaped, in one style.
    package mutating func fill(_ text: String, _ style: ScreenStyle) { fill(Printable(text), style) }
}

extension Printable {
    /// The beginning of the text that fits, with an ellipsis if it was cut. A letter keeps its marks.
    fileprivate func cut(to columns: Int) -> String {
        guard Printable.width(of: description) > columns else { return description }
        guard columns > 0 else { return "" }
        var shown = ""
        var width = 0
        for letter in description {
            width += Printable.width(of: String(letter))
            // One column is for the ellipsis.
            if width >= columns { break }
            shown.append(letter)
        }
        return shown + "…"
    }
}
