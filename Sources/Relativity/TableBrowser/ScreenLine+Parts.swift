// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import Screens

/// The parts that the screens of this module share.
extension ScreenLine {
    /// Creates a line and draws on it.
    init(_ size: ScreenSize, _ draw: (inout ScreenLine) -> Void) {
        self.init(columns: size.columns)
        draw(&self)
    }

    /// Adds a line that is typed, with its cursor, from a column to the edge of the screen.
    mutating func put(_ editor: LineEditor, at column: Int, _ size: ScreenSize) {
        let columns = size.columns - column
        // The least width for `visible`.
        guard columns >= 2 else { return }
        let (text, cursor) = editor.visible(in: columns)
        put(Printable(again: text), at: column)
        let letter = editor.cursor < editor.text.count ? String(editor.text[editor.cursor]) : " "
        put(Printable(again: letter), at: column + cursor, .chosen)
    }

    /// Creates the line that names keys: the first ones, as many as fit.
    static func keys(_ keys: [KeyName], _ size: ScreenSize) -> ScreenLine {
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
struct KeyName: Hashable, Sendable, CustomStringConvertible {
    let key: String
    let effect: String

    init(_ key: String, _ effect: String) {
        (self.key, self.effect) = (key, effect)
    }

    var description: String { "\(key) \(effect)" }
}

extension ScreenSize {
    /// Returns exactly as many lines as the screen has: `lines` from the top, `foot` at the bottom.
    func filled(_ lines: [ScreenLine], foot: [ScreenLine]) -> [ScreenLine] {
        var screen = Array(lines.prefix(max(0, self.lines - foot.count)))
        while screen.count < self.lines - foot.count { screen.append(ScreenLine(columns: columns)) }
        return Array((screen + foot).prefix(self.lines))
    }
}
