// SPDX-License-Identifier: Apache-2.0

import JSON
package import NIOCore
import Platform

/// Takes every trace of a session's ClientID out of a reply before a tool sees it.
///
/// The ClientID is replaced by one of the tool's, byte for byte and of the same length: in the header, and wherever it
/// stands in the body as 16 bytes (either byte order) or as text (hyphens or not, any case, ASCII or UTF-16LE).
/// Compressed bodies are searched inflated, and so are the events inside a poll reply.
package struct MessageScrubber: Sendable {
    private let replacement: ClientID
    private let needles: ClientIDNeedles

    package init(hiding secret: ClientID, behind replacement: ClientID) {
        self.init(needles: ClientIDNeedles(of: secret), replacement: replacement)
    }

    private init(needles: ClientIDNeedles, replacement: ClientID) {
        self.needles = needles
        self.replacement = replacement
    }

    /// Hides the same ClientID behind another, without the work of preparing it again.
    package func behind(_ replacement: ClientID) -> MessageScrubber {
        MessageScrubber(needles: needles, replacement: replacement)
    }

    /// The ClientID that is seen in place of the session's.
    var shown: ClientID { replacement }

    /// Does the same in a body that comes in pieces.
    var stream: StreamScrubber { StreamScrubber(needles, replacement: replacement) }

    /// The message as the tool may see it, uncompressed.
    ///
    /// - Throws: `malformed`, `tooLarge` or `aesEnvelope`; then nothing of the message may be passed on.
    package func scrubbed(_ bytes: ByteBuffer, limits: WireLimits = .standard) throws(RemotingError) -> ByteBuffer {
        try scrubbed(message: bytes, limits: limits).encoded()
    }

    /// The same as header and body; a body that was neither compressed nor has a trace is still that of `bytes`.
    package func scrubbed(
        message bytes: ByteBuffer,
        limits: WireLimits = .standard
    ) throws(RemotingError)
        -> BinMessage
    {
        var message = try BinMessage(decoding: bytes, limits: limits)
        if message.header.kind == .pollResponse {
            message.body = try scrubbedEvents(message.body, limits: limits)
        }
        needles.replaceAll(in: &message.body, with: replacement)
        message.header.clientID = replacement
        // The body was inflated: a reader would try so again.
        message.header.isCompressed = false
        return message
    }

    /// A JSON message as the tool may see it: searched as text, and then what its escapes and its Base64 stand for.
    ///
    /// - Throws: `malformed`, `tooLarge` or `aesEnvelope`; then nothing of the message may be passed on.
    package func scrubbedJSON(_ bytes: ByteBuffer, limits: WireLimits = .standard) throws(RemotingError) -> ByteBuffer {
        let text = scrubbedText(bytes)
        let message = JSONValue.object(try JSONText.object(text, limits: limits))
        let clean = scrubbed(message)
        // Written anew only if it must be: numbers of foreign precision stay as they are in the text.
        guard clean != message, let object = clean.objectValue else { return text }
        return JSONText.bytes(of: object)
    }

    private func scrubbed(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .integer, .number: value
        case .string(let text): .string(scrubbed(text))
        case .array(let elements): .array(elements.map(scrubbed))
        case .object(let object): .object(JSONObject(object.map { (scrubbed($0.key), scrubbed($0.value)) }))
        }
    }

    private func scrubbed(_ text: String) -> String {
        let clean = String(buffer: scrubbedText(ByteBuffer(string: text)))
        guard text.utf8.count >= ClientID.byteCount, let content = Base64.decode(clean) else { return clean }
        let bytes = ByteBuffer(bytes: content)
        let cleanBytes = scrubbedText(bytes)
        return bytes == cleanBytes ? clean : Base64.encode(Array(cleanBytes.readableBytesView))
    }

    /// Bytes that are no BinMessage, such as the text of an HTTP error.
    package func scrubbedText(_ bytes: ByteBuffer) -> ByteBuffer {
        var bytes = bytes
        needles.replaceAll(in: &bytes, with: replacement)
        return bytes
    }

    /// Two counts, then one Binary for each event, which is a message of its own and may be compressed.
    private func scrubbedEvents(_ body: ByteBuffer, limits: WireLimits) throws(RemotingError) -> ByteBuffer {
        var reader = BinMessageReader(body, limits: limits)
        var writer = BinMessageWriter()
        let count = try reader.readElementCount()
        writer.writeCount(count)
        writer.write(try reader.readInt32())
        // What the events inflate to counts together.
        var room = limits
        for _ in 0..<count {
            guard let event = try reader.readBinary() else {
                writer.write(binary: nil)
                continue
            }
            var message = try BinMessage(decoding: event, limits: room)
            if message.header.isCompressed { room.message -= message.body.readableBytes }
            needles.replaceAll(in: &message.body, with: replacement)
            message.header.clientID = replacement
            writer.write(binary: message.encoded())
            guard writer.buffer.readableBytes <= limits.message else { throw .tooLarge(limit: limits.message) }
        }
        return writer.buffer
    }
}
