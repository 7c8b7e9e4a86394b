// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Glibc

/// Exports of a table `Amounts` (Id, Amount) that end in the middle.
enum ExportedSample {
    private static let rowCount = 5000
    private static let page = 250

    /// Exports the rows, one at a time.
    ///
    /// - Parameter stop: the number of rows after which the process kills itself.
    static func export(to path: String, stopAfter stop: Int) throws {
        try add(to: SQLiteExport(to: path, .new(replacesExisting: false)), from: 0, stopAfter: stop, inPages: false)
    }

    /// Continues an export in pages.
    ///
    /// - Parameter stop: the number of rows of the table after which the process kills itself.
    static func resume(_ path: String, stopAfter stop: Int) throws {
        let export = try SQLiteExport(to: path, .resumable(replacesExisting: false))
        let last = try export.progress(of: "Amounts")?.lastKey.first.flatMap { Int($0) } ?? 0
        try add(to: export, from: last, stopAfter: stop, inPages: true)
    }

    private static func add(to export: SQLiteExport, from first: Int, stopAfter stop: Int, inPages: Bool) throws {
        let table = try table()
        try export.begin(table.head)
        for row in first..<rowCount {
            if row == stop { raise(SIGKILL) }
            try export.add(table.rows, [row])
            if inPages, (row + 1).isMultiple(of: page) { try export.endPage() }
        }
        if stop == rowCount { raise(SIGKILL) }
        try export.finish()
    }

    private static func table() throws -> DataTable {
        let fields = [
            SchemaEntry(field: "Id", .integer, isInPrimaryKey: true), SchemaEntry(field: "Amount", .currency),
        ]
        let columns = [DataColumn("Id", .integer), DataColumn("Amount", .currency)]
        var table = try DataTable(name: "Amounts", columns: columns, schema: TableSchema(fields: fields))
        for id in 1...Int64(rowCount) { try table.append([.integer(id), .currency(scaled: id * 7919)]) }
        return table
    }
}
