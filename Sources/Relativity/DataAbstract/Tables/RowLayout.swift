// SPDX-License-Identifier: Apache-2.0

/// Finds the cells of some columns in the bytes of a row, in one pass.
struct RowLayout: Sendable {
    private struct Column: Sendable {
        /// The bytes of a cell; nil if the cell begins with their count.
        let width: Int?
        /// The index in the list of positions; nil if the column is not used.
        let slot: Int?
    }

    /// The position of a cell that is NULL.
    static let nullPosition = -1

    /// The types of all columns.
    let types: [DataType]
    /// The code page of 8-bit text; nil for Latin-1.
    let codePage: CodePage?
    /// The number of used columns.
    let slotCount: Int
    /// The columns up to the last used one.
    private let columns: [Column]

    init(_ columns: [DataColumn], used: Set<Int>) {
        self.init(columns.map(\.type), DataRows.codePage(of: columns), used: used)
    }

    init(_ types: [DataType], _ codePage: CodePage?, used: Set<Int>) {
        let slots = used.sorted()
        self.types = types
        self.codePage = codePage
        slotCount = slots.count
        columns = types.prefix(slots.last.map { $0 + 1 } ?? 0).enumerated().map { column, type in
            Column(width: type.form.map { $0.width } ?? 0, slot: slots.firstIndex(of: column))
        }
    }

    /// Returns the index of a used column's position.
    func slot(_ column: Int) -> Int { columns[column].slot ?? 0 }

    /// Writes the position of each used cell.
    @inline(__always)
    func find(
        _ bytes: UnsafeRawBufferPointer,
        _ row: Int,
        _ slots: UnsafeMutableBufferPointer<Int>
    ) {
        var position = row + CellReader.maskBytes(types.count)
        columns.withUnsafeBufferPointer { columns in
            for index in columns.indices {
                let isNull = bytes[row + index >> 3] >> UInt8(index & 7) & 1 == 1
                let column = columns[index]
                if let slot = column.slot { slots[slot] = isNull ? Self.nullPosition : position }
                if !isNull { position += column.width ?? Self.count(bytes, position) + 4 }
            }
        }
    }

    /// Reads the number of bytes at the beginning of a cell.
    @inline(__always)
    static func count(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> Int {
        Int(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int32.self)))
    }
}

extension CellForm {
    /// The bytes of a cell; nil if the cell begins with their count.
    var width: Int? {
        switch self {
        case .oneByte: 1
        case .twoBytes: 2
        case .fourBytes: 4
        case .eightBytes: 8
        case .decimal: 16
        case .guid: DataRow.guidBytes
        case .counted, .wide: nil
        }
    }
}
