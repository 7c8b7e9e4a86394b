// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Platform
import SQLite

/// Compares the rows of two tables by their keys. Rows wait in a temporary file of SQLite, so memory is bounded.
///
/// Cells are compared as text in the form of `CSVWriter`, so that an Integer equals a LargeInt, and a String a
/// WideString. Numbers with decimals are compared without trailing zeros, Guids without regard to case. Columns that
/// only one table has are not compared. Text with a byte that has no character in the code page is compared by its bytes.
package final class TableDiff {
    /// One of the two tables.
    package enum Side: Int, Sendable, CaseIterable {
        case left
        case right
    }

    /// The numbers of rows.
    package struct Counts: Sendable, Hashable {
        /// Rows of the right table whose key the left one does not have.
        package var added = 0
        /// Rows of the left table whose key the right one does not have.
        package var removed = 0
        /// Rows of both tables with different cells.
        package var changed = 0
        /// Rows of both tables with equal cells.
        package var same = 0

        /// Whether the tables are equal.
        package var areEqual: Bool { added + removed + changed == 0 }
    }

    /// A row that is not the same in both tables. Cells are text in the form of `CSVWriter`, or nil for NULL.
    package enum Difference: Sendable, Hashable {
        /// The cells of all columns of the right table.
        case added(key: [String], cells: [String?])
        /// The cells of all columns of the left table.
        case removed(key: [String], cells: [String?])
        /// The cells that differ.
        case changed(key: [String], [CellChange])
    }

    /// A cell that is not the same in both tables.
    package struct CellChange: Sendable, Hashable {
        /// The name of the column in the left table.
        package let column: String
        /// The content in the left table; nil for NULL.
        package let old: String?
        /// The content in the right table; nil for NULL.
        package let new: String?

        /// Creates a change.
        package init(column: String, old: String?, new: String?) {
            self.column = column
            self.old = old
            self.new = new
        }
    }

    struct SideState {
        let layout: OutputColumns
        /// The columns of the key, as positions in the layout.
        let key: [Int]
        fileprivate var rowCount = 0

        fileprivate init(layout: OutputColumns, key: [Int]) {
            (self.layout, self.key) = (layout, key)
        }
    }

    private let keyNames: [String]?
    let options: FormatOptions
    private let database: SQLiteDatabase
    private(set) var states: [SideState?] = [nil, nil]

    /// Creates a comparison without rows.
    ///
    /// - Parameter key: the names of the columns that identify a row; nil for the primary key in the schema of each table.
    /// - Throws: `SQLiteError`.
    package init(key: [String]?, _ options: FormatOptions = FormatOptions()) throws {
        keyNames = key
        self.options = options
        database = try SQLiteDatabase(.memory, .create)
        // Only temporary tables are used. SQLite removes their file when the process ends, however it ends.
        try database.execute("PRAGMA temp_store = FILE; PRAGMA temp.cache_size = -16384; BEGIN")
    }

    /// Returns a consumer for one table. The two tables may be added one after the other or in turns.
    package func consumer(_ side: Side) -> some RowConsumer { TableDiffConsumer(diff: self, side: side) }

    /// The names of the columns that only this table has, after both were added.
    package func columnsOnly(in side: Side) -> [String] {
        guard let own = states[side.rawValue], let other = states[1 - side.rawValue] else { return [] }
        let names = Set(other.layout.columns.map { NameKey($0.name) })
        return own.layout.columns.map(\.name).filter { !names.contains(NameKey($0)) }
    }

    fileprivate func begin(_ side: Side, _ head: TableHead) throws {
        guard states[side.rawValue] == nil else { throw FormatError.severalTables }
        let layout = try OutputColumns(head, options.columns)
        let key = try layout.key(keyNames)
        guard !key.isEmpty else { throw TableDiffError.noKey(side) }
        let other = states[1 - side.rawValue]
        if let other {
            let wholes = other.key.map { Self.isWhole(other.layout, $0) }
            guard wholes == key.map({ Self.isWhole(layout, $0) }) else { throw TableDiffError.differentKeys }
            let names = other.key.map { NameKey(other.layout.columns[$0].name) }
            guard names == key.map({ NameKey(layout.columns[$0].name) }) else { throw TableDiffError.differentKeys }
        }
        states[side.rawValue] = SideState(layout: layout, key: key)
        let columns = zip(Self.keyColumns(key.count), key).map {
            "\($0) \(Self.isWhole(layout, $1) ? "INTEGER" : "TEXT") NOT NULL"
        }
        try database.execute(
            """
            CREATE TEMP TABLE \(side) (\(columns.joined(separator: ", ")), cells BLOB NOT NULL,
            PRIMARY KEY (\(Self.keyColumns(key.count).joined(separator: ", ")))) WITHOUT ROWID
            """
        )
    }

    private static func keyColumns(_ count: Int) -> [String] { (0..<count).map { "k\($0)" } }

    /// Whether a column of a key is stored as an integer, so that keys are in numeric order.
    private static func isWhole(_ layout: OutputColumns, _ column: Int) -> Bool {
        let type = layout.cells[column].type
        return type.isNumber && type != .float && type != .singleFloat && type != .decimal && type != .currency
            && type != .largeUInt
    }

    fileprivate func add(_ side: Side, _ rows: DataRows, _ indices: [Int]?) throws {
        guard var state = states[side.rawValue] else { throw FormatError.rowsWithoutTable }
        defer { states[side.rawValue] = state }
        let (layout, key) = (state.layout, state.key)
        let values = Array(repeating: "?", count: key.count + 1).joined(separator: ", ")
        var insert = try database.prepare("INSERT INTO \(side) VALUES (\(values))")
        var (cell, cells) = (TextBuffer(nil, capacity: 4 << 10), TextBuffer(nil, capacity: 4 << 10))
        defer {
            cell.deallocate()
            cells.deallocate()
        }
        try layout.forEach(rows, indices) { bytes, places in
            state.rowCount += 1
            for (index, column) in key.enumerated() {
                let (place, type) = (places[layout.cells[column].index], layout.cells[column].type)
                guard !place.isNull else {
                    throw TableDiffError.nullInKey(side, column: layout.columns[column].name, row: state.rowCount)
                }
                if Self.isWhole(layout, column) {
                    try insert.bind(CellText.integer(bytes, place, type), at: index)
                } else {
                    Self.format(bytes, place, type, layout.codePage, to: &cell)
                    Self.normalize(&cell, type)
                    if let text = Self.unreadable(bytes, place, type, layout.codePage, shownAs: cell) {
                        // Keys that are shown alike must not be equal.
                        cell.append("\0" + HexText.encode(text.bytes))
                    }
                    try cell.withBytes { try insert.bind(text: $0, at: index) }
                }
            }
            cells.removeAll()
            for column in layout.cells {
                let place = places[column.index]
                guard !place.isNull else {
                    StoredCell.appendNull(to: &cells)
                    continue
                }
                Self.format(bytes, place, column.type, layout.codePage, to: &cell)
                let text = Self.unreadable(bytes, place, column.type, layout.codePage, shownAs: cell)
                StoredCell.append(cell, text?.bytes ?? [], to: &cells)
            }
            try cells.withBytes { try insert.bind(blob: $0, at: key.count) }
            do {
                _ = try insert.step()
            } catch let error as SQLiteError where error.isConstraint {
                throw TableDiffError.duplicateKey(side, row: state.rowCount)
            }
        }
    }

    /// Replaces the content of a buffer by the text of a cell.
    private static func format(
        _ bytes: UnsafeRawBufferPointer,
        _ place: CellPlace,
        _ type: DataType,
        _ page: CodePage,
        to cell: inout TextBuffer
    ) {
        cell.removeAll()
        CellText.append(any: bytes, place, type, page, to: &cell)
    }

    /// The bytes of a cell with 8-bit text that has a byte without a character, or nil.
    private static func unreadable(
        _ bytes: UnsafeRawBufferPointer,
        _ place: CellPlace,
        _ type: DataType,
        _ page: CodePage,
        shownAs shown: TextBuffer
    ) -> UnreadableText? {
        // U+FFFD in UTF-8 begins with 0xEF. Most texts end here, without another copy.
        guard type.is8Bit, shown.withBytes({ $0.contains(0xEF) }) else { return nil }
        let cell = UnsafeRawBufferPointer(rebasing: bytes[place.start..<(place.start + place.count)])
        guard case .unreadable(let text) = page.value(cell) else { return nil }
        return text
    }

    /// Converts the text of a cell into the form in which it is compared.
    private static func normalize(_ cell: inout TextBuffer, _ type: DataType) {
        if type == .guid { cell.lowercase() }
        if type.isNumber { cell.dropTrailingZeros() }
    }

    /// Compares all rows, in the order of the keys: whole numbers by value, others as text by their bytes.
    ///
    /// - Parameter body: receives each difference.
    /// - Returns: the numbers of rows.
    /// - Throws: `rowsWithoutTable` unless both tables were added; `SQLiteError`; the error of `body`.
    package func compare(_ body: (Difference) throws -> Void = { _ in }) throws -> Counts {
        guard let left = states[0], let right = states[1] else { throw FormatError.rowsWithoutTable }
        let names = right.layout.columns.map { NameKey($0.name) }
        let pairs = left.layout.columns.enumerated().compactMap { index, column in
            names.firstIndex(of: NameKey(column.name)).map { (left: index, right: $0) }
        }
        let isSameOrder =
            pairs.count == names.count && pairs.count == left.layout.columns.count
            && pairs.allSatisfy { $0.left == $0.right }
        var counts = Counts()
        var scratch = TextBuffer(nil, capacity: 256)
        defer { scratch.deallocate() }
        func normal(_ cell: StoredCell?, _ type: DataType) -> [[UInt8]]? {
            guard let cell else { return nil }
            scratch.removeAll()
            scratch.append(cell.text)
            Self.normalize(&scratch, type)
            return [scratch.withBytes { Array($0) }, cell.unreadable]
        }
        func cellChanges(_ old: [StoredCell?], _ new: [StoredCell?]) -> [CellChange] {
            pairs.compactMap { pair in
                let oldCell = normal(old[pair.left], left.layout.cells[pair.left].type)
                let newCell = normal(new[pair.right], right.layout.cells[pair.right].type)
                // Text is compared by its bytes.
                guard oldCell != newCell else { return nil }
                let name = left.layout.columns[pair.left].name
                return CellChange(column: name, old: old[pair.left]?.text, new: new[pair.right]?.text)
            }
        }
        var rows = try database.prepare(Self.matching(left.key.count))
        while try rows.step() {
            switch (try rows.blob(0), try rows.blob(1)) {
            case (nil, nil): break
            case (let old?, nil):
                counts.removed += 1
                let cells = StoredCell.row(old).map(\.?.text)
                try body(.removed(key: Self.key(left, cells), cells: cells))
            case (nil, let new?):
                counts.added += 1
                let cells = StoredCell.row(new).map(\.?.text)
                try body(.added(key: Self.key(right, cells), cells: cells))
            case (let old?, let new?):
                let changes = isSameOrder && old == new ? [] : cellChanges(StoredCell.row(old), StoredCell.row(new))
                counts.same += changes.isEmpty ? 1 : 0
                counts.changed += changes.isEmpty ? 0 : 1
                guard !changes.isEmpty else { continue }
                try body(.changed(key: Self.key(left, StoredCell.row(old).map(\.?.text)), changes))
            }
        }
        return counts
    }

    /// The cells of both tables for each key, in the order of the keys.
    private static func matching(_ keyCount: Int) -> String {
        let key = keyColumns(keyCount).joined(separator: ", ")
        return """
            SELECT left.cells, right.cells, \(key) FROM left LEFT JOIN right USING (\(key))
            UNION ALL
            SELECT NULL, cells, \(key) FROM right WHERE NOT EXISTS (SELECT 1 FROM left WHERE (\(
                keyColumns(keyCount).map { "left.\($0) = right.\($0)" }.joined(separator: " AND ")
            )))
            ORDER BY \((3..<(keyCount + 3)).map(String.init).joined(separator: ", "))
            """
    }

    private static func key(_ state: SideState, _ cells: [String?]) -> [String] {
        state.key.map { cells[$0] ?? "" }
    }
}

