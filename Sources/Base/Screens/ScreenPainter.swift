// SPDX-License-Identifier: Apache-2.0

/// Converts screens to terminal output: only the lines that differ from those shown.
package struct ScreenPainter: Sendable {
    private let hasColours: Bool
    private let hasMouse: Bool
    private var shown: [ScreenLine] = []

    /// - Parameter hasMouse: whether the terminal reports clicks and the wheel.
    package init(hasColours: Bool, hasMouse: Bool = false) {
        (self.hasColours, self.hasMouse) = (hasColours, hasMouse)
    }

    /// Enters the alternate screen without a cursor and without automatic line wrap. Pasted text is marked.
    package var enter: String {
        "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h" + (hasMouse ? "\u{1B}[?1000h\u{1B}[?1006h" : "")
    }

    /// Ends what `enter` began, with or without a mouse: a program may leave the screen of one that crashed.
    package static let leave =
        "\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// Forgets the shown lines, so that all are drawn again.
    package mutating func forget() { shown = [] }

    /// - Returns: the output; empty if nothing has changed.
    package mutating func update(to lines: [ScreenLine]) -> String {
        let isNew = shown.count != lines.count
        var text = isNew ? "\u{1B}[0m\u{1B}[2J" : ""
        for (index, line) in lines.enumerated() where isNew || shown[index] != line {
            text += "\u{1B}[\(index + 1);1H\u{1B}[2K"
            for piece in line.pieces { text += "\u{1B}[\(index + 1);\(piece.column + 1)H" + painted(piece) }
        }
        shown = lines
        return text
    }

    private func painted(_ piece: ScreenLine.Piece) -> String {
        let codes = codes(of: piece.style)
        guard !codes.isEmpty else { return piece.text }
        return "\u{1B}[\(codes.map(String.init).joined(separator: ";"))m\(piece.text)\u{1B}[0m"
    }

    /// The SGR codes of a style. Those other than colours are also used on terminals without colours.
    private func codes(of style: ScreenStyle) -> [Int] {
        var codes: [Int] = []
        if style.isBold { codes.append(1) }
        if style.isFaint { codes.append(2) }
        if style.isReverse { codes.append(7) }
        if hasColours, let color = style.text { codes.append(30 + color.number) }
        if hasColours, let color = style.background { codes.append(40 + color.number) }
        return codes
    }
}

extension ScreenColor {
    fileprivate var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
