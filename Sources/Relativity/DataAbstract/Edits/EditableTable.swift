// SPDX-License-Identifier: Apache-2.0

import Platform

/// Identifies a row of an editable table. A row keeps its number until the table is refreshed; a row with a pending
/// change or in edit mode keeps it longer. No number is used twice.
public struct RowID: Hashable, Sendable, Comparable {
    /// Counts from 0 in each table.
    public let number: Int64

    /// Creates an identifier of a known number.
    public init(_ number: Int64) {
        self.number = number
    }

    public static func < (left: RowID, right: RowID) -> Bool { left.number < right.number }
}

/// The difference between a row and the server's row.
public enum RowState: UInt8, Sendable, CaseIterable {
    case unchanged
    case inserted
    case updated
    case removed
}

/// A table whose rows can be edited. It knows its changes: as a delta, row by row, and with both values of each field.
///
/// Rows that were read stay in the bytes of their stream. Only rows with changes are held as values.
public struct EditableTable: Sendable {
    /// The name.
    public let name: String
    let layout: TableLayout
    private(set) var base: BaseRows
    private(set) var index: KeyIndex
    /// The ID of the first row of `base`.
    private(set) var firstID: Int64 = 0
    /// The ID of the next new row.
    var nextID: Int64
    /// Every row that differs from its row in `base`, or has none.
    private(set) var kept: [RowID: KeptRow] = [:]
    private var keptByBase: [Int: RowID] = [:]
    private var keptKeys: [RowKey: RowID] = [:]
    /// Removed rows that the server still has, by their keys there.
    private var removedKeys: [RowKey: RowID] = [:]
    /// Rows that are not in `base`, in the order of the table, and rows that no longer exist.
    var appended: [RowID] = []
    /// Removed rows, each with its number in the order of removal.
    var removals: [RowID: Int] = [:]
    private var nextRemoval = 0
    /// The values of rows in edit mode.
    var drafts: [RowID: [DataValue]] = [:]
    var nextTemporaryKey: Int64 = -1
    /// Rows whose pending change is not yet in the pending file.
    var unsaved: Set<RowID> = []
    /// The number of rows, without those that are removed or not posted.
    public private(set) var count: Int
    private var pendingCount = 0

    /// Creates a table of rows that were read. They must have all fields of the table.
    ///
    /// - Throws: `otherColumns` if there are rows of other types.
    public init(name: String, fields: [EditableField], rows: [DataRows] = []) throws(EditError) {
        try self.init(name: name, fields: fields, rows: rows, isIndexed: true)
    }

    /// Creates a table that may have no index of keys, so that it is made in no time. Without one it must not be edited,
    /// and `find` finds no row.
    ///
    /// - Throws: `otherColumns` if there are rows of other types.
    package init(name: String, fields: [EditableField], rows: [DataRows], isIndexed: Bool) throws(EditError) {
        self.name = name
        let layout = TableLayout(fields)
        self.layout = layout
        guard rows.allSatisfy({ $0.types == layout.types || $0.isEmpty }) else { throw .otherColumns }
        base = BaseRows(rows.map { $0.reading(in: layout.codePage) })
        index = KeyIndex(base, columns: isIndexed ? layout.key : [])
        count = base.count
        nextID = Int64(base.count)
    }

    /// Creates a table from the parts of a reply to GetData with all fields.
    ///
    /// - Parameter schema: the table in the server's schema, for the rules that the schema of the reply does not have,
    ///   such as sizes.
    /// - Throws: `otherColumns` if there are rows of other types.
    public init(_ head: TableHead, rows: [DataRows] = [], schema: SchemaTable? = nil) throws(EditError) {
        try self.init(name: head.name, columns: head.columns, head.schema, rows, schema)
    }

    /// Creates a table from a reply to GetData that is in memory. Parameter and errors are those of the other form.
    public init(_ table: DataTable, schema: SchemaTable? = nil) throws(EditError) {
        try self.init(name: table.name, columns: table.columns, table.schema, [table.rows], schema)
    }

