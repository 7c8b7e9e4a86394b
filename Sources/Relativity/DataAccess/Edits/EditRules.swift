// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Platform

extension TableReader {
    /// Returns a table without rows, with the rules for its fields. The rules that a reply does not contain, such as
    /// sizes, are those of the server's schema. Without that schema they are not checked here.
    func editableTable(_ name: String) async throws -> EditableTable {
        let head = try await head(of: name)
        guard !features.lacks(.schema) else { return try EditableTable(head) }
        do {
            let schema = try DataSchema(parsing: try await adapter.tableSchema([name]))
            return try EditableTable(head, schema: schema.table(name) ?? schema.tables.first)
        } catch let error as DataAdapterError where error.isRefusal {
            return try EditableTable(head)
        } catch is SchemaError {
            return try EditableTable(head)
        }
    }
}

/// The fields of a table, for the values of an edit.
struct EditRules: Sendable {
    /// The name of the table. The table itself would share its rows, and each change would copy them.
    let table: String
    let fields: [EditableField]
    /// The indexes of the fields of the key.
    let key: [Int]

    init(_ table: EditableTable) {
        (self.table, fields) = (table.name, table.fields)
        key = table.fields.indices.filter { table.fields[$0].isInPrimaryKey }
    }

    /// - Throws: `refused` for an unknown or ambiguous field.
    func field(_ name: String) throws(TableEditError) -> EditableField { fields[try index(of: name)] }

    /// Returns the index of a field. The errors are those of `field`.
    func index(of name: String) throws(TableEditError) -> Int {
        let names = fields.lazy.map(\.name)
        switch NameMatch(name, in: names) {
        case .found(let index): return index
        case .ambiguous: throw .refused(table: table, .ambiguousField(name))
        case .unknown: throw .refused(table: table, .unknownField(UnknownName(name, among: names)))
        }
    }

    /// Converts values, by the names of the fields as the table spells them.
    func values(_ assignments: [FieldAssignment]) throws -> [String: DataValue] {
        var values: [String: DataValue] = [:]
        for assignment in assignments {
            let field = try field(assignment.field)
            let value = try field.value(of: assignment.value, table: table)
            guard values.updateValue(value, forKey: field.name) == nil else {
                throw TableEditError.repeatedField(table: table, field: field.name)
            }
        }
        return values
    }

    /// Returns the error for a new row that has a temporary key of its own; nil if it has none.
    func temporaryKey(in values: [(column: Int, value: DataValue)]) -> TableEditError? {
        let found = values.first { column, value in
            if fields[column].isAutoInc, case .integer(let number) = value { number < 0 } else { false }
        }
        return found.map { .temporaryKey(table: table, field: fields[$0.column].name) }
    }

    func key(_ text: String) throws -> [DataValue] {
        let names = key.map { fields[$0].name }
        guard let parts = KeyText.assignments(text, fields: names) else {
            throw TableEditError.notAKey(table: table, text: text, fields: names)
        }
        return try key(parts, text: text)
    }

    func key(_ assignments: [FieldAssignment], text: String?) throws -> [DataValue] {
        let values = try values(assignments)
        let key = key.compactMap { values[fields[$0].name] }
        guard key.count == self.key.count, key.count == values.count else {
            throw TableEditError.notAKey(table: table, text: text, fields: self.key.map { fields[$0].name })
        }
        return key
    }

    func rowKey(_ key: [DataValue]) -> RowKey { RowKey(key, self.key.map { fields[$0].type }) }

    /// The key of a row with all fields of the table.
    func key(of row: DataRow) -> [DataValue] { key.map { row[$0] } }

    func request(for keys: [[DataValue]]) -> RowRequest {
        let columns = key.map { fields[$0].column }
        return RowRequest(table: table, fields: columns, values: keys)
    }

    /// Compares the values of rows with those that an edit expects. The errors are those of the other form.
    func check(_ rows: [[DataValue]], _ expected: [FieldAssignment]) throws {
        guard !expected.isEmpty else { return }
        let columns = fields.map(\.column)
        var builder = DataRowsBuilder(columns)
        for row in rows { try builder.append(row) }
        try check(RowReading(columns: columns, rows: [builder.take()]), expected)
    }

    /// Compares rows with the values that an edit expects.
    ///
    /// - Throws: `notExpected` for the first row that differs.
    func check(_ reading: RowReading, _ expected: [FieldAssignment]) throws {
        guard !expected.isEmpty else { return }
        let columns = try expected.map { assignment in
            let field = try field(assignment.field)
            let index = reading.columns.firstIndex { $0.name == field.name }
            guard let index else {
                throw ReadError.unknownField(table: table, field: UnknownName(field.name, among: fields.map(\.name)))
            }
            return (index: index, field: field, value: try field.value(of: assignment.value, table: table))
        }
        for row in reading.rows.joined() {
            let differing = columns.filter { column in
                // A text has whole milliseconds only.
                let found = row[column.index]
                let text = column.field.type == .dateTime ? found.text(as: .dateTime) : nil
                let shown = text.flatMap { DataValue($0, as: .dateTime) } ?? found
                return !column.field.isSame(column.value, shown)
            }
            guard !differing.isEmpty else { continue }
            throw TableEditError.notExpected(
                table: table,
                key: key.map { row[$0] },
                differing.map { UnexpectedValue(field: $0.field.name, expected: $0.value, found: row[$0.index]) }
            )
        }
    }
}
