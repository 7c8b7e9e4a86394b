// SPDX-License-Identifier: Apache-2.0

package import JSON
package import NIOCore
import Platform
package import Remoting

/// Converts a BinMessage to JSON for people, with the offset of every part, and back (relctl(1), `wire`).
///
/// Encoding a document gives the same bytes for every message that is not compressed, whatever its content.
package enum MessageDocument {
    static let version: Int64 = 1
    static let hidden = JSONValue.string("<hidden>")

    /// Decodes a message into a document.
    ///
    /// - Parameters:
    ///   - types: the types of the parameters, comma-separated; if nil, they are looked up in the catalog of known
    ///     methods.
    ///   - isRedacted: leaves out every value that is or may contain a ClientID, a password or data.
    /// - Throws: `RemotingError` if the bytes are not a BinMessage; `DocumentError` if a type does not exist.
    package static func decode(
        _ bytes: ByteBuffer,
        types: String? = nil,
        isRedacted: Bool = false,
        limits: WireLimits = .standard
    ) throws -> JSONObject {
        let parameters = try types.map { text in
            guard let types = ValueType.parameters(text) else { throw DocumentError.shape("list of types") }
            return types
        }
        guard isRedacted else { return try decode(bytes, origin: 0, types: parameters, limits: limits) }
        let (known, code) = withKnownKind(bytes)
        var start = known
        let clientID = try MessageHeader(from: &start).clientID
        // The replacement has the same length, so that every offset stays valid.
        var clean = try MessageScrubber(hiding: clientID, behind: ClientID()).scrubbed(known, limits: limits)
        if let code { clean.setInteger(code, at: clean.readerIndex + kindOffset) }
        let document = try decode(clean, origin: 0, types: parameters, limits: limits)
        return Redaction.apply(to: document, isTyped: types != nil)
    }

    static func decode(
        _ bytes: ByteBuffer,
        origin: Int,
        types: [NamedType]? = nil,
        limits: WireLimits
    ) throws -> JSONObject {
        let (known, code) = withKnownKind(bytes)
        let message = try BinMessage(decoding: known, limits: limits)
        let header = message.header
        var inspector = MessageInspector(message.body, origin: origin + MessageHeader.byteCount, limits: limits)
        let reserved = Array(bytes.readableBytesView.prefix(MessageHeader.byteCount))[reservedRange]
        return [
            "document": .integer(version),
            "kind": .string(code.map(KindName.text) ?? KindName.text(header.kind)),
            "compressed": .bool(header.isCompressed),
            "reserved": .string(HexText.encode(reserved)),
            "clientID": .string(header.clientID.revealedText()),
            "parts": .array(inspector.parts(of: code == nil ? header.kind : nil, types: types)),
        ]
    }

    private static let kindOffset = 6
    /// The reserved bytes and the user data of the header.
    private static let reservedRange = 7..<12

    /// Replaces an unknown kind by that of a request, so that the message can be decoded, and returns the original
    /// code.
    private static func withKnownKind(_ bytes: ByteBuffer) -> (ByteBuffer, code: UInt8?) {
        let code: UInt8? = bytes.getInteger(at: bytes.readerIndex + kindOffset)
        guard let code, MessageKind(rawValue: code) == nil else { return (bytes, nil) }
        var known = bytes
        known.setInteger(MessageKind.message.rawValue, at: known.readerIndex + kindOffset)
        return (known, code)
    }

    /// Encodes the message that a document describes. Offsets and names are ignored: only the order of the parts
    /// counts.
    ///
    /// - Throws: `DocumentError`, or `RemotingError` if a value does not have its type.
    package static func encode(_ document: JSONObject) throws -> ByteBuffer {
        guard document["redacted"] != .bool(true) else { throw DocumentError.redacted }
        guard let kind = document["kind"]?.stringValue.flatMap(KindName.code) else { throw DocumentError.shape("kind") }
        guard let clientID = document["clientID"]?.stringValue.flatMap(ClientID.init(text:)) else {
            throw DocumentError.shape("clientID")
        }
        guard let reserved = document["reserved"]?.stringValue.flatMap({ HexText.decode($0) }),
            reserved.count == reservedRange.count
        else {
            throw DocumentError.shape("reserved")
        }
        guard let parts = document["parts"]?.arrayValue else { throw DocumentError.shape("parts") }
        var builder = MessageBuilder()
        try builder.write(parts)
        let message = BinMessage(header: MessageHeader(clientID: clientID), body: builder.body)
        var bytes = message.encoded(compressingFrom: document["compressed"] == .bool(true) ? 0 : nil)
        bytes.setInteger(kind, at: bytes.readerIndex + kindOffset)
        bytes.setBytes(reserved, at: bytes.readerIndex + reservedRange.lowerBound)
        return bytes
    }
}