    private init(
        name: String,
        columns: [DataColumn],
        _ own: TableSchema?,
        _ rows: [DataRows],
        _ schema: SchemaTable?
    ) throws(EditError) {
        let known = Dictionary((schema?.fields ?? []).map { (NameKey($0.name), $0) }) { first, _ in first }
        let fields = columns.enumerated().map { index, column in
            EditableField(column, own?.fields[index], known[NameKey(column.name)])
        }
        try self.init(name: name, fields: fields, rows: rows)
    }

    /// The fields, in the order of the columns.
    public var fields: [EditableField] { layout.fields }

    /// Whether there are pending changes. Rows in edit mode do not count.
    public var hasChanges: Bool { pendingCount > 0 }

    /// Whether rows are in edit mode.
    public var isEditing: Bool { !drafts.isEmpty }

    /// The rows that were read, as they were then.
    package var readRows: [DataRows] {
        var batches: [DataRows] = []
        base.forEachBatch { _, rows in batches.append(rows) }
        return batches
    }
}

/// A row that is held as values.
struct KeptRow: Sendable {
    var state: RowState
    /// The number of its row in the base.
    var base: Int?
    /// The values that the server has, as far as known.
    var old: [DataValue]
    /// The values of the row; of a removed row those that it had.
    var new: [DataValue]
    /// The server's reason why it rejected the change; untrusted text.
    var failure: String?
    /// Whether the server's row has disappeared.
    var isMissing = false
    /// Whether the server accepted the removal.
    var isGone = false

    var isVisible: Bool { state != .removed }
    var isPending: Bool { state != .unchanged && !isGone }
}

/// The fields of an editable table, shared by its rows.
final class TableLayout: Sendable {
    let fields: [EditableField]
    let types: [DataType]
    /// Of 8-bit text; nil for Latin-1. It stays the same while the table has pending changes.
    let codePage: CodePage?
    /// The indexes of the fields of the key.
    let key: [Int]
    /// The indexes of the fields that deltas include.
    let logged: [Int]
    /// Whether an edit may set the field: it is not read-only, and deltas include it.
    let isSettable: [Bool]
    /// The values of a new row, without temporary keys.
    let initialValues: [DataValue]
    /// The fields that a client must set in a new row.
    private let mandatory: [Int]
    private let limits: [FieldLimit]
    private let columns: [DataColumn]
    private let indexes: [[UInt8]: Int]

    init(_ fields: [EditableField]) {
        self.fields = fields
        types = fields.map(\.type)
        codePage = fields.lazy.compactMap(\.codePage).first
        key = fields.indices.filter { fields[$0].isInPrimaryKey }
        let isLogged = fields.map { $0.type != .unknown && ($0.logsChanges || $0.isInPrimaryKey) }
        logged = fields.indices.filter { isLogged[$0] }
        let isSettable = zip(fields, isLogged).map { $1 && !$0.isReadOnly }
        self.isSettable = isSettable
        initialValues = fields.map(\.initialValue)
        limits = fields.map { FieldLimit(type: $0.type, size: $0.size) }
        mandatory = fields.indices.filter { index in
            isSettable[index] && (fields[index].isRequired || fields[index].isInPrimaryKey)
        }
        columns = fields.map(\.column)
        indexes = Dictionary(fields.indices.map { (Array(fields[$0].name.utf8), $0) }) { first, _ in first }
    }

    /// Finds a field by its name (`NameMatch`).
    func column(_ name: String) throws(EditError) -> Int {
        if let index = indexes[Array(name.utf8)] { return index }
        let names = fields.lazy.map(\.name)
        switch NameMatch(name, in: names) {
        case .found(let index): return index
        case .ambiguous: throw .ambiguousField(name)
        case .unknown: throw .unknownField(UnknownName(name, among: names))
        }
    }

