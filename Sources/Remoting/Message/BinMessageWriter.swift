// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Appends values in BinMessage encoding (docs/wire.md, "Values"): little-endian, no names, no type tags.
///
/// Lengths come from values in memory, so writing cannot fail.
package struct BinMessageWriter: Sendable, Hashable {
    /// What was written so far.
    package private(set) var buffer: ByteBuffer

    /// Appends to the bytes given.
    package init(_ buffer: ByteBuffer = ByteBuffer()) {
        self.buffer = buffer
    }

    package mutating func write(_ value: Int32) {
        buffer.writeInteger(value, endianness: .little)
    }

    package mutating func write(_ value: Int64) {
        buffer.writeInteger(value, endianness: .little)
    }

    package mutating func write(_ value: Double) {
        buffer.writeInteger(value.bitPattern, endianness: .little)
    }

    /// A Boolean takes four bytes.
    package mutating func write(_ value: Bool) {
        write(Int32(value ? 1 : 0))
    }

    package mutating func write(_ value: DateTime) {
        write(value.days)
    }

    package mutating func write(_ value: Currency) {
        write(value.scaled)
    }

    package mutating func write(_ value: Decimal96) {
        buffer.writeInteger(value.low, endianness: .little)
        buffer.writeInteger(value.high, endianness: .little)
        buffer.writeInteger(UInt32(value.scale) << 16 | (value.isNegative ? 1 << 31 : 0), endianness: .little)
    }

    package mutating func write(_ value: GUID) {
        value.withWireBytes { _ = buffer.writeBytes($0) }
    }

    package mutating func write(ansi value: AnsiString) {
        writeCount(value.bytes.count)
        buffer.writeBytes(value.bytes)
    }

    package mutating func write(utf8 value: String) {
        writeCount(value.utf8.count)
        buffer.writeString(value)
    }

    /// The count is one of UTF-16 units, not of bytes.
    package mutating func write(wide value: String) {
        writeCount(value.utf16.count)
        for unit in value.utf16 { buffer.writeInteger(unit, endianness: .little) }
    }

    /// Nil is the one byte 0.
    package mutating func write(binary value: ByteBuffer?) {
        writeAssigned(value != nil)
        guard let value else { return }
        writeCount(value.readableBytes)
        buffer.writeImmutableBuffer(value)
    }

    /// The byte that stands before a struct, an array or a Binary.
    package mutating func writeAssigned(_ isAssigned: Bool) {
        buffer.writeInteger(UInt8(isAssigned ? 1 : 0))
    }

    /// The Int32 before strings, Binary and array elements.
    package mutating func writeCount(_ count: Int) {
        write(Int32(clamping: count))
    }

    /// Bytes without a count, for values that encode themselves.
    package mutating func writeRaw(_ body: (inout ByteBuffer) -> Void) {
        body(&buffer)
    }
}
