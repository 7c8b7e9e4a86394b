// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// A whole BinMessage: header, and the body uncompressed.
package struct BinMessage: Hashable, Sendable {
    package var header: MessageHeader
    /// What follows the header, inflated.
    package var body: ByteBuffer

    /// `header.isCompressed` is ignored here: `encoded(compressingFrom:)` decides.
    package init(header: MessageHeader, body: ByteBuffer) {
        self.header = header
        self.body = body
    }

    /// Of the message as it is, uncompressed.
    package var byteCount: Int { MessageHeader.byteCount + body.readableBytes }

    /// Reads a message and inflates its body. One that is not compressed is not copied.
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

    /// The bytes to send; a body of at least `threshold` bytes goes compressed, nil never compresses.
    package func encoded(compressingFrom threshold: Int? = nil) -> ByteBuffer {
        var header = header
        var payload = body
        header.isCompressed = false
        if let threshold, body.readableBytes >= threshold, let small = Zlib.deflate(body) {
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