    func key(of values: [DataValue]) -> RowKey? {
        key.isEmpty ? nil : RowKey(values: key.map { ComparableValue(values[$0], types[$0]) })
    }

    /// Sets values that an edit may set. A time that differs by less than a millisecond stays: its text has whole
    /// milliseconds, so that setting it would cut off the rest.
    ///
    /// - Throws: `readOnly`, `unmappable`, `unreadable`, `unfit`, `tooLong`.
    func assign(_ values: [(column: Int, value: DataValue)], to row: inout [DataValue]) throws(EditError) {
        for (column, value) in values {
            guard isSettable[column] else { throw .readOnly(field: fields[column].name) }
            if case .unreadable(let text) = row[column] {
                guard row[column] != value else { continue }
                throw .unreadable(UnreadableCell(rowName(row), field: fields[column].name, text))
            }
            if case .unreadable(let text) = value {
                var named = row
                for (column, value) in values { named[column] = value }
                throw .unreadable(UnreadableCell(rowName(named), field: fields[column].name, text))
            }
            let value = limits[column].holds(value) ? value : try fields[column].checked(value)
            if !Self.isSameTime(row[column], value) { row[column] = value }
        }
    }

    /// The key of a row for an error.
    func rowName(_ row: [DataValue]) -> UnreadableCell.Row {
        UnreadableCell.Row(key.map { fields[$0].column }, key.map { row[$0] })
    }

    private static func isSameTime(_ left: DataValue, _ right: DataValue) -> Bool {
        guard case .dateTime(let left) = left, case .dateTime(let right) = right else { return false }
        return PredicateDate(days: left) == PredicateDate(days: right)
    }

    /// Checks a new row.
    ///
    /// - Throws: `required`.
    func checkRequired(_ row: [DataValue]) throws(EditError) {
        for column in mandatory where row[column].isNull { throw .required(field: fields[column].name) }
    }

    func isSame(_ column: Int, _ left: DataValue, _ right: DataValue) -> Bool {
        ComparableValue.isSame(left, right, types[column])
    }

    /// The values of a changed row, with the server's values in the fields that the change does not set.
    func rebased(_ row: KeptRow, on theirs: [DataValue]) -> [DataValue] {
        var values = row.new
        for column in logged where isSame(column, row.new[column], row.old[column]) { values[column] = theirs[column] }
        return values
    }

    /// Whether a row was changed, and the server has its old or its new value in each field that the change sets.
    func isApart(_ row: KeptRow, _ theirs: [DataValue]) -> Bool {
        row.state == .updated
            && logged.allSatisfy { column in
                isSame(column, row.new[column], row.old[column]) || isSame(column, theirs[column], row.old[column])
                    || isSame(column, theirs[column], row.new[column])
            }
    }

    /// Whether two rows have equal values in all logged fields.
    func isSame(_ left: [DataValue], _ right: [DataValue]) -> Bool {
        logged.allSatisfy { isSame($0, left[$0], right[$0]) }
    }
}

/// A row of an editable table, as it was when it was requested.
public struct EditableRow: Sendable {
    private enum Cells: Sendable {
        case base(DataRow)
        case values([DataValue])
    }

    /// Identifies the row.
    public let id: RowID
    /// The difference between the row and the server's row.
    public let state: RowState
    /// The server's reason why it rejected the last attempt to apply the change; untrusted text.
    public let failure: String?
    private let cells: Cells
    private let old: [DataValue]?
    private let layout: TableLayout

    init(_ id: RowID, _ row: DataRow, _ layout: TableLayout) {
        (self.id, state, failure, cells, old, self.layout) = (id, .unchanged, nil, .base(row), nil, layout)
    }

    init(_ id: RowID, _ row: KeptRow, _ layout: TableLayout) {
        (self.id, state, failure, cells, self.layout) = (id, row.state, row.failure, .values(row.new), layout)
        old = row.state == .inserted ? nil : row.old
    }

