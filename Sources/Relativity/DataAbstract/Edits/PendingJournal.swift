// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import Platform

/// The format of a pending file: a signature, then records that are only ever appended.
///
/// A record is an Int32 length, its bitwise complement, a kind, the content, and 8 bytes that depend on all bytes before
/// them. The first record may have the place of the changes. The next one has the tables without rows; the others have
/// the rows whose change is new, different or no longer pending. All integers are little-endian. The records up to the
/// first one with rows become visible together. An incomplete record after them was never confirmed, so it is ignored.
package struct PendingJournal {
    package static let signature: StaticString = "relativityd pending changes 1\n"
    private static let headerBytes = 8
    private static let checksumBytes = 8
    private static let limits = TableLimits(bytes: Int(Int32.max), cell: Int(Int32.max))
    /// The property of a field with the name of the code page. The file has the bytes of 8-bit text.
    private static let codePageProperty = "CodePage"
    private static let mostReferences = 1 << 12
    /// The numbers of rows, and the magnitudes of temporary keys. Those of a damaged file must not overflow later.
    private static let numbers: Range<Int64> = 0..<1 << 62

    private enum Kind: UInt8 {
        case tables = 1
        case changes = 2
        case place = 3
    }

    /// The place of the changes; nil if the file has none.
    package var place: PendingFilePlace?
    /// The code page in which 8-bit text is read; nil for the one of the file.
    private let codePage: CodePage?

    /// The checksum of the last record, and what it depends on.
    private var chain: [UInt8] = []
    /// For each table, the rows in `EditableTable.appended` while a file is read.
    private var appended: [Set<RowID>] = []

    /// - Parameter codePage: in which 8-bit text is read; nil for the one of the file.
    package init(codePage: CodePage? = nil) {
        self.codePage = codePage
    }

    // MARK: Writing

    /// Returns a new file with all pending changes.
    package mutating func snapshot(of set: inout ChangeSet) throws(PendingFileError) -> ByteBuffer {
        var file = ByteBuffer()
        file.writeStaticString(Self.signature)
        chain = []
        if let place {
            guard place.isShort else { throw .invalidPlace }
            var bytes = ByteBuffer()
            for text in place.texts { bytes.writeCounted(text) }
            file.writeImmutableBuffer(try record(.place, bytes))
        }
        file.writeImmutableBuffer(try record(.tables, try Self.tables(of: set)))
        for index in set.tables.indices {
            set.tables[index].unsaved = Set(set.tables[index].changedRows)
        }
        file.writeImmutableBuffer(try changes(of: &set))
        set.hasUnsavedTables = false
        return file
    }

    /// Returns a record of what is new.
    mutating func changes(of set: inout ChangeSet) throws(PendingFileError) -> ByteBuffer {
        let bytes = try record(.changes, try Self.changes(of: set))
        for index in set.tables.indices { set.tables[index].unsaved = [] }
        return bytes
    }

    private mutating func record(_ kind: Kind, _ content: ByteBuffer) throws(PendingFileError) -> ByteBuffer {
        guard content.readableBytes < Int(Int32.max) else { throw .tooLarge }
        var record = ByteBuffer()
        record.writeCount(content.readableBytes + 1)
        record.writeCount(~(content.readableBytes + 1))
        record.writeInteger(kind.rawValue)
        record.writeImmutableBuffer(content)
        chain = Self.checksum(chain, record)
        record.writeBytes(chain)
        return record
    }

    private static func checksum(_ chain: [UInt8], _ record: ByteBuffer) -> [UInt8] {
        Array(SHA256.digest(of: chain + Array(record.readableBytesView)).prefix(checksumBytes))
    }

    private static func tables(of set: ChangeSet) throws(PendingFileError) -> ByteBuffer {
        var stream = TableStream()
        do throws(TableError) {
            for table in set.tables {
                let columns = table.fields.map(\.column)
                let page = table.layout.codePage.flatMap { $0.isAssumed ? nil : $0 }
                let entries = table.fields.map { field in
                    var entry = field.entry
                    if let page { entry.properties.append(.init(codePageProperty, page.name)) }
                    return entry
                }
                let schema = try TableSchema(fields: entries)
                stream.tables.append(try DataTable(name: table.name, columns: columns, schema: schema))
            }
            var bytes = ByteBuffer()
            bytes.writeCount(set.references.count)
            for reference in set.references {
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

    private static func changes(of set: ChangeSet) throws(PendingFileError) -> ByteBuffer {
        var bytes = ByteBuffer()
        var stream = TableStream()
        let undecided = set.phase == .applying ? set.sentRows : set.undecidedRows
        bytes.writeCount(undecided.count)
        for row in undecided {
            bytes.writeCount(set.index(of: row.table) ?? 0)
            bytes.writeInteger(row.row.number, endianness: .little)
        }
        do throws(TableError) {
            for table in set.tables {
                bytes.writeInteger(table.nextID, endianness: .little)
                bytes.writeInteger(table.nextTemporaryKey, endianness: .little)
                let order = table.changedRows.filter { table.unsaved.contains($0) }
                let dropped = table.unsaved.subtracting(order).sorted()
                bytes.writeCount(dropped.count)
                for id in dropped { bytes.writeInteger(id.number, endianness: .little) }
                bytes.writeCount(order.count)
                let columns = table.layout.stored
                var rows = try DataTable(
                    name: table.name,
                    columns: columns.map { table.fields[$0].column }
                )
                for id in order {
                    guard let row = table.kept[id] else { continue }
                    bytes.writeInteger(id.number, endianness: .little)
                    bytes.writeInteger(row.state.rawValue)
                    bytes.writeInteger(row.isMissing ? 1 : 0, as: UInt8.self)
                    bytes.writeInteger(row.failure == nil ? 0 : 1, as: UInt8.self)
                    bytes.writeCounted(row.failure ?? "")
                    try rows.append(columns.map { row.old[$0] })
                    try rows.append(columns.map { row.new[$0] })
                }
                stream.tables.append(rows)
            }
            bytes.writeImmutableBuffer(try stream.encoded())
            return bytes
        } catch {
            throw .tooLarge
        }
    }

    // MARK: Reading

    /// Reads a file.
    ///
    /// - Returns: the changes, and the number of bytes up to the last complete record.
    /// - Throws: `otherFormat`, `damaged`.
    package mutating func read(_ file: ByteBuffer) throws(PendingFileError) -> (set: ChangeSet, length: Int) {
        let signature = Self.signature.withUTF8Buffer { Array($0) }
        guard file.readableBytesView.starts(with: signature) else { throw .otherFormat }
        var rest = file
        rest.moveReaderIndex(forwardBy: signature.count)
        var set: ChangeSet?
        var count = 0
        (chain, place) = ([], nil)
        defer { appended = [] }
        while true {
            let offset = rest.readerIndex - file.readerIndex
            guard var content = try next(&rest, of: file) else { break }
            do {
                switch content.readInteger(as: UInt8.self).flatMap(Kind.init(rawValue:)) {
                case .place where count == 0 && place == nil: place = try Self.readPlace(&content)
                case .tables where count == 0:
                    count += 1
                    set = try readTables(&content)
                    appended = (set?.tables ?? []).map { _ in [] }
                case .changes:
                    count += 1
                    guard var changed = set else { throw PendingFileError.otherFormat }
                    set = nil
                    try readChanges(&content, into: &changed)
                    set = changed
                default: throw PendingFileError.otherFormat
                }
            } catch {
                throw .damaged(offset: offset)
            }
        }
        guard var set, count >= 2 else { throw .damaged(offset: rest.readerIndex - file.readerIndex) }
        set.hasUnsavedTables = false
        for index in set.tables.indices { set.tables[index].unsaved = [] }
        return (set, rest.readerIndex - file.readerIndex)
    }

    /// Returns the kind and the content of the next record; nil at the end and before an incomplete record.
    private mutating func next(_ rest: inout ByteBuffer, of file: ByteBuffer) throws(PendingFileError) -> ByteBuffer? {
        let start = rest.readerIndex
        let damage = PendingFileError.damaged(offset: start - file.readerIndex)
        // A file system may have extended the file without writing the record.
        let isEmpty = rest.readableBytesView.dropFirst(4).allSatisfy { $0 == 0 }
        guard rest.readableBytes >= Self.headerBytes, !isEmpty,
            let count = rest.getInteger(at: start, endianness: .little, as: Int32.self),
            let complement = rest.getInteger(at: start + 4, endianness: .little, as: Int32.self)
        else { return nil }
        guard count > 0, complement == ~count else { throw damage }
        let contentEnd = Self.headerBytes + Int(count)
        let end = contentEnd + Self.checksumBytes
        guard let record = rest.getSlice(at: start, length: contentEnd),
            let stored = rest.getBytes(at: start + contentEnd, length: Self.checksumBytes)
        else { return nil }
        let checksum = Self.checksum(chain, record)
        guard checksum == stored else {
            guard end == rest.readableBytes else { throw damage }
            return nil
        }
        chain = checksum
        rest.moveReaderIndex(forwardBy: end)
        return record.getSlice(at: record.readerIndex + Self.headerBytes, length: Int(count))
    }

    private static func readPlace(_ bytes: inout ByteBuffer) throws -> PendingFilePlace {
        let place = PendingFilePlace(endpoint: try bytes.text(), service: try bytes.text())
        guard place.isShort, bytes.readableBytes == 0 else { throw PendingFileError.otherFormat }
        return place
    }

    private func readTables(_ bytes: inout ByteBuffer) throws -> ChangeSet {
        var references: [KeyReference] = []
        let count = try bytes.count()
        guard count <= Self.mostReferences else { throw PendingFileError.otherFormat }
        for _ in 0..<count {
            let detail = try (table: bytes.text(), fields: Self.readTexts(&bytes))
            let master = try (table: bytes.text(), fields: Self.readTexts(&bytes))
            let isKnown = try bytes.integer(UInt8.self) != 0
            references.append(
                KeyReference(detail.table, detail.fields, to: master.table, master.fields, isKnownToServer: isKnown)
            )
        }
        let tables = try TableStream(decoding: bytes.slice(), limits: Self.limits).tables
        return try ChangeSet(
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

    private static func readTexts(_ bytes: inout ByteBuffer) throws -> [String] {
        var texts: [String] = []
        for _ in 0..<(try bytes.count()) { texts.append(try bytes.text()) }
        return texts
    }

    private mutating func readChanges(_ bytes: inout ByteBuffer, into set: inout ChangeSet) throws {
        var undecided: [ChangedRow] = []
        for _ in 0..<(try bytes.count()) {
            let index = try bytes.count()
            guard set.tables.indices.contains(index) else { throw PendingFileError.otherFormat }
            undecided.append(ChangedRow(set.tables[index].name, try bytes.row(below: Self.numbers.upperBound)))
        }
        set.phase = undecided.isEmpty ? .idle : .unknownOutcome(undecided)
        typealias Entry = (id: RowID, state: RowState, isMissing: Bool, failure: String?)
        var entries: [[Entry]] = []
        for index in set.tables.indices {
            let nextID = try bytes.integer(Int64.self)
            let nextKey = try bytes.integer(Int64.self)
            guard Self.numbers.contains(nextID), nextKey < 0, Self.numbers.contains(~nextKey) else {
                throw PendingFileError.otherFormat
            }
            (set.tables[index].nextID, set.tables[index].nextTemporaryKey) = (nextID, nextKey)
            var dropped: Set<RowID> = []
            for _ in 0..<(try bytes.count()) { dropped.insert(try bytes.row(below: nextID)) }
            set.tables[index].dropRestored(dropped)
            var rows: [Entry] = []
            var ids: Set<RowID> = []
            for _ in 0..<(try bytes.count()) {
                let id = try bytes.row(below: nextID)
                guard ids.insert(id).inserted else { throw PendingFileError.otherFormat }
                guard let state = RowState(rawValue: try bytes.integer(UInt8.self)) else {
                    throw PendingFileError.otherFormat
                }
                let isMissing = try bytes.integer(UInt8.self) != 0
                let hasFailed = try bytes.integer(UInt8.self) != 0
                let failure = try bytes.text()
                rows.append((id, state, isMissing, hasFailed ? failure : nil))
            }
            entries.append(rows)
        }
        let stream = try TableStream(decoding: bytes.slice(), limits: Self.limits)
        guard stream.tables.count == entries.count else { throw PendingFileError.otherFormat }
        for (index, (table, rows)) in zip(stream.tables, entries).enumerated() {
            let columns = set.tables[index].layout.stored
            guard table.rows.count == 2 * rows.count, table.columns.count == columns.count else {
                throw PendingFileError.otherFormat
            }
            let types = columns.map { set.tables[index].layout.types[$0] }
            guard rows.isEmpty || table.rows.types == types else { throw PendingFileError.otherFormat }
            let stored = table.rows.reading(in: set.tables[index].layout.codePage)
            for (number, row) in rows.enumerated() {
                var values = (0..<2).map { _ in [DataValue](repeating: .null, count: set.tables[index].fields.count) }
                for side in 0..<2 {
                    for (column, value) in zip(columns, stored[2 * number + side]) { values[side][column] = value }
                }
                var kept = KeptRow(state: row.state, old: values[0], new: values[1], failure: row.failure)
                kept.isMissing = row.isMissing
                set.tables[index].restore(kept, at: row.id, &appended[index])
            }
        }
    }
}

extension EditableTable {
    /// Restores a pending change.
    ///
    /// - Parameter listed: the rows in `appended`.
    fileprivate mutating func restore(_ row: KeptRow, at id: RowID, _ listed: inout Set<RowID>) {
        if row.state == .removed { noteRemoval(of: id) } else { removals[id] = nil }
        // A removed row may be visible again, so it has a place too.
        if listed.insert(id).inserted { appended.append(id) }
        keep(row, at: id)
    }

    fileprivate mutating func dropRestored(_ rows: Set<RowID>) {
        for id in rows {
            removals[id] = nil
            keep(nil, at: id)
        }
    }
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
    fileprivate mutating func integer<Integer: FixedWidthInteger>(_: Integer.Type) throws -> Integer {
        guard let value = readInteger(endianness: .little, as: Integer.self) else { throw PendingFileError.otherFormat }
        return value
    }

    /// Reads a number of elements, each of at least a byte.
    fileprivate mutating func count() throws -> Int {
        let count = Int(try integer(Int32.self))
        guard count >= 0, count <= readableBytes else { throw PendingFileError.otherFormat }
        return count
    }

    fileprivate mutating func row(below end: Int64) throws -> RowID {
        let number = try integer(Int64.self)
        guard (0..<end).contains(number) else { throw PendingFileError.otherFormat }
        return RowID(number)
    }

    fileprivate mutating func text() throws -> String {
        guard let text = readString(length: try count()) else { throw PendingFileError.otherFormat }
        return text
    }
}
