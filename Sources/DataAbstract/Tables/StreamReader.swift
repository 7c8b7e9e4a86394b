// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Takes the parts of a stream off its front. Every count is checked before anything is made room for.
struct StreamReader {
    /// Keeps the bytes where they are.
    let buffer: ByteBuffer
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0
    let limits: TableLimits
    private var itemsLeft: Int
    private var rowsLeft: Int

    init(_ buffer: ByteBuffer, limits: TableLimits) throws(TableError) {
        self.buffer = buffer
        bytes = buffer.withUnsafeReadableBytes { $0 }
        self.limits = limits
        itemsLeft = limits.items
        rowsLeft = limits.rows
        guard bytes.count <= min(limits.bytes, Int(Int32.max)) else {
            throw .tooMany("bytes", limit: limits.bytes, offset: 0)
        }
    }

    var count: Int { bytes.count }

    func failure(_ reason: String) -> TableError { .malformed(reason: reason, offset: position) }

    mutating func move(to position: Int32) throws(TableError) {
        guard (0...bytes.count).contains(Int(position)) else { throw failure("position outside of the stream") }
        self.position = Int(position)
    }

    mutating func skip(_ expected: StaticString) throws(TableError) {
        for index in 0..<expected.utf8CodeUnitCount {
            guard position < bytes.count, bytes[position] == expected.utf8Start[index] else {
                throw failure("not the signature \(expected)")
            }
            position += 1
        }
    }

    mutating func readByte() throws(TableError) -> UInt8 {
        guard position < bytes.count else { throw cutShort }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func readInt32() throws(TableError) -> Int32 {
        guard bytes.count - position >= 4 else { throw cutShort }
        defer { position += 4 }
        return Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int32.self))
    }

    /// A number of things of which each takes at least `bytesEach` bytes more.
    mutating func readCount(_ what: String, limit: Int, bytesEach: Int) throws(TableError) -> Int {
        let start = position
        let count = Int(try readInt32())
        guard count >= 0, count <= (bytes.count - position) / bytesEach else {
            throw .malformed(reason: "number of \(what) larger than the stream", offset: start)
        }
        guard count <= limit else { throw .tooMany(what, limit: limit, offset: start) }
        return count
    }

    /// Such a number, taken from the stream's allowance of items.
    mutating func readItemCount(_ what: String, limit: Int, bytesEach: Int) throws(TableError) -> Int {
        let count = try readCount(what, limit: limit, bytesEach: bytesEach)
        try chargeItems(count)
        return count
    }

    mutating func chargeItems(_ count: Int) throws(TableError) {
        guard count <= itemsLeft else { throw .tooMany("items", limit: limits.items, offset: position) }
        itemsLeft -= count
    }

    mutating func chargeRows(_ count: Int) throws(TableError) {
        guard count <= rowsLeft else { throw .tooMany("rows", limit: limits.rows, offset: position) }
        rowsLeft -= count
    }

    /// UTF-8 behind its byte count; nil for a count of -1 where that is allowed.
    mutating func readOptionalText() throws(TableError) -> String? {
        let start = position
        let count = Int(try readInt32())
        guard count != -1 else { return nil }
        guard count >= 0, count <= bytes.count - position else {
            throw .malformed(reason: "text longer than the stream", offset: start)
        }
        guard count <= limits.text else { throw .tooMany("bytes of a text", limit: limits.text, offset: start) }
        let slice = UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
        let text = slice.withMemoryRebound(to: UInt8.self) { slice -> String? in
            guard let text = try? UTF8Span(validating: slice.span) else { return nil }
            return String(copying: text)
        }
        guard let text else { throw failure("text is not UTF-8") }
        position += count
        return text
    }

    mutating func readText() throws(TableError) -> String {
        let start = position
        guard let text = try readOptionalText() else {
            throw .malformed(reason: "negative length of a text", offset: start)
        }
        return text
    }

    /// Gets past a row, which then is known to be sound.
    ///
    /// - Parameter setMeansNull: what a bit of the mask says.
    mutating func skipRow(_ forms: [CellForm], setMeansNull: Bool) throws(TableError) {
        let mask = position
        guard bytes.count - position >= (forms.count + 7) / 8 else { throw cutShort }
        position += (forms.count + 7) / 8
        for column in 0..<forms.count {
            let isSet = bytes[mask + column >> 3] >> UInt8(column & 7) & 1 == 1
            if isSet != setMeansNull { try skipCell(forms[column]) }
        }
    }

    private mutating func skipCell(_ form: CellForm) throws(TableError) {
        switch form {
        case .oneByte: try skipBytes(1)
        case .twoBytes: try skipBytes(2)
        case .fourBytes: try skipBytes(4)
        case .eightBytes: try skipBytes(8)
        case .counted: try skipCounted()
        case .wide:
            let start = position
            try skipCounted()
            guard (position - start).isMultiple(of: 2) else {
                throw .malformed(reason: "odd number of bytes of UTF-16", offset: start)
            }
        case .guid:
            let start = position
            try skipBytes(DataRow.guidBytes)
            guard bytes[start..<position].allSatisfy({ $0 < 0x80 }) else {
                throw .malformed(reason: "a Guid that is not ASCII", offset: start)
            }
        case .decimal:
            let start = position
            try skipBytes(16)
            guard bytes[start + 14] <= 28 else {
                throw .malformed(reason: "decimal scale above 28", offset: start)
            }
        }
    }

    private mutating func skipCounted() throws(TableError) {
        let start = position
        let count = Int(try readInt32())
        guard count >= 0 else { throw .malformed(reason: "negative length of a cell", offset: start) }
        guard count <= limits.cell else { throw .tooMany("bytes of a cell", limit: limits.cell, offset: start) }
        try skipBytes(count)
    }

    mutating func skipBytes(_ count: Int) throws(TableError) {
        guard count <= bytes.count - position else { throw cutShort }
        position += count
    }

    /// The bytes from there to here, without a copy.
    func slice(from start: Int) -> ByteBuffer {
        buffer.getSlice(at: buffer.readerIndex + start, length: position - start) ?? ByteBuffer()
    }

    private var cutShort: TableError { failure("stream cut short") }
}
