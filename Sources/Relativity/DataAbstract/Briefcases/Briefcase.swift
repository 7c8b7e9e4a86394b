// SPDX-License-Identifier: Apache-2.0

import Platform

/// Tables for work without a server: their rows, their pending changes, and properties.
///
/// ```swift
/// let file = try BriefcaseFile("shop.daBriefcase")
/// guard case .loaded(var briefcase) = try Briefcase.load(file.path, version: "2") else { return try await download() }
/// var changes = try briefcase.changeSet().changes
/// try changes.edit("Orders") { table throws(EditError) in
///     try table.set("Status", of: RowID(0), to: .integer(2))
/// }
/// try briefcase.update(from: changes)
/// try file.save(briefcase)
/// ```
///
/// Rows, changes and properties are not encrypted.
public struct Briefcase: Sendable {
    /// The property with the version of the data, which the application chooses.
    public static let versionKey = "Version"
    /// The property with the time of the download, in UTC as `2020-01-02T03:04:05Z`.
    public static let savedKey = "Saved"
    /// The property that identifies the endpoint that the tables are from.
    public static let endpointKey = "Endpoint"
    /// The property with the name of the data service that the tables are from.
    public static let serviceKey = "Service"

    /// The property with the name of the code page of 8-bit text.
    public static let codePageKey = "CodePage"

    /// Returns the code page with the name of the property; nil for Latin-1, also if the name is not known.
    public static func codePage(_ name: String?) -> CodePage? { name.flatMap(CodePage.named) }

    /// Texts that are stored with the tables. A name has 1 to 1,024 bytes, a value at most 64 KiB, both of characters
    /// that XML permits.
    public var properties: [String: String] = [:]
    /// The tables with the rows that the server had. Names are unique, ignoring case.
    public private(set) var tables: [DataTable] = []
    /// The pending changes; nil if there are none. The rows of the server are in `tables`.
    public var changes: ChangeSet?

    /// Creates a briefcase without tables.
    public init() {}

    /// The version of the data; nil if there is none.
    public var version: String? {
        get { properties[Self.versionKey] }
        set { properties[Self.versionKey] = newValue }
    }

    /// Returns a table; nil if there is none of this name, ignoring case.
    public func table(_ name: String) -> DataTable? { index(of: name).map { tables[$0] } }

    /// Adds a table, or replaces the one of the same name.
    public mutating func put(_ table: DataTable) {
        if let index = index(of: table.name) { tables[index] = table } else { tables.append(table) }
    }

    /// Removes a table. Its pending changes stay.
    public mutating func remove(_ name: String) {
        if let index = index(of: name) { tables.remove(at: index) }
    }

    private func index(of name: String) -> Int? {
        tables.firstIndex { NameMatch.isSimilar($0.name, name) }
    }

    /// Returns the tables with their pending changes, to be edited and applied.
    ///
    /// - Parameter schema: the rules for fields of tables without changes; nil for those of the tables.
    /// - Returns: also the conflicts of changes with rows that were downloaded after them. A change of unknown outcome
    ///   that these rows already have is decided.
    /// - Throws: `otherColumns` if a table has other columns than its changes.
    public func changeSet(
        schema: DataSchema? = nil
    ) throws(EditError) -> (changes: ChangeSet, conflicts: [EditConflict]) {
        var set = try ChangeSet([])
        if let changes { set = changes }
        var conflicts: [EditConflict] = []
        for table in tables {
            guard let index = set.index(of: table.name) else {
                set.tables.append(try EditableTable(table, schema: schema?.table(table.name)))
                set.hasUnsavedTables = true
                continue
            }
            let known = set.tables[index]
            let isSame = known.fields.elementsEqual(table.columns) { $0.name == $1.name && $0.type == $1.type }
            if isSame || known.hasChanges || set.undecidedRows.contains(where: { $0.table == known.name }) {
                conflicts += try set.tables[index].refresh([table.rows])
            } else {
                set.tables[index] = try EditableTable(table, schema: schema?.table(table.name))
                set.hasUnsavedTables = true
            }
        }
        set.decideMerged()
        return (set, conflicts)
    }

    /// Keeps the pending changes of a set, and the rows that the server has as far as the set knows them; not those of a
    /// table without rows that were read, which this briefcase does not have. A field in conflict keeps its old value. So
    /// after a download, `put` the tables and assign `changes` instead.
    ///
    /// - Throws: `tooLong`.
    public mutating func update(from set: ChangeSet) throws(TableError) {
        for table in set.tables {
            var kept: DataTable
            let before = self.table(table.name)
            guard before != nil || table.base.count > 0 else { continue }
            if let before, before.columns.map(\.type) == table.layout.types {
                kept = DataTable(before.head)
            } else {
                let schema = try TableSchema(fields: table.fields.map(\.entry))
                kept = try DataTable(
                    name: before?.name ?? table.name,
                    columns: table.fields.map(\.column),
                    schema: schema
                )
            }
            try kept.append(try table.serverRows())
            put(kept)
        }
        changes = set.hasChanges || !set.undecidedRows.isEmpty ? set : nil
    }
}

/// A briefcase that was read for a certain version.
public enum LoadedBriefcase: Sendable {
    /// The briefcase has the version.
    case loaded(Briefcase)
    /// The briefcase has another version, or nil for none: its tables have to be downloaded again.
    case outdated(version: String?)
    /// There is no briefcase.
    case absent
}

extension EditableTable {
    /// The rows that the server has, as far as known: without pending changes, and without new rows whose key the server
    /// did not report.
    func serverRows() throws(TableError) -> DataRows {
        if kept.isEmpty, let rows = base.single { return rows }
        var builder = DataRowsBuilder(fields.map(\.column))
        func append(_ row: KeptRow) throws(TableError) {
            guard row.state != .inserted, !row.isGone, !row.isMissing else { return }
            let values = row.state == .unchanged ? row.new : row.old
            if !layout.key.contains(where: { fields[$0].isAutoInc && isTemporaryKey(values[$0]) }) {
                try builder.append(values)
            }
        }
        try base.forEachEncoded { place, bytes throws(TableError) in
            if let row = kept[id(ofBase: place)] { try append(row) } else { try builder.append(encoded: bytes) }
        }
        for row in appended.compactMap({ kept[$0] }) where row.base == nil { try append(row) }
        return builder.take()
    }
}
