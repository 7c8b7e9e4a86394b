// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import SampleServer
import TestSupport
import Testing

@Suite("Reading tables")
struct TableReaderTests {
    private func query(
        _ table: String = "Orders",
        _ predicate: String? = nil,
        fields: [String] = [],
        order: [FieldOrder] = [],
        limit: Int? = nil
    ) throws -> TableQuery {
        var query = TableQuery(table)
        query.predicate = try predicate.map { try Expression(predicate: $0) }
        (query.fields, query.order, query.limit) = (fields, order, limit)
        return query
    }

    private func all(_ adapter: RemoteDataAdapter, _ table: String = "Orders") async throws -> [[DataValue]] {
        try await adapter.table(TableRequest(table)).rows.map(Array.init)
    }

    @Test("several tables are read in one call, in the order of their names")
    func severalTables() async throws {
        try await withSampleService(.delphi) { adapter in
            let names = ["OrderStatus", "Clients", "OrderStatus"]
            var rows = CollectedRows()
            let counts = try await TableReader(adapter).read(whole: names, into: &rows)
            var expected: [[DataValue]] = []
            for name in names { expected += try await all(adapter, name) }
            #expect(rows.heads.map(\.name) == names && counts == rows.heads.map(\.rowCount))
            #expect(rows.texts == expected.map { "\($0)" } && counts[0] == counts[2])
            await #expect(throws: DataAdapterError.self) {
                _ = try await TableReader(adapter).read(whole: ["Clients", "Nonsense"], into: &rows)
            }
        }
    }

    @Test("a query gives the same rows on every kind of server", arguments: ServerKind.allCases)
    func kinds(_ kind: ServerKind) async throws {
        try await withSampleService(kind) { adapter in
            let all = try await all(adapter, "OrderDetails")
            let head = try await TableReader(adapter).head(of: "OrderDetails")
            let first = head.columns[0].name
            var rows = CollectedRows()
            let record = try await TableReader(adapter)
                .read(
                    query("OrderDetails", "\(first) BETWEEN {3, 9}", fields: [head.columns[1].name, first], limit: 4),
                    into: &rows
                )
            let expected = all.filter { row in
                if case .integer(3...9) = row[0] { true } else { false }
            }
            #expect(rows.rows == expected.prefix(4).map { [$0[1], $0[0]] })
            #expect(rows.heads.map { $0.columns.map(\.name) } == [[head.columns[1].name, first]])
            #expect(record.rowsKept == 4)
            if kind == .noWhere {
                #expect(record.notes == [ReadNote(table: "OrderDetails", step: .filter, reason: .refused)])
                #expect(record.serverSteps == [.select])
            } else {
                #expect(record.notes.isEmpty && record.serverSteps == [.filter, .select])
            }
        }
    }

    @Test("a refused step is learned if the server lacks the feature", arguments: ServerKind.allCases)
    func learning(_ kind: ServerKind) async throws {
        try await withSampleService(kind) { adapter in
            var reader = TableReader(adapter)
            let first = try await reader.head(of: "Orders").columns[0].name
            let notes = ReadStep.everyRefusal
            try await reader.learn(from: notes.filter { $0.step != .sql })
            let isComplete = kind == .relativity || kind == .noSchema
            #expect(reader.features.has(.daSQL) == isComplete && reader.features.lacks(.daSQL) == !isComplete)
            #expect(reader.features.has(.where) == (kind != .noWhere) && reader.features.has(.select))
            #expect(reader.features[.dates] == nil && reader.features[.sqlText] == nil)
            var rows = CollectedRows()
            let record = try await reader.read(query("Orders", "\(first) == 1"), into: &rows)
            #expect(record.notes.map(\.reason) == (kind == .noWhere ? [.lacks(.where)] : []))
            #expect(
                try await reader.count(TableQuery("Orders")).notes.map(\.reason) == (isComplete ? [] : [.lacks(.daSQL)])
            )
            var other = TableReader(adapter)
            try await other.learn(from: notes.filter { $0.step == .sql })
            #expect(other.features.lacks(.daSQL))
        }
    }

    @Test("several fields are sorted here, and rows of the sort's fields do not reach the consumer")
    func sorting() async throws {
        try await withSampleService { adapter in
            let all = try await all(adapter, "Workers")
            let columns = try await TableReader(adapter).head(of: "Workers").columns
            var rows = CollectedRows()
            let order = [FieldOrder(columns[3].name, isDescending: true), FieldOrder(columns[0].name)]
            let record = try await TableReader(adapter)
                .read(query("Workers", fields: [columns[0].name], order: order, limit: 7), into: &rows)
            let expected = all.sorted { left, right in
                let (a, b) = ("\(left[3])", "\(right[3])")
                guard case .integer(let first) = left[0], case .integer(let second) = right[0] else { return false }
                return a == b ? first < second : a > b
            }
            #expect(rows.rows == expected.prefix(7).map { [$0[0]] })
            #expect(record.rowsRead == all.count && record.rowsKept == 7 && record.localSteps == [.sort])
        }
    }

    @Test("rows are counted by the server, or here with one column", arguments: ServerKind.allCases)
    func counting(_ kind: ServerKind) async throws {
        try await withSampleService(kind) { adapter in
            let all = try await all(adapter)
            let reader = TableReader(adapter)
            let record = try await reader.count(TableQuery("Orders"))
            #expect(record.rowsKept == all.count)
            if kind == .relativity || kind == .noSchema {
                #expect(record.rowsRead == 1 && record.notes.isEmpty)
            } else {
                #expect(record.rowsRead == all.count)
                #expect(record.notes == [ReadNote(table: "Orders", step: .count, reason: .refused)])
            }
            let first = try await reader.head(of: "Orders").columns[0].name
            #expect(try await reader.count(query("Orders", "\(first) <= 3")).rowsKept == 3)
        }
    }

    @Test("a read that falls back has a limit, a plain one has none")
    func maximumRows() async throws {
        var options = ReadOptions()
        options.maximumRows = 5
        try await withSampleService(.noWhere) { adapter in
            let reader = TableReader(adapter, options: options)
            let count = try await all(adapter).count
            let first = try await reader.head(of: "Orders").columns[0].name
            var rows = CollectedRows()
            #expect(try await reader.read(TableQuery("Orders"), into: &rows).rowsKept == count)
            let limit = ReadError.tooManyRows(table: "Orders", limit: 5)
            await #expect(throws: limit) { try await reader.read(query("Orders", "\(first) > 0"), into: &rows) }
            await #expect(throws: limit) { try await reader.count(TableQuery("Orders")) }
            let sorted = try query("Orders", order: [FieldOrder(first), FieldOrder(first)], limit: 1)
            await #expect(throws: limit) { try await reader.read(sorted, into: &rows) }
        }
    }

    @Test("a limit ends the read")
    func limit() async throws {
        try await withSampleService(change: { $0.load = 5_000 }) { adapter in
            let reader = TableReader(adapter)
            let columns = try await reader.head(of: "OrderDetails").columns
            var rows = CollectedRows()
            let record = try await reader.read(query("OrderDetails", "\(columns[0].name) != 2", limit: 3), into: &rows)
            #expect(record.rowsKept == 3 && rows.rows.count == 3)
            #expect(record.rowsRead < 5_000)
            var none = CollectedRows()
            #expect(try await reader.read(query("Orders", limit: 0), into: &none).rowsKept == 0)
            #expect(none.heads.count == 1 && none.rows.isEmpty)
            #expect(try await reader.read(query("Orders", "FALSEPREDICATE"), into: &none).rowsRead == 0)
        }
    }
}

extension TableReaderTests {
    @Test("features of the sample servers are found", arguments: ServerKind.allCases)
    func features(_ kind: ServerKind) async throws {
        try await withSampleService(kind) { adapter in
            var reader = TableReader(adapter)
            try await reader.probe("Clients")
            try await reader.probe("Orders")
            let features = reader.features
            let isComplete = kind == .relativity || kind == .noSchema
            #expect(features.has(.schema) == (kind != .noSchema))
            #expect(features[.daSQL]?.isAvailable == isComplete)
            #expect(features.has(.select))
            #expect(features[.where]?.isAvailable == (kind != .noWhere))
            #expect(features[.nullTests]?.isAvailable == (kind == .noWhere ? nil : true))
            #expect(features[.dates]?.isAvailable == (kind == .noWhere ? nil : true))
            #expect(features[.commands] == nil && features[.sqlText]?.isAvailable == isComplete)
        }
    }
}

extension ReadStep {
    fileprivate static var everyRefusal: [ReadNote] {
        [filter, sort, select, count, sql].map {
            ReadNote(table: $0 == sql ? "" : "Orders", step: $0, reason: .refused)
        }
    }
}
