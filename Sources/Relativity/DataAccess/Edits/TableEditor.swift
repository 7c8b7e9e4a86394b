// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// Edits tables of one server on behalf of a tool: reads the rows, makes the changes, and applies them.
///
/// ```swift
/// let editor = TableEditor(reader)
/// var changes = try ChangeSet([])
/// let preview = try await editor.edit(TableEdit("Deps", .update(.key("2"), values)), in: &changes)
/// let result = try await editor.apply(&changes)
/// ```
package struct TableEditor: Sendable {
    /// The reader of the server's tables.
    package let reader: TableReader
    /// The maximum number of rows of one edit. They are held in memory.
    package var mostRows: Int
    /// The maximum bytes of these rows, and of the rows of one reading before an apply.
    package var mostBytes: Int

    /// 1,000,000 rows.
    package static let standardRows = 1_000_000

    /// Creates an editor.
    package init(
        _ reader: TableReader,
        mostRows: Int = TableEditor.standardRows,
        mostBytes: Int = AdapterChangeServer.standardBytes
    ) {
        self.reader = reader
        self.mostRows = mostRows
        self.mostBytes = mostBytes
    }

    /// The rows of an edit, and its conflicts with changes that were pending before.
    package struct Preview: Sendable {
        /// The name of the table.
        package let table: String
        /// The number of rows that the edit is for. Rows that have the new values already are not changed.
        package let rowsFound: Int
        /// The rows that have a pending change after the edit.
        package let changes: [PendingRow]
        /// Fields of these rows that both an earlier pending change and the server changed. The row keeps its own value.
        package let conflicts: [EditConflict]
    }

    /// Makes a change in a set, which then has the table. Nothing is sent that changes data.
    ///
    /// Rows that are changed are read completely. Pending new rows are found by their temporary keys. A condition is true or
    /// false for the values that a row has with its pending change.
    ///
    /// - Throws: `TableEditError`, after which the set is as before; `ApplyFailure.unreadable`; the errors of
    ///   `TableReader`.
    package func edit(_ edit: TableEdit, in changes: inout ChangeSet) async throws -> Preview {
        var set = changes
        let preview = try await make(edit, in: &set)
        changes = set
        return preview
    }

    /// Does the same as `edit`, but after an error the set must be dropped. So many edits make one copy of it.
    package func make(_ edit: TableEdit, in set: inout ChangeSet) async throws -> Preview {
        if set.table(edit.table) == nil {
            let empty = try await reader.editableTable(edit.table)
            try Self.refusing(edit.table) { () throws(EditError) in try set.add(empty) }
        }
        guard let rules = set.table(edit.table).map(EditRules.init) else { throw ReadError.missingTable(edit.table) }
        var found: [RowID] = []
        var conflicts: [EditConflict] = []
        if let choice = edit.change.rows {
            found = try await find(choice, of: rules, expected: edit.expected, in: &set, &conflicts)
        }
        return try Self.change(edit.change, rules, found, in: &set, conflicts)
    }

    /// Returns the row of a table with a key that is written as text. Needs no server.
    ///
    /// - Throws: `TableEditError`.
    package static func find(_ key: String, in table: EditableTable) throws -> RowID {
        try find(try EditRules(table).key(key), in: table)
    }

    private static func find(_ key: [DataValue], in table: EditableTable) throws -> RowID {
        guard let row = table.find(key: key) else { throw TableEditError.noRow(table: table.name, key: key) }
        return row
    }

    /// Makes a change in a set that has all rows of the table. Needs no server.
    ///
    /// - Parameter mostRows: the maximum number of rows of the edit.
    /// - Throws: `TableEditError`, after which the set is as before; `missingTable` of `ReadError`; `PredicateError`.
    package static func edit(
        _ edit: TableEdit,
        offline changes: inout ChangeSet,
        mostRows: Int = TableEditor.standardRows
    ) throws -> Preview {
        var set = changes
        guard let table = set.table(edit.table) else { throw ReadError.missingTable(edit.table) }
        let rules = EditRules(table)
        var keys: [[DataValue]] = []
        var rows: [RowID] = []
        switch edit.change.rows {
        case .key(let text): keys = [try rules.key(text)]
        case .keys(let list): keys = try list.map { try rules.key($0, text: nil) }
        case .matching(let predicate): rows = try table.rows(matching: predicate)
        case nil: break
        }
        rows += try keys.map { try find($0, in: table) }
        guard rows.count <= mostRows else {
            throw TableEditError.tooManyRows(table: table.name, found: rows.count, limit: mostRows)
        }
        try rules.check(rows.compactMap { table.row($0)?.values }, edit.expected)
        let preview = try change(edit.change, rules, rows, in: &set, [])
        changes = set
        return preview
    }

    /// Makes a change of rows that were found.
    private static func change(
        _ change: TableEdit.Change,
        _ rules: EditRules,
        _ found: [RowID],
        in set: inout ChangeSet,
        _ conflicts: [EditConflict]
    ) throws -> Preview {
        let name = rules.table
        var rows = found
        switch change {
        case .insert(let values):
            let values = try rules.values(values)
            let columns = try values.map { (column: try rules.index(of: $0.key), value: $0.value) }
            if let error = rules.temporaryKey(in: columns) { throw error }
            rows = [try Self.edit(&set, name) { table throws(EditError) in try table.append(values) }]
        case .update(_, let values):
            let values = try rules.values(values)
            for row in rows {
                try Self.edit(&set, name) { table throws(EditError) in try table.set(values, of: row) }
            }
        case .delete:
            for row in rows {
                try Self.edit(&set, name) { table throws(EditError) in try table.remove(row) }
            }
        }
        let pending = rows.compactMap { set.pendingRow(ChangedRow(name, $0)) }.filter { $0.state != .unchanged }
        return Preview(table: name, rowsFound: rows.count, changes: pending, conflicts: conflicts)
    }

    /// Applies all pending changes of a set.
    ///
    /// - Parameters:
    ///   - store: the pending file of the set; nil if its changes do not outlive the process.
    ///   - isForced: overwrites rows that others changed.
    ///   - isWhole: sends all changes in one call, or none.
    ///   - isMerging: sends changes also of rows in which others changed other fields.
    /// - Throws: `inFlight` if the outcome of an earlier call is unknown.
    package func apply(
        _ changes: inout ChangeSet,
        store: (some ChangeStore)? = PendingFile?.none,
        isForced: Bool = false,
        isWhole: Bool = false,
        isMerging: Bool = false
    ) async throws(EditError) -> EditResult {
        let before = changes.pendingRows
        let report = try await ApplyRunner(server, store: store)
            .apply(&changes, isForced: isForced, isWhole: isWhole, isMerging: isMerging)
        return EditResult(report, before, changes)
    }

    /// Reads a table to be shown and edited. If the task is cancelled after rows have arrived, or if they have too many
    /// bytes, the table has those that arrived before.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of rows.
    ///   - arriving: receives the number of rows so far, at most ten times a second, and sometimes a table of them, which
    ///     cannot be edited (`ArrivingRows`).
    /// - Returns: also whether there may be more rows.
    /// - Throws: `EditError`; the errors of `TableReader`.
    package func table(
        _ query: TableQuery,
        limit: Int,
        arriving: @escaping @Sendable (_ count: Int, EditableTable?) -> Void = { _, _ in }
    ) async throws -> (table: EditableTable, isCut: Bool) {
        let empty = try await reader.editableTable(query.table)
        var query = query
        // A row more shows whether the limit cuts.
        let most = min(limit, .max - 1) + 1
        query.limit = most
        var found = ArrivingRows(CompleteRows(limit: most, mostBytes: mostBytes), of: empty, arriving)
        var isCut = false
        do {
            _ = try await reader.read(query, into: &found)
        } catch  where found.hasRows && (Task.isCancelled || error.isTooManyBytes) {
            isCut = true
        }
        var rows = found.complete.rows
        if !isCut, found.complete.count > limit, let last = rows.popLast() {
            isCut = true
            rows.append(last.selecting(Array(found.complete.columns.indices), Array(0..<last.count - 1)))
        }
        return (try EditableTable(name: empty.name, fields: empty.fields, rows: rows), isCut)
    }

    /// Adds references between the tables of a set: those of the server's schema, and the caller's own ones, unless the
    /// schema has the same.
    ///
    /// - Returns: the schema; nil if the server does not show it.
    /// - Throws: `ReferenceRefusal` for a reference of the caller; the errors of the adapter, also those of the daemon.
    package func addReferences(_ own: [KeyReference], to changes: inout ChangeSet) async throws -> DataSchema? {
        var schema: DataSchema?
        do {
            schema = try DataSchema(parsing: try await reader.adapter.schema())
        } catch let error as DataAdapterError where error.isRefusal {}
        let known = schema.map(KeyReference.references) ?? []
        // A reference with a field that the table does not have cannot connect rows.
        for reference in known { try? changes.add(reference) }
        for reference in own {
            var same = reference
            same.isKnownToServer = true
            do throws(EditError) {
                if !known.contains(same) { try changes.add(reference) }
            } catch {
                throw ReferenceRefusal(reference: reference, reason: error)
            }
        }
        return schema
    }

    /// Compares changes of unknown outcome with the rows that the server has now.
    ///
    /// - Throws: `unreadable`.
    package func verdicts(on changes: ChangeSet) async throws(ApplyFailure) -> [OutcomeVerdict] {
        try await server.verdicts(on: changes)
    }

    private var server: TableChangeServer { TableChangeServer(reader, mostBytes: mostBytes) }

    /// Reads rows of the server into the table of a set, and returns those that are not removed.
    private func find(
        _ choice: EditedRows,
        of rules: EditRules,
        expected: [FieldAssignment],
        in changes: inout ChangeSet,
        _ conflicts: inout [EditConflict]
    ) async throws -> [RowID] {
        let name = rules.table
        guard !rules.key.isEmpty else { throw TableEditError.refused(table: name, .noKey) }
        let keys: [[DataValue]]
        switch choice {
        case .key(let text): keys = [try rules.key(text)]
        case .keys(let list): keys = try list.map { try rules.key($0, text: nil) }
        case .matching(let predicate):
            return try await find(predicate, of: rules, expected: expected, in: &changes, &conflicts)
        }
        let reading = try await server.rows(rules.request(for: keys))
        if !expected.isEmpty {
            // A server may also return rows whose keys it regards as equal.
            let wanted = Set(keys.map(rules.rowKey))
            let rows = reading.rows.joined().filter { wanted.contains(rules.rowKey(rules.key(of: $0))) }
            try rules.check(rows.map(Array.init), expected)
        }
        conflicts = try Self.edit(&changes, name) { table throws(EditError) in try table.load(reading.rows) }
        return try keys.map { key in
            guard let row = changes.table(name)?.find(key: key) else {
                throw TableEditError.noRow(table: name, key: key)
            }
            return row
        }
    }

    /// Finds the rows that satisfy a condition with their pending changes. The server selects rows without a change; those
    /// with one are read by their keys, and tested here.
    private func find(
        _ predicate: Expression,
        of rules: EditRules,
        expected: [FieldAssignment],
        in changes: inout ChangeSet,
        _ conflicts: inout [EditConflict]
    ) async throws -> [RowID] {
        guard let before = changes.table(rules.table) else { return [] }
        let overlay = PendingOverlay(before)
        let candidates = before.changedRows.filter { before.row($0)?.state != .removed }
        let keys = candidates.compactMap { before.row($0) }.filter { $0.state == .updated }.map { row in
            rules.key.map { (try? row.oldValue(rules.fields[$0].name)) ?? .null }
        }
        let selected = try await read(predicate, rules.table, hidden: before.changedRows.count)
        let columns = Array(selected.columns.indices)
        var rows = selected.rows
        if overlay.hidesRows {
            rows = rows.map { part in
                part.selecting(columns, part.indices.filter { !overlay.hides(rules.key(of: part[$0])) })
            }
        }
        try rules.check(RowReading(columns: selected.columns, rows: rows), expected)
        let changed = try await keys.isEmpty ? [] : server.rows(rules.request(for: keys)).rows
        conflicts = try Self.edit(&changes, rules.table) { table throws(EditError) in try table.load(rows + changed) }
        guard let table = changes.table(rules.table) else { return [] }
        let matching = try table.rows(candidates, matching: predicate)
        if !expected.isEmpty {
            let ids = Set(matching)
            let theirs = changed.joined().filter { row in
                table.find(key: rules.key(of: row)).map(ids.contains) ?? false
            }
            try rules.check(theirs.map(Array.init), expected)
        }
        let selectedIDs = rows.joined().compactMap { table.find(key: rules.key(of: $0)) }
        // A new row may have the key of one that was read.
        let known = Set(selectedIDs)
        let found = selectedIDs + matching.filter { !known.contains($0) }
        guard found.count <= mostRows else {
            throw TableEditError.tooManyRows(table: rules.table, found: found.count, limit: mostRows)
        }
        return found
    }

    /// - Parameter hidden: the number of rows beyond the limit that may be left out afterwards.
    private func read(_ predicate: Expression, _ table: String, hidden: Int) async throws -> RowReading {
        var query = TableQuery(table)
        query.predicate = predicate
        let most = mostRows > .max - hidden ? .max : mostRows + hidden
        var rows = CompleteRows(limit: most, mostBytes: mostBytes)
        _ = try await reader.read(query, into: &rows)
        guard rows.count <= most else {
            throw TableEditError.tooManyRows(table: table, found: rows.count, limit: mostRows)
        }
        return RowReading(columns: rows.columns, rows: rows.rows)
    }

    private static func edit<Result>(
        _ changes: inout ChangeSet,
        _ table: String,
        _ body: (inout EditableTable) throws(EditError) -> Result
    ) throws(TableEditError) -> Result {
        try refusing(table) { () throws(EditError) in try changes.edit(table, body) }
    }

    private static func refusing<Result>(
        _ table: String,
        _ body: () throws(EditError) -> Result
    ) throws(TableEditError) -> Result {
        do throws(EditError) { return try body() } catch { throw .refused(table: table, error) }
    }
}

