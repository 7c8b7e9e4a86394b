// SPDX-License-Identifier: Apache-2.0

public import NIOCore
import Platform

/// Deltas in Bin2, the vendor's binary format: the parameter and the result of UpdateData (docs/wire.md, "Deltas").
public struct DeltaStream: Sendable {
    /// The deltas, in the order of the stream.
    public var deltas: [Delta]

    /// Creates a stream of deltas.
    public init(_ deltas: [Delta] = []) {
        self.deltas = deltas
    }

    /// Decodes a stream.
    ///
    /// - Parameter codePage: of 8-bit text; nil for Latin-1.
    public init(
        decoding bytes: ByteBuffer,
        limits: TableLimits = .standard,
        codePage: CodePage? = nil
    ) throws(TableError) {
        var reader = try StreamReader(bytes, limits: limits, codePage: codePage)
        deltas = []
        for entry in try StreamDirectory.read(from: &reader) {
            guard entry.kind == StreamDirectory.Kind.delta.rawValue else {
                throw reader.failure("something else among deltas")
            }
            deltas.append(try Delta(named: entry.name, from: &reader))
        }
    }

    /// Encodes the deltas as a stream.
    ///
    /// - Throws: `tooLong`.
    public func encoded() throws(TableError) -> ByteBuffer {
        var stream = StreamDirectory()
        for delta in deltas { stream.add(.delta, delta.name) { delta.write(to: &$0) } }
        return try stream.finish()
    }

    /// Adds a number to all record IDs, modulo 2^32.
    mutating func shiftRecords(by shift: Int32) {
        for index in deltas.indices { deltas[index].shiftRecords(by: shift) }
    }

    /// Whether the stream can be the reply to another one: it has no changes, or one that was sent.
    func answers(_ sent: DeltaStream) -> Bool {
        guard deltas.contains(where: { !$0.changes.isEmpty }) else { return true }
        return deltas.contains { delta in
            guard let other = sent.deltas.first(where: { NameMatch.isSimilar($0.name, delta.name) }) else {
                return false
            }
            let records = Set(other.changes.recordIDs)
            return delta.changes.recordIDs.contains { records.contains($0) }
        }
    }
}

/// The changes of one table: the parameter of UpdateData. The reply has a status for each change.
public struct Delta: Sendable {
    /// The name of the table.
    public var name: String
    /// The fields whose values the changes contain. A stream stores them only if there is a change.
    public let fields: [DataColumn]
    /// The names of the fields whose old values identify a row for the server.
    public let keys: [String]
    /// Set by a client that may have left out unchanged values. The vendor's client writes all values anyway, and the
    /// format of a delta without them is unknown.
    public let isReduced: Bool
    /// The changes, in the order of the delta.
    public private(set) var changes: DeltaChanges

    /// Creates a delta without changes.
    public init(name: String, fields: [DataColumn], keys: [String], isReduced: Bool = false) {
        self.name = name
        self.fields = fields
        self.keys = keys
        self.isReduced = isReduced
        changes = DeltaChanges(fields)
    }

    /// Appends a change.
    ///
    /// - Parameters:
    ///   - recordID: a number that identifies the row within the table.
    ///   - old: one value for each field, as in `new`.
    /// - Throws: `valueCount`, `unfit`, `tooLong`.
    public mutating func append(
        _ kind: DeltaChange.Kind,
        recordID: Int32,
        old: [DataValue],
        new: [DataValue],
        status: DeltaChange.Status = .pending,
        message: String = ""
    ) throws(TableError) {
        try changes.append(kind, recordID: recordID, old: old, new: new, status: status, message: message, fields)
    }

    /// Appends a new row. Its values are those of both sides, and are encoded once.
    ///
    /// - Throws: `valueCount`, `unfit`, `tooLong`.
    package mutating func insert(recordID: Int32, _ values: [DataValue]) throws(TableError) {
        try changes.insert(recordID: recordID, values, fields)
    }

    /// The encoded size of the changes.
    package var byteCount: Int { changes.bytes.readableBytes }

