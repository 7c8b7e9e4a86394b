// SPDX-License-Identifier: Apache-2.0

import NIOCore

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
