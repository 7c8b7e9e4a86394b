// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Screens

/// An open table: a view of its rows with a cursor on a cell.
struct RowsLevel: Sendable {
    var view: TableViewModel
    /// The reference to the rows of the level before; nil for the first level.
    let reference: KeyReference?
    /// The condition of the rows that belong to the selected row of the level before.
    private(set) var link: Expression?
    /// The text that is searched.
    private(set) var search = ""
    /// The condition of the user.
    private(set) var predicate: Expression?
    /// The column of the cursor.
    var column = 0
    /// The first column that is shown.
    var firstColumn = 0
    /// The first row that is shown.
    var firstRow = 0

    init(_ view: TableViewModel, _ reference: KeyReference? = nil) {
        self.view = view
        self.reference = reference
    }

    var name: String { view.table.name }
    var fields: [EditableField] { view.table.fields }

    /// The field of the cursor.
    var field: EditableField? { fields.indices.contains(column) ? fields[column] : nil }

    /// Whether a condition of the user hides rows.
    var isFiltered: Bool { !search.isEmpty || predicate != nil }

    /// The condition of the user; nil for all rows.
    var userFilter: Expression? {
        let parts = [predicate, search.isEmpty ? nil : SearchText.predicate(search, fields)].compactMap { $0 }
        return parts.count > 1 ? .and(parts) : parts.first
    }

    /// Sets the conditions.
    ///
    /// - Throws: `unknownField`, `ambiguousField`, `mismatch`. Nothing changes then.
    mutating func filter(link: Expression?, search: String, predicate: Expression?) throws(PredicateError) {
        var level = self
        (level.link, level.search, level.predicate) = (link, search, predicate)
        let parts = [link, level.userFilter].compactMap { $0 }
        try level.view.filter(by: parts.count > 1 ? .and(parts) : parts.first)
        self = level
    }

    mutating func filter(search: String) throws(PredicateError) {
        try filter(link: link, search: search, predicate: predicate)
    }

    mutating func filter(predicate: Expression?) throws(PredicateError) {
        try filter(link: link, search: search, predicate: predicate)
    }

    mutating func filter(link: Expression?) throws(PredicateError) {
        try filter(link: link, search: search, predicate: predicate)
    }

    /// Sorts by the field of the cursor: ascending, descending, not at all.
    ///
    /// - Parameter isAdded: whether the other fields stay in the order.
    mutating func sort(isAdded: Bool) {
        guard let name = field?.name else { return }
        var order = view.order
        let place = order.firstIndex { $0.field == name }
        let next = FieldOrder(name, isDescending: true)
        switch (place, isAdded) {
        case (nil, true): order.append(FieldOrder(name))
        case (nil, false): order = [FieldOrder(name)]
        case (let place?, true) where order[place].isDescending: order.remove(at: place)
        case (let place?, true): order[place] = next
        case (let place?, false): order = order[place].isDescending ? [] : [next]
        }
        // The field exists; a name that several fields share ignoring case is found exactly.
        try? view.sort(by: order)
    }

    mutating func move(rows: Int) { if let index = view.selectedIndex { view.select(index + rows) } }

    mutating func move(columns: Int) { column = min(max(column + columns, 0), max(fields.count - 1, 0)) }

    /// Moves the visible part so that the cursor is in it.
    mutating func scroll(rows: Int, columns: Int) {
        let rows = max(1, rows)
        let index = view.selectedIndex ?? 0
        firstRow = min(firstRow, max(0, view.count - rows))
        firstRow = max(min(firstRow, index), index - rows + 1, 0)
        column = min(column, max(fields.count - 1, 0))
        firstColumn = Grid.firstColumn(of: self, rows: rows, columns: columns)
    }
}

/// Makes a condition of a text that is searched in all fields.
enum SearchText {
    /// Returns the condition that a text field contains the text, ignoring case, that a number is the one typed, or that
    /// a date is in the year, month or day typed.
    static func predicate(_ text: String, _ fields: [EditableField]) -> Expression {
        let number = DataDecimal(text)
        let dates = range(text)
        return .or(
            fields.compactMap { field -> Expression? in
                switch field.type {
                case _ where field.type.isText:
                    return .comparison(field.name, .contains, .value(.text(text)), .ignoresCase)
                case _ where field.type.isNumber:
                    return number.map { .comparison(field.name, .equal, .value(.number($0))) }
                case .boolean:
                    let value = ["true": true, "false": false][text.lowercased()]
                    return value.map { .comparison(field.name, .equal, .value(.boolean($0))) }
                case .dateTime:
                    guard let (start, end) = dates else { return nil }
                    return .and([
                        .comparison(field.name, .greaterOrEqual, .value(.date(start))),
                        .comparison(field.name, .less, .value(.date(end))),
                    ])
                default: return nil
                }
            }
        )
    }

    /// Returns the beginning and the end of a year, a month or a day.
    private static func range(_ text: String) -> (PredicateDate, PredicateDate)? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == parts.count, parts[0].utf8.count == 4,
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
        else { return nil }
        func first(_ year: Int, _ month: Int) -> PredicateDate? {
            PredicateDate("\(year)-\(month < 10 ? "0" : "")\(month)-01")
        }
        switch numbers.count {
        case 1: return pair(first(numbers[0], 1), first(numbers[0] + 1, 1))
        case 2:
            let (year, month) = numbers[1] == 12 ? (numbers[0] + 1, 1) : (numbers[0], numbers[1] + 1)
            return pair(first(numbers[0], numbers[1]), first(year, month))
        case 3:
            let day = PredicateDate(text)
            return pair(day, day?.moved(seconds: 86_400))
        default: return nil
        }
    }

    private static func pair(_ start: PredicateDate?, _ end: PredicateDate?) -> (PredicateDate, PredicateDate)? {
        if let start, let end { (start, end) } else { nil }
    }
}