    /// Returns the value of a field.
    ///
    /// - Throws: `unknownField`, `ambiguousField`.
    public func value(_ field: String) throws(EditError) -> DataValue {
        self[try layout.column(field)]
    }

    /// Returns the value at the place of a field.
    ///
    /// - Precondition: the place is that of a field of the table.
    package subscript(column: Int) -> DataValue {
        switch cells {
        case .base(let row): row[column]
        case .values(let values): values[column]
        }
    }

    /// Returns the value of a field that the server has, as far as known; NULL for a new row.
    ///
    /// - Throws: `unknownField`, `ambiguousField`.
    public func oldValue(_ field: String) throws(EditError) -> DataValue {
        let column = try layout.column(field)
        if state == .inserted { return .null }
        if let old { return old[column] }
        return try value(field)
    }

    /// The values, in the order of the fields.
    public var values: [DataValue] {
        switch cells {
        case .base(let row): Array(row)
        case .values(let values): values
        }
    }

    /// The names of the fields whose values differ from the server's. Of a new row those that are not NULL.
    public var changedFields: [String] {
        guard state != .unchanged else { return [] }
        let (old, new) = (old ?? layout.fields.map { _ in .null }, values)
        return layout.fields.indices.filter { !layout.isSame($0, old[$0], new[$0]) }.map { layout.fields[$0].name }
    }
}

// MARK: Conditions

extension EditableTable {
    /// Whether values of a row satisfy a predicate.
    ///
    /// - Throws: `unreadable` with the key of the row.
    package func matches(_ predicate: CompiledPredicate, _ values: [DataValue]) throws(PredicateError) -> Bool {
        do throws(PredicateError) {
            return try predicate.matches(values)
        } catch {
            throw layout.key.isEmpty ? error : error.inRow(layout.rowName(values))
        }
    }

    /// Names the row of an error by its key, if the table has one.
    func naming(_ error: PredicateError, in rows: DataRows) -> PredicateError {
        guard case .unreadable(let cell) = error, case .number(let number) = cell.row, !layout.key.isEmpty else {
            return error
        }
        return error.inRow(layout.rowName(Array(rows[number - 1])))
    }
}

// MARK: Rows

extension EditableTable {
    /// The rows in the order of the table: those that were read, then new ones. Without rows that are removed or not
    /// posted.
    public var rowIDs: some Sequence<RowID> {
        sequence(state: 0) { position -> RowID? in
            while position < base.count + appended.count {
                let place = position
                position += 1
                let id = place < base.count ? id(ofBase: place) : appended[place - base.count]
                guard let row = kept[id] else {
                    if place < base.count { return id }
                    continue
                }
                // A row that was found again by a refresh is listed at its row in the base.
                if row.isVisible, place < base.count || row.base == nil { return id }
            }
            return nil
        }
    }

    /// Returns a row, also if it is removed and the server does not know it yet; nil if there is none.
    public func row(_ id: RowID) -> EditableRow? {
        if let row = kept[id] { return row.isGone ? nil : EditableRow(id, row, layout) }
        return baseRow(of: id).map { EditableRow(id, base[$0], layout) }
    }

    /// Finds the row that has these values in the fields of the key, in their order. Removed rows are not found.
    public func find(key values: [DataValue]) -> RowID? {
        guard !layout.key.isEmpty, values.count == layout.key.count else { return nil }
        return find(RowKey(values: zip(layout.key, values).map { ComparableValue($1, layout.types[$0]) }))
    }

    /// Finds a removed row by the key that it has on the server.
    func findRemoved(_ key: RowKey) -> RowID? { removedKeys[key] }

    func find(_ key: RowKey) -> RowID? {
        if let id = keptKeys[key] { return id }
        guard let row = index.find(key, in: base), keptByBase[row] == nil else { return nil }
        return id(ofBase: row)
    }

