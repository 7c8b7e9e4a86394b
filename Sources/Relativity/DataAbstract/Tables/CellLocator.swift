// SPDX-License-Identifier: Apache-2.0

/// The content of a cell in the bytes of its rows, without the count of a text or blob.
package struct CellPlace: Sendable {
    /// The offset of the first byte; -1 for NULL.
    package var start: Int
    /// The number of bytes; 0 for NULL.
    package var count: Int

    /// The place of NULL.
    package static let null = CellPlace(start: -1, count: 0)

    /// Whether the cell is NULL.
    package var isNull: Bool { start < 0 }
}

/// Finds all cells of a row, for code that works on their bytes instead of `DataValue`s.
package struct CellLocator: Sendable {
    private let forms: [CellForm]

    /// - Parameter types: the types of the columns.
    package init(_ types: [DataType]) {
        // A table with a column of an unknown type has no rows.
        forms = types.map { $0.form ?? .oneByte }
    }

    /// Finds the cells of a valid row.
    ///
    /// - Parameters:
    ///   - bytes: the bytes that `DataRows.withCells` lends.
    ///   - row: the offset of the row.
    ///   - places: receives one place for each column.
    /// - Precondition: `places` has as many elements as there are columns.
    package func locate(
        in bytes: UnsafeRawBufferPointer,
        row: Int,
        _ places: UnsafeMutableBufferPointer<CellPlace>
    ) {
        precondition(places.count == forms.count, "one place for each column")
        var position = row + CellReader.maskBytes(forms.count)
        var mask: UInt8 = 0
        for column in forms.indices {
            mask = column & 7 == 0 ? bytes[row + column >> 3] : mask >> 1
            if mask & 1 == 1 {
                places[column] = .null
                continue
            }
            let count: Int
            switch forms[column] {
            case .oneByte: count = 1
            case .twoBytes: count = 2
            case .fourBytes: count = 4
            case .eightBytes: count = 8
            case .decimal: count = 16
            case .guid: count = DataRow.guidBytes
            case .counted, .wide:
                let size = bytes.loadUnaligned(fromByteOffset: position, as: Int32.self)
                count = Int(Int32(littleEndian: size))
                position += 4
            }
            places[column] = CellPlace(start: position, count: count)
            position += count
        }
    }
}

extension DataTable {
    /// The part of the table before its rows.
    package var head: TableHead {
        TableHead(name: name, schema: schema, columns: columns, rowCount: rows.count)
    }
}
