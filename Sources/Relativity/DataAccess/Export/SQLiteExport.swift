// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import Glibc
import JSON
import Platform
import SQLite

/// Exports tables to an SQLite file, which appears under its name when it is complete. A database that exists keeps its
/// other tables.
///
/// Columns, primary keys and NOT NULL are those of the schema. Whole numbers and Booleans are INTEGER, Float is REAL,
/// text, Guid and DateTime (in the form of `CSVWriter`) are TEXT, blobs are BLOB. A Currency, a Decimal or a LargeUInt
/// is a REAL and, exactly, text in a second column `NAME_exact`. Calls block the thread.
package final class SQLiteExport: RowConsumer {
    /// The relation to a file that exists.
    package enum Kind: Sendable, Hashable {
        /// A new file.
        case new(replacesExisting: Bool)
        /// A new file in pages, which are kept if the export is interrupted, in a file `NAME.part`. `continues` says
        /// whether those of an earlier export are kept.
        case resumable(replacesExisting: Bool, continues: Bool = true)
        /// A new file without a name, which `write(to:)` copies. The path is the directory that it is in meanwhile.
        case unnamed
        /// A copy of the existing file, if there is one, in which rows are added and replaced by their keys.
        case update
    }

    /// The part of a table that a resumed export has already.
    package struct Progress: Sendable, Hashable {
        /// The values of the primary key of the last row, in the form of `CSVWriter`.
        package let lastKey: [String]
        /// The number of rows.
        package let rowCount: Int
        /// Whether the table is complete.
        package let isDone: Bool
    }

    private static let signature = Array("SQLite format 3\0".utf8)
    static let stateTable = "relativity_export"
    /// The state of the destination when a resumable file began as its copy.
    private static let sourceTable = "relativity_export_source"

    private static let stateTables = """
        CREATE TABLE IF NOT EXISTS \(stateTable)
        (name TEXT PRIMARY KEY, last_key TEXT NOT NULL, row_count INTEGER NOT NULL, done INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS \(sourceTable) (state TEXT NOT NULL)
        """

    private let kind: Kind
    private let options: FormatOptions
    private let database: SQLiteDatabase
    private var part: PartFile
    private let blobs: BlobFolder?
    private let destination: String
    /// The state of the destination of which the file began as a copy; nil if it did not.
    private var source: String?
    /// The tables of this run, in lower case.
    private var written: Set<NameKey> = []
    private var table: ExportedTable?
    private var rowCount = 0
    private var lastKey: [String] = []
    /// The number of rows of all tables that were added in this run.
    package private(set) var addedRows = 0

    /// Creates the file.
    ///
    /// - Parameters:
    ///   - path: the destination, a regular file if it exists; a symbolic link is followed. For `unnamed` a directory.
    ///   - blobFolder: a folder for the blobs; nil to store them in the tables.
    ///   - tables: names of tables that will be exported. A database that has no others is not copied first.
    /// - Throws: `ExportError`, `SQLiteError`.
    package init(
        to path: String,
        _ kind: Kind,
        _ options: FormatOptions = FormatOptions(),
        blobFolder: String? = nil,
        tables: [String] = []
    ) throws {
        self.kind = kind
        self.options = options
        if case .new(false) = kind, access(path, F_OK) == 0 { throw ExportError.exists(path: path) }
        if case .resumable(false, _) = kind, access(path, F_OK) == 0 { throw ExportError.exists(path: path) }
        destination = try kind == .unnamed ? path : PartFile.resolved(path)
        let others: [String]
        if kind == .unnamed {
            others = []
            part = try PartFile(in: path)
        } else {
            guard !PartFile.hasLog(destination) else { throw ExportError.busy(path: path) }
            others = try kind.isNew ? [] : Self.tables(of: destination, besides: tables)
            part = try PartFile(for: destination, isResumable: kind.isResumable, continues: kind.continues)
        }
        blobs = try blobFolder.map { try BlobFolder($0) }
        let isContinued = kind.isResumable && !part.isEmpty
        let present = others.isEmpty ? nil : PartFile.state(of: destination)
        if kind == .update ? access(path, F_OK) == 0 : !isContinued && present != nil {
            source = PartFile.state(of: destination)
            let existing = try SQLiteDatabase(.file(path), .readOnly)
            try existing.run("VACUUM INTO ?", [.text(part.path)])
        }
        database = try SQLiteDatabase(.file(part.path), .create)
        try database.execute("PRAGMA cache_size = -16384")
        switch kind {
        // An interrupted file is discarded, so its journal is only for statements that fail.
        case .new, .unnamed: try database.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
        case .update: try database.execute("PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF")
        case .resumable:
            try database.execute("PRAGMA journal_mode = DELETE; PRAGMA synchronous = NORMAL;" + Self.stateTables)
            if let source { try database.run("INSERT INTO \(Self.sourceTable) VALUES (?)", [.text(source)]) }
            source = try database.rows("SELECT state FROM \(Self.sourceTable)") { try $0.text(0) }.first ?? nil
            guard !isContinued || source == present else { throw ExportError.changed(path: path) }
        }
        try database.execute("BEGIN IMMEDIATE")
        // The journal is in memory, so that no file is opened by this name again.
        if kind == .unnamed { part.removeName() }
    }

    /// Returns the part of a table that is in a resumed file; nil if there is none.
    package func progress(of name: String) throws -> Progress? {
        guard kind.isResumable else { return nil }
        let sql = "SELECT last_key, row_count, done FROM \(Self.stateTable) WHERE name = ?"
        return try database.rows(sql, [.text(name)]) { row in
            let key = try JSONValue(parsing: Array((try row.text(0) ?? "").utf8)).arrayValue ?? []
            return Progress(
                lastKey: key.compactMap(\.stringValue),
                rowCount: Int(try row.integer(1) ?? 0),
                isDone: try row.integer(2) == 1
            )
        }.first
    }

    /// Returns the greatest value of a column of a table in the file that is updated.
    ///
    /// - Returns: an integer, a number or a text, as it is stored, or the exact text of a number; nil if there is no such
    ///   table or column, and if all values are NULL.
    package func greatestValue(of column: String, in table: String) throws -> DataValue? {
        let names = try columnNames(of: table)
        // The name of an unknown column in quotation marks would be a text.
        guard let index = NameMatch(column, in: names).index else { return nil }
        let name = names[index]
        let (quoted, quotedTable) = (ExportedTable.quote(name), ExportedTable.quote(table))
        if let exact = names.dropFirst(index + 1).first, exact.hasPrefix(name + "_exact") {
            let sql = """
                SELECT DISTINCT \(ExportedTable.quote(exact)) FROM \(quotedTable)
                WHERE \(quoted) = (SELECT max(\(quoted)) FROM \(quotedTable))
                """
            let texts = try database.rows(sql) { try $0.text(0) }.compactMap(\.self)
            return texts.max(by: Self.isSmaller).map { .text($0) }
        }
        let sql = "SELECT max(\(quoted)) FROM \(quotedTable)"
        return try database.rows(sql) { row -> DataValue? in
            switch try row.value(0) {
            case .integer(let value): return .integer(value)
            case .real(let value): return .float(value)
            case .text(let value): return .text(value)
            case .null, .blob: return nil
            }
        }.first ?? nil
    }

    /// Compares exact numbers, whose nearest Doubles are equal.
    private static func isSmaller(_ left: String, _ right: String) -> Bool {
        func parts(_ text: String) -> (whole: String, fraction: String) {
            let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
            let fraction = parts.count > 1 ? String(parts[1]) : ""
            return (String(parts[0]), fraction)
        }
        let (one, other) = left.hasPrefix("-") ? (parts(right), parts(left)) : (parts(left), parts(right))
        if one.whole.utf8.count != other.whole.utf8.count { return one.whole.utf8.count < other.whole.utf8.count }
        // A fraction that is the beginning of the other one is not greater.
        return (one.whole, one.fraction) < (other.whole, other.fraction)
    }

    /// The tables and views of a database that are not among others; none if there is no file, or an empty one.
    ///
    /// - Throws: `notDatabase`, `system`, `SQLiteError`.
    private static func tables(of path: String, besides others: [String]) throws -> [String] {
        // What is no regular file cannot be replaced.
        guard FileKind(of: path) == .regular else { return [] }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw ExportError.system(call: "open", path: path, errno: errno) }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: signature.count)
        let count = read(descriptor, &head, head.count)
        if count == 0 { return [] }
        guard count == head.count, head == signature else { throw ExportError.notDatabase(path: path) }
        let others = Set(others.map { NameKey($0) })
        return try tables(of: SQLiteDatabase(.file(path), .readOnly)).filter { !others.contains(NameKey($0)) }
    }

    private static func tables(of database: borrowing SQLiteDatabase) throws -> [String] {
        let sql =
            "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        return try database.rows(sql) { try $0.text(0) ?? "" }
    }

    private func columnNames(of table: String) throws -> [String] {
        try database.rows("SELECT name FROM pragma_table_info(?)", [.text(table)]) { try $0.text(0) ?? "" }
    }

    /// Starts a table, or continues one that a resumed or updated file contains.
    ///
    /// - Throws: `tableExists`, `otherColumns`, `noKey`, `noColumn`, `SQLiteError`.
    package func begin(_ head: TableHead) throws {
        try endTable()
        let table = ExportedTable(head, try OutputColumns(head, options.columns), hasPaths: blobs != nil)
        var existing = try columnNames(of: table.name)
        let isFirst = written.insert(NameKey(table.name)).inserted
        if kind == .update, table.key.isEmpty { throw ExportError.noKey(table: table.name) }
        let progress = try progress(of: table.name)
        if kind != .update, isFirst, progress == nil, !existing.isEmpty {
            try database.execute("DROP TABLE \(ExportedTable.quote(table.name))")
            existing = []
        }
        if existing.isEmpty {
            try database.execute(table.creation)
        } else {
            guard kind == .update || progress?.isDone == false else { throw ExportError.tableExists(table.name) }
            guard existing == table.columns.map(\.name) else { throw ExportError.otherColumns(table: table.name) }
        }
        self.table = table
        rowCount = progress?.rowCount ?? 0
        lastKey = progress?.lastKey ?? []
        try saveProgress(isDone: false)
    }

    /// Makes the rows so far part of what a resumed export keeps. Without effect for other kinds.
    package func endPage() throws {
        guard kind.isResumable else { return }
        try saveProgress(isDone: false)
        try database.execute("COMMIT; BEGIN IMMEDIATE")
    }

    /// Marks the last table as complete.
    private func endTable() throws {
        guard table != nil else { return }
        try saveProgress(isDone: true)
        table = nil
        if kind.isResumable { try database.execute("COMMIT; BEGIN IMMEDIATE") }
    }

    private func saveProgress(isDone: Bool) throws {
        guard kind.isResumable, let table else { return }
        let key = JSONValue.array(lastKey.map { .string($0) }).serialized()
        try database.run(
            "INSERT OR REPLACE INTO \(Self.stateTable) VALUES (?, ?, ?, ?)",
            [
                .text(table.name), .text(String(decoding: key, as: UTF8.self)), .integer(Int64(rowCount)),
                .integer(isDone ? 1 : 0),
            ]
        )
    }

    /// Inserts rows.
    ///
    /// - Throws: `rowsWithoutTable`, `nullInKey`, `SQLiteError`; among them a violated constraint of the
    ///   schema. Then the export cannot be continued.
    package func add(_ rows: DataRows, _ indices: [Int]?) throws {
        guard let table else { throw FormatError.rowsWithoutTable }
        var insert = try database.prepare(table.insertion(replaces: kind == .update))
        // Local, because each access to a property of a class is checked.
        var scratch = TextBuffer(nil, capacity: 4 << 10)
        defer { scratch.deallocate() }
        try table.layout.forEach(rows, indices) { bytes, places in
            rowCount += 1
            for index in table.key
            where table.columns[index].content != .real && places[table.columns[index].cell.index].isNull {
                // SQLite would generate a value.
                throw ExportError.nullInKey(table: table.name, column: table.columns[index].name, row: rowCount)
            }
            for (index, column) in table.columns.enumerated() {
                let place = places[column.cell.index]
                if place.isNull {
                    try insert.bindNull(at: index)
                } else {
                    try bind(bytes, place, column, at: index, table, places, &scratch, &insert)
                }
            }
            _ = try insert.step()
            addedRows += 1
            if kind.isResumable { lastKey = keyTexts(bytes, places, table, &scratch) }
        }
    }

    private func bind(
        _ bytes: UnsafeRawBufferPointer,
        _ place: CellPlace,
        _ column: ExportedTable.Column,
        at index: Int,
        _ table: ExportedTable,
        _ places: UnsafeMutableBufferPointer<CellPlace>,
        _ scratch: inout TextBuffer,
        _ insert: inout SQLiteStatement
    ) throws {
        let type = column.cell.type
        switch column.content {
        case .integer: try insert.bind(CellText.integer(bytes, place, type), at: index)
        // SQLite stores NaN as NULL.
        case .real, .number: try insert.bind(CellText.number(bytes, place, type, &scratch), at: index)
        case .text, .exact:
            scratch.removeAll()
            CellText.append(any: bytes, place, type, table.layout.codePage, to: &scratch)
            try scratch.withBytes { try insert.bind(text: $0, at: index) }
        case .blob: try insert.bind(blob: CellText.content(bytes, place), at: index)
        case .path:
            let path = try blobs?.write(
                CellText.content(bytes, place),
                table: table.name,
                key: keyTexts(bytes, places, table, &scratch),
                row: rowCount,
                column: column.name
            )
            try Array((path ?? "").utf8).withUnsafeBytes { try insert.bind(text: $0, at: index) }
        }
    }

    private func keyTexts(
        _ bytes: UnsafeRawBufferPointer,
        _ places: UnsafeMutableBufferPointer<CellPlace>,
        _ table: ExportedTable,
        _ scratch: inout TextBuffer
    ) -> [String] {
        table.key.map { index in
            let cell = table.columns[index].cell
            let place = places[cell.index]
            guard !place.isNull else { return "" }
            scratch.removeAll()
            CellText.append(any: bytes, place, cell.type, table.layout.codePage, to: &scratch)
            return scratch.withBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Completes the file and gives it its name.
    ///
    /// - Throws: `exists` if the file was created meanwhile; `otherTable` if it got another table meanwhile; `busy` if the
    ///   database of which this is a copy was changed meanwhile; `changed` in both cases for an export in pages; `system`,
    ///   `SQLiteError`.
    package func finish() throws {
        try endTable()
        try database.execute("COMMIT")
        blobs?.synchronize()
        guard kind != .unnamed else { return }
        let others = try kind.isNew ? [] : Self.tables(of: destination, besides: Self.tables(of: database))
        let isChanged = source.map { $0 != PartFile.state(of: destination) } ?? false
        if kind.isResumable, isChanged || !others.isEmpty { throw ExportError.changed(path: destination) }
        if let table = others.first { throw ExportError.otherTable(path: destination, table: table) }
        if isChanged { throw ExportError.busy(path: destination) }
        if kind.isResumable {
            try database.execute("BEGIN; DROP TABLE \(Self.stateTable); DROP TABLE \(Self.sourceTable); COMMIT")
        }
        do {
            try part.commit(replacing: kind.replacesExisting)
        } catch {
            // Without these tables the file would be no interrupted export.
            if kind.isResumable { try? database.execute(Self.stateTables) }
            throw error
        }
    }

    /// Writes the complete file to a descriptor.
    ///
    /// - Throws: `FormatError.outputClosed`, `.output`; `ExportError.system`.
    package func write(to output: Int32) throws {
        let code = try part.write(to: output)
        guard code == 0 else { throw code == EPIPE ? FormatError.outputClosed : .output(errno: code) }
    }
}

extension SQLiteExport.Kind {
    fileprivate var isResumable: Bool {
        if case .resumable = self { true } else { false }
    }

    /// Whether the file must not exist.
    fileprivate var isNew: Bool { !replacesExisting }

    fileprivate var continues: Bool {
        if case .resumable(_, let continues) = self { continues } else { false }
    }

    fileprivate var replacesExisting: Bool {
        switch self {
        case .new(let replaces), .resumable(let replaces, _): replaces
        case .update: true
        case .unnamed: false
        }
    }
}