/// Builds the body of a message from the parts of a document.
struct MessageBuilder {
    /// Maximum nesting of parts. The JSON parser that reads the document has its own limit.
    private static let depth = 64

    private var writer = BinMessageWriter()

    var body: ByteBuffer { writer.buffer }

    mutating func write(_ parts: [JSONValue]) throws {
        try write(parts, depth: Self.depth)
    }

    private mutating func write(_ parts: [JSONValue], depth: Int) throws {
        for part in parts {
            guard depth > 0, let part = part.objectValue else { throw DocumentError.shape("part") }
            try write(part, depth: depth - 1)
        }
    }

    private mutating func write(_ part: JSONObject, depth: Int) throws {
        if let digits = part["hex"] {
            guard let bytes = digits.stringValue.flatMap({ HexText.decode($0) }) else {
                throw DocumentError.shape("hex")
            }
            writer.writeRaw { $0.writeBytes(bytes) }
            return
        }
        let type = part["type"]?.stringValue ?? ""
        switch type {
        case ValueType.structure:
            guard let className = part["class"]?.stringValue else { return writer.writeAssigned(false) }
            writer.writeAssigned(true)
            writer.write(utf8: className)
            try write(elements(of: part, "fields"), depth: depth)
        case ValueType.array:
            guard part["elements"] != nil else { return writer.writeAssigned(false) }
            let elements = try elements(of: part, "elements")
            writer.writeAssigned(true)
            writer.writeCount(elements.count)
            try write(elements, depth: depth)
        case ValueType.message:
            writer.write(binary: try MessageDocument.encode(part))
        case ValueType.stream:
            writer.write(binary: try StreamDocument.encode(part))
        case ValueType.variant:
            writer.write(try ValueDocument.read(part, as: .variant))
        default:
            guard let plain = ValueType.plain[type] else { throw DocumentError.shape("type of a part") }
            writer.write(try ValueDocument.read(part, as: plain))
        }
    }

    private func elements(of part: JSONObject, _ key: String) throws -> [JSONValue] {
        guard let elements = part[key]?.arrayValue else { throw DocumentError.shape(key) }
        return elements
    }
}

/// The names of message kinds in documents. An unknown kind is written as two hexadecimal digits.
enum KindName {
    static func text(_ kind: MessageKind) -> String { "\(kind)" }

    static func text(_ code: UInt8) -> String { HexText.encode([code]) }

    static func code(_ text: String) -> UInt8? {
        if let kind = MessageKind.allCases.first(where: { self.text($0) == text }) { return kind.rawValue }
        guard let code = HexText.decode(text), code.count == 1 else { return nil }
        return code[0]
    }
}

/// A run of bytes that differs from what the values of a document encode to.
struct ByteException {
    /// Counted from the first byte of the stream.
    let offset: Int
    let bytes: [UInt8]

    /// Returns the runs in which two buffers of the same length differ.
    static func all(in bytes: ByteBuffer, comparedTo written: ByteBuffer) -> [ByteException] {
        var runs: [(offset: Int, bytes: [UInt8])] = []
        for (offset, pair) in zip(bytes.readableBytesView, written.readableBytesView).enumerated()
        where pair.0 != pair.1 {
            if let last = runs.last, last.offset + last.bytes.count == offset {
                runs[runs.count - 1].bytes.append(pair.0)
            } else {
                runs.append((offset, [pair.0]))
            }
        }
        return runs.map { ByteException(offset: $0.offset, bytes: $0.bytes) }
    }

    private init(offset: Int, bytes: [UInt8]) {
        self.offset = offset
        self.bytes = bytes
    }

    init(_ object: JSONObject) throws {
        guard let offset = object["offset"]?.integerValue.flatMap(Int.init(exactly:)), offset >= 0,
            let bytes = object["hex"]?.stringValue.flatMap({ HexText.decode($0) })
        else { throw DocumentError.shape("exception") }
        self.offset = offset
        self.bytes = bytes
    }

    var json: JSONValue { ["offset": .integer(Int64(offset)), "hex": .string(HexText.encode(bytes))] }

    func apply(to buffer: inout ByteBuffer) throws {
        guard bytes.count <= buffer.readableBytes, offset <= buffer.readableBytes - bytes.count else {
            throw DocumentError.shape("offset of an exception")
        }
        buffer.setBytes(bytes, at: buffer.readerIndex + offset)
    }
}

/// The reason why a document cannot be encoded as a message.
package enum DocumentError: Error, Equatable {
    /// The named part, or the value at the described position, is missing or has the wrong shape.
    case shape(String)
    /// The document was redacted.
    case redacted
}

extension DocumentError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .shape(let place): "the document has no valid \(place)"
        case .redacted: "the document was made with --redact, so a part of the message is missing"
        }
    }
}
