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
        bytes.writeBytes(Self.signature)
        bytes.writeMultipleIntegers(isCompressed ? UInt8(1) : 0, kind.rawValue)
        bytes.writeRepeatingByte(0, count: 5)
        bytes.writeClientID(clientID)
    }

    /// Puts another ClientID into a message in place; the rest stays as it is, compressed or not.
    ///
    /// - Throws: `malformed` or `aesEnvelope`.
    package static func setClientID(_ clientID: ClientID, in bytes: inout ByteBuffer) throws(RemotingError) {
        var start = bytes
        _ = try MessageHeader(from: &start)
        let position = bytes.readerIndex + byteCount - ClientID.byteCount
        _ = clientID.withWireBytes { bytes.setBytes($0, at: position) }
    }

    /// True if the bytes begin as a BinMessage does, whatever follows.
    package static func opens(_ bytes: ByteBuffer) -> Bool {
        bytes.readableBytesView.starts(with: signature)
    }

    /// True if the bytes begin as a message in an AES envelope does.
    package static func opensEnvelope(_ bytes: ByteBuffer) -> Bool {
        bytes.readableBytesView.starts(with: envelopeSignature)
    }
}
