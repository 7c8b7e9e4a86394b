// SPDX-License-Identifier: Apache-2.0

internal import DataAbstract
internal import DataAccess
internal import Platform
internal import Remoting
internal import SQLite
internal import SampleServer
internal import TestSupport

/// Random queries to the sample server, and to SQLite in SQL that the test writes.
package enum QueryRuns {
    /// The number of queries for each file of random rows.
    private static let batch = 100

    /// Asks both and compares the rows. Two queries of three are DA SQL, the others are requests of version 5.
    ///
    /// - Returns: a line of text.
    /// - Throws: `RunFailure` for the first query with other rows, or with an error.
    package static func queries(_ count: Int) async throws -> String {
        let folder = TemporaryDirectory()
        var (rowCount, hereCount, refusedCount) = (0, 0, 0)
        for start in stride(from: 0, to: count, by: batch) {
            let path = folder.path(of: "\(start).sqlite")
            var numbers = SeededRandom(seed: UInt64(start))
            try OracleSchema.create(path, &numbers)
            let oracle = try SQLiteDatabase(.file(path), .readOnly)
            var servers: [ServerCollation: LocalDataCalls] = [:]
            for collation in ServerCollation.allCases {
                servers[collation] = try LocalDataCalls(OracleSchema.schema, database: path, collation: collation)
            }
            let local = try local(in: folder, servers[.binary])
            for seed in start..<min(start + batch, count) {
                var numbers = SeededRandom(seed: UInt64(seed) &* 7_919)
                let query = try seed % 3 == 0 ? OracleQuery.dynamic(&numbers) : OracleQuery.statement(&numbers)
                guard let server = servers[query.collation] else { continue }
                do {
                    let table = try read(query, server)
                    rowCount += try compare(query, table, oracle)
                    if query.isStatement, query.collation == .binary {
                        do {
                            hereCount += try await compare(query, table, local)
                        } catch let error as SQLiteError where error.message.contains("syntax error") {
                            // SQLite has more keywords.
                            refusedCount += 1
                        } catch is StatementError {
                            refusedCount += 1
                        }
                    }
                } catch {
                    throw RunFailure(
                        "seed \(seed), \(query.collation): \(error)\n\(query.text)\n\(query.parameters)\n\(query.sql)"
                    )
                }
            }
        }
        return
            "\(count) queries had the same \(rowCount) rows as SQLite, and \(hereCount) rows in statements that ran here, except \(refusedCount)"
    }

    /// Sends queries with random damage. The server refuses them, or makes SQL that SQLite can parse.
    ///
    /// - Returns: a line of text.
    /// - Throws: `RunFailure` for the first query whose SQL is invalid.
    package static func damaged(_ count: Int) throws -> String {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "damaged.sqlite")
        var numbers = SeededRandom(seed: 1)
        try OracleSchema.create(path, &numbers)
        let server = try LocalDataCalls(OracleSchema.schema, database: path, collation: .binary)
        let pieces = ["'", "\"", "[", "]", "(", ")", ",", ".", "--", ":p0", " AND ", " NOT ", " AS ", "*", "\u{301}"]
        var accepted = 0
        for seed in 0..<count {
            var numbers = SeededRandom(seed: UInt64(seed))
            var text = Array(OracleQuery.statement(&numbers).text)
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                let start = Int.random(in: text.indices, using: &numbers)
                let end = min(text.count, start + Int.random(in: 0...4, using: &numbers))
                let piece = pieces.randomElement(using: &numbers) ?? ""
                text.replaceSubrange(start..<end, with: Bool.random(using: &numbers) ? Array(piece) : [])
                if text.isEmpty { text = [" "] }
            }
            do {
                _ = try server.getData(["any"], [OracleQuery.request(String(text))])
                accepted += 1
            } catch let error as SQLiteError {
                let hints = ["syntax error", "unrecognized token", "incomplete", "no such", "not authorized"]
                guard !hints.contains(where: { error.message.contains($0) }) else {
                    throw RunFailure("seed \(seed): \(error)\n\(String(text))")
                }
            } catch {
                continue
            }
        }
        return "\(accepted) of \(count) damaged queries were accepted"
    }

    private static func read(_ query: OracleQuery.Pair, _ server: LocalDataCalls) throws -> DataTable {
        guard let bytes = try server.getData([query.table], [query.request]),
            let table = try TableStream(decoding: bytes).tables.first
        else { throw RunFailure("no table") }
        return table
    }

    private static func compare(
        _ query: OracleQuery.Pair,
        _ table: DataTable,
        _ oracle: borrowing SQLiteDatabase
    ) throws -> Int {
        let expected = try oracle.rows(query.sql) { row in
            try (0..<row.columnCount).map { text(of: try row.value($0)) }
        }
        guard table.columns.map(\.name) == query.names else { throw RunFailure("columns \(table.columns)") }
        return try count(
            table.rows.map { row in row.map { text(of: $0) } },
            expected,
            query,
            evaluated: "by the server"
        )
    }

    /// The number of rows.
    ///
    /// - Throws: `RunFailure` unless they are the expected ones, in the same order if the query has one.
    private static func count(
        _ rows: [[String]],
        _ expected: [[String]],
        _ query: OracleQuery.Pair,
        evaluated place: String
    ) throws -> Int {
        var (rows, expected) = (rows, expected)
        if !query.isOrdered {
            expected.sort { $0.lexicographicallyPrecedes($1) }
            rows.sort { $0.lexicographicallyPrecedes($1) }
        }
        guard rows == expected else {
            let pair = zip(rows, expected).first { $0 != $1 }
            throw RunFailure(
                "\(place): \(rows.count) rows for \(expected.count): \(pair?.0 ?? []) instead of \(pair?.1 ?? [])"
            )
        }
        return rows.count
    }

    // MARK: Statements that run here

    /// A database with the rows of all tables.
    private static func local(
        in folder: TemporaryDirectory,
        _ server: LocalDataCalls?
    ) throws -> (LocalDatabase, [NameKey: [DataColumn]]) {
        let database = try LocalDatabase(in: folder.path)
        var columns: [NameKey: [DataColumn]] = [:]
        for table in OracleSchema.tables {
            let names = table.fields.map { OracleSchema.quoted($0.name) }.joined(separator: ", ")
            let request = OracleQuery.request("SELECT \(names) FROM \(table.name)")
            guard let bytes = try server?.getData([table.name], [request]),
                let rows = try TableStream(decoding: bytes).tables.first
            else { throw RunFailure("no table") }
            try database.create(table.name, rows.columns)
            try database.insert(rows.rows, nil, into: table.name, rows.head)
            columns[NameKey(table.name)] = rows.columns
        }
        return (database, columns)
    }

    private static func compare(
        _ query: OracleQuery.Pair,
        _ expected: DataTable,
        _ local: (database: LocalDatabase, tables: [NameKey: [DataColumn]])
    ) async throws -> Int {
        var collected = CollectedTable()
        let values = query.parameters.enumerated().map { (NameKey("p\($0)"), value(of: $1)) }
        _ = try await local.database.run(
            query.text,
            tables: local.tables,
            parameters: Dictionary(uniqueKeysWithValues: values),
            into: &collected
        )
        return try count(collected.rows, expected.rows.map { $0.map(comparable) }, query, evaluated: "here")
    }

    private static func value(of parameter: RemotingVariant) -> DataValue {
        switch parameter {
        case .int32(let value): .integer(Int64(value))
        case .double(let value): .float(value)
        case .currency(let value): .currency(scaled: value.scaled)
        case .decimal(let value): DataDecimal(value.description).map { .decimal($0) } ?? .null
        case .boolean(let flag): .boolean(flag)
        case .dateTime(let time): .dateTime(days: time.days)
        case .string(let text): .text(text)
        default: .null
        }
    }

    private struct CollectedTable: RowConsumer {
        private(set) var rows: [[String]] = []

        func begin(_ table: TableHead) {}

        mutating func add(_ batch: DataRows, _ indices: [Int]?) {
            for index in indices ?? Array(batch.indices) { rows.append(batch[index].map(comparable)) }
        }

        func finish() {}
    }

    /// A value as text, in which numbers of all types are equal if they are equal.
    private static func comparable(_ value: DataValue) -> String {
        let number: Double
        switch value {
        case .null: return "null"
        case .integer(let value): number = Double(value)
        case .float(let value): number = value
        case .currency(let scaled): number = Double(scaled) / 10_000
        case .decimal(let decimal): number = Double(decimal.description) ?? .nan
        case .boolean(let flag): number = flag ? 1 : 0
        case .text(let text): return "'" + text
        default: return value.text(as: .unknown) ?? ""
        }
        // An average is rounded in other places.
        return "\((number * 1e6).rounded() / 1e6)"
    }

    private static func text(of value: SQLiteValue) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): "\(Double(number))"
        case .real(let number): "\(number)"
        case .text(let text): "'" + text
        case .blob: "blob"
        }
    }

    private static func text(of value: DataValue) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): "\(Double(number))"
        case .float(let number), .dateTime(let number): "\(number)"
        case .currency(let scaled): "\(Double(scaled))"
        case .decimal(let decimal): "\(Double(decimal.description) ?? .nan)"
        case .boolean(let flag): flag ? "1.0" : "0.0"
        case .text(let text): "'" + text
        default: "\(value)"
        }
    }
}