    /// Reserves memory for changes of this encoded size.
    package mutating func reserveCapacity(_ changes: Int, byteCount: Int) {
        self.changes.reserveCapacity(changes, byteCount: byteCount)
    }

    /// Appends a change of a delta with the same fields, with another status. Its rows are copied and not encoded.
    ///
    /// - Precondition: the fields have the same types.
    /// - Throws: `tooLong`.
    package mutating func append(
        _ index: Int,
        of other: Delta,
        status: DeltaChange.Status,
        message: String = ""
    ) throws(TableError) {
        try changes.append(index, of: other.changes, status: status, message: message)
    }

    /// Appends a change of a delta with the same fields, with other new values. Its old ones are copied and not encoded.
    ///
    /// - Precondition: the fields have the same types.
    /// - Throws: `valueCount`, `unfit`, `tooLong`.
    package mutating func append(
        _ index: Int,
        of other: Delta,
        new: [DataValue],
        status: DeltaChange.Status
    ) throws(TableError) {
        var row = ByteBuffer()
        try CellWriter.write(new, as: fields, setMeansNull: false, to: &row)
        try changes.append(index, of: other.changes, status: status, message: "", encoded: row)
    }

    fileprivate mutating func shiftRecords(by shift: Int32) { changes.shiftRecords(by: shift) }

    init(named name: String, from reader: inout StreamReader) throws(TableError) {
        self.name = name
        // A change takes at least 16 bytes, plus a mask for each of its two rows.
        let count = try reader.readCount("changes", limit: reader.limits.rows, bytesEach: 16)
        guard count > 0 else {
            (fields, keys, isReduced, changes) = ([], [], false, DeltaChanges([]))
            return
        }
        try reader.chargeRows(count)
        let fieldCount = try reader.readItemCount("fields", limit: reader.limits.columns, bytesEach: 5)
        var fields: [DataColumn] = []
        for _ in 0..<fieldCount {
            let name = try reader.readText()
            let type = DataType(rawValue: try reader.readByte()) ?? .unknown
            fields.append(DataColumn(name, type, codePage: reader.codePage))
        }
        let keyCount = try reader.readItemCount("keys", limit: reader.limits.columns, bytesEach: 4)
        var keys: [String] = []
        for _ in 0..<keyCount { keys.append(try reader.readText()) }
        isReduced = try reader.readByte() != 0
        guard try reader.readInt32() == Int32(count) else { throw reader.failure("two numbers of changes") }
        self.fields = fields
        self.keys = keys
        changes = try DeltaChanges(fields, from: &reader, count: count)
    }

    func write(to buffer: inout ByteBuffer) {
        buffer.writeCount(changes.count)
        guard !changes.isEmpty else { return }
        buffer.writeCount(fields.count)
        for field in fields {
            buffer.writeCounted(field.name)
            buffer.writeInteger(field.type.rawValue)
        }
        buffer.writeCount(keys.count)
        for key in keys { buffer.writeCounted(key) }
        buffer.writeInteger(isReduced ? 1 : 0, as: UInt8.self)
        buffer.writeCount(changes.count)
        buffer.writeImmutableBuffer(changes.bytes)
    }
}

/// The changes of a delta: the bytes of the stream, and the offsets of each change and its rows.
public struct DeltaChanges: Sendable {
    private struct Place {
        let change: UInt32
        let new: UInt32
    }

    /// Kind, record ID, status, and length of the message.
    private static let headerBytes = 16

    private(set) var bytes = ByteBuffer()
    /// The offset of the bytes in the stream that they were read from.
    private var origin = 0
    private var places: [Place] = []
    private let types: [DataType]
    private let codePage: CodePage?

    init(_ fields: [DataColumn]) {
        types = fields.map(\.type)
        codePage = DataRows.codePage(of: fields)
    }

