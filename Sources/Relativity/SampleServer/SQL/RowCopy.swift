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
        let forms = columns.map { (type: $0.type, dates: $0.dates) }
        while try statement.step() {
            try stream.beginRow()
            for (index, form) in forms.enumerated() {
                // The usual pairs of stored and declared type need no conversion.
                switch (try statement.cell(index), form.type) {
                case (.null, _): try stream.append(cell: .null)
                case (.integer(let value), .integer), (.integer(let value), .autoInc),
                    (.integer(let value), .largeInt), (.integer(let value), .largeAutoInc):
                    try stream.append(cell: .integer(value))
                case (.integer(let value), .currency): try stream.append(cell: .currency(scaled: value))
                case (.real(let value), .float): try stream.append(cell: .float(value))
                case (.text(let bytes), .wideString), (.text(let bytes), .wideMemo): try stream.append(utf8: bytes)
                default:
                    let stored = try statement.value(index)
                    guard let value = FieldCodec.value(stored, as: form.type, dates: form.dates) else {
                        let column = columns[index]
                        throw QueryError("a value of \(table).\(column.name) is not a value of \(column.type.name)")
                    }
                    try stream.append(cell: value)
                }
            }
            try stream.endRow()
        }
    }
}
