// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// Deltas in the vendor's binary format, Bin2: what UpdateData takes and answers (docs/wire.md, "Deltas").
public struct DeltaStream: Sendable {
    public var deltas: [Delta]

    public init(_ deltas: [Delta] = []) {
        self.deltas = deltas
    }

    public init(decoding bytes: ByteBuffer, limits: TableLimits = .standard) throws(TableError) {
        var reader = try StreamReader(bytes, limits: limits)
        deltas = []
        for entry in try StreamDirectory.read(from: &reader) {
            guard entry.kind == StreamDirectory.Kind.delta.rawValue else {
                throw reader.failure("something else among deltas")
            }
            deltas.append(try Delta(named: entry.name, from: &reader))
        }
    }

    /// - Throws: `tooLong`.
    public func encoded() throws(TableError) -> ByteBuffer {
        var stream = StreamDirectory()
        for delta in deltas { stream.add(.delta, delta.name) { delta.write(to: &$0) } }
        return try stream.finish()
    }
}

/// The changes of one table: what UpdateData takes, and answers with a status for each change.
public struct Delta: Sendable {
    /// The table's.
    public var name: String
    /// Those whose values the changes hold. A stream keeps them only if there is a change.
    public let fields: [DataColumn]
    /// The names of the fields by whose old values the server finds a row.
    public let keys: [String]
    /// Said by a client that may have left out what did not change. The vendor's writes all values nevertheless, and how a
    /// delta without them looks is not known.
    public let isReduced: Bool
    public private(set) var changes: DeltaChanges

    /// A delta without changes.
    public init(name: String, fields: [DataColumn], keys: [String], isReduced: Bool = false) {
        self.name = name
        self.fields = fields
        self.keys = keys
        self.isReduced = isReduced
        changes = DeltaChanges(fields)
    }

    /// - Parameters:
    ///   - recordID: whatever tells the rows of the table apart.
    ///   - old: one value for each field, and so for `new`.
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

    init(named name: String, from reader: inout StreamReader) throws(TableError) {
        self.name = name
        // A change takes 16 bytes, and a mask of each row.
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
            fields.append(DataColumn(name, DataType(rawValue: try reader.readByte()) ?? .unknown))
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

/// The changes of a delta: the bytes of the stream, and where each change and its rows begin.
public struct DeltaChanges: Sendable {
    private struct Place {
        let change: UInt32
        let new: UInt32
    }

    /// Kind, record, status, length of the message.
    private static let headerBytes = 16

    private(set) var bytes = ByteBuffer()
    /// Where they begin in the stream that they came in.
    private var origin = 0
    private var places: [Place] = []
    private let types: [DataType]

    init(_ fields: [DataColumn]) {
        types = fields.map(\.type)
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
            try reader.skipRow(forms, setMeansNull: false)
            places.append(
                Place(
                    change: UInt32(truncatingIfNeeded: change),
                    new: UInt32(truncatingIfNeeded: reader.position - start)
                )
            )
            try reader.skipRow(forms, setMeansNull: false)
        }
        bytes = reader.slice(from: start)
        origin = start
    }

    /// Of a change of this place, from the first byte of the stream that it came in.
    func offset(of index: Int) -> Int { origin + Int(places[index].change) }

    mutating func append(
        _ kind: DeltaChange.Kind,
        recordID: Int32,
        old: [DataValue],
        new: [DataValue],
        status: DeltaChange.Status,
        message: String,
        _ fields: [DataColumn]
    ) throws(TableError) {
        guard let start = UInt32(exactly: bytes.readableBytes) else { throw .tooLong }
        var change = ByteBuffer()
        change.writeInteger(kind.rawValue, endianness: .little)
        change.writeInteger(recordID, endianness: .little)
        change.writeInteger(status.rawValue, endianness: .little)
        change.writeCounted(message)
        try CellWriter.write(old, as: fields, setMeansNull: false, to: &change)
        let newStart = change.readableBytes
        try CellWriter.write(new, as: fields, setMeansNull: false, to: &change)
        guard let place = UInt32(exactly: Int(start) + newStart) else { throw .tooLong }
        bytes.writeBuffer(&change)
        places.append(Place(change: start, new: place))
    }
}

extension DeltaChanges: RandomAccessCollection {
    public var startIndex: Int { 0 }

    public var endIndex: Int { places.count }

    public subscript(index: Int) -> DeltaChange {
        let start = Int(places[index].change)
        let messageBytes = Int(integer(start + 12))
        return DeltaChange(
            // Both were found sound when the change came.
            kind: DeltaChange.Kind(rawValue: integer(start)) ?? .update,
            recordID: integer(start + 4),
            status: DeltaChange.Status(rawValue: integer(start + 8)) ?? .pending,
            message: bytes.getString(at: bytes.readerIndex + start + Self.headerBytes, length: messageBytes) ?? "",
            old: row(at: start + Self.headerBytes + messageBytes),
            new: row(at: Int(places[index].new))
        )
    }

    private func integer(_ place: Int) -> Int32 {
        bytes.getInteger(at: bytes.readerIndex + place, endianness: .little) ?? 0
    }

    private func row(at place: Int) -> DataRow {
        DataRow(in: bytes, at: place, types: types, setMeansNull: false)
    }
}

/// One row that was changed, with its values before and after.
///
/// The vendor's client fills both sides always: for an insert the old values repeat the new ones, and for a delete the new
/// ones are the row as it was last. So servers look at the new values of an insert and the old ones of a delete.
public struct DeltaChange: Sendable {
    public enum Kind: Int32, Sendable, CaseIterable {
        case insert
        case update
        case delete
    }

    /// What became of the change: always `pending` in what a client sends.
    public enum Status: Int32, Sendable, CaseIterable {
        case pending
        case resolved
        case failed
    }

    public let kind: Kind
    /// The row, unique in its table: an answer names it again.
    public let recordID: Int32
    public let status: Status
    /// Why it failed; foreign text.
    public let message: String
    public let old: DataRow
    public let new: DataRow
}

/// Kinds and states of changes as texts spell them.
extension DeltaChange.Kind {
    var word: String {
        switch self {
        case .insert: "insert"
        case .update: "update"
        case .delete: "delete"
        }
    }

    init?(word: String) {
        guard let kind = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = kind
    }
}

extension DeltaChange.Status {
    var word: String {
        switch self {
        case .pending: "pending"
        case .resolved: "resolved"
        case .failed: "failed"
        }
    }

    init?(word: String) {
        guard let status = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = status
    }
}
