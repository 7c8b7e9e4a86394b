// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Rows of text in columns. Every cell is made printable here, so no verb can forget it.
struct Table {
    private static let widest = 120
    /// The heading of the column whose words are in colour.
    private static let stateColumn = "STATE"

    /// What a column keeps when it is cut.
    private static let narrowest = 10

    private let rows: [[String]]
    private let style: Style

    /// - Parameters:
    ///   - cutting: the headings of the columns that may be cut to make the lines fit.
    ///   - width: the columns of the terminal; nil for lines of any length.
    init(
        _ heading: [String],
        _ rows: [[String]],
        _ style: Style = .ofOutput,
        cutting: Set<String> = [],
        to width: Int? = nil
    ) {
        let shown = [heading] + rows.map { $0.map { Printable($0, columns: Self.widest).description } }
        let limits = width.map { Self.limits(shown, cutting, $0) } ?? []
        self.rows =
            limits.isEmpty ? shown : [heading] + rows.map { zip($0, limits).map { "\(Printable($0, columns: $1))" } }
        self.style = style
    }

    /// How wide each column may be, so that the lines fit, as far as that goes. The widest one is cut first.
    private static func limits(_ rows: [[String]], _ cutting: Set<String>, _ width: Int) -> [Int] {
        var columns = columns(of: rows.map { $0.map { Printable.width(of: $0) } })
        let cut = columns.indices.filter { cutting.contains(rows[0][$0]) }
        var excess = columns.reduce(0, +) + 2 * (columns.count - 1) - width
        while excess > 0, let widest = cut.max(by: { columns[$0] < columns[$1] }), columns[widest] > narrowest {
            columns[widest] -= 1
            excess -= 1
        }
        return columns
    }

    /// The widest cell of each column.
    private static func columns(of widths: [[Int]]) -> [Int] {
        (widths.first ?? []).indices.map { column in widths.map { $0[column] }.max() ?? 0 }
    }

    var text: String {
        let widths = rows.map { $0.map { Printable.width(of: $0) } }
        let columns = Self.columns(of: widths)
        var text: [UInt8] = []
        text.reserveCapacity(rows.count * (columns.reduce(0, +) + 2 * columns.count))
        let stateColumn = rows.first?.firstIndex(of: Self.stateColumn)
        for (number, (row, widths)) in zip(rows, widths).enumerated() {
            for (column, cell) in row.enumerated() {
                // What is in colour is as wide as it was.
                text += (number == 0 ? style.heading(cell) : column == stateColumn ? style.state(cell) : cell).utf8
                if column < row.count - 1 {
                    for _ in 0..<columns[column] - widths[column] + 2 { text.append(UInt8(ascii: " ")) }
                }
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

/// One line of a stream: cells made printable, two spaces apart.
struct Columns {
    let text: String

    init(_ cells: [any Fact]) {
        text = cells.map(\.shown).joined(separator: "  ") + "\n"
    }
}

/// What may stand in a line: foreign text, what was made printable before, or the word for a state.
protocol Fact {
    /// Safe for a terminal.
    var shown: String { get }
}

extension String: Fact {
    var shown: String { Printable(self).description }
}

extension Printable: Fact {
    var shown: String { description }
}

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

/// An address as people write it: a link-local one with the name of its interface rather than its number.
struct ShownAddress {
    let text: String

    /// - Parameter text: as the daemon tells it.
    init(_ text: String) {
        guard let address = IPAddress(text), let name = address.interfaceName else {
            self.text = text
            return
        }
        self.text = "\(address.withoutScope)%\(name)"
    }
}

/// A length of time as a person says it: `90 s`, `45 min`, `12 h`, `3 days`. The next unit begins at two of it.
struct PlainSpan: CustomStringConvertible {
    private static let units: [(seconds: Int64, name: String)] = [(86_400, "days"), (3_600, "h"), (60, "min")]

    let description: String

    init(seconds: Int64) {
        let unit = Self.units.first { seconds >= 2 * $0.seconds } ?? (1, "s")
        // To the nearest: 11 h 59 min are 12 h.
        description = "\((max(0, seconds) + unit.seconds / 2) / unit.seconds) \(unit.name)"
    }
}
