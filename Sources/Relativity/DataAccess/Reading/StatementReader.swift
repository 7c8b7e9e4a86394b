// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import Platform
import SQLite

/// A table of some server under a name of its own in a statement.
package struct StatementTable: Sendable {
    /// The name in the statement.
    package let name: String
    /// The server.
    package let reader: TableReader
    /// The name at the server.
    package let table: String

    /// Creates a table.
    package init(_ name: String, _ reader: TableReader, table: String) {
        self.name = name
        self.reader = reader
        self.table = table
    }
}

/// The reason why a statement cannot run here. Names and texts are untrusted.
package enum StatementError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The statement is no query. Only queries run here.
    case notAQuery
    /// A parameter has no value. The name has its prefix.
    case noParameter(String)
    /// The statement did not end in this time. It was interrupted.
    case late(seconds: Int)
    /// A date is not in the form of the local database, and it is not known whether it is compared with a DateTime.
    case unclearDate(String, form: String)
    /// The same of a function or a word that makes a date.
    case unclearTime(String)
    /// A number or a text that is no date is compared with a DateTime.
    case noDate(String)
    /// A number in the statement has more than 15 digits, and may be compared with Currency or Decimal.
    case tooManyDigits(String)
    /// A sum of this field of Currency or Decimal, or another calculation with it, may have more than 15 digits.
    case inexactSum(field: String)
    /// It is not known here how many decimals a part of a calculation with Currency or Decimal has.
    case unclearDecimals(String)
    /// A result has more than 64 bits, or one of Currency and Decimal more than 15 digits.
    case overflow
    /// A time that is no certain one is compared by order.
    case orderedTime(String)
    /// A table has two times of a day that are not certain, whose order is not known here.
    case unordered(table: String, field: String, value: String)
    /// A Currency, Decimal or LargeUInt of a table cannot be compared exactly here.
    case inexact(table: String, field: String, value: String)
    /// SQLite refused the statement, or failed.
    case sqlite(reason: String)
    /// The text of a cell that the statement reads is not known.
    case unreadable(UnreadableCell)
    /// The server refused the statement, which has a LIMIT of so many rows.
    case limit(rows: Int)

    package var description: String {
        switch self {
        case .notAQuery: "only queries run here: SELECT, VALUES or WITH"
        case .noParameter(let name): "the parameter \(name) has no value"
        case .late(let seconds): "the statement did not end within \(seconds) s"
        case .unclearDate(let date, let form):
            "it is not known here whether \(date) is compared with a DateTime: write '\(form)' if it is"
        case .unclearTime(let text):
            "it is not known here whether \(text) is compared with a DateTime: "
                + "write strftime('%Y-%m-%dT%H:%M:%S', \(text)) if it is"
        case .noDate(let text):
            "\(text) is no date, and is compared with a DateTime: write a date as '2011-04-10T00:00:00'"
        case .tooManyDigits(let number): "\(number) has more than the 15 digits that are compared exactly here"
        case .inexactSum(let field):
            "calculations with \(field) may need more than the 15 digits that are exact here: "
                + "CAST(\(field) AS REAL) calculates in 64-bit floats"
        case .unclearDecimals(let text):
            "it is not known here how many decimals \(text) has: CAST(FIELD AS REAL) calculates in 64-bit floats"
        case .overflow:
            "a result has more than 64 bits, or more than the 15 digits that are exact here for Currency and Decimal: "
                + "CAST(FIELD AS REAL) calculates in 64-bit floats"
        case .orderedTime(let text): "\(text) is no certain time: compare it by =, <> or IN"
        case .unordered(let table, let field, let value):
            "\(field) of \(table) has the value \(value) and another one of that day, whose order is not known here"
        case .inexact(let table, let field, let value):
            "\(field) of \(table) has the value \(value), more than the 15 digits that are compared exactly here"
        case .sqlite(let reason): reason
        case .unreadable(let cell): "\(cell)"
        case .limit(let rows): "DA SQL has no LIMIT: use SELECT TOP \(rows)"
        }
    }
}

/// The record of a statement.
package struct StatementRecord: Hashable, Sendable {
    /// The reason why the statement ran here; nil if the server evaluated it.
    package let note: ReadNote?
    /// The tables that were read for a statement that ran here.
    package internal(set) var tables: [ReadRecord] = []
    /// The number of rows of the result.
    package internal(set) var rows = 0
}

