// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

extension TableImport {
    /// Inserts the rows of a file into a table of a set that has all its rows, and updates those that it has. The changes
    /// stay pending. Needs no server.
    ///
    /// Rows are found by their exact values, with pending changes.
    ///
    /// - Parameters:
    ///   - names: the fields by which a row is found; empty for the key of the table.
    ///   - forms: the forms of the values.
    ///   - progress: receives the number of records that are done.
    /// - Throws: `TableEditError` for a heading with an unknown field, or with a field twice; `missingTable` of `ReadError`.
    ///   The set is then as before.
    package static func run(
        _ source: inout ImportSource,
        into table: String,
        match names: [String],
        _ forms: ImportForms = ImportForms(),
        offline changes: inout ChangeSet,
        progress: (Int) -> Void
    ) throws -> Report {
        var set = changes
        guard let stored = set.table(table) else { throw ReadError.missingTable(table) }
        var records = try ImportRecords(of: stored, match: names, forms)
        try records.check(source.heading)
        var found = records.found(in: stored)
        var report = Report()
        do {
            while let record = try source.next() {
                do {
                    var rows = [try records.row(record)]
                    let before = rows[0].key.flatMap { found[records.key($0)]?.first }.flatMap {
                        set.table(table)?.row($0)
                    }
                    records.edit(&rows, &set, &found, &report)
                    guard let id = rows[0].id else { continue }
                    rows[0].hasChange = rows[0].isNew || set.table(table)?.row(id)?.values != before?.values
                    report.count(rows[0])
                } catch let error as TableEditError {
                    report.fail(record.line, .edit(error))
                }
                if report.records.isMultiple(of: 1_000) { progress(report.records) }
            }
        } catch let error as ImportSourceError {
            report.stop = .source(error)
        }
        changes = set
        return report
    }
}

extension ImportRecords {
    /// The rows of a table by the values of the fields to match.
    fileprivate func found(in table: EditableTable) -> [RowKey: [RowID]] {
        guard !match.isEmpty else { return [:] }
        let places = match.compactMap { field in rules.fields.firstIndex { $0.name == field.name } }
        var found: [RowKey: [RowID]] = [:]
        for id in table.rowIDs {
            guard let row = table.row(id), row.state != .removed else { continue }
            found[key(places.map { row.values[$0] }), default: []].append(id)
        }
        return found
    }
}
