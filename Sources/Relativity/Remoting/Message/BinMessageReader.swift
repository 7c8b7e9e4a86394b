// SPDX-License-Identifier: Apache-2.0

import Glibc
package import NIOCore

/// Reads values from the front of a message body (docs/wire.md, "Values").
///
/// Every count is checked against the remaining bytes before memory is allocated for it. All methods throw `malformed`
/// for bytes that are not such a value.
package struct BinMessageReader: Sendable {
    private let buffer: ByteBuffer
    private var progress: MessageCursor.Progress
    /// The limits for this message.
    package let limits: WireLimits

    /// Reads from the front of `buffer`.
    package init(_ buffer: ByteBuffer, limits: WireLimits = .standard) {
        self.buffer = buffer
        self.limits = limits
        progress = MessageCursor.Progress(elementsLeft: limits.elements)
    }

    /// The number of bytes that have not been read yet.
    package var remaining: Int { buffer.readableBytes - progress.position }

    /// The bytes that have not been read yet.
    package var rest: ByteBuffer {
        buffer.getSlice(at: buffer.readerIndex + progress.position, length: remaining) ?? ByteBuffer()
    }

    /// Reads 4 bytes.
    package mutating func readInt32() throws(RemotingError) -> Int32 {
        try read { cursor throws(RemotingError) in try cursor.readInteger() }
    }

    /// True if any of the next four bytes is not zero.
    package mutating func readBool() throws(RemotingError) -> Bool {
        try read { cursor throws(RemotingError) in try cursor.readBool() }
    }

    /// Reads 16 bytes.
    package mutating func readGUID() throws(RemotingError) -> GUID {
        try read { cursor throws(RemotingError) in try cursor.readGUID() }
    }

    /// Reads an 8-bit string of unknown code page.
    package mutating func readAnsi() throws(RemotingError) -> AnsiString {
        try read { cursor throws(RemotingError) in try cursor.readAnsi() }
    }

    /// Reads a UTF-8 string.
    package mutating func readUTF8() throws(RemotingError) -> String {
        try read { cursor throws(RemotingError) in try cursor.readUTF8() }
    }

    /// Reads an 8-bit string of unknown code page: as UTF-8, or else as Latin-1.
    package mutating func readText() throws(RemotingError) -> String { try readAnsi().text }

    /// Reads an 8-bit string of at most `limit` bytes. A longer one is rejected without decoding it.
    mutating func readText(atMost limit: Int, _ subject: String) throws(RemotingError) -> String {
        var start = self
        guard try start.readInt32() <= limit else {
            throw .malformed(reason: "\(subject) longer than \(limit) bytes")
        }
        return try readText()
    }

    /// Returns a slice of the message, or nil for null.
    package mutating func readBinary() throws(RemotingError) -> ByteBuffer? {
        try read { cursor throws(RemotingError) in try cursor.readBinary() }
    }

    /// Reads the byte before a struct, an array or a Binary: 0 or 1.
    package mutating func readAssigned() throws(RemotingError) -> Bool {
        try read { cursor throws(RemotingError) in try cursor.readAssigned() }
    }

    /// Reads the element count of an array and deducts it from the message's allowance.
    package mutating func readElementCount() throws(RemotingError) -> Int {
        try read { cursor throws(RemotingError) in try cursor.readElementCount(bytesEach: 1) }
    }

    /// Reads a service or method name: UTF-8 of at most `limit` bytes.
    mutating func readName(limit: Int) throws(RemotingError) -> String {
        try read { cursor throws(RemotingError) in try cursor.readName(limit: limit) }
    }

    /// Reads an 8-bit string without decoding it.
    mutating func readCounted() throws(RemotingError) -> ByteBuffer {
        try read { cursor throws(RemotingError) in try cursor.readCounted() }
    }

    /// Reads a value of a known type. Struct classes are looked up in the catalog.
    ///
    /// - Throws: `malformed`, also for an unknown class or nesting beyond `limits.depth`.
    package mutating func readValue(
        _ type: RemotingType,
        _ catalog: StructCatalog = StructCatalog()
    ) throws(RemotingError) -> RemotingValue {
        let depth = limits.depth
        return try read { cursor throws(RemotingError) in try cursor.readValue(type, catalog, depth: depth) }
    }

    /// Reads a value together with its type code.
    package mutating func readVariant() throws(RemotingError) -> RemotingVariant {
        let depth = limits.depth
        return try read { cursor throws(RemotingError) in try cursor.readVariant(depth: depth) }
    }

    /// Accesses the bytes once for a whole value, because accessing them for each part takes as long as reading it. A
    /// failed read consumes the parts before the failure.
    private mutating func read<Value>(
        _ body: (inout MessageCursor) throws(RemotingError) -> Value
    ) throws(RemotingError) -> Value {
        var progress = self.progress
        defer { self.progress = progress }
        return try buffer.withUnsafeReadableBytes { bytes throws(RemotingError) in
            var cursor = MessageCursor(bytes, of: buffer, limits: limits, progress)
            defer { progress = cursor.progress }
            return try body(&cursor)
        }
    }
}

