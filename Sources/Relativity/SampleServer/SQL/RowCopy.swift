// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import SQLite

/// Copies the rows of a statement into a stream, one by one.
enum RowCopy {
    /// - Parameters:
    ///   - columns: the fields of the statement's columns, in order.
    ///   - table: named in errors.
    /// - Throws: `QueryError` for a value that its field cannot have; `SQLiteError`, `TableError`.
    static func run(
        _ statement: inout SQLiteStatement,
        _ columns: [ServedField],
        of table: String,
        into stream: inout TableStreamWriter
    ) throws {
        var values: [DataValue] = Array(repeating: .null, count: columns.count)
        while try statement.step() {
            for (index, column) in columns.enumerated() {
                guard let value = FieldCodec.value(try statement.value(index), as: column.type, dates: column.dates)
                else {
                    throw QueryError("a value of \(table).\(column.name) is not a value of \(column.type.name)")
                }
                values[index] = value
            }
            try stream.append(values)
        }
    }
}
