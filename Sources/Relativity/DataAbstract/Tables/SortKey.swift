// SPDX-License-Identifier: Apache-2.0

import Platform

/// A column to sort by, and the direction.
package struct SortColumn: Hashable, Sendable {
    /// The index of the column.
    package let column: Int
    /// Whether the greatest value is first, and NULL last.
    package let isDescending: Bool

    /// Creates a column to sort by.
    package init(_ column: Int, isDescending: Bool = false) {
        self.column = column
        self.isDescending = isDescending
    }
}

/// Writes the sort columns of a row as bytes. Rows are in order if their keys are, compared byte by byte.
///
/// NULL is less than every value. Values are in the order of `CellOrder`. No key is the beginning of another one, unless
/// they are equal.
package struct SortKey: Sendable {
    private struct Column: Sendable {
        let type: DataType
        /// The index of the position of the cell.
        let slot: Int
        let isDescending: Bool
    }

    private let columns: [Column]
    private let layout: RowLayout

    /// - Parameters:
    ///   - order: the columns to sort by, the most significant first.
    ///   - fields: all columns of the rows.
    package init(_ order: [SortColumn], of fields: [DataColumn]) {
        let layout = RowLayout(fields, used: Set(order.map(\.column)))
        self.layout = layout
        columns = order.map {
            Column(type: fields[$0.column].type, slot: layout.slot($0.column), isDescending: $0.isDescending)
        }
    }

    /// Appends the key of a row.
    ///
    /// - Parameters:
    ///   - bytes: the bytes that `DataRows.withCells` lends.
    ///   - row: the offset of the row.
    package func append(_ bytes: UnsafeRawBufferPointer, row: Int, to key: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: layout.slotCount) { slots in
            layout.find(bytes, row, slots)
            for column in columns {
                let start = key.count
                key.append(1)
                if !append(bytes, slots[column.slot], column.type, to: &key) {
                    key.removeSubrange(start...)
                    key.append(column.isDescending ? 2 : 0)
                } else if column.isDescending {
                    for index in (start + 1)..<key.count { key[index] = ~key[index] }
                }
            }
        }
    }

    /// - Returns: false for NULL.
    private func append(
        _ bytes: UnsafeRawBufferPointer,
        _ position: Int,
        _ type: DataType,
        to key: inout [UInt8]
    ) -> Bool {
        guard position != RowLayout.nullPosition else { return false }
        if let number = CellOrder.number(bytes, position, type) {
            withUnsafeBytes(of: number.bigEndian) { key.append(contentsOf: $0) }
            return true
        }
        let start = key.count
        guard CellOrder.append(bytes, position, type, layout.codePage, to: &key) else { return false }
        guard type != .decimal else { return true }
        if key[start...].contains(0) {
            let escaped = key[start...].flatMap { $0 == 0 ? [0, 0xFF] : [$0] }
            key.replaceSubrange(start..., with: escaped)
        }
        // The end is less than every continuation.
        key.append(0)
        key.append(0)
        return true
    }
}