/// Reads the parts of values while `BinMessageReader` accesses the bytes.
private struct MessageCursor {
    /// The part of a message that has been read.
    struct Progress {
        var position = 0
        /// The number of array elements and struct fields that the message may still contain.
        var elementsLeft: Int
    }

    private let bytes: UnsafeRawBufferPointer
    /// The same bytes, for values that are slices of them.
    private let buffer: ByteBuffer
    private let limits: WireLimits
    private(set) var progress: Progress

    init(_ bytes: UnsafeRawBufferPointer, of buffer: ByteBuffer, limits: WireLimits, _ progress: Progress) {
        self.bytes = bytes
        self.buffer = buffer
        self.limits = limits
        self.progress = progress
    }

    private var remaining: Int { bytes.count - progress.position }

    mutating func readBool() throws(RemotingError) -> Bool {
        let bits: Int32 = try readInteger()
        return bits != 0
    }

    private mutating func readDouble() throws(RemotingError) -> Double { Double(bitPattern: try readInteger()) }

    /// Reads days since 1899-12-30 00:00.
    private mutating func readDateTime() throws(RemotingError) -> DateTime { DateTime(days: try readDouble()) }

    /// Reads an amount as a scaled 64-bit integer.
    private mutating func readCurrency() throws(RemotingError) -> Currency { Currency(scaled: try readInteger()) }

