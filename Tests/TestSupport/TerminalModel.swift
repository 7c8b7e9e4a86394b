// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// A model of a terminal with the few control sequences that `ScreenPainter` writes. Any other sequence, and a letter beyond
/// the edge, is recorded as a fault.
package struct TerminalModel: Sendable {
    private let columns: Int
    private var cells: [[String]]
    private var line = 0
    private var column = 0
    /// What a real terminal would show wrongly.
    package private(set) var faults: [String] = []

    /// An empty screen.
    package init(columns: Int, lines: Int) {
        self.columns = columns
        cells = Array(repeating: Array(repeating: " ", count: columns), count: lines)
    }

    /// The lines of the screen, without spaces at their ends.
    package var text: [String] {
        cells.map { line in
            String(line.joined().reversed().drop { $0 == " " }.reversed())
        }
    }

    /// Shows the output of a program.
    package mutating func write(_ output: String) {
        var rest = output.unicodeScalars[...]
        while let letter = rest.popFirst() {
            guard letter == "\u{1B}" else {
                put(letter)
                continue
            }
            guard rest.popFirst() == "[" else {
                faults.append("an escape that is no sequence")
                continue
            }
            let parameters = rest.prefix { $0.value < 0x40 }
            rest = rest.dropFirst(parameters.count)
            let final = rest.popFirst().map { String($0) } ?? ""
            obey(String(String.UnicodeScalarView(parameters)), final)
        }
    }

    private mutating func obey(_ parameters: String, _ final: String) {
        switch (parameters, final) {
        case (_, "m"): break
        // The modes of the alternate screen, the cursor, line wrap, the mouse and marked pastes, which show nothing.
        case ("?1049", "h"), ("?1049", "l"), ("?25", "h"), ("?25", "l"), ("?7", "h"), ("?7", "l"), ("?1000", "h"),
            ("?1000", "l"), ("?1006", "h"), ("?1006", "l"), ("?2004", "h"), ("?2004", "l"):
            break
        case ("2", "J"): cells = cells.map { $0.map { _ in " " } }
        case ("2", "K"): cells[line] = cells[line].map { _ in " " }
        case (_, "H"):
            let place = parameters.split(separator: ";").compactMap { Int($0) }
            (line, column) = (place[0] - 1, place[1] - 1)
        default: faults.append("\(parameters)\(final)")
        }
    }

    private mutating func put(_ letter: Unicode.Scalar) {
        let width = Printable.width(of: String(letter))
        guard letter.value >= 0x20, letter.value != 0x7F, line < cells.count, column + width <= columns else {
            faults.append("U+\(String(letter.value, radix: 16)) at \(line):\(column)")
            return
        }
        guard width > 0 else {
            cells[line][max(0, column - 1)].unicodeScalars.append(letter)
            return
        }
        cells[line][column] = String(letter)
        if width == 2 { cells[line][column + 1] = "" }
        column += width
    }
}
