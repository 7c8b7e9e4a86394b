// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import Glibc
import NIOCore
package import Platform
import SQLite

/// A temporary SQLite database with tables of servers. Calls block.
///
/// Currency and Decimal become binary numbers of 64 bits, so that a statement can calculate with them. They have at most
/// 15 digits, so that such numbers compare as the exact ones do. Dates become the text that all formats have.
package final class LocalDatabase {
    /// The bounds of the statements.
    package struct Bounds {
        /// The bytes of tables in memory, and of rows that are sorted there.
        var memory = 32 << 20
        /// The maximum bytes of a row of a result, as encoded.
        var row = TableLimits.streaming.row
        /// The maximum bytes of the file, and of those for sorts and intermediate results, together.
        var temporary = 1 << 30
        /// The maximum time of a statement.
        var time = Duration.seconds(60)

        /// The maximum bytes of a text or a blob. In UTF-8 a text of a server has at most one and a half times its bytes.
        var value: Int { 2 * row }
        /// The maximum bytes of SQLite's memory: pages, several sorts, and the values of a row that are being made.
        var all: Int { 4 * (memory + row) }
    }

    private let database: SQLiteDatabase
    private let budget: SQLiteBudget
    private let bounds: Bounds
    /// The decimals of each column of Currency and Decimal, by the names of table and column.
    private var amounts: [[NameKey]: AmountDecimals] = [:]
    /// The times that are not certain, by the day of their text.
    private var uncertainTimes: [String: PredicateDate] = [:]

    /// Creates a database with the usual bounds.
    ///
    /// - Parameter directory: of the file, which has no name and disappears with the process.
    package convenience init(in directory: String) throws { try self.init(in: directory, Bounds()) }

    /// - Parameter directory: of the file, which has no name and disappears with the process.
    init(in directory: String, _ bounds: Bounds) throws {
        // SQLite would create a file that others can open, in the moment before it has no name.
        let (descriptor, path) = try TemporaryFiles.named(in: directory)
        close(descriptor)
        defer { unlink(path) }
        self.bounds = bounds
        budget = SQLiteBudget(memory: bounds.all, files: bounds.temporary, time: bounds.time)
        database = try SQLiteDatabase(.file(path), .readWrite, budget: budget)
        // The journal is the only other file that is opened by name. After the first statement this one needs none.
        try database.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;")
        try database.execute("PRAGMA cache_size = -\(bounds.memory >> 10); CREATE TABLE t (x); DROP TABLE t;")
        // As DA SQL does at most servers, and predicates here.
        try database.execute("PRAGMA case_sensitive_like = ON")
        database.limitValues(toBytes: bounds.value)
        database.forbidAttaching()
    }

    /// The bound that an error of SQLite comes from; the error if it comes from none.
    private func translated(_ error: SQLiteError) -> any Error {
        switch budget.reached {
        case .memory: GrowthError.memory(limit: bounds.all)
        case .files: GrowthError.temporary(limit: bounds.temporary)
        case .time: StatementError.late(seconds: Int(bounds.time / .seconds(1)))
        case nil where error.isTooBig: GrowthError.value(limit: bounds.value)
        // The words of SQLite, which has no code for it.
        case nil where error.message == "integer overflow": StatementError.overflow
        case nil: error
        }
    }

    /// Calls SQLite, and names the bound that it has reached.
    private func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            // A statement that was interrupted has no other error.
            try Task.checkCancellation()
            throw translated(error)
        }
    }

    /// Creates an empty table.
    package func create(_ table: String, _ columns: [DataColumn]) throws {
        let list = columns.map { "\(FeatureProbe.quoted($0.name)) \($0.type.affinity)" }.joined(separator: ", ")
        try database.execute("CREATE TABLE \(FeatureProbe.quoted(table)) (\(list))")
    }

    /// Returns the columns that a query reads, by table in the spelling of `create`.
    func reads(_ sql: String, _ tables: [NameKey]) throws -> [String: Set<String>] {
        var reads = SQLiteReads(tables)
        _ = try query(sql, &reads)
        return reads.columns
    }

    /// - Throws: `StatementError.notAQuery` if the statement could do more than return rows.
    private func query(_ sql: String, _ reads: inout SQLiteReads) throws -> SQLiteStatement {
        guard StatementNames.isQuery(sql) else { throw StatementError.notAQuery }
        let statement = try database.prepare(query: sql, &reads)
        // An authorizer is never asked about VACUUM and REINDEX.
        guard statement.isReadOnly, statement.columnCount > 0 else { throw StatementError.notAQuery }
        return statement
    }

    /// Inserts rows.
    ///
    /// - Parameters:
    ///   - indices: of the rows; nil for all.
    ///   - head: that of the rows.
    /// - Throws: `StatementError.inexact`, `.unordered`, `.unreadable` for a text that is not known; `GrowthError`;
    ///   `SQLiteError`.
    package func insert(_ rows: DataRows, _ indices: [Int]?, into table: String, _ head: TableHead) throws {
        let columns = head.columns
        let names = columns.map { FeatureProbe.quoted($0.name) }.joined(separator: ", ")
        let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        var decimals = columns.map { amounts[Self.key(NameKey(table), $0.name)] }
        try translating {
            try database.transaction { database in
                var statement = try database.prepare(
                    "INSERT INTO \(FeatureProbe.quoted(table)) (\(names)) VALUES (\(marks))"
                )
                for index in indices ?? Array(rows.indices) {
                    let row = rows[index]
                    var values: [SQLiteValue] = []
                    values.reserveCapacity(columns.count)
                    // Access to a single cell of a row skips all cells before it.
                    for (column, value) in row.values.enumerated() {
                        if case .unreadable(let text) = value { throw head.error(text, column, row, index) }
                        if case .dateTime(let days) = value, !keepsOrder(days) {
                            let text = value.text(as: .dateTime) ?? ""
                            throw StatementError.unordered(table: table, field: columns[column].name, value: text)
                        }
                        guard let stored = SQLiteValue(value, &decimals[column]) else {
                            let text = value.text(as: columns[column].type) ?? ""
                            throw StatementError.inexact(table: table, field: columns[column].name, value: text)
                        }
                        values.append(stored)
                    }
                    try statement.bind(values)
                    _ = try statement.step()
                }
            }
        }
        for (column, decimals) in zip(columns, decimals) { amounts[Self.key(NameKey(table), column.name)] = decimals }
    }

    /// Whether the text of a time has the same order as the time. Of two times of a day that are not certain, the order of
    /// the texts is not that of the numbers.
    private func keepsOrder(_ days: Double) -> Bool {
        let time = PredicateDate(days: days)
        guard !days.isNaN, !time.isCertain else { return true }
        let day = String(time.description.prefix(10))
        return uncertainTimes.updateValue(time, forKey: day).map { $0 == time } ?? true
    }

    /// The key of a column in `amounts`.
    private static func key(_ table: NameKey, _ column: String) -> [NameKey] {
        [table, NameKey(column)]
    }

    /// The rows of a result. Statements cannot name it: it exists only while one runs.
    private static let resultTable = "relativityd result"

    /// Runs a query once. Its rows are kept until the types of its columns are known, because they depend on all
    /// values, and a second run could have other ones.
    ///
    /// - Parameters:
    ///   - tables: the columns of each table, by name.
    ///   - parameters: the values of `:name`, `@name` and `$name`, by name.
    ///   - limit: the number of rows after which the query ends; nil for all.
    /// - Returns: the number of rows.
    /// - Throws: `StatementError`; `SQLiteError`; the errors of the consumer.
    package func run(
        _ sql: String,
        tables: [NameKey: [DataColumn]],
        parameters: [NameKey: DataValue],
        limit: Int? = nil,
        into consumer: inout some RowConsumer
    ) async throws -> Int {
        var reads = SQLiteReads(tables.keys)
        let local = LocalStatement(sql, tables: tables, parameters: parameters)
        let result = FeatureProbe.quoted(Self.resultTable)
        let count = try query(sql, &reads).columnCount
        let names = (0..<count).map { "c\($0)" }
        // An earlier result is left if its consumer failed.
        try database.execute(
            "DROP TABLE IF EXISTS \(result); CREATE TABLE \(result) (\(names.joined(separator: ", ")))"
        )
        defer { try? database.execute("DROP TABLE \(result)") }
        var columns: [ResultColumn] = []
        let rowCount = try translating {
            try database.transaction { _ in
                try keep(sql, local, tables, parameters, limit ?? .max, in: result, &columns)
            }
        }
        // The rows of a table have one code page.
        let pages = Set(columns.filter(\.is8Bit).map(\.codePage))
        if pages.count > 1 { for index in columns.indices { columns[index].widen() } }
        let types = columns.map { DataColumn($0.name, $0.type, codePage: $0.is8Bit ? $0.codePage : nil) }
        try await consumer.begin(TableHead(name: "Result", columns: types, rowCount: rowCount))
        var builder = DataRowsBuilder(types)
        var rows = try database.prepare("SELECT * FROM \(result) ORDER BY rowid")
        while try translating({ try rows.step() }) {
            let start = builder.byteCount
            try builder.append(try columns.indices.map { columns[$0].value(try rows.value($0)) })
            guard builder.byteCount - start <= bounds.row else { throw GrowthError.row(limit: bounds.row) }
            if builder.byteCount >= TableLimits.batch { try await consumer.add(builder.take(), nil) }
        }
        if builder.count > 0 { try await consumer.add(builder.take(), nil) }
        return rowCount
    }

    /// Copies the rows of a query to a table.
    ///
    /// - Parameter local: the query for this database; the names of the columns are those of `sql`.
    /// - Returns: the number of rows.
    private func keep(
        _ sql: String,
        _ local: LocalStatement,
        _ tables: [NameKey: [DataColumn]],
        _ parameters: [NameKey: DataValue],
        _ limit: Int,
        in result: String,
        _ columns: inout [ResultColumn]
    ) throws -> Int {
        var reads = SQLiteReads(tables.keys)
        let named = try query(sql, &reads)
        var rewriter = StatementRewriter(local) { [amounts] in amounts[Self.key($0, $1)] }
        var statement = try query(try rewriter.text(), &reads)
        let values = try (0..<statement.parameterCount).map { index in
            let name = statement.parameterName(index) ?? "?"
            guard let value = parameters[NameKey(name.dropFirst())] else { throw StatementError.noParameter(name) }
            var decimals: AmountDecimals?
            guard let stored = SQLiteValue(value, &decimals) else {
                throw StatementError.tooManyDigits(value.text(as: .unknown) ?? "")
            }
            return stored
        }
        try statement.bind(values)
        let sources = local.sources(columns: named.columnCount) { amounts[Self.key($0, $1)] }
        columns = (0..<named.columnCount).map { index in
            let name = named.columnName(index) ?? ""
            guard let origin = named.origin(index) else {
                let source = sources[index].map { DataColumn(name, $0.type) }
                return ResultColumn(name, source, sources[index]?.amounts)
            }
            let field = tables[NameKey(origin.table)]?.first { $0.name == origin.column }
            return ResultColumn(name, field, amounts[Self.key(NameKey(origin.table), origin.column)])
        }
        let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        var insert = try database.prepare("INSERT INTO \(result) VALUES (\(marks))")
        var count = 0
        // The consumer has its own time afterwards: it may wait for its reader.
        budget.deadline = .now + bounds.time
        defer { budget.deadline = nil }
        while count < limit, try statement.step() {
            count += 1
            if count % 1024 == 0 { try Task.checkCancellation() }
            let size = try columns.indices.reduce(0) { $0 + (try statement.cell($1).byteCount) }
            guard size <= bounds.value else { throw GrowthError.value(limit: bounds.value) }
            let row = try columns.indices.map { try statement.value($0) }
            for index in columns.indices { columns[index].add(row[index]) }
            try insert.bind(row)
            _ = try insert.step()
        }
        return count
    }
}

