// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// A pending change of a row, as a store keeps it.
package struct PendingRecord: Sendable {
    /// The row.
    package let row: RowID
    /// The kind of change.
    package let state: RowState
    /// Whether the server no longer has the row.
    package let isMissing: Bool
    /// The server's reason why it rejected the change.
    package let failure: String?

    /// Creates a record that was read.
    package init(row: RowID, state: RowState, isMissing: Bool, failure: String?) {
        (self.row, self.state, self.isMissing, self.failure) = (row, state, isMissing, failure)
    }
}

/// What a store keeps of a set: its tables without rows, the pending changes, and the rows whose outcome is unknown.
extension ChangeSet {
    private static let limits = TableLimits(bytes: Int(Int32.max), cell: Int(Int32.max))
    /// The property of a field with the name of the code page. A store has the bytes of 8-bit text.
    private static let codePageProperty = "CodePage"
    private static let mostReferences = 1 << 12

    /// The rows whose outcome is unknown if the process ends now.
    package var unansweredRows: [ChangedRow] { phase == .applying ? sentRows : undecidedRows }

    /// Notes that the store has all changes.
    package mutating func markSaved() {
        hasUnsavedTables = false
        for index in tables.indices { tables[index].unsaved = [] }
    }

    /// Encodes the tables and the references: the number of references, each as the detail, the master, and whether the
    /// server knows it; then a stream of tables with schemas and without rows.
    ///
    /// - Throws: `tooLarge`.
    package func encodedTables() throws(PendingFileError) -> ByteBuffer {
        var stream = TableStream()
        do throws(TableError) {
            for table in tables {
                let columns = table.fields.map(\.column)
                let page = table.layout.codePage.flatMap { $0.isAssumed ? nil : $0 }
                let entries = table.fields.map { field in
                    var entry = field.entry
                    if let page { entry.properties.append(.init(Self.codePageProperty, page.name)) }
                    return entry
                }
                let schema = try TableSchema(fields: entries)
                stream.tables.append(try DataTable(name: table.name, columns: columns, schema: schema))
            }
            var bytes = ByteBuffer()
            bytes.writeCount(references.count)
            for reference in references {
                for (table, fields) in [
                    (reference.detail, reference.detailFields), (reference.master, reference.masterFields),
                ] {
                    bytes.writeCounted(table)
                    bytes.writeCount(fields.count)
                    for field in fields { bytes.writeCounted(field) }
                }
                bytes.writeInteger(reference.isKnownToServer ? 1 : 0, as: UInt8.self)
            }
            bytes.writeImmutableBuffer(try stream.encoded())
            return bytes
        } catch {
            throw .tooLarge
        }
    }

    /// Decodes tables and references. The set has no changes.
    ///
    /// - Parameter codePage: in which 8-bit text is read; nil for the one of the store.
    package init(decodingTables encoded: ByteBuffer, codePage: CodePage?) throws {
        var bytes = encoded
        var references: [KeyReference] = []
        let count = try bytes.count()
        guard count <= Self.mostReferences else { throw PendingFileError.otherFormat }
        for _ in 0..<count {
            let detail = try (table: bytes.text(), fields: bytes.texts())
            let master = try (table: bytes.text(), fields: bytes.texts())
            let isKnown = try bytes.integer(UInt8.self) != 0
            references.append(
                KeyReference(detail.table, detail.fields, to: master.table, master.fields, isKnownToServer: isKnown)
            )
        }
        let tables = try TableStream(decoding: bytes.slice(), limits: Self.limits).tables
        try self.init(
            tables.map { table in
                let name = table.schema?.fields.first?[Self.codePageProperty]
                let page = codePage ?? name.flatMap(CodePage.named)
                let fields = table.reading(in: page).columns.enumerated()
                    .map { EditableField($1, table.schema?.fields[$0]) }
                return try EditableTable(name: table.name, fields: fields)
            },
            references: references
        )
    }

    /// Restores the numbers of a table: those of a damaged store must not overflow later.
    package mutating func restore(nextRow: Int64, nextKey: Int64, at index: Int) throws(PendingFileError) {
        guard RowID.numbers.contains(nextRow), nextKey < 0, RowID.numbers.contains(~nextKey) else {
            throw .otherFormat
        }
        (tables[index].nextID, tables[index].nextTemporaryKey) = (nextRow, nextKey)
    }

