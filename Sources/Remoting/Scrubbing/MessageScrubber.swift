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

/// Replaces a ClientID in bytes that come in pieces, as `ClientIDNeedles` does in bytes that are all there: what could begin
/// at the end of a piece is held until the next.
struct StreamScrubber {
    private let needles: ClientIDNeedles
    private let replacement: ClientID
    /// One byte less than the longest form: as much of each piece is held.
    private let overlap: Int
    private var held = ByteBuffer()
    /// Bytes at the front of `held` that were replaced already.
    private var settled = 0

    init(_ needles: ClientIDNeedles, replacement: ClientID) {
        self.needles = needles
        self.replacement = replacement
        overlap = needles.longest - 1
    }

    /// What is certain now, in order. A large piece that has no trace is not copied.
    mutating func pass(_ piece: ByteBuffer) -> [ByteBuffer] {
        guard piece.readableBytes > 4 * overlap else { return [take(piece)].filter { $0.readableBytes > 0 } }
        var piece = piece
        // All that was held goes out; in its place is the front of the piece.
        let before = take(piece.getSlice(at: piece.readerIndex, length: overlap) ?? ByteBuffer())
        if settled > 0, let front = held.getSlice(at: held.readerIndex, length: settled) {
            piece.setBuffer(front, at: piece.readerIndex)
        }
        let certain = piece.readableBytes - overlap
        let end = needles.replaceAll(in: &piece, with: replacement, from: settled, before: certain)
        let clean = piece.readSlice(length: certain) ?? ByteBuffer()
        hold(piece, settled: end - certain)
        return [before, clean].filter { $0.readableBytes > 0 }
    }

    /// What was held: nothing follows.
    mutating func end() -> ByteBuffer {
        _ = needles.replaceAll(in: &held, with: replacement, from: settled, before: .max)
        defer { hold(ByteBuffer(), settled: 0) }
        return held
    }

    private mutating func take(_ part: ByteBuffer) -> ByteBuffer {
        held.writeImmutableBuffer(part)
        let certain = max(0, held.readableBytes - overlap)
        let end = needles.replaceAll(in: &held, with: replacement, from: settled, before: certain)
        var rest = held
        let clean = rest.readSlice(length: certain) ?? ByteBuffer()
        hold(rest, settled: end - certain)
        return clean
    }

    /// Copied: the few bytes must neither share nor keep the storage of what goes out.
    private mutating func hold(_ rest: ByteBuffer, settled: Int) {
        held = ByteBuffer()
        held.reserveCapacity(overlap * 6)
        held.writeImmutableBuffer(rest)
        self.settled = max(0, settled)
    }
}
