// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Platform

/// A table in an SQLite file: its columns, and the statements that create and fill it.
struct ExportedTable: Sendable {
    /// The content of a column of the file.
    enum Content: Sendable {
        case integer
        /// Nearest number, for types whose exact value is in another column too.
        case number
        case real
        case text
        /// The exact digits of a number.
        case exact
        case blob
        /// The path of a file with the blob.
        case path
    }

    /// A column of the file.
    struct Column: Sendable {
        let name: String
        let declaration: String
        let content: Content
        let cell: OutputColumns.Cell
        let isRequired: Bool
    }

    let name: String
    let layout: OutputColumns
    let columns: [Column]
    /// The columns of the primary key, as positions in `columns`. Of a number, the exact one: two keys may have the same
    /// nearest number.
    let key: [Int]

    /// - Parameter hasPaths: whether blobs are stored in files.
    init(_ head: TableHead, _ layout: OutputColumns, hasPaths: Bool) {
        name = head.name
        self.layout = layout
        // The names of the table come first, so that those of exact values differ from all of them.
        var used = Set(layout.columns.map { NameKey($0.name) })
        var columns: [Column] = []
        var key: [Int] = []
        for (column, cell) in zip(layout.columns, layout.cells) {
            let (declaration, content) = Self.content(column.type, hasPaths: hasPaths)
            // NaN, which is a value of the server, is NULL here.
            let isRequired = (column.isRequired == true || column.isInPrimaryKey == true) && content != .real
            columns.append(
                Column(
                    name: column.name,
                    declaration: declaration,
                    content: content,
                    cell: cell,
                    isRequired: isRequired
                )
            )
            if content == .number {
                let name = OutputColumns.unique(column.name + "_exact", &used)
                columns.append(
                    Column(name: name, declaration: "TEXT", content: .exact, cell: cell, isRequired: isRequired)
                )
            }
            if column.isInPrimaryKey == true { key.append(columns.count - 1) }
        }
        self.columns = columns
        self.key = key
    }

    private static func content(_ type: DataType, hasPaths: Bool) -> (String, Content) {
        switch type {
        case .boolean: ("BOOLEAN", .integer)
        case .byte, .shortInt, .word, .smallInt, .integer, .autoInc, .cardinal, .largeInt, .largeAutoInc:
            ("INTEGER", .integer)
        case .float, .singleFloat: ("REAL", .real)
        case .currency, .decimal, .largeUInt: ("REAL", .number)
        case .blob, .cursor: hasPaths ? ("TEXT", .path) : ("BLOB", .blob)
        case .dateTime, .guid, .string, .memo, .fixedChar, .wideString, .wideMemo, .fixedWideChar, .xml, .unknown:
            ("TEXT", .text)
        }
    }

    /// The statement that creates the table.
    var creation: String {
        var parts = columns.map { "\(Self.quote($0.name)) \($0.declaration)\($0.isRequired ? " NOT NULL" : "")" }
        if !key.isEmpty {
            parts.append("PRIMARY KEY (\(key.map { Self.quote(columns[$0].name) }.joined(separator: ", ")))")
        }
        return "CREATE TABLE \(Self.quote(name)) (\(parts.joined(separator: ", ")))"
    }

    /// The statement that inserts a row.
    ///
    /// - Parameter replaces: whether a row with the same key is replaced.
    func insertion(replaces: Bool) -> String {
        let names = columns.map { Self.quote($0.name) }.joined(separator: ", ")
        let values = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT \(replaces ? "OR REPLACE " : "")INTO \(Self.quote(name)) (\(names)) VALUES (\(values))"
    }

    /// Quotes a name for SQL, or with another mark a text. SQLite has none with NUL.
    static func quote(_ name: String, _ mark: Unicode.Scalar = "\"") -> String {
        let quoted = name.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 == mark ? "\(mark)\(mark)" : String($0) }
        return "\(mark)\(quoted.joined())\(mark)"
    }
}
