// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Takes every trace of a session's ClientID out of a reply before a tool sees it.
///
/// The ClientID is replaced by one of the tool's, byte for byte and of the same length: in the header, and wherever it
/// stands in the body as 16 bytes (either byte order) or as text (hyphens or not, any case, ASCII or UTF-16LE).
/// Compressed bodies are searched inflated, and so are the events inside a poll reply.
package struct MessageScrubber: Sendable {
    private let replacement: ClientID
    private let needles: ClientIDNeedles

    package init(hiding secret: ClientID, behind replacement: ClientID) {
        self.replacement = replacement
        needles = ClientIDNeedles(secret: secret, replacement: replacement)
    }

    /// The message as the tool may see it, uncompressed.
    ///
    /// - Throws: `malformed`, `tooLarge` or `aesEnvelope`; then nothing of the message may be passed on.
    package func scrubbed(_ bytes: ByteBuffer, limits: WireLimits = .standard) throws(RemotingError) -> ByteBuffer {
        var message = try BinMessage(decoding: bytes, limits: limits)
        if message.header.kind == .pollResponse {
            message.body = try scrubbedEvents(message.body, limits: limits)
        }
        needles.replaceAll(in: &message.body)
        message.header.clientID = replacement
        return message.encoded()
    }

    /// Bytes that are no BinMessage, such as the text of an HTTP error.
    package func scrubbedText(_ bytes: ByteBuffer) -> ByteBuffer {
        var bytes = bytes
        needles.replaceAll(in: &bytes)
        return bytes
    }

    /// Two counts, then one Binary for each event, which is a message of its own and may be compressed.
    private func scrubbedEvents(_ body: ByteBuffer, limits: WireLimits) throws(RemotingError) -> ByteBuffer {
        var reader = BinMessageReader(body, limits: limits)
        var writer = BinMessageWriter()
        let count = try reader.readElementCount()
        writer.writeCount(count)
        writer.write(try reader.readInt32())
        for _ in 0..<count {
            guard let event = try reader.readBinary() else {
                writer.write(binary: nil)
                continue
            }
            var message = try BinMessage(decoding: event, limits: limits)
            needles.replaceAll(in: &message.body)
            message.header.clientID = replacement
            writer.write(binary: message.encoded())
            guard writer.buffer.readableBytes <= limits.message else { throw .tooLarge(limit: limits.message) }
        }
        return writer.buffer
    }
}
