// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// Writes tables for people: aligned columns, two spaces apart, under their names.
///
/// The first rows of a table decide the widths, so that they are shown immediately. Numbers are aligned right and never
/// cut. If the terminal is too narrow, the widest texts are cut, then columns at the end are left out. NULL is `NULL`
/// or the text of the options, a blob is its size in bytes, `<12 B>`. Text is always escaped. A text of more than 1000 columns is not aligned.
package struct TextTableWriter: RowConsumer {
    /// The rows that decide the widths.
    private static let sampleRows = 1000
    /// The width below which no column is cut.
    private static let narrowest = 10
    /// The width that a long cell or name can give to a column. Every row is padded to it.
    private static let widest = 1000

    /// The number of columns of the last table that the terminal is too narrow for. Known after the first rows.
    package private(set) var hiddenColumns = 0

    private let sink: OutputSink
    private let options: FormatOptions
    private let rules: TerminalRules
    /// The escaped text of NULL, and its width.
    private let null: (text: String, width: Int)
    private let showsNames: Bool
    private var layout: OutputColumns?
    private var names: [String] = []
    /// The width of each shown column; empty before the first rows.
    private var widths: [Int] = []
    private var isFirstTable = true

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - rules: without a width, nothing is cut.
    ///   - showsNames: whether the name of each table is written before it.
    package init(_ sink: OutputSink, _ rules: TerminalRules, _ options: FormatOptions, showsNames: Bool = false) {
        self.sink = sink
        self.options = options
        self.rules = rules
        self.showsNames = showsNames
        let null = rules.escape(options.nullText ?? "NULL", Self.widest)
        self.null = (null, rules.columns(null))
    }

    package mutating func begin(_ table: TableHead) throws {
        try finish()
        let layout = try OutputColumns(table, options.columns)
        self.layout = layout
        names = layout.columns.map { rules.escape($0.name, rules.width ?? .max) }
        widths = []
        hiddenColumns = 0
        try sink.write { text in
            if !isFirstTable { text.append(UInt8(ascii: "\n")) }
            if showsNames { append(heading: rules.escape(table.name, rules.width ?? .max), to: &text) }
            if showsNames { text.append(UInt8(ascii: "\n")) }
        }
        isFirstTable = false
    }

    package mutating func add(_ rows: DataRows, _ indices: [Int]?) throws {
        guard let layout else { throw FormatError.rowsWithoutTable }
        let count = indices?.count ?? rows.count
        guard count > 0 else { return }
        if widths.isEmpty {
            var natural = names.map { min(rules.columns($0), Self.widest) }
            let sample = indices.map { Array($0.prefix(Self.sampleRows)) } ?? Array(0..<min(count, Self.sampleRows))
            try forEachCell(rows, sample, layout) { _, column, cell in
                let width = cell.isNull ? null.width : min(cell.width, Self.widest)
                natural[column] = max(natural[column], width)
            }
            try writeHeading(natural)
        }
        try write(rows, indices, layout)
        try sink.flush()
    }

    package mutating func finish() throws {
        if layout != nil, widths.isEmpty { try writeHeading(names.map(rules.columns)) }
        layout = nil
        try sink.flush()
    }

    private mutating func writeHeading(_ natural: [Int]) throws {
        guard let layout else { return }
        widths = Self.fit(natural, isFixed: layout.cells.map(\.type.isNumber), rules.width)
        hiddenColumns = natural.count - widths.count
        try sink.write { text in
            for (column, width) in widths.enumerated() {
                let name =
                    rules.columns(names[column]) > width
                    ? rules.escape(layout.columns[column].name, width) : names[column]
                let padding = width - rules.columns(name)
                let isRight = layout.cells[column].type.isNumber
                if column > 0 { text.append("  " as StaticString) }
                if isRight { text.append(spaces: padding) }
                append(heading: name, to: &text)
                if !isRight, column < widths.count - 1 { text.append(spaces: padding) }
            }
            text.append(UInt8(ascii: "\n"))
        }
    }

    /// Returns the widths of the columns that fit.
    ///
    /// - Parameter isFixed: whether a column must not be cut.
    static func fit(_ natural: [Int], isFixed: [Bool], _ width: Int?) -> [Int] {
        guard let width else { return natural }
        func total(_ widths: some Collection<Int>) -> Int { widths.reduce(0, +) + 2 * (widths.count - 1) }
        let least = zip(natural, isFixed).map { $1 ? $0 : min($0, narrowest) }
        var count = natural.count
        while count > 1, total(least[..<count]) > width { count -= 1 }
        var widths = zip(natural, isFixed).prefix(count).map { $1 ? $0 : min($0, max(1, width)) }
        while total(widths) > width {
            let shrinkable = widths.indices.filter { widths[$0] > (count == 1 ? 1 : least[$0]) && !isFixed[$0] }
            guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
        }
        return widths
    }

    private func write(_ rows: DataRows, _ indices: [Int]?, _ layout: OutputColumns) throws {
        try sink.write { text in
            try forEachCell(rows, indices, layout) { cells, column, cell in
                guard column < widths.count else { return }
                if column > 0 { text.append("  " as StaticString) }
                append(cell, cells, column, layout, to: &text)
                if column == widths.count - 1 { text.append(UInt8(ascii: "\n")) }
            }
        }
    }

    private func append(
        _ cell: ShownCell,
        _ content: UnsafeRawBufferPointer,
        _ column: Int,
        _ layout: OutputColumns,
        to text: inout TextBuffer
    ) {
        let (width, isLast) = (widths[column], column == widths.count - 1)
        let isNumber = layout.cells[column].type.isNumber
        var shown = cell
        if cell.isNull {
            shown.width = min(null.width, width)
        } else if cell.width > width, !isNumber, rules.width != nil {
            let cut = rules.escape(String(decoding: content, as: UTF8.self), width)
            shown = ShownCell(isNull: false, width: rules.columns(cut), escaped: cut)
        }
        if isNumber { text.append(spaces: width - shown.width) }
        if shown.isNull {
            let cut = null.width > width ? rules.escape(options.nullText ?? "NULL", width) : null.text
            text.append(rules.isColoured ? "\u{1B}[2m\(cut)\u{1B}[0m" : cut)
        } else if let escaped = shown.escaped {
            text.append(escaped)
        } else {
            text.append(content)
        }
        if !isNumber, !isLast { text.append(spaces: width - shown.width) }
    }

    /// Lends the unescaped text of each cell, in the order of the output.
    private func forEachCell(
        _ rows: DataRows,
        _ indices: [Int]?,
        _ layout: OutputColumns,
        _ body: (UnsafeRawBufferPointer, Int, ShownCell) -> Void
    ) throws {
        var scratch = TextBuffer(nil, capacity: 1 << 10)
        defer { scratch.deallocate() }
        let page = layout.codePage
        let cells = layout.cells
        try layout.forEach(rows, indices) { bytes, places in
            for column in cells.indices {
                let (place, type) = (places[cells[column].index], cells[column].type)
                scratch.removeAll()
                guard !place.isNull else {
                    scratch.withBytes { body($0, column, ShownCell(isNull: true, width: 0)) }
                    continue
                }
                if type == .blob || type == .cursor {
                    scratch.append("<\(place.count) B>")
                } else {
                    CellText.append(any: bytes, place, type, page, to: &scratch)
                }
                scratch.withBytes { body($0, column, shown($0)) }
            }
        }
    }

    private func shown(_ content: UnsafeRawBufferPointer) -> ShownCell {
        if content.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) {
            return ShownCell(isNull: false, width: content.count)
        }
        let escaped = rules.escape(String(decoding: content, as: UTF8.self), .max)
        return ShownCell(isNull: false, width: rules.columns(escaped), escaped: escaped)
    }

    private func append(heading: String, to text: inout TextBuffer) {
        text.append(rules.isColoured && !heading.isEmpty ? "\u{1B}[1m\(heading)\u{1B}[0m" : heading)
    }
}

/// The text of a cell as it is shown.
private struct ShownCell {
    let isNull: Bool
    var width: Int
    /// Nil if the text needs no escapes.
    var escaped: String?
}

extension TextBuffer {
    fileprivate mutating func append(spaces count: Int) {
        for _ in 0..<max(0, count) { append(UInt8(ascii: " ")) }
    }
}
