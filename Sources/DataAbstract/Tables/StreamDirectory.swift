// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// What frames a stream: its signature, and at its end the names and places of what is in it.
struct StreamDirectory {
    static let signature: StaticString = "DABIN200"
    /// The signature and the place of the directory.
    static let headerBytes = 12

    enum Kind: Int32 {
        case table = 0
        case delta = 1
    }

    /// Numbers of kinds may come that nobody knows.
    struct Entry {
        let kind: Int32
        let name: String
    }

    /// Leaves the reader behind the header, where the first element begins.
    static func read(from reader: inout StreamReader) throws(TableError) -> [Entry] {
        try reader.skip(signature)
        let place = try reader.readInt32()
        guard place >= Int32(headerBytes) else { throw reader.failure("directory inside of the header") }
        try reader.move(to: place)
        let count = try reader.readCount("tables", limit: reader.limits.tables, bytesEach: 12)
        var entries: [Entry] = []
        for _ in 0..<count {
            entries.append(Entry(kind: try reader.readInt32(), name: try reader.readText()))
            // The elements stand one behind another, as the vendor's client reads them.
            _ = try reader.readInt32()
        }
        try reader.move(to: Int32(headerBytes))
        return entries
    }

    private var entries: [(kind: Kind, name: String, place: Int)] = []
    private(set) var buffer = ByteBuffer()

    init() {
        buffer.writeStaticString(Self.signature)
        buffer.writeCount(0)
    }

    mutating func add(_ kind: Kind, _ name: String, _ write: (inout ByteBuffer) -> Void) {
        entries.append((kind, name, buffer.writerIndex))
        write(&buffer)
    }

    /// The stream.
    consuming func finish() throws(TableError) -> ByteBuffer {
        let place = buffer.writerIndex
        buffer.writeCount(entries.count)
        for entry in entries {
            buffer.writeInteger(entry.kind.rawValue, endianness: .little)
            buffer.writeCounted(entry.name)
            buffer.writeCount(entry.place)
        }
        guard buffer.writerIndex <= Int(Int32.max) else { throw .tooLong }
        buffer.setInteger(Int32(place), at: Self.headerBytes - 4, endianness: .little)
        return buffer
    }
}
