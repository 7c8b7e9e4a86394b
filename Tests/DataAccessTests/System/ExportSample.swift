// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Glibc
import NIOCore
import TestSupport

/// The command line program sqlite3.
struct SQLiteShell {
    let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Returns the output without its last line end.
    func run(_ sql: String) async throws -> String {
        let output = try await Command(["sqlite3", "-bail", path, sql]).succeed()
        return output.hasSuffix("\n") ? String(output.dropLast()) : output
    }
}

extension SQLiteExport {
    /// Writes a table in one batch.
    func write(_ table: DataTable) throws {
        try begin(table.head)
        try add(table.rows, nil)
    }
}

enum ExportSample {
    static func amount(_ id: Int) -> Int { id * id * 7919 % 10_000_000 }

    /// A table with a key and a Currency.
    static func amounts(_ ids: ClosedRange<Int>, factor: Int = 1, extra: [DataValue]? = nil) throws -> DataTable {
        let fields = [
            SchemaEntry(field: "Id", .integer, isInPrimaryKey: true), SchemaEntry(field: "Amount", .currency),
        ]
        let columns = [DataColumn("Id", .integer), DataColumn("Amount", .currency)]
        var table = try DataTable(name: "Amounts", columns: columns, schema: TableSchema(fields: fields))
        for id in ids { try table.append([.integer(Int64(id)), .currency(scaled: Int64(factor * amount(id)))]) }
        if let extra { try table.append(extra) }
        return table
    }

    /// A table with most types, an awkward name, and a row of NULLs.
    static func allTypes() throws -> DataTable {
        let columns: [(String, DataType)] = [
            ("Id", .integer), ("Name", .wideString), ("Note", .memo), ("Amount", .currency), ("Price", .decimal),
            ("Amount_exact", .byte), ("Big", .largeUInt), ("Flag", .boolean), ("Time", .dateTime), ("Score", .float),
            ("Data", .blob), ("Code", .guid),
        ]
        let fields = columns.map {
            SchemaEntry(field: $0.0, $0.1, isInPrimaryKey: $0.0 == "Id", isRequired: $0.0 == "Name")
        }
        var table = try DataTable(
            name: "all \"types\" here",
            columns: columns.map { DataColumn($0.0, $0.1) },
            schema: TableSchema(fields: fields)
        )
        try table.append([
            .integer(1), .text("中's"), .text("é"), .currency(scaled: .max),
            DataDecimal("-0.50").map { .decimal($0) } ?? .null,
            .integer(7), .unsigned(.max), .boolean(true), .dateTime(days: 43_861.5), .float(0.1),
            .bytes(ByteBuffer(bytes: [0, 255])), .text("01234567-89ab-cdef-0123-456789abcdef"),
        ])
        try table.append([.integer(2), .text("")] + Array(repeating: .null, count: 10))
        return table
    }
}
