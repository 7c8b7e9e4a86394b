// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// A row as it stands in a stream. Values are made of its bytes when they are asked for.
///
/// To get at a cell, the cells before it are stepped over: whoever needs all of them iterates.
public struct DataRow: Sendable {
    static let guidBytes = 36

    /// The rows among which this one is.
    private let bytes: ByteBuffer
    private let start: Int
    private let types: [DataType]
    private let setMeansNull: Bool

    /// - Parameter start: where a sound row begins, from the first readable byte.
    init(in bytes: ByteBuffer, at start: Int, types: [DataType], setMeansNull: Bool) {
        self.bytes = bytes
        self.start = start
        self.types = types
        self.setMeansNull = setMeansNull
    }

    /// One for each column.
    public var count: Int { types.count }

    /// - Precondition: the column exists.
    public subscript(column: Int) -> DataValue {
        bytes.withUnsafeReadableBytes { bytes in
            var reader = reader(bytes)
            reader.skip(to: column)
            return reader.value()
        }
    }

    /// - Precondition: the column exists.
    public func isNull(_ column: Int) -> Bool {
        bytes.withUnsafeReadableBytes { reader($0).isNull(column) }
    }

    /// The bytes of a cell as they came, those of a text or blob without their count; nil for null.
    ///
    /// - Precondition: the column exists.
    public func bytes(_ column: Int) -> ByteBuffer? {
        let place = bytes.withUnsafeReadableBytes { bytes -> Range<Int>? in
            var reader = reader(bytes)
            reader.skip(to: column)
            return reader.isNull(column) ? nil : reader.content()
        }
        return place.flatMap { bytes.getSlice(at: bytes.readerIndex + $0.lowerBound, length: $0.count) }
    }

    private func reader(_ bytes: UnsafeRawBufferPointer) -> CellReader {
        CellReader(bytes, row: start, types: types, setMeansNull: setMeansNull)
    }
}

extension DataRow: Sequence {
    public struct Iterator: IteratorProtocol {
        private let row: DataRow
        private var column = 0
        private var position: Int

        fileprivate init(_ row: DataRow) {
            self.row = row
            position = row.start + CellReader.maskBytes(row.count)
        }

        public mutating func next() -> DataValue? {
            guard column < row.count else { return nil }
            return row.bytes.withUnsafeReadableBytes { bytes in
                var reader = row.reader(bytes)
                reader.resume(at: column, position)
                let value = reader.value()
                (column, position) = (reader.column, reader.position)
                return value
            }
        }
    }

    public func makeIterator() -> Iterator { Iterator(self) }

    public var underestimatedCount: Int { count }
}

extension DataRow: Equatable {
    /// Two rows are equal if their values are.
    public static func == (left: DataRow, right: DataRow) -> Bool { left.elementsEqual(right) }
}
