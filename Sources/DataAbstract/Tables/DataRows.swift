// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The rows of a table: the bytes of the stream, and where each row begins.
public struct DataRows: Sendable {
    private(set) var bytes = ByteBuffer()
    /// Where they begin in the stream that they came in.
    private var origin = 0
    private var starts: [UInt32] = []
    private let types: [DataType]

    init(_ columns: [DataColumn]) {
        types = columns.map(\.type)
    }

    init(_ columns: [DataColumn], from reader: inout StreamReader, count: Int) throws(TableError) {
        self.init(columns)
        let forms = types.compactMap(\.form)
        guard count > 0 else { return }
        guard forms.count == types.count else { throw reader.failure("a column of an unknown type") }
        guard !forms.isEmpty else { throw reader.failure("rows without columns") }
        try reader.chargeRows(count)
        starts.reserveCapacity(count)
        let start = reader.position
        for _ in 0..<count {
            starts.append(UInt32(truncatingIfNeeded: reader.position - start))
            try reader.skipRow(forms, setMeansNull: true)
        }
        bytes = reader.slice(from: start)
        origin = start
    }

    /// Of a row of this place, from the first byte of the stream that it came in.
    func offset(of index: Int) -> Int { origin + Int(starts[index]) }

    mutating func append(_ values: [DataValue], _ columns: [DataColumn]) throws(TableError) {
        guard let start = UInt32(exactly: bytes.readableBytes) else { throw .tooLong }
        try CellWriter.write(values, as: columns, setMeansNull: true, to: &bytes)
        starts.append(start)
    }
}

extension DataRows: RandomAccessCollection {
    public var startIndex: Int { 0 }

    public var endIndex: Int { starts.count }

    public subscript(index: Int) -> DataRow {
        DataRow(in: bytes, at: Int(starts[index]), types: types, setMeansNull: true)
    }
}
