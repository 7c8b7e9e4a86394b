// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Remoting

/// Appends rows to the bytes of a stream.
enum CellWriter {
    /// Appends a row.
    ///
    /// - Throws: `valueCount`, `unfit`; the buffer is then unchanged.
    static func write(
        _ values: [DataValue],
        as columns: [DataColumn],
        setMeansNull: Bool,
        to buffer: inout ByteBuffer
    ) throws(TableError) {
        guard values.count == columns.count else {
            throw .valueCount(expected: columns.count, found: values.count)
        }
        let start = buffer.writerIndex
        buffer.writeRepeatingByte(0, count: CellReader.maskBytes(columns.count))
        for (index, value) in values.enumerated() {
            if value.isNull == setMeansNull { set(bit: index, of: start, in: &buffer) }
            guard write(value, as: columns[index].type, to: &buffer) else {
                buffer.moveWriterIndex(to: start)
                throw .unfit(column: columns[index].name, type: columns[index].type)
            }
        }
    }

    static func set(bit: Int, of start: Int, in buffer: inout ByteBuffer) {
        let mask = buffer.getInteger(at: start + bit >> 3, as: UInt8.self) ?? 0
        buffer.setInteger(mask | 1 << UInt8(bit & 7), at: start + bit >> 3)
    }

    /// - Returns: false if the type cannot hold the value.
    static func write(_ value: DataValue, as type: DataType, to buffer: inout ByteBuffer) -> Bool {
        switch (value, type) {
        case (.null, _): return true
        case (.integer(let value), _): return write(value, as: type, to: &buffer)
        case (.unsigned(let value), .largeUInt): buffer.writeInteger(value, endianness: .little)
        case (.float(let value), .float): buffer.writeInteger(value.bitPattern, endianness: .little)
        case (.float(let value), .singleFloat): buffer.writeInteger(Float(value).bitPattern, endianness: .little)
        case (.dateTime(let days), .dateTime): buffer.writeInteger(days.bitPattern, endianness: .little)
        case (.currency(let scaled), .currency): buffer.writeInteger(scaled, endianness: .little)
        case (.boolean(let value), .boolean): buffer.writeInteger(value ? 1 : 0, as: UInt8.self)
        case (.decimal(let value), .decimal):
            buffer.writeInteger(value.number.low, endianness: .little)
            buffer.writeInteger(value.number.high, endianness: .little)
            let flags = UInt32(value.number.scale) << 16 | (value.isNegative ? 1 << 31 : 0)
            buffer.writeInteger(flags, endianness: .little)
        case (.text(let text), _): return write(text, as: type, to: &buffer)
        case (.bytes(let bytes), .blob), (.bytes(let bytes), .cursor):
            guard let count = Int32(exactly: bytes.readableBytes) else { return false }
            buffer.writeInteger(count, endianness: .little)
            buffer.writeImmutableBuffer(bytes)
        default: return false
        }
        return true
    }

    private static func write(_ value: Int64, as type: DataType, to buffer: inout ByteBuffer) -> Bool {
        func write<Integer: FixedWidthInteger>(_: Integer.Type) -> Bool {
            guard let exact = Integer(exactly: value) else { return false }
            buffer.writeInteger(exact, endianness: .little)
            return true
        }
        switch type {
        case .byte: return write(UInt8.self)
        case .shortInt: return write(Int8.self)
        case .word: return write(UInt16.self)
        case .smallInt: return write(Int16.self)
        case .integer, .autoInc: return write(Int32.self)
        case .cardinal: return write(UInt32.self)
        case .largeInt, .largeAutoInc: return write(Int64.self)
        case .largeUInt: return write(UInt64.self)
        default: return false
        }
    }

    private static func write(_ text: String, as type: DataType, to buffer: inout ByteBuffer) -> Bool {
        switch type {
        case .string, .memo, .fixedChar:
            let scalars = text.unicodeScalars
            guard scalars.allSatisfy({ $0.value <= 0xFF }), let count = Int32(exactly: scalars.count) else {
                return false
            }
            buffer.writeInteger(count, endianness: .little)
            for scalar in scalars { buffer.writeInteger(UInt8(truncatingIfNeeded: scalar.value)) }
        case .wideString, .wideMemo, .fixedWideChar, .xml:
            let units = text.utf16
            let size = 2 * units.count
            guard let count = Int32(exactly: size) else { return false }
            buffer.writeInteger(count, endianness: .little)
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { space in
                for (index, unit) in units.enumerated() {
                    space.storeBytes(of: unit.littleEndian, toByteOffset: 2 * index, as: UInt16.self)
                }
                return size
            }
        case .guid:
            guard text.utf8.count == DataRow.guidBytes, text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
            buffer.writeString(text)
        default: return false
        }
        return true
    }

    /// Appends a text of UTF-8.
    ///
    /// - Returns: false if the type cannot hold it.
    static func write(utf8 bytes: UnsafeRawBufferPointer, as type: DataType, to buffer: inout ByteBuffer) -> Bool {
        switch type {
        case .wideString, .wideMemo, .fixedWideChar, .xml:
            let size = 2 * bytes.count
            guard bytes.allSatisfy({ $0 < 0x80 }), let count = Int32(exactly: size) else { break }
            buffer.writeInteger(count, endianness: .little)
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { space in
                for index in bytes.indices {
                    space.storeBytes(of: UInt16(bytes[index]).littleEndian, toByteOffset: 2 * index, as: UInt16.self)
                }
                return size
            }
            return true
        default: break
        }
        return write(String(decoding: bytes, as: UTF8.self), as: type, to: &buffer)
    }
}
