// SPDX-License-Identifier: Apache-2.0

/// The type of a column in Arrow.
enum ArrowType: Hashable, Sendable {
    case boolean
    case integer(bits: Int32, isSigned: Bool)
    case float(isDouble: Bool)
    /// A Decimal of 128 bits.
    case decimal(precision: Int32, scale: Int32)
    /// Milliseconds since 1970-01-01 00:00, without a zone.
    case timestamp
    /// UTF-8 with offsets of 64 bits.
    case text
    /// Bytes with offsets of 64 bits.
    case binary

    /// Whether the values have offsets.
    var hasOffsets: Bool { self == .text || self == .binary }

    /// The number in the union `Type`, and the table of the type.
    fileprivate var type: (number: UInt8, table: FlatValue) {
        switch self {
        case .integer(let bits, let isSigned): (2, .table([.int32(bits), .bool(isSigned)]))
        case .float(let isDouble): (3, .table([.int16(isDouble ? 2 : 1)]))
        case .boolean: (6, .table([]))
        case .decimal(let precision, let scale): (7, .table([.int32(precision), .int32(scale)]))
        case .timestamp: (10, .table([.int16(1)]))
        case .binary: (19, .table([]))
        case .text: (20, .table([]))
        }
    }
}

/// A column in Arrow.
struct ArrowField: Sendable {
    let name: String
    let type: ArrowType

    fileprivate var table: FlatValue {
        let type = type.type
        // Nullable, no dictionary, no children. A server may send NULL where its schema requires a value.
        return .table([.string(name), .bool(true), .uint8(type.number), type.table, .absent, .tables([])])
    }
}

/// The metadata of an Arrow IPC stream and of the file format: Message.fbs, Schema.fbs and File.fbs of the
/// specification, version V5.
enum ArrowMessage {
    /// The values of a column in the body of a batch.
    struct Node {
        let length: Int
        let nullCount: Int
    }

    /// A message of a file, for the footer.
    struct Block {
        let offset: Int
        /// The size with the prefix.
        let metadataBytes: Int
        let bodyBytes: Int
    }

    /// Is before the length of each message.
    static let continuation: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    /// The end of a stream.
    static let end: [UInt8] = continuation + [0, 0, 0, 0]
    /// The end of a stream that failed: a negative length, which readers refuse. They take an end without a marker for a
    /// complete stream. No byte is 0, so that text may follow.
    static let failure: [UInt8] = continuation + [0xFE, 0xFF, 0xFF, 0xFF]
    /// The beginning of a file, with two zeros after it, and its end.
    static let magic = Array("ARROW1".utf8)
    /// The multiple that each message and buffer begins at.
    static let alignment = 8

    private static let version = FlatValue.int16(4)

    private static func schema(_ fields: [ArrowField]) -> FlatValue {
        // Little-endian.
        .table([.int16(0), .tables(fields.map(\.table))])
    }

    /// The message before all batches.
    static func schema(of fields: [ArrowField]) -> [UInt8] { message(1, schema(fields), bodyBytes: 0) }

    /// The message before the body of a batch.
    ///
    /// - Parameter buffers: the buffers in the body, with their sizes before they are padded.
    static func batch(rows: Int, _ nodes: [Node], buffers: [Range<Int>], bodyBytes: Int) -> [UInt8] {
        var (nodeBytes, bufferBytes): ([UInt8], [UInt8]) = ([], [])
        for node in nodes { nodeBytes += bytes(node.length) + bytes(node.nullCount) }
        for buffer in buffers { bufferBytes += bytes(buffer.lowerBound) + bytes(buffer.count) }
        return message(
            3,
            .table([
                .int64(Int64(rows)), .structs(nodeBytes, count: nodes.count),
                .structs(bufferBytes, count: buffers.count),
            ]),
            bodyBytes: bodyBytes
        )
    }

    /// The end of a file, after the end of its stream.
    static func footer(_ fields: [ArrowField], _ blocks: [Block]) -> [UInt8] {
        var structs: [UInt8] = []
        for block in blocks {
            // The metadata's size is an int32 with four bytes of padding.
            structs += bytes(block.offset) + bytes(block.metadataBytes) + bytes(block.bodyBytes)
        }
        let footer = FlatBuffer.bytes(
            of: [version, schema(fields), .structs([], count: 0), .structs(structs, count: blocks.count)]
        )
        return footer + bytes(footer.count).prefix(4) + magic
    }

