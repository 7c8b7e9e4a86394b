// SPDX-License-Identifier: Apache-2.0

/// The appearance of bytes on a terminal. It interprets the usual control sequences, and is as wide and high as needed.
struct ObedientTerminal {
    private enum Mode {
        case text, escape, control
        /// Inside a string that ends with BEL or ST: a title, a link, the clipboard.
        case string
    }

    private var rows: [[String]] = [[]]
    private var row = 0
    private var column = 0
    private var mode = Mode.text
    private var parameters = ""

    init(_ text: String) {
        for scalar in text.unicodeScalars { take(scalar) }
    }

    /// The rows from the top, without trailing blanks.
    var screen: [String] { rows.map { $0.joined() } }

    private mutating func take(_ scalar: Unicode.Scalar) {
        switch mode {
        case .text: show(scalar)
        case .escape: escape(scalar)
        case .control: control(scalar)
        case .string:
            if scalar == "\u{7}" || scalar == "\u{9C}" { mode = .text }
            if scalar == "\u{1B}" { mode = .escape }
        }
    }

    private mutating func show(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": move(to: row + 1, 0)
        case "\r": column = 0
        case "\u{8}": column = max(0, column - 1)
        case "\t": move(to: row, (column / 8 + 1) * 8)
        case "\u{1B}": mode = .escape
        case "\u{9B}": (mode, parameters) = (.control, "")
        case "\u{90}", "\u{98}", "\u{9D}", "\u{9E}", "\u{9F}": mode = .string
        default: put(scalar)
        }
    }

    private mutating func escape(_ scalar: Unicode.Scalar) {
        mode = .text
        switch scalar {
        case "[": (mode, parameters) = (.control, "")
        case "]", "P", "X", "^", "_": mode = .string
        case "c": (rows, row, column) = ([[]], 0, 0)
        case "M": move(to: max(0, row - 1), column)
        default: break
        }
    }

    private mutating func control(_ scalar: Unicode.Scalar) {
        guard (0x40...0x7E).contains(scalar.value) else {
            parameters.unicodeScalars.append(scalar)
            return
        }
        mode = .text
        let count = max(1, Int(parameters) ?? 1)
        switch scalar {
        case "A": move(to: max(0, row - count), column)
        case "B": move(to: row + count, column)
        case "C": move(to: row, column + count)
        case "D": column = max(0, column - count)
        case "H": move(to: 0, 0)
        case "J": rows = [[]]; move(to: row, column)
        case "K": rows[row] = Array(rows[row].prefix(column))
        default: break
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate: return
        // It looks like another space.
        case .spaceSeparator: write(" ")
        case .privateUse, .unassigned: write("\u{25A1}")
        case .nonspacingMark, .enclosingMark:
            // Further marks are drawn over the lines above.
            guard column > 0, column <= rows[row].count, rows[row][column - 1].unicodeScalars.count < 4,
                !scalar.properties.isDefaultIgnorableCodePoint
            else { return }
            rows[row][column - 1].unicodeScalars.append(scalar)
        case _ where scalar.properties.isDefaultIgnorableCodePoint: return
        default: write(String(scalar))
        }
    }

    private mutating func write(_ cell: String) {
        move(to: row, column)
        if column < rows[row].count { rows[row][column] = cell } else { rows[row].append(cell) }
        column += 1
    }

    private mutating func move(to newRow: Int, _ newColumn: Int) {
        while rows.count <= newRow { rows.append([]) }
        while rows[newRow].count < newColumn { rows[newRow].append(" ") }
        (row, column) = (newRow, newColumn)
    }
}