/// A reference of a caller that does not fit the tables.
package struct ReferenceRefusal: Error {
    /// The reference.
    package let reference: KeyReference
    /// The reason.
    package let reason: EditError
}

extension EditableTable {
    /// Returns those of some rows that satisfy a predicate.
    ///
    /// - Throws: `PredicateError`.
    fileprivate func rows(_ ids: [RowID], matching predicate: Expression) throws(PredicateError) -> [RowID] {
        let condition = try CompiledPredicate(predicate, fields: fields.map(\.column))
        var found: [RowID] = []
        for id in ids {
            if let row = row(id), try matches(condition, row.values) { found.append(id) }
        }
        return found
    }

    /// Returns the rows that satisfy a predicate, new ones too, in the order of the table.
    ///
    /// - Throws: `PredicateError`.
    func rows(matching predicate: Expression) throws(PredicateError) -> [RowID] {
        var view = TableViewModel(self)
        try view.filter(by: predicate)
        return view.ids
    }
}

/// Collects rows, and counts those beyond a limit. Fails if they have too many bytes.
struct CompleteRows: RowConsumer {
    let limit: Int
    let mostBytes: Int
    private var table = ""
    private var bytesLeft: Int
    private(set) var columns: [DataColumn] = []
    private(set) var rows: [DataRows] = []
    private(set) var count = 0