    private static func message(_ type: UInt8, _ header: FlatValue, bodyBytes: Int) -> [UInt8] {
        var metadata = FlatBuffer.bytes(of: [version, .uint8(type), header, .int64(Int64(bodyBytes))])
        metadata += [UInt8](repeating: 0, count: -metadata.count & (alignment - 1))
        return continuation + bytes(metadata.count).prefix(4) + metadata
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: Int64(number).littleEndian) { Array($0) }
    }
}

/// A value of a flatbuffer.
private indirect enum FlatValue {
    /// A field of a table with its default.
    case absent
    case bool(Bool)
    case uint8(UInt8)
    case int16(Int16)
    case int32(Int32)
    case int64(Int64)
    case string(String)
    case table([FlatValue])
    case tables([FlatValue])
    /// Structs of numbers of 8 bytes.
    case structs([UInt8], count: Int)

    /// The bytes in a table, little-endian: of the number, or of the place for an offset.
    var inline: [UInt8] {
        switch self {
        case .absent: []
        case .bool(let value): [value ? 1 : 0]
        case .uint8(let value): [value]
        case .int16(let value): withUnsafeBytes(of: value.littleEndian) { Array($0) }
        case .int32(let value): withUnsafeBytes(of: value.littleEndian) { Array($0) }
        case .int64(let value): withUnsafeBytes(of: value.littleEndian) { Array($0) }
        case .string, .table, .tables, .structs: [0, 0, 0, 0]
        }
    }
}

/// Writes a flatbuffer from its beginning: each table before its parts, whose offsets are filled in when they are
/// written.
private struct FlatBuffer {
    private var bytes: [UInt8] = [0, 0, 0, 0]

    /// - Parameter root: the fields of the root table.
    static func bytes(of root: [FlatValue]) -> [UInt8] {
        var buffer = FlatBuffer()
        buffer.append(.table(root), for: 0)
        return buffer.bytes
    }

    /// Appends what an offset refers to, if the value has one.
    ///
    /// - Parameter place: the place of the offset.
    private mutating func append(_ value: FlatValue, for place: Int) {
        switch value {
        case .absent, .bool, .uint8, .int16, .int32, .int64: break
        case .string(let text):
            align(4)
            setOffset(at: place)
            appendCount(text.utf8.count)
            bytes += text.utf8
            bytes.append(0)
        case .structs(let structs, let count):
            // The count is before the structs, which are aligned.
            align(8, after: 4)
            setOffset(at: place)
            appendCount(count)
            bytes += structs
        case .tables(let tables):
            align(4)
            setOffset(at: place)
            appendCount(tables.count)
            let first = bytes.count
            bytes += [UInt8](repeating: 0, count: 4 * tables.count)
            for (number, table) in tables.enumerated() { append(table, for: first + 4 * number) }
        case .table(let fields): append(table: fields, for: place)
        }
    }

    private mutating func append(table fields: [FlatValue], for place: Int) {
        // The table begins with the distance to its list of offsets, which is before it.
        var (content, offsets): ([UInt8], [Int]) = ([0, 0, 0, 0], [])
        for field in fields {
            let inline = field.inline
            if !inline.isEmpty {
                content += [UInt8](repeating: 0, count: -content.count & (inline.count - 1))
            }
            offsets.append(inline.isEmpty ? 0 : content.count)
            content += inline
        }
        let listBytes = 4 + 2 * fields.count
        align(8, after: listBytes)
        let list = bytes.count
        for number in [listBytes, content.count] + offsets {
            bytes += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
        }
        let table = bytes.count
        setOffset(at: place)
        bytes += content
        set(table - list, at: table)
        for (field, offset) in zip(fields, offsets) where offset > 0 { append(field, for: table + offset) }
    }

    /// Pads so that what follows after so many bytes is aligned.
    private mutating func align(_ alignment: Int, after count: Int = 0) {
        bytes += [UInt8](repeating: 0, count: -(bytes.count + count) & (alignment - 1))
    }

    private mutating func appendCount(_ count: Int) {
        bytes += [0, 0, 0, 0]
        set(count, at: bytes.count - 4)
    }

    /// Sets an offset to the present end.
    private mutating func setOffset(at place: Int) { set(bytes.count - place, at: place) }

    private mutating func set(_ number: Int, at place: Int) {
        for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
    }
}
