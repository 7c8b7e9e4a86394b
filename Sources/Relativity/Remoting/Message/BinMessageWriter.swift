// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Appends values in BinMessage encoding (docs/wire.md, "Values"): little-endian, without names or type tags.
///
/// All lengths come from values in memory, so writing cannot fail.
package struct BinMessageWriter: Sendable, Hashable {
    /// The bytes written so far.
    package private(set) var buffer: ByteBuffer

    /// Appends to `buffer`.
    package init(_ buffer: ByteBuffer = ByteBuffer()) {
        self.buffer = buffer
    }

    /// Writes 4 bytes.
    package mutating func write(_ value: Int32) {
        buffer.writeInteger(value, endianness: .little)
    }

    /// Writes 8 bytes.
    package mutating func write(_ value: Int64) {
        buffer.writeInteger(value, endianness: .little)
    }

    /// Writes 8 bytes.
    package mutating func write(_ value: Double) {
        buffer.writeInteger(value.bitPattern, endianness: .little)
    }

    /// Writes four bytes.
    package mutating func write(_ value: Bool) {
        write(Int32(value ? 1 : 0))
    }

    /// Writes days since 1899-12-30 00:00.
    package mutating func write(_ value: DateTime) {
        write(value.days)
    }

    /// Writes an amount as a scaled 64-bit integer.
    package mutating func write(_ value: Currency) {
        write(value.scaled)
    }

    /// Writes 12 bytes of magnitude and 4 bytes of scale and sign.
    package mutating func write(_ value: Decimal96) {
        buffer.writeInteger(value.low, endianness: .little)
        buffer.writeInteger(value.high, endianness: .little)
        buffer.writeInteger(UInt32(value.scale) << 16 | (value.isNegative ? 1 << 31 : 0), endianness: .little)
    }

    /// Writes 16 bytes.
    package mutating func write(_ value: GUID) {
        value.withWireBytes { _ = buffer.writeBytes($0) }
    }

    /// Writes the number of bytes and the bytes.
    package mutating func write(ansi value: AnsiString) {
        writeCount(value.bytes.count)
        buffer.writeBytes(value.bytes)
    }

    /// Writes the number of UTF-8 bytes and the bytes.
    package mutating func write(utf8 value: String) {
        writeCount(value.utf8.count)
        buffer.writeString(value)
    }

    /// Writes the number of UTF-16 units, not of bytes, and then the units.
    package mutating func write(wide value: String) {
        writeCount(value.utf16.count)
        for unit in value.utf16 { buffer.writeInteger(unit, endianness: .little) }
    }

    /// Nil is written as the byte 0.
    package mutating func write(binary value: ByteBuffer?) {
        writeAssigned(value != nil)
        guard let value else { return }
        writeCount(value.readableBytes)
        buffer.writeImmutableBuffer(value)
    }

    /// Writes the byte that precedes a struct, an array or a Binary.
    package mutating func writeAssigned(_ isAssigned: Bool) {
        buffer.writeInteger(UInt8(isAssigned ? 1 : 0))
    }

    /// Writes the Int32 that precedes strings, Binary and array elements.
    package mutating func writeCount(_ count: Int) {
        write(Int32(clamping: count))
    }

    /// Writes bytes without a count, for values that encode themselves.
    package mutating func writeRaw(_ body: (inout ByteBuffer) -> Void) {
        body(&buffer)
    }
}

extension BinMessageWriter {
    /// Appends a value with its flag, class name and count, if its type has them.
    package mutating func write(_ value: RemotingValue) {
        switch value {
        case .integer(let value), .enumeration(let value): write(value)
        case .int64(let value): write(value)
        case .double(let value): write(value)
        case .boolean(let value): write(value)
        case .dateTime(let value): write(value)
        case .currency(let value): write(value)
        case .decimal(let value): write(value)
        case .guid(let value): write(value)
        case .ansiString(let value): write(ansi: value)
        case .utf8String(let value), .xml(let value): write(utf8: value)
        case .wideString(let value): write(wide: value)
        case .binary(let value): write(binary: value)
        case .variant(let value): write(value)
        case .structure(let value): write(value)
        case .nullStructure, .array(nil): writeAssigned(false)
        case .array(let elements?):
            writeAssigned(true)
            writeCount(elements.count)
            for element in elements { write(element) }
        }
    }

    /// Appends the class name and the fields.
    package mutating func write(_ value: RemotingStruct) {
        writeAssigned(true)
        write(utf8: value.className)
        for field in value.values { write(field) }
    }

    /// Appends the values, in the order given, without their names.
    package mutating func write(_ values: [NamedValue]) {
        for named in values { write(named.value) }
    }

    /// Appends the type code and the value.
    package mutating func write(_ value: RemotingVariant) {
        switch value {
        case .empty: write(Int32(0x0000))
        case .null: write(Int32(0x0001))
        case .int16(let value): write(code: 0x0002) { $0.writeInteger(value, endianness: .little) }
        case .int32(let value): write(code: 0x0003) { $0.writeInteger(value, endianness: .little) }
        case .single(let value): write(code: 0x0004) { $0.writeInteger(value.bitPattern, endianness: .little) }
        case .double(let value): write(code: 0x0005) { $0.writeInteger(value.bitPattern, endianness: .little) }
        case .currency(let value): write(code: 0x0006) { $0.writeInteger(value.scaled, endianness: .little) }
        case .dateTime(let value): write(code: 0x0007) { $0.writeInteger(value.days.bitPattern, endianness: .little) }
        case .string(let value):
            write(Int32(0x0008))
            write(utf8: value)
        case .error: write(Int32(0x000A))
        case .boolean(let value):
            write(Int32(0x000B))
            write(value)
        case .decimal(let value):
            write(Int32(0x000E))
            write(value)
        case .int8(let value): write(code: 0x0010) { $0.writeInteger(value) }
        case .uint8(let value): write(code: 0x0011) { $0.writeInteger(value) }
        case .uint16(let value): write(code: 0x0012) { $0.writeInteger(value, endianness: .little) }
        case .uint32(let value): write(code: 0x0013) { $0.writeInteger(value, endianness: .little) }
        case .int64(let value): write(code: 0x0014) { $0.writeInteger(value, endianness: .little) }
        case .guid(let value):
            write(Int32(0x0072))
            write(value)
        case .ansiString(let value):
            write(Int32(0x0100))
            write(ansi: value)
        case .utf8String(let value):
            write(Int32(0x0102))
            write(utf8: value)
        case .bytes(let value):
            write(VariantCode.byteArray)
            writeCount(value.readableBytes)
            writeRaw { $0.writeImmutableBuffer(value) }
        case .array(let code, let low, let elements):
            write(code)
            write(low)
            write(Int32(clamping: Int(low) + elements.count - 1))
            for element in elements { write(element) }
        }
    }

    private mutating func write(code: Int32, _ value: (inout ByteBuffer) -> Void) {
        write(code)
        writeRaw(value)
    }
}