    init(_ fields: [DataColumn], from reader: inout StreamReader, count: Int) throws(TableError) {
        self.init(fields)
        let forms = types.compactMap(\.form)
        guard forms.count == types.count else { throw reader.failure("a field of an unknown type") }
        places.reserveCapacity(count)
        let start = reader.position
        for _ in 0..<count {
            let change = reader.position - start
            guard DeltaChange.Kind(rawValue: try reader.readInt32()) != nil else {
                throw reader.failure("unknown kind of change")
            }
            _ = try reader.readInt32()
            guard DeltaChange.Status(rawValue: try reader.readInt32()) != nil else {
                throw reader.failure("unknown status of a change")
            }
            _ = try reader.readText()
            var new = reader.position
            try reader.skipRows(2, forms, setMeansNull: false) { new = $0 }
            places.append(
                Place(
                    change: UInt32(truncatingIfNeeded: change),
                    new: UInt32(truncatingIfNeeded: new - start)
                )
            )
        }
        bytes = reader.slice(from: start)
        origin = start
    }

    mutating func reserveCapacity(_ count: Int, byteCount: Int) {
        places.reserveCapacity(count)
        bytes.reserveCapacity(byteCount)
    }

    /// Returns the offset of a change from the first byte of the stream that it was read from.
    func offset(of index: Int) -> Int { origin + Int(places[index].change) }

    /// The record IDs, in the order of the changes.
    var recordIDs: some Sequence<Int32> { places.lazy.map { integer(Int($0.change) + 4) } }

    mutating func shiftRecords(by shift: Int32) {
        for place in places {
            let start = Int(place.change) + 4
            bytes.setInteger(integer(start) &+ shift, at: bytes.readerIndex + start, endianness: .little)
        }
    }

    mutating func append(
        _ kind: DeltaChange.Kind,
        recordID: Int32,
        old: [DataValue],
        new: [DataValue],
        status: DeltaChange.Status,
        message: String,
        _ fields: [DataColumn]
    ) throws(TableError) {
        try add(kind.rawValue, recordID, status, message) { bytes throws(TableError) in
            try CellWriter.write(old, as: fields, setMeansNull: false, to: &bytes)
            let newStart = bytes.writerIndex
            try CellWriter.write(new, as: fields, setMeansNull: false, to: &bytes)
            return newStart
        }
    }

    /// Appends a new row with the same values on both sides.
    mutating func insert(recordID: Int32, _ values: [DataValue], _ fields: [DataColumn]) throws(TableError) {
        try add(DeltaChange.Kind.insert.rawValue, recordID, .pending, "") { bytes throws(TableError) in
            let oldStart = bytes.writerIndex
            try CellWriter.write(values, as: fields, setMeansNull: false, to: &bytes)
            let newStart = bytes.writerIndex
            let count = try? bytes.copyBytes(at: oldStart, to: newStart, length: newStart - oldStart)
            bytes.moveWriterIndex(forwardBy: count ?? 0)
            return newStart
        }
    }

    /// Appends a change of other ones, with another status.
    ///
    /// - Parameter encoded: a row for the new values; nil for that of the change.
    mutating func append(
        _ index: Int,
        of other: DeltaChanges,
        status: DeltaChange.Status,
        message: String,
        encoded new: ByteBuffer? = nil
    ) throws(TableError) {
        precondition(types == other.types, "fields of the same types")
        let source = Int(other.places[index].change)
        let rows = other.rows(at: index)
        let newStart = other.bytes.readerIndex + Int(other.places[index].new)
        let old = rows.lowerBound..<newStart
        try add(other.integer(source), other.integer(source + 4), status, message) { bytes in
            bytes.writeBytes(other.bytes.readableBytesView[old])
            let start = bytes.writerIndex
            if let new {
                bytes.writeImmutableBuffer(new)
            } else {
                bytes.writeBytes(other.bytes.readableBytesView[newStart..<rows.upperBound])
            }
            return start
        }
    }

