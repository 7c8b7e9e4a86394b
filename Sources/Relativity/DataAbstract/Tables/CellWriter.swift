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
        let maskBytes = CellReader.maskBytes(columns.count)
        var unfit: Int?
        // One access to the buffer for each row, because each access has a cost.
        let most = values.reduce(maskBytes) { $0 + mostBytes($1) }
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: most) { bytes in
            var space = CellSpace(bytes: bytes)
            for _ in 0..<maskBytes { space.write(0 as UInt8) }
            for (index, value) in values.enumerated() {
                if value.isNull == setMeansNull { bytes[index >> 3] |= 1 << UInt8(index & 7) }
                guard space.write(value, as: columns[index]) else {
                    unfit = index
                    return 0
                }
            }
            return space.count
        }
        if let unfit { throw columns[unfit].misfit(values[unfit]) }
    }

    static func set(bit: Int, of start: Int, in buffer: inout ByteBuffer) {
        let mask = buffer.getInteger(at: start + bit >> 3, as: UInt8.self) ?? 0
        buffer.setInteger(mask | 1 << UInt8(bit & 7), at: start + bit >> 3)
    }

    /// - Returns: false if the column cannot hold the value.
    static func write(_ value: DataValue, as column: DataColumn, to buffer: inout ByteBuffer) -> Bool {
        var isFit = false
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: mostBytes(value)) { bytes in
            var space = CellSpace(bytes: bytes)
            isFit = space.write(value, as: column)
            return isFit ? space.count : 0
        }
        return isFit
    }

    /// Returns a size that no cell with the value exceeds.
    private static func mostBytes(_ value: DataValue) -> Int {
        switch value {
        case .text(let text): 4 + 2 * text.utf8.count
        case .bytes(let bytes): 4 + bytes.readableBytes
        case .unreadable(let text): 4 + text.bytes.count
        default: 16
        }
    }

    /// Appends a text of UTF-8.
    ///
    /// - Returns: false if the column cannot hold it.
    static func write(utf8 bytes: UnsafeRawBufferPointer, as column: DataColumn, to buffer: inout ByteBuffer) -> Bool {
        switch column.type {
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
        return write(.text(String(decoding: bytes, as: UTF8.self)), as: column, to: &buffer)
    }
}

/// Space that is large enough for the cells that are written to it.
private struct CellSpace {
    let bytes: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(bytes: UnsafeMutableRawBufferPointer) {
        self.bytes = bytes
    }

    mutating func write<Integer: FixedWidthInteger & BitwiseCopyable>(_ value: Integer) {
        bytes.storeBytes(of: value.littleEndian, toByteOffset: count, as: Integer.self)
        count += MemoryLayout<Integer>.size
    }

    /// - Returns: false if the column cannot hold the value.
    mutating func write(_ value: DataValue, as column: DataColumn) -> Bool {
        let type = column.type
        switch (value, type) {
        case (.null, _): return true
        case (.integer(let value), _): return write(value, as: type)
        case (.unsigned(let value), .largeUInt): write(value)
        case (.float(let value), .float): write(value.bitPattern)
        case (.float(let value), .singleFloat): write(Float(value).bitPattern)
        case (.dateTime(let days), .dateTime): write(days.bitPattern)
        case (.currency(let scaled), .currency): write(scaled)
        case (.boolean(let value), .boolean): write((value ? 1 : 0) as UInt8)
        case (.decimal(let value), .decimal):
            write(value.number.low)
            write(value.number.high)
            write(UInt32(value.number.scale) << 16 | (value.isNegative ? 1 << 31 : 0))
        case (.text(let text), .string), (.text(let text), .memo), (.text(let text), .fixedChar):
            guard let page = column.codePage else { return write(latin1: text) }
            guard let bytes = try? page.bytes(text) else { return false }
            return write(counted: bytes)
        case (.unreadable(let text), .string), (.unreadable(let text), .memo), (.unreadable(let text), .fixedChar):
            // In another page the bytes may be another text.
            guard column.codePage == text.codePage else { return false }
            return write(counted: text.bytes)
        case (.text(let text), _): return write(text, as: type)
        case (.bytes(let value), .blob), (.bytes(let value), .cursor):
            guard let size = Int32(exactly: value.readableBytes) else { return false }
            write(size)
            value.withUnsafeReadableBytes {
                UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).copyMemory(from: $0)
            }
            count += value.readableBytes
        default: return false
        }
        return true
    }

    private mutating func write(_ value: Int64, as type: DataType) -> Bool {
        switch type {
        case .byte: write(exactly: UInt8(exactly: value))
        case .shortInt: write(exactly: Int8(exactly: value))
        case .word: write(exactly: UInt16(exactly: value))
        case .smallInt: write(exactly: Int16(exactly: value))
        case .integer, .autoInc: write(exactly: Int32(exactly: value))
        case .cardinal: write(exactly: UInt32(exactly: value))
        case .largeInt, .largeAutoInc: write(exactly: value)
        case .largeUInt: write(exactly: UInt64(exactly: value))
        default: false
        }
    }

    private mutating func write<Integer: FixedWidthInteger & BitwiseCopyable>(exactly value: Integer?) -> Bool {
        guard let value else { return false }
        write(value)
        return true
    }

    private mutating func write(latin1 text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard scalars.allSatisfy({ $0.value <= 0xFF }), let size = Int32(exactly: scalars.count) else { return false }
        write(size)
        for scalar in scalars { write(UInt8(truncatingIfNeeded: scalar.value)) }
        return true
    }

    private mutating func write(counted content: [UInt8]) -> Bool {
        guard let size = Int32(exactly: content.count) else { return false }
        write(size)
        UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).copyBytes(from: content)
        count += content.count
        return true
    }

    private mutating func write(_ text: String, as type: DataType) -> Bool {
        switch type {
        case .wideString, .wideMemo, .fixedWideChar, .xml:
            if text.utf8.withContiguousStorageIfAvailable({ writeWide(ascii: $0) }) ?? false { return true }
            let units = text.utf16
            guard let size = Int32(exactly: 2 * units.count) else { return false }
            write(size)
            for unit in units { write(unit) }
        case .guid:
            guard text.utf8.count == DataRow.guidBytes, text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
            for byte in text.utf8 { write(byte) }
        default: return false
        }
        return true
    }

    /// - Returns: false if the text has other characters than ASCII.
    private mutating func writeWide(ascii text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.allSatisfy({ $0 < 0x80 }), let size = Int32(exactly: 2 * text.count) else { return false }
        write(size)
        for byte in text { write(UInt16(byte)) }
        return true
    }
}
