// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import NIOCore
import Screens

/// The visible part of a level: the rows and columns that fit. Only these rows are touched.
struct Grid {
    /// A cell as it is shown.
    struct Cell {
        let text: Printable
        let width: Int
        let isNull: Bool

        init(_ value: DataValue, _ type: DataType) {
            (text, isNull) = (Printable(Self.text(of: value, type), columns: Grid.widest), value.isNull)
            width = Printable.width(of: text.description)
        }

        private static func text(of value: DataValue, _ type: DataType) -> String {
            switch value {
            case .null: "NULL"
            case .bytes(let bytes): "\(bytes.readableBytes) bytes"
            // The rest of a long text is not looked at.
            case .text(let text) where text.utf8.count > Grid.longest:
                String(text.unicodeScalars.prefix(Grid.longest))
            default: value.text(as: type) ?? ""
            }
        }
    }

    /// A column of the table.
    struct Column {
        /// The index of the field.
        let index: Int
        /// The first column of the screen.
        let place: Int
        let width: Int
        let heading: Printable
        let isNumber: Bool
        let cells: [Cell]
    }

    /// The screen columns of the cursor and of the marks of a row, with a space.
    static let markColumns = 4
    private static let gap = 2
    private static let widest = 40
    private static let longest = 200

    let rows: [EditableRow]
    private(set) var columns: [Column] = []

    /// - Parameters:
    ///   - rows: the number of rows that fit.
    ///   - width: the columns of the screen.
    init(_ level: RowsLevel, rows: Int, width: Int) {
        self.rows = level.view.rows(in: level.firstRow..<(level.firstRow + max(0, rows)))
        var place = Self.markColumns
        let keys = Self.fixed(level, before: level.firstColumn, self.rows, columns: width)
        for index in keys + level.fields.indices.dropFirst(level.firstColumn) where place < width {
            let column = Self.column(index, of: level, self.rows, at: place, space: width - place)
            columns.append(column)
            place += column.width + Self.gap
        }
    }

    /// Returns the first column of the screen with which the cursor's column is shown, and as few others as possible move.
    static func firstColumn(of level: RowsLevel, rows: Int, columns: Int) -> Int {
        guard level.column > 0, level.column < level.fields.count else { return 0 }
        let visible = level.view.rows(in: level.firstRow..<(level.firstRow + rows))
        func least(_ space: Int) -> Int { leastColumn(of: level, visible, space: space, columns: columns) }
        let space = columns - markColumns
        guard least(space) > 0 else { return 0 }
        // The fields of the key stay at the left, where they take space from the others.
        let keys = fixed(level, before: level.column, visible, columns: columns)
        let width = keys.reduce(0) {
            $0 + column($1, of: level, visible, at: 0, space: columns - markColumns).width + gap
        }
        return min(max(level.firstColumn, least(space - width)), level.column)
    }

    /// The fields of the key before a column, which stay at the left while the others scroll, as far as they take at most
    /// half of the screen.
    private static func fixed(_ level: RowsLevel, before first: Int, _ rows: [EditableRow], columns: Int) -> [Int] {
        var space = columns / 2 - markColumns
        return level.fields.indices.prefix(first).filter { level.fields[$0].isInPrimaryKey }.prefix { index in
            space -= column(index, of: level, rows, at: 0, space: columns - markColumns).width + gap
            return space >= 0
        }
    }

    /// The first column with which the cursor's one fits.
    private static func leastColumn(of level: RowsLevel, _ visible: [EditableRow], space: Int, columns: Int) -> Int {
        var space = space
        var least = level.column
        for index in stride(from: level.column, through: 0, by: -1) {
            space -= column(index, of: level, visible, at: 0, space: columns - markColumns).width
            guard space >= 0 else { break }
            least = index
            space -= gap
        }
        return least
    }

    private static func column(
        _ index: Int,
        of level: RowsLevel,
        _ rows: [EditableRow],
        at place: Int,
        space: Int
    ) -> Column {
        let field = level.fields[index]
        let name = Printable(field.name, columns: widest)
        let heading = Printable(again: "\(name)\(mark(of: field, level.view.order))")
        let cells = rows.map { Cell($0[index], field.type) }
        let width = cells.reduce(Printable.width(of: heading.description)) { max($0, $1.width) }
        return Column(
            index: index,
            place: place,
            width: min(max(width, 1), space),
            heading: heading,
            isNumber: field.type.isNumber,
            cells: cells
        )
    }

    /// The mark of a field of the order: ` ^` or ` v`, with its place if there are several.
    private static func mark(of field: EditableField, _ order: [FieldOrder]) -> String {
        guard let place = order.firstIndex(where: { $0.field == field.name }) else { return "" }
        return (order[place].isDescending ? " v" : " ^") + (order.count > 1 ? "\(place + 1)" : "")
    }

    /// The index of the field at a column of the screen.
    func field(at place: Int) -> Int? { columns.last { $0.place <= place }?.index }
}

extension Grid {
    /// Draws the headings, and a line for each row that fits.
    ///
    /// - Parameters:
    ///   - level: the level of this grid.
    ///   - hasDetails: whether a row has details.
    func lines(
        _ level: RowsLevel,
        _ size: ScreenSize,
        isFocused: Bool,
        colors: ColorRules?,
        hasDetails: (EditableRow) -> Bool
    ) -> [ScreenLine] {
        let headings = ScreenLine(size) { line in
            for column in columns {
                let isHere = isFocused && column.index == level.column
                let width = Printable.width(of: column.heading.description)
                let shift = column.isNumber ? max(0, column.width - width) : 0
                let style = ScreenStyle(isBold: true, isReverse: isHere)
                line.put(column.heading, at: column.place + shift, width: column.width - shift, style)
            }
        }
        return [headings]
            + rows.indices.map { index in
                let isSelected = level.firstRow + index == level.view.selectedIndex
                let row = rows[index]
                var style = ScreenStyle(isBold: row.state == .inserted || row.state == .updated)
                style.isFaint = row.state == .removed
                if let colors { style = colors.style(style, of: row.values) }
                return ScreenLine(size) { line in
                    if isSelected { line.put(">", at: 0, .title) }
                    line.put(row.failure == nil ? row.state.mark : "!", at: 1, row.failure == nil ? .title : .bad)
                    if hasDetails(row) { line.put("▸", at: 2) }
                    for column in columns {
                        let isCursor = isSelected && isFocused && column.index == level.column
                        put(column, index, on: &line, style, isCursor: isCursor)
                    }
                }
            }
    }

    private func put(_ column: Column, _ row: Int, on line: inout ScreenLine, _ style: ScreenStyle, isCursor: Bool) {
        let cell = column.cells[row]
        let shift = column.isNumber ? max(0, column.width - cell.width) : 0
        var style = style
        style.isReverse = isCursor
        if cell.isNull { style.isFaint = true }
        if isCursor || style.background != nil {
            line.put(String(repeating: " ", count: column.width), at: column.place, width: column.width, style)
        }
        line.put(cell.text, at: column.place + shift, width: column.width - shift, style)
    }
}

extension RowState {
    /// The mark of a row or a change in a list; empty for none.
    var mark: String {
        switch self {
        case .unchanged: ""
        case .inserted: "+"
        case .updated: "*"
        case .removed: "-"
        }
    }
}
