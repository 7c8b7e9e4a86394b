// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Platform

/// Differences as JSON, with values in the forms of `JSONRowWriter`.
extension TableDiff {
    /// Returns an object with the members `in` (`first`, `second` or `both`) and `key`, and with `row` for a row that one
    /// table has, or `fields` for the cells that differ, each with `name`, `first` and `second`.
    ///
    /// - Precondition: both tables were added.
    package func json(_ difference: Difference) -> [UInt8] {
        var text = TextBuffer(nil, capacity: 1 << 10)
        defer { text.deallocate() }
        switch difference {
        case .removed(let key, let cells): append("first", .left, key, cells, to: &text)
        case .added(let key, let cells): append("second", .right, key, cells, to: &text)
        case .changed(let key, let changes):
            append("both", .left, key, nil, to: &text)
            text.append(",\"fields\":[" as StaticString)
            for (index, change) in changes.enumerated() {
                text.append(index == 0 ? "{\"name\":" : ",{\"name\":" as StaticString)
                JSONValues(options).append(string: change.column, to: &text)
                text.append(",\"first\":" as StaticString)
                append(change.old, type(of: change.column, .left), to: &text)
                text.append(",\"second\":" as StaticString)
                append(change.new, type(of: change.column, .right), to: &text)
                text.append(UInt8(ascii: "}"))
            }
            text.append(UInt8(ascii: "]"))
        }
        text.append(UInt8(ascii: "}"))
        return text.withBytes { Array($0) }
    }

    private func append(
        _ place: StaticString,
        _ side: Side,
        _ key: [String],
        _ row: [String?]?,
        to text: inout TextBuffer
    ) {
        guard let state = states[side.rawValue] else { return }
        text.append("{\"in\":\"" as StaticString)
        text.append(place)
        text.append("\",\"key\":{" as StaticString)
        append(zip(state.key, key).map { ($0, $1) }, state.layout, to: &text)
        text.append(UInt8(ascii: "}"))
        guard let row else { return }
        text.append(",\"row\":{" as StaticString)
        append(row.enumerated().map { ($0, $1) }, state.layout, to: &text)
        text.append(UInt8(ascii: "}"))
    }

    /// Appends members, each for a column and its cell.
    private func append(_ cells: [(column: Int, text: String?)], _ layout: OutputColumns, to text: inout TextBuffer) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            JSONValues(options).append(string: layout.columns[cell.column].name, to: &text)
            text.append(UInt8(ascii: ":"))
            append(cell.text, layout.cells[cell.column].type, to: &text)
        }
    }

    private func append(_ cell: String?, _ type: DataType, to text: inout TextBuffer) {
        guard let cell else { return text.append("null" as StaticString) }
        // The text of a number is one of JSON, except NaN and infinity.
        let isNumber = type.isNumber && Double(cell)?.isFinite == true
        let isPlain = isNumber && !(type.exceedsDouble && options.numbersAsText) || type == .boolean
        if isPlain { text.append(cell) } else { JSONValues(options).append(string: cell, to: &text) }
    }

    private func type(of column: String, _ side: Side) -> DataType {
        let columns = states[side.rawValue]?.layout.columns ?? []
        return columns.first { NameMatch.isSimilar($0.name, column) }?.type ?? .unknown
    }
}
