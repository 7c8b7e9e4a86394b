// SPDX-License-Identifier: Apache-2.0

/// Turns screens into what a terminal has to be sent: the lines that differ from those it shows.
struct TopPainter {
    /// Another screen in the place of the shell's, without a cursor; letters do not run on into the next line.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
    static let leave = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    private let hasColours: Bool
    private var shown: [TopLine] = []

    init(hasColours: Bool) {
        self.hasColours = hasColours
    }

    /// Nothing that was shown can be relied on any more.
    mutating func forget() { shown = [] }

    /// - Returns: nothing if the terminal shows it already.
    mutating func update(to lines: [TopLine]) -> String {
        let isNew = shown.count != lines.count
        var text = isNew ? "\u{1B}[0m\u{1B}[2J" : ""
        for (index, line) in lines.enumerated() where isNew || shown[index] != line {
            text += "\u{1B}[\(index + 1);1H\u{1B}[2K"
            for piece in line.pieces { text += "\u{1B}[\(index + 1);\(piece.column + 1)H" + painted(piece) }
        }
        shown = lines
        return text
    }

    private func painted(_ piece: TopLine.Piece) -> String {
        guard let code = code(of: piece.style) else { return piece.text }
        return "\u{1B}[\(code)m\(piece.text)\u{1B}[0m"
    }

    /// Of `Select Graphic Rendition`. What is no colour is there without colours too.
    private func code(of style: TopStyle) -> Int? {
        switch style {
        case .plain: nil
        case .title: 1
        case .faint: 2
        case .chosen: 7
        case .bad: hasColours ? 31 : nil
        case .good: hasColours ? 32 : nil
        case .warning: hasColours ? 33 : nil
        }
    }
}