    /// The rows with pending changes, in the order of a delta: changed and new rows in the order of the table, then
    /// removed rows in the order of removal. A removed row whose key another row has now comes first.
    public var changedRows: [RowID] {
        var changed: [(place: Int, id: RowID)] = []
        for (place, id) in keptByBase where kept[id]?.state == .updated { changed.append((place, id)) }
        let added = appended.filter { id in
            kept[id].map { $0.base == nil && ($0.state == .inserted || $0.state == .updated) } ?? false
        }
        var (freeing, removed): ([RowID], [RowID]) = ([], [])
        for (id, _) in removals.sorted(by: { $0.value < $1.value }) {
            guard let row = kept[id], row.state == .removed, !row.isGone else { continue }
            let isTaken = layout.key(of: row.old).map { keptKeys[$0] != nil } ?? false
            if isTaken { freeing.append(id) } else { removed.append(id) }
        }
        return freeing + changed.sorted { $0.place < $1.place }.map(\.id) + added + removed
    }

    /// Gives a row that is removed now its place in the order of removals.
    mutating func noteRemoval(of id: RowID) {
        if removals[id] == nil {
            removals[id] = nextRemoval
            nextRemoval += 1
        }
    }

    func id(ofBase row: Int) -> RowID { keptByBase[row] ?? RowID(firstID + Int64(row)) }

    /// The row of the base of an ID that is not kept.
    func baseRow(of id: RowID) -> Int? {
        guard let row = Int(exactly: id.number - firstID), row >= 0, row < base.count else { return nil }
        return keptByBase[row] == nil ? row : nil
    }

    /// Returns the row as it would be kept; nil if there is none.
    func keptOrBase(_ id: RowID) -> KeptRow? {
        if let row = kept[id] { return row.isGone ? nil : row }
        guard let row = baseRow(of: id) else { return nil }
        let values = Array(base[row])
        return KeptRow(state: .unchanged, base: row, old: values, new: values)
    }

    /// Replaces what is known of a row; nil drops it.
    mutating func keep(_ row: KeptRow?, at id: RowID) {
        if let before = kept[id] {
            if let place = before.base { keptByBase[place] = nil }
            if before.isVisible, let key = layout.key(of: before.new), keptKeys[key] == id { keptKeys[key] = nil }
            if !before.isVisible, let key = layout.key(of: before.old), removedKeys[key] == id {
                removedKeys[key] = nil
            }
            count -= Self.contribution(before)
            pendingCount -= before.isPending ? 1 : 0
        }
        kept[id] = row
        unsaved.insert(id)
        guard let row else { return }
        if let place = row.base { keptByBase[place] = id }
        if row.isVisible, let key = layout.key(of: row.new) { keptKeys[key] = id }
        if !row.isVisible, !row.isGone, !row.isMissing, let key = layout.key(of: row.old) { removedKeys[key] = id }
        count += Self.contribution(row)
        pendingCount += row.isPending ? 1 : 0
    }

    /// The number that a kept row adds to the count of rows in the base.
    private static func contribution(_ row: KeptRow) -> Int { (row.isVisible ? 1 : 0) - (row.base == nil ? 0 : 1) }

    /// Drops a row that is as in the base, unless its ID belongs to no row there or it is in edit mode.
    mutating func release(_ id: RowID) {
        guard let row = kept[id], row.state == .unchanged, drafts[id] == nil, let place = row.base,
            id.number == firstID + Int64(place), layout.isSame(row.new, Array(base[place]))
        else { return }
        keep(nil, at: id)
    }

    /// Replaces the rows that were read, and forgets all kept ones.
    mutating func replaceBase(_ rows: [DataRows]) throws(EditError) {
        guard rows.allSatisfy({ $0.types == layout.types || $0.isEmpty }) else { throw .otherColumns }
        base = BaseRows(rows.map { $0.reading(in: layout.codePage) })
        index = KeyIndex(base, columns: layout.key)
        firstID = nextID
        nextID += Int64(base.count)
        (kept, keptByBase, keptKeys, removedKeys, appended) = ([:], [:], [:], [:], [])
        (count, pendingCount) = (base.count, 0)
    }
}
