// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import Platform

/// The format of the changes in a briefcase, and of the pending files of 0.2.0: a signature, then records.
///
/// A record is an Int32 length, its bitwise complement, a kind, the content, and 8 bytes that depend on all bytes before
/// them. The first record may have the place of the changes. The next one has the tables without rows, the last one the
/// pending rows. 0.2.0 appended records with the rows whose change was new, different or no longer pending. An incomplete
/// record was never confirmed, so it is ignored. All integers are little-endian.
package struct PendingJournal {
    package static let signature: StaticString = "relativityd pending changes 1\n"
    private static let headerBytes = 8
    private static let checksumBytes = 8
    private static let limits = TableLimits(bytes: Int(Int32.max), cell: Int(Int32.max))

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

    /// Returns all pending changes.
    package mutating func snapshot(of set: ChangeSet) throws(PendingFileError) -> ByteBuffer {
        var file = ByteBuffer()
        file.writeStaticString(Self.signature)
        chain = []
        if let place {
            guard place.isShort else { throw .invalidPlace }
            var bytes = ByteBuffer()
            for text in place.texts { bytes.writeCounted(text) }
            file.writeImmutableBuffer(try record(.place, bytes))
        }
        file.writeImmutableBuffer(try record(.tables, try set.encodedTables()))
        file.writeImmutableBuffer(try record(.changes, try Self.changes(of: set)))
        return file
    }

    private mutating func record(_ kind: Kind, _ content: ByteBuffer) throws(PendingFileError) -> ByteBuffer {
        guard content.readableBytes < Int(Int32.max) else { throw .tooLarge }
        var record = ByteBuffer()
        record.writeCount(content.readableBytes + 1)
        record.writeCount(~(content.readableBytes + 1))
        record.writeInteger(kind.rawValue)
        record.writeImmutableBuffer(content)
        chain = try Self.checksum(chain, record)
        record.writeBytes(chain)
        return record
    }

    private static func checksum(_ chain: [UInt8], _ record: ByteBuffer) throws(PendingFileError) -> [UInt8] {
        do {
            return Array(try SHA256.digest(of: chain + Array(record.readableBytesView)).prefix(checksumBytes))
        } catch {
            throw .system("SHA-256", 0)
        }
    }

    private static func changes(of set: ChangeSet) throws(PendingFileError) -> ByteBuffer {
        var bytes = ByteBuffer()
        var stream = TableStream()
        let undecided = set.unansweredRows
        bytes.writeCount(undecided.count)
        for row in undecided {
            bytes.writeCount(set.index(of: row.table) ?? 0)
            bytes.writeInteger(row.row.number, endianness: .little)
        }
        do throws(TableError) {
            for table in set.tables {
                bytes.writeInteger(table.nextID, endianness: .little)
                bytes.writeInteger(table.nextTemporaryKey, endianness: .little)
                bytes.writeCount(0)
                let records = table.records(of: table.changedRows)
                bytes.writeCount(records.count)
                for record in records {
                    bytes.writeInteger(record.row.number, endianness: .little)
                    bytes.writeInteger(record.state.rawValue)
                    bytes.writeInteger(record.isMissing ? 1 : 0, as: UInt8.self)
                    bytes.writeInteger(record.failure == nil ? 0 : 1, as: UInt8.self)
                    bytes.writeCounted(record.failure ?? "")
                }
                stream.tables.append(try table.values(of: records))
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
                    set = try ChangeSet(decodingTables: content.slice(), codePage: codePage)
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
        set.markSaved()
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
        let checksum = try Self.checksum(chain, record)
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

    private mutating func readChanges(_ bytes: inout ByteBuffer, into set: inout ChangeSet) throws {
        var undecided: [ChangedRow] = []
        for _ in 0..<(try bytes.count()) {
            let index = try bytes.count()
            guard set.tables.indices.contains(index) else { throw PendingFileError.otherFormat }
            undecided.append(ChangedRow(set.tables[index].name, try bytes.row(below: RowID.numbers.upperBound)))
        }
        set.restore(undecided: undecided)
        var entries: [[PendingRecord]] = []
        for index in set.tables.indices {
            let nextID = try bytes.integer(Int64.self)
            let nextKey = try bytes.integer(Int64.self)
            try set.restore(nextRow: nextID, nextKey: nextKey, at: index)
            var dropped: Set<RowID> = []
            for _ in 0..<(try bytes.count()) { dropped.insert(try bytes.row(below: nextID)) }
            set.tables[index].dropRestored(dropped)
            var rows: [PendingRecord] = []
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
                rows.append(
                    PendingRecord(row: id, state: state, isMissing: isMissing, failure: hasFailed ? failure : nil)
                )
            }
            entries.append(rows)
        }
        let stream = try TableStream(decoding: bytes.slice(), limits: Self.limits)
        guard stream.tables.count == entries.count else { throw PendingFileError.otherFormat }
        for (index, (table, rows)) in zip(stream.tables, entries).enumerated() {
            try set.restore(rows, table, at: index, &appended[index])
        }
    }
}

extension ByteBuffer {
    fileprivate mutating func row(below end: Int64) throws -> RowID {
        let number = try integer(Int64.self)
        guard (0..<end).contains(number) else { throw PendingFileError.otherFormat }
        return RowID(number)
    }
}
