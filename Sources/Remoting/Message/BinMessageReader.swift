// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Takes values off the front of a message body (docs/wire.md, "Values").
///
/// Every count is checked against the bytes that are left before anything is allocated for it.
package struct BinMessageReader: Sendable, Hashable {
    private var buffer: ByteBuffer
    package let limits: WireLimits
    /// Array elements and struct fields that this message may still have.
    private var elementsLeft: Int

    package init(_ buffer: ByteBuffer, limits: WireLimits = .standard) {
        self.buffer = buffer
        self.limits = limits
        elementsLeft = limits.elements
    }

    /// Bytes not read yet.
    package var remaining: Int { buffer.readableBytes }

    /// The bytes not read yet.
    package var rest: ByteBuffer { buffer }

    package mutating func readInt32() throws(RemotingError) -> Int32 {
        try readInteger()
    }

    package mutating func readInt64() throws(RemotingError) -> Int64 {
        try readInteger()
    }

    package mutating func readDouble() throws(RemotingError) -> Double {
        Double(bitPattern: try readInteger())
    }

    /// Any of the four bytes that is not zero makes it true.
    package mutating func readBool() throws(RemotingError) -> Bool {
        try readInt32() != 0
    }

    package mutating func readDateTime() throws(RemotingError) -> DateTime {
        DateTime(days: try readDouble())
    }

    package mutating func readCurrency() throws(RemotingError) -> Currency {
        Currency(scaled: try readInt64())
    }

    package mutating func readDecimal() throws(RemotingError) -> Decimal96 {
        let low: UInt64 = try readInteger()
        let high: UInt32 = try readInteger()
        let flags: UInt32 = try readInteger()
        guard
            let value = Decimal96(
                high: high,
                low: low,
                scale: UInt8(truncatingIfNeeded: flags >> 16),
                isNegative: flags >> 31 == 1
            )
        else { throw .malformed(reason: "decimal scale above 28") }
        return value
    }

    package mutating func readGUID() throws(RemotingError) -> GUID {
        guard let bytes = buffer.readSlice(length: GUID.byteCount) else { throw Self.cutShort }
        return bytes.withUnsafeReadableBytes { GUID(wireBytes: $0) }
    }

    package mutating func readAnsi() throws(RemotingError) -> AnsiString {
        AnsiString(bytes: Array(try readCounted(width: 1).readableBytesView))
    }

    /// - Throws: `malformed` also for bytes that are not UTF-8.
    package mutating func readUTF8() throws(RemotingError) -> String {
        let bytes = try readCounted(width: 1)
        guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else {
            throw .malformed(reason: "text is not UTF-8")
        }
        return text
    }

    /// An 8-bit string of unknown code page: UTF-8, or else Latin-1.
    package mutating func readText() throws(RemotingError) -> String {
        try readAnsi().text
    }

    /// A lone surrogate becomes U+FFFD.
    package mutating func readWide() throws(RemotingError) -> String {
        var bytes = try readCounted(width: 2)
        var units: [UInt16] = []
        units.reserveCapacity(bytes.readableBytes / 2)
        while let unit = bytes.readInteger(endianness: .little, as: UInt16.self) { units.append(unit) }
        return String(decoding: units, as: UTF16.self)
    }

    /// A slice of the message, or nil for null.
    package mutating func readBinary() throws(RemotingError) -> ByteBuffer? {
        try readAssigned() ? try readCounted(width: 1) : nil
    }

    /// The byte before a struct, an array or a Binary: 0 or 1.
    package mutating func readAssigned() throws(RemotingError) -> Bool {
        let flag: UInt8 = try readInteger()
        guard flag <= 1 else { throw .malformed(reason: "assigned flag is neither 0 nor 1") }
        return flag == 1
    }

    /// The element count of an array, charged to the message's allowance.
    ///
    /// - Parameter bytesEach: the least that one element takes on the wire, at least 1.
    package mutating func readElementCount(bytesEach: Int = 1) throws(RemotingError) -> Int {
        try chargeElements(Int(try readInt32()), bytesEach: bytesEach)
    }

    /// Checks a number of elements that a peer gave, and takes it from the allowance.
    mutating func chargeElements(_ count: Int, bytesEach: Int) throws(RemotingError) -> Int {
        guard count >= 0, count <= remaining / max(bytesEach, 1) else {
            throw .malformed(reason: "element count larger than the message")
        }
        guard count <= elementsLeft else { throw .malformed(reason: "more than \(limits.elements) elements") }
        elementsLeft -= count
        return count
    }

    /// A service or method name: UTF-8 of at most `limit` bytes.
    mutating func readName(limit: Int) throws(RemotingError) -> String {
        let name = try readUTF8()
        guard name.utf8.count <= limit else { throw .malformed(reason: "name longer than \(limit) bytes") }
        return name
    }

    mutating func skipString() throws(RemotingError) {
        _ = try readCounted(width: 1)
    }

    /// An Int32 count of units and then that many units of `width` bytes.
    mutating func readCounted(width: Int) throws(RemotingError) -> ByteBuffer {
        let count = Int(try readInt32())
        guard count >= 0 else { throw .malformed(reason: "negative length") }
        guard let bytes = buffer.readSlice(length: count * width) else { throw Self.cutShort }
        return bytes
    }

    mutating func readInteger<Integer: FixedWidthInteger>() throws(RemotingError) -> Integer {
        guard let value = buffer.readInteger(endianness: .little, as: Integer.self) else { throw Self.cutShort }
        return value
    }

    private static let cutShort = RemotingError.malformed(reason: "message cut short")
}
