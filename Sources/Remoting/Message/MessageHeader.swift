// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// The first 28 bytes of every BinMessage (docs/wire.md, "Header").
package struct MessageHeader: Hashable, Sendable {
    package static let byteCount = 28
    static let signature: [UInt8] = Array("RO107".utf8)
    static let envelopeSignature: [UInt8] = Array("ROENV".utf8)

    package var kind: MessageKind
    /// Everything after the header is one zlib stream.
    package var isCompressed: Bool
    package var clientID: ClientID

    package init(kind: MessageKind = .message, isCompressed: Bool = false, clientID: ClientID) {
        self.kind = kind
        self.isCompressed = isCompressed
        self.clientID = clientID
    }

    /// Takes the header off the front of a message.
    ///
    /// The reserved bytes and the user data are ignored, as the vendor's client ignores them.
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

    /// Takes the header off the front of a message and writes it elsewhere with another ClientID, else as it was. What is
    /// left is the body, where it was, compressed or not.
    ///
    /// - Throws: `malformed` or `aesEnvelope`, and then nothing was taken or written.
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

    /// True if the bytes begin as a BinMessage does, whatever follows.
    package static func opens(_ bytes: ByteBuffer) -> Bool {
        begins(bytes, with: signature)
    }

    /// True if the bytes begin as a message in an AES envelope does.
    package static func opensEnvelope(_ bytes: ByteBuffer) -> Bool {
        begins(bytes, with: envelopeSignature)
    }

    private static func begins(_ bytes: ByteBuffer, with signature: [UInt8]) -> Bool {
        bytes.withUnsafeReadableBytes { bytes in
            bytes.count >= signature.count && signature.indices.allSatisfy { bytes[$0] == signature[$0] }
        }
    }
}