    /// Appends a change. After an error there is none.
    ///
    /// - Parameter rows: appends both rows, and returns the index of the new one.
    private mutating func add(
        _ kind: Int32,
        _ recordID: Int32,
        _ status: DeltaChange.Status,
        _ message: String,
        _ rows: (inout ByteBuffer) throws(TableError) -> Int
    ) throws(TableError) {
        let start = bytes.writerIndex
        do throws(TableError) {
            let size = Int32(truncatingIfNeeded: message.utf8.count)
            bytes.writeMultipleIntegers(kind, recordID, status.rawValue, size, endianness: .little)
            if size > 0 { bytes.writeString(message) }
            let newStart = try rows(&bytes)
            guard let change = UInt32(exactly: start - bytes.readerIndex),
                let new = UInt32(exactly: newStart - bytes.readerIndex)
            else { throw .tooLong }
            places.append(Place(change: change, new: new))
        } catch {
            bytes.moveWriterIndex(to: start)
            throw error
        }
    }

    /// The bytes of both rows of a change, as indexes of the buffer.
    private func rows(at index: Int) -> Range<Int> {
        let start = bytes.readerIndex + Int(places[index].change)
        let end = index + 1 < places.count ? bytes.readerIndex + Int(places[index + 1].change) : bytes.writerIndex
        return start + Self.headerBytes + Int(integer(start - bytes.readerIndex + 12))..<end
    }
}

extension DeltaChanges: RandomAccessCollection {
    public var startIndex: Int { 0 }

    public var endIndex: Int { places.count }

    public subscript(index: Int) -> DeltaChange {
        let start = Int(places[index].change)
        // One access to the buffer, because each access has a cost.
        let header = bytes.withUnsafeReadableBytes { bytes in
            let number = { (place: Int) in
                Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: start + place, as: Int32.self))
            }
            return (number(0), number(4), number(8), number(12))
        }
        let messageBytes = Int(header.3)
        let message =
            messageBytes > 0
            ? bytes.getString(at: bytes.readerIndex + start + Self.headerBytes, length: messageBytes) : nil
        return DeltaChange(
            // Kind and status were validated when the change was read.
            kind: DeltaChange.Kind(rawValue: header.0) ?? .update,
            recordID: header.1,
            status: DeltaChange.Status(rawValue: header.2) ?? .pending,
            message: message ?? "",
            old: row(at: start + Self.headerBytes + messageBytes),
            new: row(at: Int(places[index].new))
        )
    }

    /// Returns the status of a change.
    package func status(at index: Int) -> DeltaChange.Status {
        DeltaChange.Status(rawValue: integer(Int(places[index].change) + 8)) ?? .pending
    }

    private func integer(_ place: Int) -> Int32 {
        bytes.getInteger(at: bytes.readerIndex + place, endianness: .little) ?? 0
    }

    private func row(at place: Int) -> DataRow {
        DataRow(in: bytes, at: place, types: types, setMeansNull: false, codePage: codePage)
    }
}

/// A changed row, with its values before and after the change.
///
/// The vendor's client always fills both sides. For an insert the old values repeat the new ones, and for a delete
/// the new values are the row's last ones. So servers use the new values of an insert and the old values of a delete.
public struct DeltaChange: Sendable {
    /// The kind of a change, with its number in a stream.
    public enum Kind: Int32, Sendable, CaseIterable {
        case insert
        case update
        case delete
    }

    /// The result of the change. Always `pending` in a delta from a client.
    public enum Status: Int32, Sendable, CaseIterable {
        case pending
        case resolved
        case failed
    }

    /// Whether the row was inserted, updated or deleted.
    public let kind: Kind
    /// Identifies the row within its table. The reply repeats it.
    public let recordID: Int32
    /// The result of the change.
    public let status: Status
    /// The reason for a failure; untrusted text.
    public let message: String
    /// The values before the change.
    public let old: DataRow
    /// The values after the change.
    public let new: DataRow
}

/// The names of kinds and states of changes in JSON texts are those of the cases.
extension DeltaChange.Kind {
    init?(word: String) {
        guard let kind = Self.allCases.first(where: { "\($0)" == word }) else { return nil }
        self = kind
    }
}

extension DeltaChange.Status {
    init?(word: String) {
        guard let status = Self.allCases.first(where: { "\($0)" == word }) else { return nil }
        self = status
    }
}