    /// Restores pending changes of a table.
    ///
    /// - Parameters:
    ///   - values: the old and the new values of each change, as `EditableTable.values` has them.
    ///   - listed: the rows of the table that were restored before.
    package mutating func restore(
        _ records: [PendingRecord],
        _ values: DataTable,
        at index: Int,
        _ listed: inout Set<RowID>
    ) throws(PendingFileError) {
        let layout = tables[index].layout
        let columns = layout.stored
        let types = columns.map { layout.types[$0] }
        guard values.rows.count == 2 * records.count, values.columns.count == columns.count,
            records.isEmpty || values.rows.types == types,
            records.allSatisfy({ (0..<tables[index].nextID).contains($0.row.number) })
        else { throw .otherFormat }
        let stored = values.rows.reading(in: layout.codePage)
        tables[index].unlistRemovals(of: records.compactMap { $0.state == .removed ? nil : $0.row })
        for (number, record) in records.enumerated() {
            var sides = [[DataValue]](repeating: .init(repeating: .null, count: layout.fields.count), count: 2)
            for side in 0..<2 {
                for (column, value) in zip(columns, stored[2 * number + side]) { sides[side][column] = value }
            }
            var kept = KeptRow(state: record.state, old: sides[0], new: sides[1], failure: record.failure)
            kept.isMissing = record.isMissing
            tables[index].restore(kept, at: record.row, &listed)
        }
    }

    /// Restores the rows whose outcome is unknown.
    package mutating func restore(undecided rows: [ChangedRow]) {
        phase = rows.isEmpty ? .idle : .unknownOutcome(rows)
    }
}

extension EditableTable {
    /// What a store lacks: changes, and rows that are no longer pending.
    package var unsavedRows: (changed: [RowID], dropped: [RowID]) {
        let changed = changedRows.filter { unsaved.contains($0) }
        return (changed, unsaved.subtracting(changed).sorted())
    }

    /// The numbers of the next row and the next temporary key.
    package var nextNumbers: (row: Int64, key: Int64) { (nextID, nextTemporaryKey) }

    /// The changes of rows; rows without one are omitted.
    package func records(of rows: [RowID]) -> [PendingRecord] {
        rows.compactMap { id in
            kept[id].map { PendingRecord(row: id, state: $0.state, isMissing: $0.isMissing, failure: $0.failure) }
        }
    }

    /// The old and the new values of each change, as rows.
    package func values(of records: [PendingRecord]) throws(TableError) -> DataTable {
        let columns = layout.stored
        var rows = try DataTable(name: name, columns: columns.map { fields[$0].column })
        for record in records {
            guard let row = kept[record.row] else { continue }
            try rows.append(columns.map { row.old[$0] })
            try rows.append(columns.map { row.new[$0] })
        }
        return rows
    }

    /// Restores a pending change.
    ///
    /// - Parameter listed: the rows in `appended`.
    fileprivate mutating func restore(_ row: KeptRow, at id: RowID, _ listed: inout Set<RowID>) {
        if row.state == .removed {
            if kept[id]?.state != .removed { removals.append(id) }
        } else if listed.insert(id).inserted {
            appended.append(id)
        }
        keep(row, at: id)
    }

    mutating func dropRestored(_ rows: Set<RowID>) {
        unlistRemovals(of: rows)
        for id in rows { keep(nil, at: id) }
    }

    /// Takes rows that are no longer removed from the list of removals, all in one pass.
    fileprivate mutating func unlistRemovals(of rows: some Sequence<RowID>) {
        let returned = Set(rows.filter { kept[$0]?.state == .removed })
        if !returned.isEmpty { removals.removeAll { returned.contains($0) } }
    }
}

extension RowID {
    /// The numbers of rows, and the magnitudes of temporary keys.
    static let numbers: Range<Int64> = 0..<1 << 62
}

extension TableLayout {
    /// The columns whose values are stored. A field of unknown type has none.
    fileprivate var stored: [Int] { fields.indices.filter { types[$0] != .unknown } }
}

extension EditableField {
    /// The field in the schema of a table.
    var entry: SchemaEntry {
        var entry = SchemaEntry(
            field: name,
            type,
            isInPrimaryKey: isInPrimaryKey,
            isRequired: isRequired,
            isReadOnly: isReadOnly,
            logsChanges: logsChanges,
            defaultValue: defaultValue
        )
        entry.properties.append(.init("Size", size.map(String.init)))
        return entry
    }
}

/// Primitives of a record. They fail at its end.
extension ByteBuffer {
    mutating func integer<Integer: FixedWidthInteger>(_: Integer.Type) throws -> Integer {
        guard let value = readInteger(endianness: .little, as: Integer.self) else { throw PendingFileError.otherFormat }
        return value
    }

    /// Reads a number of elements, each of at least a byte.
    mutating func count() throws -> Int {
        let count = Int(try integer(Int32.self))
        guard count >= 0, count <= readableBytes else { throw PendingFileError.otherFormat }
        return count
    }

    mutating func text() throws -> String {
        guard let text = readString(length: try count()) else { throw PendingFileError.otherFormat }
        return text
    }

    mutating func texts() throws -> [String] {
        var texts: [String] = []
        for _ in 0..<(try count()) { texts.append(try text()) }
        return texts
    }
}
