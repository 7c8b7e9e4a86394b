// SPDX-License-Identifier: Apache-2.0

import DataAbstract

/// Inserts the rows of a file into a table, and updates those that the table has.
///
/// Rows are sent in parts, each of which is a call and a transaction of its own. If the server refuses a call, halves of
/// its rows are sent again, so that the rows that it refuses are found.
package struct TableImport: Sendable {
    /// The number of rows in a call.
    private static let part = 5_000
    /// The bytes of a delta after which a call is made. They must fit into the 16 MiB that an adapter takes.
    private static let partBytes = 8 << 20
    /// Rows that the server may refuse one by one, without any that it accepts, before the import ends.
    private static let mostRefusals = 20

    private let reader: TableReader
    private var isDryRun: Bool
    private let empty: EditableTable
    private var records: ImportRecords
    /// Whether the table had no rows when the import began. Its rows are then those of `sent`.
    private let isEmpty: Bool
    private var sent: Set<RowKey> = []
    private var refusals = 0
    /// Whether nothing more is read of the file.
    private var isAtEnd = false

    /// Prepares an import. Reads the head and the schema of the table, and its first rows.
    ///
    /// - Parameters:
    ///   - match: the fields by which a row is found; empty for the key of the table.
    ///   - forms: the forms of the values.
    /// - Throws: `TableEditError`; the errors of `TableReader`.
    package init(
        _ reader: TableReader,
        into table: String,
        match names: [String],
        _ forms: ImportForms = ImportForms(),
        isDryRun: Bool
    ) async throws {
        self.reader = reader
        self.isDryRun = isDryRun
        empty = try await reader.editableTable(table)
        records = try ImportRecords(of: empty, match: names, forms)
        isEmpty = try await !reader.hasRows(table)
    }

    /// Whether texts of the file may not fit the table's code page. The complete file has to be checked then before its
    /// first row is sent, by a dry run.
    package var needsCheck: Bool { !isDryRun && empty.fields.contains { $0.column.isInChosenCodePage } }

    /// The same import of which nothing is sent.
    package var dryRun: TableImport { TableImport(self, isDryRun: true) }

    private init(_ other: TableImport, isDryRun: Bool) {
        self = other
        self.isDryRun = isDryRun
    }

    /// Imports all records. The next part is prepared while the server has the last one, and sent after its reply.
    ///
    /// - Parameter progress: receives the number of records that are done.
    /// - Throws: `TableEditError` for a heading with an unknown field, or with a field twice; the errors of `TableReader`.
    package mutating func run(_ source: inout ImportSource, progress: (Int) -> Void) async throws -> Report {
        try records.check(source.heading)
        var report = Report()
        var next = try part(of: &source, after: nil)
        while let part = next, report.stop == nil {
            // Otherwise the next call fails.
            if isDryRun { try Task.checkCancellation() }
            report.add(part.failures)
            if let new = part.new {
                let server = TableChangeServer(reader)
                let (reply, following) = await Self.update(new.rows.delta, on: server) {
                    Result { try self.part(of: &source, after: new) }
                }
                try await land(new, reply, &report)
                next = report.stop == nil ? try following.get() : nil
            } else {
                try await send(part.rows[...], &report)
                next = report.stop == nil ? try self.part(of: &source, after: nil) : nil
            }
            report.stop = report.stop ?? part.stop
            progress(report.records)
        }
        report.failures.sort { $0.line < $1.line }
        return report
    }

    /// Sends a delta, and does some work while the server has it.
    private static func update<Work>(
        _ delta: Delta,
        on server: TableChangeServer,
        during work: () -> Work
    ) async -> (Reply, Work) {
        await withTaskGroup(of: Reply.self) { group in
            group.addImmediateTask {
                do throws(ApplyFailure) {
                    return .success(try await server.update(DeltaStream([delta])))
                } catch {
                    return .failure(error)
                }
            }
            let result = work()
            // The group has one task.
            return (await group.next() ?? .failure(.notSent("")), result)
        }
    }

    private typealias Reply = Result<DeltaStream, ApplyFailure>

    /// Rows of the file for one call.
    private struct Part {
        let rows: [Row]
        /// The records without a row.
        let failures: Report
        /// The rows as a delta, if nothing must be read for it.
        let new: NewPart?
        /// The reason why the file cannot be read further.
        let stop: Stop?
    }

    /// Rows that are all new.
    private struct NewPart {
        let given: ArraySlice<Row>
        /// The given rows without those that do not fit the table.
        let added: [Row]
        let rows: NewRows
        let keys: Set<RowKey>
        let failures: Report
    }

    /// Reads the next rows of the file.
    ///
    /// - Parameter sent: the part that the server has.
    /// - Returns: nil at the end of the file.
    private mutating func part(of source: inout ImportSource, after sent: NewPart?) throws -> Part? {
        var rows: [Row] = []
        var failures = Report()
        var (count, bytes) = (0, 0)
        var stop: Stop?
        do {
            while !isAtEnd, count < Self.part, bytes < Self.partBytes {
                guard let record = try source.next() else {
                    isAtEnd = true
                    break
                }
                count += 1
                bytes += record.byteCount
                do {
                    rows.append(try records.row(record))
                } catch let error as TableEditError {
                    failures.fail(record.line, .edit(error))
                }
            }
        } catch let error as ImportSourceError {
            stop = .source(error)
            isAtEnd = true
        }
        guard count > 0 || stop != nil else { return nil }
        let isRead = rows.contains { row in
            guard let key = row.key else { return false }
            return !isEmpty || self.sent.contains(rowKey(key)) || sent?.keys.contains(rowKey(key)) == true
        }
        let new = isDryRun || isRead || rows.isEmpty ? nil : newPart(rows[...])
        return Part(rows: rows, failures: failures, new: new?.added.isEmpty == true ? nil : new, stop: stop)
    }

    /// A record with the values of its fields.
    struct Row {
        /// The line on which the record begins.
        let line: Int
        /// The values that it sets.
        var values: [(column: Int, value: DataValue)]
        /// The values by which its row is found; nil for a new row.
        var key: [DataValue]?
        /// The row of the change set; nil if the edit was refused.
        var id: RowID?
        /// Whether this record makes the row.
        var isNew = false
        /// Whether the row is to be sent.
        var hasChange = false
    }

    /// Sends rows in one call, or in halves if the server refuses it.
    private mutating func send(_ given: ArraySlice<Row>, _ report: inout Report) async throws {
        var rows = Array(given)
        guard !rows.isEmpty else { return }
        var set = try ChangeSet([empty])
        var found: [RowKey: [RowID]] = [:]
        do {
            found = try await load(rows, into: &set)
        } catch let failure as ApplyFailure {
            report.stop = .apply(failure, line: rows[0].line)
            return
        }
        if found.isEmpty, let new = newPart(given) {
            guard !isDryRun, !new.added.isEmpty else {
                for row in new.added { report.count(row) }
                report.add(new.failures)
                if isEmpty { sent.formUnion(new.keys) }
                return
            }
            let server = TableChangeServer(reader)
            try await land(new, await Self.update(new.rows.delta, on: server) {}.0, &report)
            return
        }
        var part = Report()
        records.edit(&rows, &set, &found, &part)
        for index in rows.indices {
            rows[index].hasChange = rows[index].id.flatMap { set.tables[0].row($0) }?.state != .unchanged
        }
        if !isDryRun, set.hasChanges {
            let runner = ApplyRunner(TableChangeServer(reader), store: PendingFile?.none)
            let result = try await runner.apply(&set)
            if case .refused(let message) = result.failure {
                try await sendHalves(given, message, &report)
                return
            }
            judge(rows, result, set, &part)
        } else {
            for row in rows where row.id != nil { part.count(row) }
        }
        if isEmpty { sent.formUnion(rows.compactMap { row in row.id == nil ? nil : row.key.map(rowKey) }) }
        report.add(part)
    }

    /// Makes a delta of rows that are all new, without a change set. An import into an empty table is mostly that.
    ///
    /// - Returns: nil if several rows have the same key.
    private func newPart(_ rows: ArraySlice<Row>) -> NewPart? {
        var failures = Report()
        var new = NewRows(of: empty)
        var added: [Row] = []
        var keys: Set<RowKey> = []
        let automatic = Set(empty.fields.indices.filter { empty.fields[$0].isAutoInc })
        for var row in rows {
            if let key = row.key, !keys.insert(rowKey(key)).inserted { return nil }
            // NULL is no key that the server could take.
            let isUnset = { (field: (column: Int, value: DataValue)) in
                field.value.isNull && automatic.contains(field.column)
            }
            if row.values.contains(where: isUnset) { row.values.removeAll(where: isUnset) }
            if let error = records.rules.temporaryKey(in: row.values) {
                failures.fail(row.line, .edit(error))
                continue
            }
            do throws(EditError) {
                guard try new.append(row.values) else { return nil }
            } catch {
                failures.fail(row.line, .edit(.refused(table: empty.name, error)))
                continue
            }
            (row.isNew, row.hasChange) = (true, true)
            added.append(row)
        }
        return NewPart(given: rows, added: added, rows: new, keys: keys, failures: failures)
    }

    /// Takes note of the reply to new rows. If the server refuses the call, halves of them are sent.
    private mutating func land(_ new: NewPart, _ reply: Reply, _ report: inout Report) async throws {
        var part = Report()
        part.add(new.failures)
        switch reply {
        case .success(let stream):
            for (row, outcome) in zip(new.added, new.rows.outcomes(stream)) {
                switch outcome {
                case .accepted: part.count(row)
                case .rejected(let message): part.fail(row.line, .rejected(message))
                case .notProcessed: part.fail(row.line, .notProcessed)
                }
            }
        case .failure(.refused(let message)): return try await sendHalves(new.given, message, &report)
        case .failure(let failure):
            if case .unknownOutcome = failure { for row in new.added { part.fail(row.line, .unknown) } }
            part.stop = .apply(failure, line: new.given[new.given.startIndex].line)
        }
        if isEmpty { sent.formUnion(new.keys) }
        report.add(part)
    }

    private mutating func sendHalves(
        _ rows: ArraySlice<Row>,
        _ message: String,
        _ report: inout Report
    ) async throws {
        guard rows.count > 1 else {
            guard let row = rows.first else { return }
            report.fail(row.line, .rejected(message))
            refusals += 1
            if refusals == Self.mostRefusals, report.inserted + report.updated == 0 {
                report.stop = .apply(.refused(message), line: row.line)
            }
            return
        }
        let middle = rows.startIndex + rows.count / 2
        try await send(rows[..<middle], &report)
        if report.stop == nil { try await send(rows[middle...], &report) }
    }

    private func rowKey(_ values: [DataValue]) -> RowKey { records.key(values) }

    /// Reads the rows that the table has of these records.
    ///
    /// - Returns: the rows by the values of the fields to match.
    private func load(_ rows: [Row], into set: inout ChangeSet) async throws -> [RowKey: [RowID]] {
        let keys = rows.compactMap(\.key).filter { !isEmpty || sent.contains(rowKey($0)) }
        guard !keys.isEmpty else { return [:] }
        let request = RowRequest(table: empty.name, fields: records.match, values: keys)
        let reading = try await TableChangeServer(reader).read(request)
        do throws(EditError) {
            _ = try set.edit(empty.name) { table throws(EditError) in try table.load(reading.rows) }
        } catch {
            throw ApplyFailure.unreadable("\(error)")
        }
        let places = records.match.compactMap { field in reading.columns.firstIndex { $0.name == field.name } }
        var found: [RowKey: [RowID]] = [:]
        let wanted = Dictionary(grouping: Set(keys.map(rowKey)), by: \.ignoringCase)
        for row in reading.rows.joined() {
            guard let id = set.tables[0].find(key: records.rules.key.map { row[$0] }) else { continue }
            let key = rowKey(places.map { row[$0] })
            // The server has found other texts than those of the file only if it ignores case.
            let alike = wanted[key.ignoringCase] ?? []
            let same = alike.contains(key) ? [key] : alike
            // A reading may have a row twice, if two records ask for it.
            for key in same where found[key]?.contains(id) != true { found[key, default: []].append(id) }
        }
        return found
    }

    /// Counts the outcome of a call.
    private func judge(_ rows: [Row], _ result: ApplyReport, _ set: ChangeSet, _ report: inout Report) {
        let accepted = Set(result.accepted.map(\.row))
        let failed = Set(result.failed.map(\.row))
        let unknown = Set(set.undecidedRows.map(\.row))
        let conflicts = Dictionary(result.conflicts.map { ($0.row, $0) }) { first, _ in first }
        for row in rows {
            guard let id = row.id else { continue }
            if accepted.contains(id) || !row.hasChange {
                report.count(row)
            } else if failed.contains(id) {
                report.fail(row.line, .rejected(set.tables[0].row(id)?.failure ?? ""))
            } else if let conflict = conflicts[id] {
                report.fail(row.line, .conflict(conflict))
            } else if unknown.contains(id) {
                report.fail(row.line, .unknown)
            } else if result.failure == nil {
                report.fail(row.line, .notProcessed)
            }
        }
        if let failure = result.failure { report.stop = .apply(failure, line: rows[0].line) }
    }
}

extension ImportRecord {
    /// The most bytes that both sides of a change have for these values, each as UTF-16 or a number.
    fileprivate var byteCount: Int {
        values.reduce(0) { sum, value in
            if case .text(let text) = value { sum + 16 + 4 * text.utf8.count } else { sum }
        }
    }
}
