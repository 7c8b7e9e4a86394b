// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import SQLite

/// Adds the made-up rows of a table.
enum TableFill {
    /// Adds the rows of a new table, and rows for load to any table. A row whose key exists is kept.
    static func fill(
        _ table: SampleTable,
        isNew: Bool,
        load: Int,
        _ database: borrowing SQLiteDatabase
    ) throws {
        let count = table.count(load: load)
        guard isNew || count > table.rows else { return }
        let present = try database.rows("SELECT count(*) FROM " + SQLText.quoted(table.table.source)) {
            Int(try $0.integer(0) ?? 0)
        }
        let first = isNew ? 1 : (present.first ?? 0) + 1
        guard first <= count else { return }
        let values = table.table.fields.map { _ in "?" }.joined(separator: ", ")
        var statement = try database.prepare(
            "INSERT OR IGNORE INTO \(SQLText.quoted(table.table.source)) VALUES (\(values))"
        )
        for row in first...count {
            let values = zip(table.row(row), table.table.fields).map { FieldCodec.stored($0, in: $1) ?? .null }
            try statement.bind(values)
            try statement.run()
        }
    }
}