extension TableReader {
    /// Evaluates a statement in DA SQL at the server, or in SQLite on the tables that it names if the server takes no
    /// DA SQL. The consumer is not finished.
    ///
    /// - Throws: also `StatementError` for a statement that runs here, and for one with LIMIT that the server refuses.
    package func run(
        statement: String,
        parameters: [DataParameter] = [],
        limit: Int? = nil,
        into consumer: inout some RowConsumer
    ) async throws -> StatementRecord {
        var reason: ReadReason = options.isLocal ? .isLocal : .lacks(.daSQL)
        if !options.isLocal, !features.lacks(.daSQL) {
            try await checkText(of: statement, parameters)
            let request = TableRequest(
                "Result",
                .sql(statement),
                rowLimit: limit.flatMap { Int32(exactly: $0) },
                parameters: parameters
            )
            do {
                let reply = try await adapter.data([request], limits: limits)
                var run = ReadRun(ReadPlan(sending: request, limit: limit), reply, self)
                let record = try await run.read(into: &consumer)
                return StatementRecord(note: nil, tables: [record], rows: record.rowsKept)
            } catch let error as DataAdapterError where error.isRefusal {
                // The statement may be wrong. Then the words of the server are better.
                guard !features.has(.daSQL), try await !takesStatements(like: statement) else {
                    if let rows = StatementNames.limit(in: statement) { throw StatementError.limit(rows: rows) }
                    throw error
                }
                reason = .refused
            }
        }
        let note = ReadNote(table: "", step: .sql, reason: reason)
        if options.serverOnly { throw ReadError.notOnServer(note) }
        return try await StatementReader(statement, [], others: self, note: note)
            .run(parameters, limit: limit, into: &consumer)
    }

    /// - Throws: `textForServer` if the server would compare text beyond ASCII with 8-bit text while a code page is set. A
    ///   statement whose tables are not known counts as one with such fields.
    private func checkText(of statement: String, _ parameters: [DataParameter]) async throws {
        guard let page = adapter.codePage, !page.isAssumed else { return }
        let isWide = parameters.contains { parameter in
            if case .text(let text) = parameter.value { text.utf8.contains { $0 >= 0x80 } } else { false }
        }
        guard isWide || StatementNames.hasTextBeyondASCII(statement) else { return }
        var areKnown = false
        for name in StatementNames.tables(in: statement) {
            do {
                let columns = try await head(of: name).columns
                guard !columns.contains(where: \.isInChosenCodePage) else {
                    throw ReadError.textForServer(.sql, codePage: page.name)
                }
                areKnown = true
            } catch let error as DataAdapterError where error.isRefusal {
                throw ReadError.textForServer(.sql, codePage: page.name)
            }
        }
        guard areKnown else { throw ReadError.textForServer(.sql, codePage: page.name) }
    }

    /// Whether the server takes DA SQL: one field of the first table that the statement names.
    private func takesStatements(like statement: String) async throws -> Bool {
        for name in StatementNames.tables(in: statement) {
            do {
                guard let field = try await head(of: name).columns.first?.name else { continue }
                let sql = "SELECT \(FeatureProbe.quoted(field)) FROM \(FeatureProbe.quoted(name))"
                do {
                    _ = try await adapter.data([TableRequest(name, .sql(sql), rowLimit: 0)])
                    return true
                } catch let error as DataAdapterError where error.isRefusal {
                    return false
                }
            } catch let error as DataAdapterError where error.isRefusal {
                continue
            }
        }
        // Without a table that can be read, the statement cannot run here either.
        return true
    }
}

