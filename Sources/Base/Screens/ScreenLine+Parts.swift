// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// The parts that screens share.
extension ScreenLine {
    /// Creates a line and draws on it.
    package init(_ size: ScreenSize, _ draw: (inout ScreenLine) -> Void = { _ in }) {
        self.init(columns: size.columns)
        draw(&self)
    }

    /// Creates a heading, with a text at the right edge that is never cut.
    package init(_ size: ScreenSize, heading: String, right: String) {
        self.init(size)
        let width = size.columns - right.utf8.count - 2
        put(heading, at: 0, width: width, .title)
        if width > 0 { put(right, at: width + 2, .faint) }
    }

    /// Creates a heading of at most half of the line, with a text next to it.
    package init(_ size: ScreenSize, heading: String, next text: Printable) {
        self.init(size)
        let heading = Printable(heading, columns: max(1, size.columns / 2))
        put(heading, at: 0, .title)
        put(text, at: Printable.width(of: heading.description) + 2)
    }

    /// Adds a line that is typed, with its cursor, from a column to the edge of the screen.
    package mutating func put(_ editor: LineEditor, at column: Int, _ size: ScreenSize) {
        let (text, cursor) = editor.visible(in: max(2, size.columns - column))
        put(Printable(again: text), at: column)
        let letter = editor.cursor < editor.text.count ? String(editor.text[editor.cursor]) : " "
        put(Printable(again: letter), at: column + cursor, .chosen)
    }

    /// Creates the line that names keys: the first ones, as many as fit.
    package static func keys(_ keys: [KeyName], _ size: ScreenSize) -> ScreenLine {
        var text = ""
        for name in keys {
            let longer = text.isEmpty ? name.description : "\(text)  \(name)"
            guard longer.utf8.count <= size.columns else { break }
            text = longer
        }
        return ScreenLine(size) { $0.fill(text, .chosen) }
    }
}

/// A key and its effect in a word or two, all in ASCII.
package struct KeyName: Hashable, Sendable, CustomStringConvertible {
    package let key: String
    package let effect: String

    package init(_ key: String, _ effect: String) {
        (self.key, self.effect) = (key, effect)
    }

    package var description: String { "\(key) \(effect)" }
}

extension ScreenSize {
    /// Returns exactly as many lines as the screen has: `lines` from the top, `foot` at the bottom.
    package func filled(_ lines: [ScreenLine], foot: [ScreenLine]) -> [ScreenLine] {
        let body = lines.prefix(max(0, self.lines - foot.count))
        let blank = Array(repeating: ScreenLine(self), count: max(0, self.lines - foot.count - body.count))
        return Array((body + blank + foot).prefix(self.lines))
    }
}

extension String {
    /// The maximum number of scalars of a filter.
    private static let longestFilter = 60

    /// Edits a filter that is typed without a cursor.
    ///
    /// - Returns: false if the key is for something else.
    package mutating func editFilter(_ key: Key) -> Bool {
        switch key {
        case .text(let scalar), .pasted(let scalar):
            if unicodeScalars.count < Self.longestFilter { unicodeScalars.append(scalar) }
        case .backspace, .delete:
            if !isEmpty { unicodeScalars.removeLast() }
        default: return false
        }
        return true
    }
}
