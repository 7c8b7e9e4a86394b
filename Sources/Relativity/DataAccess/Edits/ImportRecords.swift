// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Platform

/// Converts records of a file to rows of a table, and makes their changes in a set.
struct ImportRecords: Sendable {
    let rules: EditRules
    /// The fields by which a row is found; empty if every record is a new row.
    let match: [DataColumn]
    private let types: [DataType]
    private let forms: ImportForms
    /// The fields of the last record, whose names the next one usually has too.
    private var heading = Heading()

    private var fields: [EditableField] { rules.fields }

    /// - Parameter names: the fields by which a row is found; empty for the key of the table.
    /// - Throws: `TableEditError`.
    init(of table: EditableTable, match names: [String], _ forms: ImportForms) throws {
        let rules = EditRules(table)
        (self.rules, self.forms) = (rules, forms)
        types = rules.fields.map(\.type)
        let matched = try names.isEmpty ? rules.key.map { rules.fields[$0] } : names.map { try rules.field($0) }
        match = matched.map(\.column)
        if !match.isEmpty, rules.key.isEmpty { throw TableEditError.refused(table: rules.table, .noKey) }
    }

    /// The fields of a record.
    private struct Heading {
        var names: [String] = []
        var columns: [Int] = []
        /// The place of each field to match; empty if one is missing.
        var match: [Int] = []
        /// A field that has several values.
        var repeated: String?
    }

    /// Checks the heading of a file.
    ///
    /// - Throws: `TableEditError` if a field is unknown or repeated.
    func check(_ names: [String]) throws {
        if let field = try heading(names).repeated {
            throw TableEditError.repeatedField(table: rules.table, field: field)
        }
    }

    /// The values of the fields to match, as a key of a dictionary.
    func key(_ values: [DataValue]) -> RowKey { RowKey(values, match.map(\.type)) }

    /// Converts the values of a record.
    ///
    /// - Throws: `TableEditError`.
    mutating func row(_ record: ImportRecord) throws -> TableImport.Row {
        if heading.names != record.names { heading = try heading(record.names) }
        var values: [(column: Int, value: DataValue)] = []
        values.reserveCapacity(heading.columns.count)
        for (column, text) in zip(heading.columns, record.values) {
            guard let value = forms.value(of: text, as: types[column]) else {
                throw fields[column].invalid(text, table: rules.table)
            }
            values.append((column, value))
        }
        if let field = heading.repeated { throw TableEditError.repeatedField(table: rules.table, field: field) }
        let key = heading.match.map { values[$0].value }
        return TableImport.Row(line: record.line, values: values, key: key.isEmpty || key.contains(.null) ? nil : key)
    }

    private func heading(_ names: [String]) throws -> Heading {
        let columns = try columns(of: names)
        let places = match.compactMap { field in columns.firstIndex { fields[$0].name == field.name } }
        let repeated = columns.indices.first { columns[..<$0].contains(columns[$0]) }
        return Heading(
            names: names,
            columns: columns,
            match: places.count == match.count ? places : [],
            repeated: repeated.map { fields[columns[$0]].name }
        )
    }

    /// Finds the fields of names that a file of this program may have: of two fields whose names differ in case only, the
    /// second one has a suffix (`OutputColumns.unique`).
    private func columns(of names: [String]) throws(TableEditError) -> [Int] {
        var used: Set<NameKey> = []
        var columns: [Int] = []
        for name in names {
            if let renamed = name.lastIndex(of: "_").flatMap({ index(of: name[..<$0]) }), !columns.contains(renamed),
                OutputColumns.unique(fields[renamed].name, used) == name
            {
                guard index(of: name[...]) == nil else {
                    throw .refused(table: rules.table, .ambiguousField(name))
                }
                columns.append(renamed)
            } else {
                columns.append(try rules.index(of: name))
            }
            used.insert(NameKey(name))
        }
        return columns
    }

    /// The index of the field with exactly this name.
    private func index(of name: Substring) -> Int? {
        fields.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// Makes the changes of records.
    func edit(
        _ rows: inout [TableImport.Row],
        _ set: inout ChangeSet,
        _ found: inout [RowKey: [RowID]],
        _ report: inout TableImport.Report
    ) {
        let names = Set(match.map(\.name))
        // NULL is no key that the server could take.
        let automatic = Set(fields.filter(\.isAutoInc).map(\.name))
        for index in rows.indices {
            let key = rows[index].key.map(self.key)
            let known = key.flatMap { found[$0] } ?? []
            guard known.count <= 1 else {
                report.fail(rows[index].line, .severalRows(known.count))
                continue
            }
            if known.isEmpty, let error = rules.temporaryKey(in: rows[index].values) {
                report.fail(rows[index].line, .edit(error))
                continue
            }
            let values = Dictionary(rows[index].values.map { (fields[$0.column].name, $0.value) }) { first, _ in first }
            do throws(EditError) {
                rows[index].id = try set.edit(rules.table) { table throws(EditError) in
                    guard let id = known.first else {
                        return try table.append(values.filter { !$0.value.isNull || !automatic.contains($0.key) })
                    }
                    try table.set(values.filter { !names.contains($0.key) }, of: id)
                    return id
                }
                rows[index].isNew = known.isEmpty
                if known.isEmpty, let key, let id = rows[index].id { found[key] = [id] }
            } catch {
                report.fail(rows[index].line, .edit(.refused(table: rules.table, error)))
            }
        }
    }
}