/// The reason why tables cannot be compared.
package enum TableDiffError: Error, Hashable {
    /// The schema of a table has no primary key, and none was named.
    case noKey(TableDiff.Side)
    /// The keys have other columns, or a column is a whole number in one table only.
    case differentKeys
    /// A column of the key is NULL. The row is counted from 1.
    case nullInKey(TableDiff.Side, column: String, row: Int)
    /// Two rows of a table have the same key.
    case duplicateKey(TableDiff.Side, row: Int)
}

private struct TableDiffConsumer: RowConsumer {
    let diff: TableDiff
    let side: TableDiff.Side

    func begin(_ table: TableHead) throws { try diff.begin(side, table) }

    func add(_ rows: DataRows, _ indices: [Int]?) throws { try diff.add(side, rows, indices) }

    func finish() {}
}

/// A cell of a row that waits: two counts of eight bytes, the text, and the bytes of unreadable text.
private struct StoredCell {
    /// In the form of `CSVWriter`.
    let text: String
    /// The bytes of the server if one has no character; empty otherwise.
    let unreadable: [UInt8]

    static func appendNull(to row: inout TextBuffer) {
        withUnsafeBytes(of: Int64(-1).littleEndian) { row.append($0) }
    }

    static func append(_ text: borrowing TextBuffer, _ unreadable: [UInt8], to row: inout TextBuffer) {
        withUnsafeBytes(of: Int64(text.count).littleEndian) { row.append($0) }
        withUnsafeBytes(of: Int64(unreadable.count).littleEndian) { row.append($0) }
        text.withBytes { row.append($0) }
        unreadable.withUnsafeBytes { row.append($0) }
    }

    static func row(_ bytes: [UInt8]) -> [StoredCell?] {
        bytes.withUnsafeBytes { bytes in
            var cells: [StoredCell?] = []
            var position = 0
            func count() -> Int {
                defer { position += 8 }
                return Int(Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int64.self)))
            }
            func take(_ count: Int) -> Slice<UnsafeRawBufferPointer> {
                defer { position += count }
                return bytes[position..<(position + count)]
            }
            while position < bytes.count {
                let textCount = count()
                guard textCount >= 0 else {
                    cells.append(nil)
                    continue
                }
                let unreadableCount = count()
                let text = String(decoding: take(textCount), as: UTF8.self)
                cells.append(StoredCell(text: text, unreadable: Array(take(unreadableCount))))
            }
            return cells
        }
    }
}