/// A column of a result. SQLite has no types of columns, so the values decide.
private struct ResultColumn {
    let name: String
    /// The type of the field that the values come from, as long as they fit.
    private var source: DataType?
    private var other: DataType?
    /// The code page of the field.
    let codePage: CodePage?
    private let amounts: AmountDecimals?

    init(_ name: String, _ source: DataColumn?, _ amounts: AmountDecimals?) {
        self.name = name
        self.source = source?.type
        codePage = source?.codePage
        self.amounts = amounts
    }

    var type: DataType { source ?? other ?? .wideString }
    var is8Bit: Bool { source?.is8Bit == true }

    /// Makes 8-bit text wide.
    mutating func widen() { if is8Bit { source = nil } }

    mutating func add(_ value: SQLiteValue) {
        let found: DataType
        switch value {
        case .null: return
        case .integer: found = .largeInt
        case .real: found = .float
        case .text: found = .wideString
        case .blob: found = .blob
        }
        if let source, value.value(as: source, codePage, amounts) == nil { self.source = nil }
        switch (other, found) {
        case (nil, _): other = found
        case (.largeInt?, .float), (.float?, .largeInt): other = .float
        case (let known?, let found) where known != found: other = .wideString
        default: break
        }
    }

    func value(_ value: SQLiteValue) -> DataValue { value.value(as: type, codePage, amounts) ?? .null }
}

