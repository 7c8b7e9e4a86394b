// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import SQLite

/// The rules of a table in the database for the values of a delta.
struct StoredColumns {
    private struct Column {
        let name: String
        let type: String
        let isRequired: Bool
        let isInKey: Bool
        let hasDefault: Bool
        let isGenerated: Bool
    }

    /// Whether the database guarantees that no two rows have equal values in the keys of the delta.
    let identifyRow: Bool
    /// Whether the database stores the values of all fields as they are sent.
    let keepValues: Bool
    /// For each field whether a new row without a value for it may get one from the database.
    let areMade: [Bool]
    /// For each field whether the value that the database has is known from the condition of an update.
    let areCompared: [Bool]
    /// For each field whether its value cannot be compared by the condition of an update.
    let areRead: [Bool]
    /// The field with the row ID.
    let rowID: Int?

    init(of plan: DeltaPlan, in database: borrowing SQLiteDatabase) throws {
        let columns = try database.rows(
            #"SELECT name, type, "notnull", pk, dflt_value IS NOT NULL, hidden > 1 FROM pragma_table_xinfo(?)"#,
            [.text(plan.table.source)]
        ) { row in
            Column(
                name: try row.text(0) ?? "",
                type: try row.text(1)?.uppercased() ?? "",
                isRequired: try row.integer(2) == 1,
                isInKey: try row.integer(3) != 0,
                hasDefault: try row.integer(4) == 1,
                isGenerated: try row.integer(5) == 1
            )
        }
        let key = columns.filter(\.isInKey)
        let isRowID = key.count == 1 && key[0].type == "INTEGER"
        identifyRow =
            !key.isEmpty
            && key.allSatisfy { column in
                (column.isRequired || isRowID)
                    && plan.keys.contains { plan.fields[$0].column.isSame(as: column.name) }
            }
        let rowIDColumn = isRowID ? Self.rowIDColumn(of: plan.table.source, in: database) : nil
        rowID = rowIDColumn.flatMap { name in plan.fields.firstIndex { $0.column.isSame(as: name) } }
        let found = plan.fields.map { field in columns.first { $0.name.isSame(as: field.column) } }
        keepValues = zip(plan.forms, found).allSatisfy { form, column in
            column.map { form.type == form.sent && Affinity($0.type).keeps(form) } ?? false
        }
        areMade = zip(plan.fields, found).map { field, column in
            guard let column else { return true }
            return column.hasDefault || column.isGenerated || field.isAutomatic
                || rowIDColumn?.isSame(as: column.name) == true
        }
        // The database may regard different texts as equal.
        areCompared = plan.fields.indices.map { index in
            plan.searched.contains(index) && !plan.fields[index].type.isText && plan.fields[index].type != .guid
        }
        // A generated value may change with the others.
        areRead = zip(plan.fields, found).map { $1?.isGenerated != false || $0.type == .largeUInt }
    }

    /// The column that is another name of the row ID.
    private static func rowIDColumn(of table: String, in database: borrowing SQLiteDatabase) -> String? {
        do {
            let statement = try database.prepare("SELECT rowid FROM " + SQLText.quoted(table))
            return statement.origin(0)?.column
        } catch {
            // The table has no row ID.
            return nil
        }
    }
}

/// The conversion of the values of a column, which its declared type determines (sqlite.org/datatype3.html).
private enum Affinity {
    case integer, text, blob, real, numeric

    /// - Parameter type: in upper case.
    init(_ type: String) {
        func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
        if has("INT") {
            self = .integer
        } else if has("CHAR", "CLOB", "TEXT") {
            self = .text
        } else if type.isEmpty || has("BLOB") {
            self = .blob
        } else {
            self = has("REAL", "FLOA", "DOUB") ? .real : .numeric
        }
    }

    /// Whether every value of a field is read as it was written.
    func keeps(_ form: FieldForm) -> Bool {
        switch form.type {
        case .autoInc, .integer, .largeInt, .largeAutoInc, .byte, .shortInt, .word, .smallInt, .cardinal, .largeUInt,
            .boolean, .currency:
            self != .real && self != .text
        case .float, .singleFloat: self != .text
        case .dateTime: self != .text && form.dates == .days
        case .string, .memo, .fixedChar, .wideString, .wideMemo, .fixedWideChar, .xml, .guid:
            self == .text || self == .blob
        case .blob, .cursor: true
        case .unknown, .decimal: false
        }
    }
}
