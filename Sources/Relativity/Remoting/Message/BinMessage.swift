// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// A complete BinMessage: the header, and the body uncompressed.
package struct BinMessage: Hashable, Sendable {
    /// The header.
    package var header: MessageHeader
    /// The bytes after the header, inflated.
    package var body: ByteBuffer

    /// `header.isCompressed` is ignored here: `encoded(compressingFrom:)` decides.
    package init(header: MessageHeader, body: ByteBuffer) {
        self.header = header
        self.body = body
    }

    /// The size of the uncompressed message.
    package var byteCount: Int { MessageHeader.byteCount + body.readableBytes }

    /// Decodes a message and inflates its body. An uncompressed body is not copied.
    ///
    /// - Throws: `malformed`, `tooLarge` or `aesEnvelope`.
    package init(decoding bytes: ByteBuffer, limits: WireLimits = .standard) throws(RemotingError) {
        guard bytes.readableBytes <= limits.message else { throw .tooLarge(limit: limits.message) }
        var rest = bytes
        header = try MessageHeader(from: &rest)
        let most = header.kind == .exception ? min(limits.message, WireLimits.exceptionBytes) : limits.message
        guard bytes.readableBytes <= most else { throw .tooLarge(limit: most) }
        guard header.isCompressed else {
            body = rest
            return
        }
        guard rest.readableBytes <= limits.compressed else { throw .tooLarge(limit: limits.compressed) }
        body = try Zlib.inflate(rest, limit: most)
    }

    /// Encodes the message. A body of at least `threshold` bytes is compressed; nil disables compression.
    ///
    /// - Parameter level: zlib's, from 1 to 9; by default zlib's own default.
    package func encoded(compressingFrom threshold: Int? = nil, level: Int = 6) -> ByteBuffer {
        var header = header
        var payload = body
        header.isCompressed = false
        if let threshold, body.readableBytes >= threshold, let small = Zlib.deflate(body, level: level) {
            header.isCompressed = true
            payload = small
        }
        var bytes = ByteBuffer()
        bytes.reserveCapacity(MessageHeader.byteCount + payload.readableBytes)
        header.write(to: &bytes)
        bytes.writeBuffer(&payload)
        return bytes
    }
}

/// The first 28 bytes of every BinMessage (docs/wire.md, "Header").
package struct MessageHeader: Hashable, Sendable {
    /// The size of a header.
    package static let byteCount = 28
    static let signature: [UInt8] = Array("RO107".utf8)
    static let envelopeSignature: [UInt8] = Array("ROENV".utf8)

    /// The kind of message.
    package var kind: MessageKind
    /// Whether everything after the header is one zlib stream.
    package var isCompressed: Bool
    /// The ClientID of the session.
    package var clientID: ClientID

    /// A header with the given fields.
    package init(kind: MessageKind = .message, isCompressed: Bool = false, clientID: ClientID) {
        self.kind = kind
        self.isCompressed = isCompressed
        self.clientID = clientID
    }

    /// Reads the header and removes it from the front of a message.
    ///
    /// The reserved bytes and the user data are ignored, as the vendor's client does.
    /// - Throws: `aesEnvelope`, or `malformed`.
    package init(from bytes: inout ByteBuffer) throws(RemotingError) {
        guard Self.opens(bytes) else {
            guard !Self.opensEnvelope(bytes) else { throw .aesEnvelope }
            throw .malformed(reason: "no RO107 signature")
        }
        guard var header = bytes.readSlice(length: Self.byteCount) else {
            throw .malformed(reason: "header cut short")
        }
        header.moveReaderIndex(forwardBy: Self.signature.count)
        guard let compressed = header.readInteger(as: UInt8.self), compressed <= 1,
            let code = header.readInteger(as: UInt8.self), let kind = MessageKind(rawValue: code)
        else { throw .malformed(reason: "unknown message kind or compression flag") }
        header.moveReaderIndex(forwardBy: 5)
        guard let clientID = header.readClientID() else { throw .malformed(reason: "header cut short") }
        self.init(kind: kind, isCompressed: compressed == 1, clientID: clientID)
    }

    /// Appends the 28 bytes; reserved bytes and user data are zero.
    package func write(to bytes: inout ByteBuffer) {
        bytes.reserveCapacity(minimumWritableBytes: Self.byteCount)
        bytes.writeBytes(Self.signature)
        bytes.writeMultipleIntegers(isCompressed ? UInt8(1) : 0, kind.rawValue)
        bytes.writeRepeatingByte(0, count: 5)
        bytes.writeClientID(clientID)
    }

    /// Moves the header of a message to another buffer, with the ClientID replaced and all other bytes unchanged. The
    /// body stays in `bytes`, compressed or not.
    ///
    /// - Throws: `malformed` or `aesEnvelope`; then neither buffer has changed.
    package static func move(
        from bytes: inout ByteBuffer,
        to place: inout ByteBuffer,
        as clientID: ClientID
    ) throws(RemotingError) {
        let message = bytes
        _ = try MessageHeader(from: &bytes)
        place.reserveCapacity(minimumWritableBytes: byteCount)
        place.writeBytes(message.readableBytesView.prefix(byteCount - ClientID.byteCount))
        place.writeClientID(clientID)
    }

    /// Whether the bytes begin with the signature of a BinMessage. The rest is not checked.
    package static func opens(_ bytes: ByteBuffer) -> Bool {
        begins(bytes, with: signature)
    }

    /// Whether the bytes begin with the signature of an AES envelope.
    package static func opensEnvelope(_ bytes: ByteBuffer) -> Bool {
        begins(bytes, with: envelopeSignature)
    }

    private static func begins(_ bytes: ByteBuffer, with signature: [UInt8]) -> Bool {
        bytes.withUnsafeReadableBytes { bytes in
            bytes.count >= signature.count && signature.indices.allSatisfy { bytes[$0] == signature[$0] }
        }
    }
}

/// Byte 6 of the header (docs/wire.md, "Header").
package enum MessageKind: UInt8, Sendable, CaseIterable {
    /// A request or its normal reply.
    case message = 0x00
    /// An exception as the reply to a request.
    case exception = 0x01
    /// An event, inside the reply to a poll.
    case event = 0x02
    /// A poll for events.
    case poll = 0x80
    /// The reply to a poll.
    case pollResponse = 0x81
}

/// Recognises the body of an HTTP reply by its first bytes.
package enum ReplyBody {
    /// Returns the body if it may contain a message. A BinMessage is accepted with any status, because exceptions may
    /// come with 500.
    ///
    /// - Throws: `aesEnvelope`, or `httpStatus` if the body is not a BinMessage and the status is not 200.
    package static func message(_ body: ByteBuffer, status: Int) throws(RemotingError) -> ByteBuffer {
        if MessageHeader.opens(body) { return body }
        if MessageHeader.opensEnvelope(body) { throw .aesEnvelope }
        guard status == 200 else { throw .httpStatus(status) }
        return body
    }
}