    /// Reads 12 bytes of magnitude and 4 bytes of scale, which is at most 28, and sign.
    private mutating func readDecimal() throws(RemotingError) -> Decimal96 {
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

    mutating func readGUID() throws(RemotingError) -> GUID { GUID(wireBytes: try readBytes(GUID.byteCount)) }

    mutating func readAnsi() throws(RemotingError) -> AnsiString {
        AnsiString(bytes: Array(try readBytes(readByteCount(width: 1))))
    }

    /// Uses `UTF8Span`: the validating initialiser of `String` is generic and takes ten times as long.
    mutating func readUTF8() throws(RemotingError) -> String {
        let bytes = try readBytes(readByteCount(width: 1))
        let text = bytes.withMemoryRebound(to: UInt8.self) { bytes -> String? in
            guard let text = try? UTF8Span(validating: bytes.span) else { return nil }
            return String(copying: text)
        }
        guard let text else { throw .malformed(reason: "text is not UTF-8") }
        return text
    }

    /// Reads UTF-16. A lone surrogate becomes U+FFFD.
    private mutating func readWide() throws(RemotingError) -> String {
        let bytes = try readBytes(readByteCount(width: 2))
        let units = [UInt16](unsafeUninitializedCapacity: bytes.count / 2) { space, count in
            UnsafeMutableRawBufferPointer(space).copyMemory(from: bytes)
            count = bytes.count / 2
        }
        return String(decoding: units.lazy.map { UInt16(littleEndian: $0) }, as: UTF16.self)
    }

    mutating func readBinary() throws(RemotingError) -> ByteBuffer? { try readAssigned() ? try readCounted() : nil }

    mutating func readAssigned() throws(RemotingError) -> Bool {
        let flag: UInt8 = try readInteger()
        guard flag <= 1 else { throw .malformed(reason: "assigned flag is neither 0 nor 1") }
        return flag == 1
    }

    /// - Parameter bytesEach: the minimum size of one element on the wire, at least 1.
    mutating func readElementCount(bytesEach: Int) throws(RemotingError) -> Int {
        let count: Int32 = try readInteger()
        return try chargeElements(Int(count), bytesEach: bytesEach)
    }

    /// Checks an element count from the peer and deducts it from the allowance.
    private mutating func chargeElements(_ count: Int, bytesEach: Int) throws(RemotingError) -> Int {
        guard count >= 0, count <= remaining / max(bytesEach, 1) else {
            throw .malformed(reason: "element count larger than the message")
        }
        guard count <= progress.elementsLeft else {
            throw .malformed(reason: "more than \(limits.elements) elements")
        }
        progress.elementsLeft -= count
        return count
    }

    mutating func readName(limit: Int) throws(RemotingError) -> String {
        let name = try readUTF8()
        guard name.utf8.count <= limit else { throw .malformed(reason: "name longer than \(limit) bytes") }
        return name
    }

    /// Reads an Int32 count and that many bytes, as a slice of the message.
    mutating func readCounted() throws(RemotingError) -> ByteBuffer {
        let count = try readByteCount(width: 1)
        defer { progress.position += count }
        return buffer.getSlice(at: buffer.readerIndex + progress.position, length: count) ?? ByteBuffer()
    }

    /// Skips exactly these bytes; false, without reading, if others follow.
    private mutating func skip(_ expected: [UInt8]) -> Bool {
        guard remaining >= expected.count else { return false }
        let isNext = expected.withUnsafeBytes { expected in
            guard let left = expected.baseAddress, let right = bytes.baseAddress else { return expected.isEmpty }
            return memcmp(left, right + progress.position, expected.count) == 0
        }
        if isNext { progress.position += expected.count }
        return isNext
    }

    mutating func readInteger<Integer: FixedWidthInteger & BitwiseCopyable>() throws(RemotingError) -> Integer {
        guard remaining >= MemoryLayout<Integer>.size else { throw Self.cutShort }
        defer { progress.position += MemoryLayout<Integer>.size }
        return Integer(littleEndian: bytes.loadUnaligned(fromByteOffset: progress.position, as: Integer.self))
    }

    /// Reads a count of units of `width` bytes and returns its size in bytes, of which all remain to be read.
    private mutating func readByteCount(width: Int) throws(RemotingError) -> Int {
        let units: Int32 = try readInteger()
        let count = Int(units)
        guard count >= 0 else { throw .malformed(reason: "negative length") }
        guard count * width <= remaining else { throw Self.cutShort }
        return count * width
    }

    private mutating func readBytes(_ count: Int) throws(RemotingError) -> UnsafeRawBufferPointer {
        guard count <= remaining else { throw Self.cutShort }
        defer { progress.position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[progress.position..<(progress.position + count)])
    }

    private static let cutShort = RemotingError.malformed(reason: "message cut short")
}

extension MessageCursor {
    mutating func readValue(
        _ type: RemotingType,
        _ catalog: StructCatalog,
        depth: Int
    ) throws(RemotingError) -> RemotingValue {
        switch type {
        case .integer: .integer(try readInteger())
        case .int64: .int64(try readInteger())
        case .double: .double(try readDouble())
        case .boolean: .boolean(try readBool())
        case .dateTime: .dateTime(try readDateTime())
        case .currency: .currency(try readCurrency())
        case .decimal: .decimal(try readDecimal())
        case .guid: .guid(try readGUID())
        case .ansiString: .ansiString(try readAnsi())
        case .utf8String: .utf8String(try readUTF8())
        case .wideString: .wideString(try readWide())
        case .xml: .xml(try readUTF8())
        case .binary: .binary(try readBinary())
        case .variant: .variant(try readVariant(depth: depth))
        case .enumeration: .enumeration(try readInteger())
        case .structure: try readStruct(catalog, depth: try Self.below(depth))
        case .array(let element): .array(try readArray(of: element, catalog, depth: try Self.below(depth)))
        }
    }

