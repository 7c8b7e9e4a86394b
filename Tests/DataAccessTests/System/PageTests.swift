// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import SampleServer
import Testing

@Suite("Reading by pages")
struct PageTests {
    private func pages(
        _ reader: TableReader,
        _ query: TableQuery,
        key: String? = nil,
        rows: Int
    ) async throws -> (rows: [String], records: [ReadRecord]) {
        var result: (rows: [String], records: [ReadRecord]) = ([], [])
        var page = try await reader.page(of: query, key: key, rows: rows)
        for _ in 0..<10_000 {
            var found = CollectedRows()
            let end = try await reader.readPage(page, into: &found)
            #expect(found.rows.count == end.record.rowsKept && found.rows.count <= rows && found.heads.count == 1)
            result.rows += found.texts
            result.records.append(end.record)
            page.after = end.lastKey
            if end.isLast { return result }
        }
        Issue.record("the pages do not end")
        return result
    }

    @Test("pages put together equal the whole table", arguments: ServerKind.allCases)
    func whole(_ kind: ServerKind) async throws {
        try await withSampleService(kind, .nocase) { adapter in
            let reader = TableReader(adapter)
            for (table, key) in [("Clients", nil), ("Workers", "Id"), ("Customers", nil)] {
                var order: [DataValue] = []
                let whole = try await adapter.table(TableRequest(table))
                let column = key.flatMap(whole.column) ?? 0
                for row in whole.rows { order.append(row[column]) }
                let sorted = whole.rows.indices.sorted { left, right in
                    switch (order[left], order[right]) {
                    case (.integer(let left), .integer(let right)): left < right
                    case (.text(let left), .text(let right)):
                        left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
                    default: false
                    }
                }
                let expected = sorted.map { "\(Array(whole.rows[$0]))" }
                for rows in [3, whole.rows.count, whole.rows.count + 1] {
                    #expect(try await pages(reader, TableQuery(table), key: key, rows: rows).rows == expected)
                }
            }
        }
    }

    @Test("pages of a filtered table read each row once, and the key does not reach the consumer")
    func filtered() async throws {
        try await withSampleService(.delphi) { adapter in
            var query = TableQuery("Clients")
            query.fields = ["City"]
            query.predicate = try Expression(predicate: "City != 'Paris'")
            var all = CollectedRows()
            _ = try await TableReader(adapter).read(query, into: &all)
            let result = try await pages(TableReader(adapter), query, rows: 4)
            #expect(result.rows == all.texts)
            let count = try await adapter.table(TableRequest("Clients")).rows.count
            let read = result.records.reduce(0) { $0 + $1.rowsRead }
            #expect(read >= count && read <= 2 * count + result.records.count)
        }
    }

    @Test("a table without a key of one field has no pages")
    func noKey() async throws {
        try await withSampleService { adapter in
            await #expect(throws: ReadError.noKey(table: "Products")) {
                try await TableReader(adapter).page(of: TableQuery("Products"), key: "Price", rows: 3)
            }
        }
    }
}
