// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Rows of text in columns. Every cell is made printable here, so that no command can omit it.
struct Table {
    private static let widest = 120
    /// The heading of the coloured column.
    private static let stateColumn = "STATE"

    /// The minimum width of a column that is cut.
    private static let narrowest = 10

    private let rows: [[String]]
    /// The width to which each column is filled. A longer cell moves the rest of its line only.
    private let columns: [Int]
    private let style: Style

    /// - Parameters:
    ///   - cutting: the headings of the columns that may be cut to make the lines fit.
    ///   - width: the width of the terminal; nil for no limit.
    init(
        _ heading: [String],
        _ rows: [[String]],
        _ style: Style = .ofOutput,
        cutting: Set<String> = [],
        to width: Int? = nil
    ) {
        let shown = [heading] + rows.map { $0.map { Printable($0, columns: Self.widest).description } }
        let widths = Self.columns(of: shown.map { $0.map { Printable.width(of: $0) } })
        let cut = heading.indices.filter { cutting.contains(heading[$0]) }
        let limits = Self.narrowed(widths, cut, to: width)
        self.rows =
            limits == widths ? shown : [heading] + rows.map { zip($0, limits).map { "\(Printable($0, columns: $1))" } }
        columns = Self.narrowed(limits, Array(heading.indices), to: width)
        self.style = style
    }

    /// The widths of columns so that lines fit, if possible. The widest of the columns at `places` is narrowed first.
    private static func narrowed(_ columns: [Int], _ places: [Int], to width: Int?) -> [Int] {
        guard let width else { return columns }
        var columns = columns
        var excess = columns.reduce(0, +) + 2 * (columns.count - 1) - width
        while excess > 0, let widest = places.max(by: { columns[$0] < columns[$1] }), columns[widest] > narrowest {
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
        var text: [UInt8] = []
        text.reserveCapacity(rows.count * (columns.reduce(0, +) + 2 * columns.count))
        let stateColumn = rows.first?.firstIndex(of: Self.stateColumn)
        for (number, (row, widths)) in zip(rows, widths).enumerated() {
            for (column, cell) in row.enumerated() {
                // Colour codes do not change the width.
                text += (number == 0 ? style.heading(cell) : column == stateColumn ? style.state(cell) : cell).utf8
                if column < row.count - 1 {
                    for _ in 0..<max(0, columns[column] - widths[column]) + 2 { text.append(UInt8(ascii: " ")) }
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

    /// Inserts, after the first fact, a fact with several values, each on a line of its own.
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

/// A line of a stream: cells made printable, two spaces apart.
struct Columns {
    let text: String

    init(_ cells: [any Fact]) {
        text = cells.map(\.shown).joined(separator: "  ") + "\n"
    }
}

/// A part of a line: untrusted text, printable text, or a state.
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

/// A state in its colour, with an optional reason.
struct StateWord: Fact {
    let shown: String

    /// - Parameter old: the previous state; equal to `word` if there was no change.
    init(_ word: String, after old: String, _ style: Style) {
        shown = (word == old ? "" : "\(style.state(old)) \(style.arrow) ") + style.state(word)
    }

    /// - Parameters:
    ///   - word: the state; must not be untrusted text.
    ///   - reason: the reason for the state.
    init(_ word: String, because reason: Printable? = nil, _ style: Style = .ofOutput) {
        shown = style.state(word) + (reason.map { ": \($0)" } ?? "")
    }
}

/// An address for display: a link-local one has the name of its interface instead of its index.
struct ShownAddress {
    let text: String

    /// - Parameter text: the address in the daemon's format.
    init(_ text: String) {
        guard let address = IPAddress(text), let name = address.interfaceName else {
            self.text = text
            return
        }
        self.text = "\(address.withoutScope)%\(name)"
    }
}

/// A rounded duration for display: `90 s`, `45 min`, `12 h`, `3 days`. A unit is used from two of it.
struct PlainSpan: CustomStringConvertible {
    private static let units: [(seconds: Int64, name: String)] = [(86_400, "days"), (3_600, "h"), (60, "min")]

    let description: String

    init(seconds: Int64) {
        let unit = Self.units.first { seconds >= 2 * $0.seconds } ?? (1, "s")
        // Rounded to the nearest: 11 h 59 min becomes 12 h.
        description = "\((max(0, seconds) + unit.seconds / 2) / unit.seconds) \(unit.name)"
    }
}