/// The order of the cells of a type: of their numbers, or of bytes.
///
/// A Float that is not a number is less than every number. Text is compared by Unicode scalars, a date in milliseconds, a
/// Guid without case.
package enum CellOrder {
    /// Returns a number whose order is that of the values; nil for a type whose cells are not of at most eight bytes.
    @inline(__always)
    static func number(_ bytes: UnsafeRawBufferPointer, _ position: Int, _ type: DataType) -> UInt64? {
        switch type {
        case .singleFloat: ordered(Double(Float(bitPattern: load(bytes, position))))
        case .float: ordered(Double(bitPattern: load(bytes, position)))
        case .dateTime: ordered(counted(bytes, position, type) ?? .min)
        default: counted(bytes, position, type).map(ordered)
        }
    }

    /// Returns the value of a type whose values are counted, in their order: whole numbers, amounts times 10,000,
    /// milliseconds, Booleans. Nil for other types, and for a date that is none.
    ///
    /// - Parameter position: of the content of the cell.
    @inline(__always)
    package static func counted(_ bytes: UnsafeRawBufferPointer, _ position: Int, _ type: DataType) -> Int64? {
        func load<Value: FixedWidthInteger & BitwiseCopyable>(_: Value.Type) -> Value { Self.load(bytes, position) }
        switch type {
        case .boolean: return load(UInt8.self) == 0 ? 0 : 1
        case .byte: return Int64(load(UInt8.self))
        case .shortInt: return Int64(load(Int8.self))
        case .word: return Int64(load(UInt16.self))
        case .smallInt: return Int64(load(Int16.self))
        case .integer, .autoInc: return Int64(load(Int32.self))
        case .cardinal: return Int64(load(UInt32.self))
        case .largeInt, .largeAutoInc, .currency: return load(Int64.self)
        case .largeUInt: return signed(load(UInt64.self))
        case .dateTime: return PredicateDate.milliseconds(ofRow: Double(bitPattern: load(UInt64.self)))
        case .unknown, .singleFloat, .float, .decimal, .string, .memo, .blob, .wideString, .wideMemo, .guid, .xml,
            .fixedChar, .fixedWideChar, .cursor:
            return nil
        }
    }

    /// Maps a number without a sign to one with a sign, in the same order.
    static func signed(_ value: UInt64) -> Int64 { Int64(bitPattern: value ^ 1 << 63) }

    private static func ordered(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }

    private static func ordered(_ number: Double) -> UInt64 {
        // -0 equals 0.
        let bits = (number == 0 ? 0 : number).bitPattern
        return number.isNaN ? 0 : bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    @inline(__always)
    private static func load<Value: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer,
        _ position: Int
    ) -> Value {
        Value(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Value.self))
    }

    /// Appends bytes whose order is that of the values, for a type without numbers.
    ///
    /// - Parameters:
    ///   - codePage: of 8-bit text; nil for Latin-1, whose bytes are in the order of its characters.
    ///   - limit: the bytes of a text or a blob that count.
    /// - Returns: false if the cell has no value.
    static func append(
        _ bytes: UnsafeRawBufferPointer,
        _ position: Int,
        _ type: DataType,
        _ codePage: CodePage?,
        limit: Int = .max,
        to order: inout [UInt8]
    ) -> Bool {
        func content() -> UnsafeRawBufferPointer {
            let count = min(RowLayout.count(bytes, position), limit)
            return UnsafeRawBufferPointer(rebasing: bytes[(position + 4)..<(position + 4 + count)])
        }
        switch type.form {
        case .counted where type.is8Bit && codePage.map { $0 != .latin1 } ?? false:
            let value = CellReader.value(bytes, at: position, type, codePage)
            order.append(contentsOf: (value.text(as: type) ?? "").utf8.prefix(limit))
        case .wide: append(utf16: content(), to: &order)
        case .counted: order.append(contentsOf: content())
        case .guid:
            order.append(contentsOf: bytes[position..<(position + DataRow.guidBytes)].lazy.map(NameMatch.lowered))
        case .decimal:
            guard case .decimal(let number) = CellReader.value(bytes, at: position, type, nil) else { return false }
            number.appendOrdered(to: &order)
        case .oneByte, .twoBytes, .fourBytes, .eightBytes, nil: return false
        }
        return true
    }

    /// Appends UTF-16 as UTF-8, whose bytes are in the order of Unicode scalars.
    private static func append(utf16 text: UnsafeRawBufferPointer, to order: inout [UInt8]) {
        let start = order.count
        for index in stride(from: 0, to: text.count - 1, by: 2) {
            let unit = UInt16(littleEndian: text.loadUnaligned(fromByteOffset: index, as: UInt16.self))
            guard unit < 0x80 else {
                order.removeSubrange(start...)
                return order.append(contentsOf: TextDecoder.utf16(text).utf8)
            }
            order.append(UInt8(truncatingIfNeeded: unit))
        }
    }
}

extension DataDecimal {
    /// The powers of ten from 10^0 to 10^28.
    private static let powersOfTen: [UInt128] = (0..<28).reduce(into: [1]) { powers, index in
        powers.append(powers[index] * 10)
    }

    /// Appends a sign and the number with 28 decimals in 256 bits, whose order is that of the numbers.
    fileprivate func appendOrdered(to bytes: inout [UInt8]) {
        let isNegative = isNegative && magnitude > 0
        let (high, low) = magnitude.multipliedFullWidth(by: Self.powersOfTen[28 - scale])
        bytes.append(isNegative ? 0 : 1)
        for number in [high, low] {
            withUnsafeBytes(of: (isNegative ? ~number : number).bigEndian) { bytes.append(contentsOf: $0) }
        }
    }
}
