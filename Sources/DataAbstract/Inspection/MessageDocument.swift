// SPDX-License-Identifier: Apache-2.0

package import JSON
package import NIOCore
import Platform
package import Remoting

/// A BinMessage as JSON for people, with the offset of every part, and the way back (relctl(1), `wire`).
///
/// The way back gives the same bytes for every message that is not compressed, whatever is in it.
package enum MessageDocument {
    static let version: Int64 = 1
    static let hidden = JSONValue.string("<hidden>")

    /// - Parameters:
    ///   - types: the types of the parameters, comma-separated; nil asks the catalog of known methods.
    ///   - isRedacted: leaves out every value that is or may hold a ClientID, a password or data.
    /// - Throws: `RemotingError` for what is no BinMessage; `DocumentError` for types that do not exist.
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
        // Replaced byte for byte, so that every offset stays.
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

    /// A message of a kind that nobody knows is shown too: as a request for the time being, and the code beside it.
    private static func withKnownKind(_ bytes: ByteBuffer) -> (ByteBuffer, code: UInt8?) {
        let code: UInt8? = bytes.getInteger(at: bytes.readerIndex + kindOffset)
        guard let code, MessageKind(rawValue: code) == nil else { return (bytes, nil) }
        var known = bytes
        known.setInteger(MessageKind.message.rawValue, at: known.readerIndex + kindOffset)
        return (known, code)
    }

    /// The message that a document tells of. Offsets and names are not looked at: the order of the parts counts.
    ///
    /// - Throws: `DocumentError`, or `RemotingError` for a value that is not of its type.
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
