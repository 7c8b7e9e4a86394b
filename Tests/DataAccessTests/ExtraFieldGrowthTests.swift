// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import DataAbstract
@testable import DataAccess

/// The sizes of the batches that a consumer received.
private struct Batches: RowConsumer {
    var bytes: [Int] = []
    var rows = 0

    func begin(_ table: TableHead) {}

    mutating func add(_ rows: DataRows, _ indices: [Int]?) {
        bytes.append(rows.withCells { bytes, _ in bytes.count })
        self.rows += indices?.count ?? rows.count
    }

    func finish() {}
}

@Suite("Rows that grow by extra fields")
struct ExtraFieldGrowthTests {
    private static let columns = [DataColumn("Id", .integer), DataColumn("Kind", .integer)]

    private static func rows(_ count: Int) throws -> DataRows {
        var builder = DataRowsBuilder(columns)
        for index in 0..<count { try builder.append([.integer(Int64(index)), .integer(1)]) }
        return builder.take()
    }

    private static func fields(_ view: TableView, text: String? = nil, rowLimit: Int) throws -> ExtraFields {
        let kinds = [DataColumn("Key", .integer), DataColumn("Text", .wideString)]
        var table = try CalculatedTable(view, columns: columns, tables: ["Kinds": kinds])
        if let text {
            var source = SourceTable(kinds)
            try source.append([[.integer(1), .text(text)]])
            try table.load(["Kinds": source])
        }
        return ExtraFields(TableQuery("T"), table, selected: nil, rowLimit: rowLimit)
    }

    @Test("batches end by what rows have become")
    func lookup() async throws {
        let view = TableView(
            "T",
            lookups: [LookupField("Long", ["Kind"], in: .table("Kinds", keys: ["Key"], result: "Text"))]
        )
        let text = String(repeating: "x", count: 100_000)
        var rows = ExtraFieldRows(Batches(), try Self.fields(view, text: text, rowLimit: 1 << 20))
        try await rows.add(try Self.rows(400), nil)
        #expect(rows.consumer.rows == 400 && rows.consumer.bytes.count == 400)
        #expect(rows.consumer.bytes.allSatisfy { $0 < 201_000 })
        var short = ExtraFieldRows(Batches(), try Self.fields(view, text: "x", rowLimit: 1 << 20))
        try await short.add(try Self.rows(20_000), Array(stride(from: 0, to: 20_000, by: 2)))
        #expect(short.consumer.rows == 10_000)
        #expect(short.consumer.bytes.allSatisfy { $0 < TableLimits.batch + 100 })
        var refused = ExtraFieldRows(Batches(), try Self.fields(view, text: text, rowLimit: 200_000))
        await #expect(throws: GrowthError.row(limit: 200_000)) { try await refused.add(try Self.rows(2), nil) }
        #expect(refused.consumer.rows == 0)
    }

    @Test("fields that double each other reach a bound, not the memory", arguments: [1 << 20, .max])
    func doubling(rowLimit: Int) async throws {
        var view = TableView("T")
        view.calculated = [CalculatedField("A0", try Expression(parsing: "text(Id) + '0123456789'"))]
        for index in 1..<30 {
            view.calculated.append(
                CalculatedField("A\(index)", try Expression(parsing: "A\(index - 1) + A\(index - 1)"))
            )
        }
        var rows = ExtraFieldRows(Batches(), try Self.fields(view, rowLimit: rowLimit))
        await #expect(throws: GrowthError.texts(limit: 1 << 24)) { try await rows.add(try Self.rows(400), nil) }
        view.calculated.removeLast(11)
        var fewer = ExtraFieldRows(Batches(), try Self.fields(view, rowLimit: rowLimit))
        if rowLimit == .max {
            try await fewer.add(try Self.rows(3), nil)
            #expect(fewer.consumer.bytes.count == 3)
        } else {
            await #expect(throws: GrowthError.row(limit: rowLimit)) { try await fewer.add(try Self.rows(3), nil) }
        }
    }

    @Test("the values of other tables are counted as they are kept")
    func matches() throws {
        let kinds = [DataColumn("Key", .integer), DataColumn("Text", .wideString)]
        var source = SourceTable(kinds)
        try source.append((0..<1000).map { [.integer($0), .text("a")] })
        let long = String(repeating: "b", count: 10_000)
        let view = TableView(
            "T",
            calculated: [
                CalculatedField(
                    "Last",
                    try Expression(parsing: "max(replace(Kinds.Text, 'a', '\(long)') where Kinds.Key = Kind)")
                )
            ]
        )
        var table = try CalculatedTable(view, columns: Self.columns, tables: ["Kinds": kinds])
        try table.load(["Kinds": source], maximumBytes: 11 << 20)
        #expect(throws: GrowthError.matches(limit: 1 << 20)) {
            try table.load(["Kinds": source], maximumBytes: 1 << 20)
        }
    }

    @Test("a field that is selected several times makes no batch larger")
    func repeated() async throws {
        var builder = DataRowsBuilder([DataColumn("Id", .integer), DataColumn("Text", .wideString)])
        for index in 0..<100 {
            try builder.append([.integer(Int64(index)), .text(String(repeating: "x", count: 1000))])
        }
        let rows = builder.take()
        var batches = Batches()
        let columns = Array(repeating: 1, count: 300)
        try await batches.add(rows, nil, selecting: columns, rowLimit: 1 << 20)
        #expect(batches.rows == 100 && batches.bytes.count == 100)
        await #expect(throws: GrowthError.row(limit: 500_000)) {
            try await batches.add(rows, [3], selecting: columns, rowLimit: 500_000)
        }
    }
}