extension TableHead {
    fileprivate func error(_ text: UnreadableText, _ column: Int, _ row: DataRow, _ index: Int) -> StatementError {
        let key = keyColumns
        let name =
            key.isEmpty ? .number(index + 1) : UnreadableCell.Row(key.map(\.column), key.map { row[$0.index] })
        return .unreadable(UnreadableCell(name, field: columns[column].name, text))
    }
}

extension SQLiteValue {
    /// Nil for a LargeUInt that no integer of SQLite is, and for Currency and Decimal of more than 15 digits.
    ///
    /// - Parameter decimals: those of the column so far.
    fileprivate init?(_ value: DataValue, _ decimals: inout AmountDecimals?) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .unsigned(let number):
            guard let number = Int64(exactly: number) else { return nil }
            self = .integer(number)
        case .float(let number): self = number.isNaN ? .null : .real(number)
        case .dateTime(let days): self = days.isNaN ? .null : .text(PredicateDate(days: days).description)
        case .boolean(let flag): self = .integer(flag ? 1 : 0)
        case .text(let text): self = .text(text)
        case .unreadable(let text): self = .text(text.text)
        case .bytes(let bytes): self = .blob(Array(bytes.readableBytesView))
        case .currency(let scaled):
            guard let number = Self.amount(scaled.magnitude, scale: 4, &decimals) else { return nil }
            self = .real(scaled < 0 ? -number : number)
        case .decimal(let decimal):
            guard let number = Self.amount(decimal.magnitude, scale: decimal.scale, &decimals) else { return nil }
            self = .real(decimal.isNegative ? -number : number)
        }
    }

    private static func amount(
        _ magnitude: some FixedWidthInteger & UnsignedInteger,
        scale: Int,
        _ decimals: inout AmountDecimals?
    ) -> Double? {
        if decimals == nil { decimals = AmountDecimals(scale) }
        return decimals?.add(magnitude, scale: scale) ?? nil
    }

    /// Returns the value of a column; nil if the type cannot hold it.
    fileprivate func value(as type: DataType, _ codePage: CodePage?, _ amounts: AmountDecimals?) -> DataValue? {
        switch (self, type) {
        case (.null, _): return .null
        case (.integer(let number), .boolean): return number == 0 || number == 1 ? .boolean(number == 1) : nil
        case (.integer(let number), .float): return .float(Double(number))
        case (.integer(let number), .largeUInt): return UInt64(exactly: number).map { .unsigned($0) }
        case (.real(let number), .float), (.real(let number), .singleFloat): return .float(number)
        case (.real(let number), .currency):
            return Int64(exactly: (number * 10_000).rounded()).map { .currency(scaled: $0) }
        case (.real(let number), .decimal): return amounts?.decimal(number).map { .decimal($0) }
        case (.text(let text), .dateTime):
            return PredicateDate(text).map { .dateTime(days: $0.days) }
        case (.text(let text), .wideString), (.text(let text), .wideMemo), (.text(let text), .fixedWideChar),
            (.text(let text), .xml):
            return .text(text)
        case (.text(let text), .string), (.text(let text), .memo), (.text(let text), .fixedChar):
            return (try? (codePage ?? .latin1).bytes(text)) == nil ? nil : .text(text)
        case (.text(let text), .guid):
            return text.utf8.count == 36 && text.utf8.allSatisfy { $0 < 0x80 } ? .text(text) : nil
        case (.blob(let bytes), .blob), (.blob(let bytes), .cursor): return .bytes(.init(bytes: bytes))
        case (.integer(let number), .wideString): return .text("\(number)")
        case (.real(let number), .wideString): return .text("\(number)")
        case (.blob(let bytes), .wideString): return .text(String(decoding: bytes, as: UTF8.self))
        case (.integer(let number), _):
            return type.wholeNumbers?.contains(Int128(number)) == true ? .integer(number) : nil
        default: return nil
        }
    }
}

extension DataType {
    /// The declared type of a column in SQLite.
    fileprivate var affinity: String {
        switch self {
        case _ where isWholeNumber || self == .boolean: "INTEGER"
        case .float, .singleFloat, .currency, .decimal: "REAL"
        case .blob, .cursor, .unknown: "BLOB"
        default: "TEXT"
        }
    }
}
