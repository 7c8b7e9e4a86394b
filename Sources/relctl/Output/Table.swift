// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Rows of text in columns. Every cell is made printable here, so no verb can forget it.
struct Table {
    private static let widest = 120
    /// The heading of the column whose words are in colour.
    private static let stateColumn = "STATE"

    private let rows: [[String]]
    private let style: Style

    init(_ heading: [String], _ rows: [[String]], _ style: Style = .ofOutput) {
        self.rows = [heading] + rows.map { $0.map { Printable($0, columns: Self.widest).description } }
        self.style = style
    }

    var text: String {
        let widths = rows.map { $0.map { Printable.width(of: $0) } }
        let columns = (rows.first ?? []).indices.map { column in widths.map { $0[column] }.max() ?? 0 }
        var text: [UInt8] = []
        text.reserveCapacity(rows.count * (columns.reduce(0, +) + 2 * columns.count))
        let stateColumn = rows.first?.firstIndex(of: Self.stateColumn)
        for (number, (row, widths)) in zip(rows, widths).enumerated() {
            for (column, cell) in row.enumerated() {
                // What is in colour is as wide as it was.
                text += (number == 0 ? style.heading(cell) : column == stateColumn ? style.state(cell) : cell).utf8
                if column < row.count - 1 { text += repeatElement(0x20, count: columns[column] - widths[column] + 2) }
            }
            text.append(UInt8(ascii: "\n"))
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// `label: value` lines, values made printable.
struct Facts {
    private var facts: [(label: String, value: String)]

    /// Facts without a value are left out.
    init(_ facts: KeyValuePairs<String, (any Fact)?>) {
        self.facts = facts.compactMap { label, value in value.map { (label, $0.shown) } }
    }

    /// These facts and, after the first of them, a fact with several values, each on a line of its own.
    func adding(_ label: String, _ values: [any Fact]) -> Facts {
        var more = self
        let lines = values.enumerated().map { (label: $0 == 0 ? label : "", value: $1.shown) }
        more.facts.insert(contentsOf: lines, at: min(1, facts.count))
        return more
    }

    var text: String {
        let width = facts.map(\.label.utf8.count).max() ?? 0
        return facts.map { label, value in
            let gap = String(repeating: " ", count: width - label.utf8.count + 1)
            return "\(label)\(label.isEmpty ? " " : ":")\(gap)\(value)\n"
        }.joined()
    }
}