    private mutating func readStruct(_ catalog: StructCatalog, depth: Int) throws(RemotingError) -> RemotingValue {
        var none: StructCatalog.Class?
        return try readStruct(catalog, &none, depth: depth)
    }

    /// - Parameter last: the class of the previous struct, which is most likely the class of this one.
    private mutating func readStruct(
        _ catalog: StructCatalog,
        _ last: inout StructCatalog.Class?,
        depth: Int
    ) throws(RemotingError) -> RemotingValue {
        guard try readAssigned() else { return .nullStructure }
        if let last, skip(last.layout.encodedName) {
            return .structure(RemotingStruct(last.layout, try readFields(last, catalog, depth: depth)))
        }
        let className = try readName(limit: RequestMessage.nameLimit)
        guard let known = catalog[className] else { throw .malformed(reason: "struct of an unknown class") }
        last = known
        return .structure(RemotingStruct(known.layout, try readFields(known, catalog, depth: depth)))
    }

    private mutating func readFields(
        _ known: StructCatalog.Class,
        _ catalog: StructCatalog,
        depth: Int
    ) throws(RemotingError) -> [RemotingValue] {
        _ = try chargeElements(known.types.count, bytesEach: 1)
        var values: [RemotingValue] = []
        values.reserveCapacity(known.types.count)
        for type in known.types { values.append(try readValue(type, catalog, depth: depth)) }
        return values
    }

    private mutating func readArray(
        of element: RemotingType,
        _ catalog: StructCatalog,
        depth: Int
    )
        throws(RemotingError) -> [RemotingValue]?
    {
        guard try readAssigned() else { return nil }
        let count = try readElementCount(bytesEach: element.leastBytes)
        var values: [RemotingValue] = []
        // The reserved memory is bounded by the message's allowance of elements.
        values.reserveCapacity(count)
        guard case .structure = element else {
            for _ in 0..<count { values.append(try readValue(element, catalog, depth: depth)) }
            return values
        }
        var known: StructCatalog.Class?
        let inner = try Self.below(depth)
        for _ in 0..<count { values.append(try readStruct(catalog, &known, depth: inner)) }
        return values
    }

    mutating func readVariant(depth: Int) throws(RemotingError) -> RemotingVariant {
        let code: Int32 = try readInteger()
        switch code {
        case 0x0000: return .empty
        case 0x0001: return .null
        case 0x0002: return .int16(try readInteger())
        case 0x0003: return .int32(try readInteger())
        case 0x0004: return .single(Float(bitPattern: try readInteger()))
        case 0x0005: return .double(try readDouble())
        case 0x0006: return .currency(try readCurrency())
        case 0x0007: return .dateTime(try readDateTime())
        case 0x0008: return .string(try readUTF8())
        case 0x000A: return .error
        case 0x000B: return .boolean(try readBool())
        case 0x000E: return .decimal(try readDecimal())
        case 0x0010: return .int8(try readInteger())
        case 0x0011: return .uint8(try readInteger())
        case 0x0012: return .uint16(try readInteger())
        case 0x0013: return .uint32(try readInteger())
        case 0x0014: return .int64(try readInteger())
        case 0x0072: return .guid(try readGUID())
        case 0x0100: return .ansiString(try readAnsi())
        case 0x0102: return .utf8String(try readUTF8())
        case VariantCode.byteArray: return .bytes(try readCounted())
        case let code where code & VariantCode.arrayBit != 0:
            return try readVariantArray(code: code, depth: try Self.below(depth))
        default: throw .malformed(reason: "unknown Variant code")
        }
    }

    private mutating func readVariantArray(code: Int32, depth: Int) throws(RemotingError) -> RemotingVariant {
        let low: Int32 = try readInteger()
        let high: Int32 = try readInteger()
        let count = try chargeElements(Int(high) - Int(low) + 1, bytesEach: RemotingType.variant.leastBytes)
        var elements: [RemotingVariant] = []
        for _ in 0..<count { elements.append(try readVariant(depth: depth)) }
        return .array(code: code, low: low, elements)
    }

    private static func below(_ depth: Int) throws(RemotingError) -> Int {
        guard depth > 0 else { throw .malformed(reason: "nested too deeply") }
        return depth - 1
    }
}