/// Runs a statement in SQLite on tables of one or more servers.
package struct StatementReader: Sendable {
    private let statement: String
    private let top: Int?
    private let named: [StatementTable]
    private let others: TableReader?
    private let note: ReadNote?

    /// - Parameters:
    ///   - tables: the tables by their names in the statement.
    ///   - others: the server of all other names; nil if there is none.
    ///   - note: returned in the record.
    package init(_ statement: String, _ tables: [StatementTable], others: TableReader? = nil, note: ReadNote? = nil) {
        (self.statement, top) = StatementNames.withoutTop(statement)
        named = tables
        self.others = others
        self.note = note
    }

    /// Reads the columns that the statement uses, and runs it. The consumer is not finished.
    ///
    /// - Throws: `StatementError`; `ReadError.tooManyRows` for a table beyond `ReadOptions.maximumRows`; the errors of
    ///   `TableReader`, such as `GrowthError`.
    package func run(
        _ parameters: [DataParameter] = [],
        limit: Int? = nil,
        into consumer: inout some RowConsumer
    ) async throws -> StatementRecord {
        do {
            return try await result(parameters, [limit, top].compactMap(\.self).min(), &consumer)
        } catch let error as SQLiteError {
            // It may be the consequence of a cancellation.
            try Task.checkCancellation()
            throw StatementError.sqlite(reason: "\(error)")
        }
    }

    private func result(
        _ parameters: [DataParameter],
        _ limit: Int?,
        _ consumer: inout some RowConsumer
    ) async throws -> StatementRecord {
        // SQLite would say first that a table does not exist, because only the tables of a query are found.
        guard StatementNames.isQuery(statement) else { throw StatementError.notAQuery }
        guard let reader = named.first?.reader ?? others else { throw ReadError.missingTable("") }
        let database = try LocalDatabase(
            in: reader.temporaryDirectory,
            LocalDatabase.Bounds(
                memory: reader.sortMemory,
                row: reader.limits.row,
                temporary: reader.options.temporaryBytes,
                time: reader.options.statementTime
            )
        )
        var columns: [NameKey: [DataColumn]] = [:]
        var keys: [NameKey: [String]] = [:]
        var sources: [StatementTable] = []
        for name in StatementNames.tables(in: statement) {
            guard let (source, head) = try await source(of: name) else { continue }
            try database.create(source.name, head.columns)
            columns[NameKey(source.name)] = head.columns
            keys[NameKey(source.name)] = head.keyColumns.map(\.column.name)
            sources.append(source)
        }
        let used = try database.reads(statement, Array(columns.keys))
        var record = StatementRecord(note: note)
        for source in sources {
            guard let names = used.first(where: { NameMatch.isSimilar($0.key, source.name) })?.value else {
                continue
            }
            let all = columns[NameKey(source.name)] ?? []
            var fields = all.filter { column in names.contains { NameMatch.isSimilar($0, column.name) } }
            if fields.contains(where: \.isInChosenCodePage) {
                // An error of a text that is not known names the row.
                let key = keys[NameKey(source.name)] ?? []
                fields = all.filter { column in fields.contains(column) || key.contains(column.name) }
            }
            var query = TableQuery(source.table)
            if fields.count < all.count { query.fields = (fields.isEmpty ? Array(all.prefix(1)) : fields).map(\.name) }
            var loader = TableLoader(database, source.name, limit: source.reader.options.maximumRows)
            record.tables.append(try await source.reader.read(query, columns: all, into: &loader))
        }
        let values = Dictionary(parameters.map { (NameKey($0.name), $0.value) }) { $1 }
        record.rows = try await database.run(
            statement,
            tables: columns,
            parameters: values,
            limit: limit,
            into: &consumer
        )
        return record
    }

    /// Returns the table with this name; nil if the server has none.
    private func source(of name: String) async throws -> (StatementTable, TableHead)? {
        if let table = named.first(where: { NameMatch.isSimilar($0.name, name) }) {
            return (table, try await table.reader.head(of: table.table))
        }
        guard let others else { return nil }
        do {
            return (StatementTable(name, others, table: name), try await others.head(of: name))
        } catch let error as DataAdapterError where error.isRefusal {
            return nil
        }
    }
}

/// Writes rows into a table of a local database.
private struct TableLoader: RowConsumer {
    private let database: LocalDatabase
    private let name: String
    private let limit: Int
    private var head: TableHead?
    private var count = 0

    init(_ database: LocalDatabase, _ name: String, limit: Int) {
        self.database = database
        self.name = name
        self.limit = limit
    }

    mutating func begin(_ table: TableHead) throws {
        guard table.rowCount <= limit else { throw ReadError.tooManyRows(table: table.name, limit: limit) }
        head = table
    }

    mutating func add(_ rows: DataRows, _ indices: [Int]?) throws {
        guard let head else { return }
        count += indices?.count ?? rows.count
        guard count <= limit else { throw ReadError.tooManyRows(table: head.name, limit: limit) }
        try database.insert(rows, indices, into: name, head)
    }

    mutating func finish() {}
}