    init(limit: Int, mostBytes: Int) {
        self.limit = limit
        self.mostBytes = mostBytes
        bytesLeft = mostBytes
    }

    mutating func begin(_ table: TableHead) {
        columns = table.columns
        self.table = table.name
    }

    mutating func add(_ rows: DataRows, _ indices: [Int]?) throws {
        count += indices?.count ?? rows.count
        guard count <= limit else { return self.rows = [] }
        let part = indices == nil ? rows : rows.selecting(Array(columns.indices), indices)
        bytesLeft -= part.withCells { bytes, _ in bytes.count }
        guard bytesLeft >= 0 else { throw TableEditError.tooManyBytes(table: table, limit: mostBytes) }
        self.rows.append(part)
    }

    mutating func finish() {}
}

/// Collects rows, and reports them while they arrive: their number, and a table of them at the first rows and whenever
/// their number has doubled. So all these tables together cost at most as much as two of all rows.
struct ArrivingRows: RowConsumer {
    private static let interval = Duration.milliseconds(100)

    private(set) var complete: CompleteRows
    private let table: EditableTable
    private let arriving: @Sendable (Int, EditableTable?) -> Void
    private var nextCount = 1
    private var nextTime = ContinuousClock.now

    init(_ rows: CompleteRows, of table: EditableTable, _ arriving: @escaping @Sendable (Int, EditableTable?) -> Void) {
        (complete, self.table, self.arriving) = (rows, table, arriving)
    }

    var hasRows: Bool { !complete.rows.isEmpty }

    mutating func begin(_ table: TableHead) { complete.begin(table) }

    mutating func add(_ rows: DataRows, _ indices: [Int]?) throws {
        try complete.add(rows, indices)
        let now = ContinuousClock.now
        if complete.count >= nextCount {
            nextCount = 2 * complete.count
            // Rows of other types are an error at the end.
            let (name, fields) = (table.name, table.fields)
            let shown = try? EditableTable(name: name, fields: fields, rows: complete.rows, isIndexed: false)
            arriving(complete.count, shown)
        } else if now >= nextTime {
            arriving(complete.count, nil)
        } else {
            return
        }
        nextTime = now + Self.interval
    }

    mutating func finish() { complete.finish() }
}

extension Error {
    fileprivate var isTooManyBytes: Bool {
        if case TableEditError.tooManyBytes? = self as? TableEditError { true } else { false }
    }
}

extension TableEdit.Change {
    /// The choice of rows; nil for an insert.
    fileprivate var rows: EditedRows? {
        switch self {
        case .insert: nil
        case .update(let rows, _): rows
        case .delete(let rows): rows
        }
    }
}
