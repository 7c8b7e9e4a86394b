// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Replaces a session's ClientID in replies, so that the tool never sees it.
///
/// It is replaced by a ClientID of the tool's, byte for byte, so that no length changes: in the header, and wherever it
/// occurs in the body as 16 bytes (either byte order) or as text (hyphens or not, any case, ASCII or UTF-16LE).
/// Compressed bodies are inflated and searched, and so are the events inside a poll reply.
package struct MessageScrubber: Sendable {
    private let replacement: ClientID
    private let needles: ClientIDNeedles

    /// - Parameters:
    ///   - secret: the ClientID of the session.
    ///   - replacement: the ClientID that the tool sees.
    package init(hiding secret: ClientID, behind replacement: ClientID) {
        self.init(needles: ClientIDNeedles(of: secret), replacement: replacement)
    }

    private init(needles: ClientIDNeedles, replacement: ClientID) {
        self.needles = needles
        self.replacement = replacement
    }

    /// Returns a scrubber that hides the same ClientID under another one. Does not prepare the search again.
    package func behind(_ replacement: ClientID) -> MessageScrubber {
        MessageScrubber(needles: needles, replacement: replacement)
    }

    /// The ClientID that the tool sees.
    var shown: ClientID { replacement }

    /// A scrubber for a body that arrives in chunks.
    var stream: StreamScrubber { StreamScrubber(needles, replacement: replacement) }

    /// Returns the scrubbed message, uncompressed.
    ///
    /// - Throws: `malformed`, `tooLarge` or `aesEnvelope`; then nothing of the message may be passed on.
    package func scrubbed(_ bytes: ByteBuffer, limits: WireLimits = .standard) throws(RemotingError) -> ByteBuffer {
        try scrubbed(message: bytes, limits: limits).encoded()
    }

    /// Returns the scrubbed message as header and body. If the body was uncompressed and contains no occurrence, it
    /// shares the storage of `bytes`.
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
        // The body is inflated now; with the flag set, a reader would inflate it again.
        message.header.isCompressed = false
        return message
    }

    /// Scrubs bytes that are not a BinMessage, such as the text of an HTTP error.
    package func scrubbedText(_ bytes: ByteBuffer) -> ByteBuffer {
        var bytes = bytes
        needles.replaceAll(in: &bytes, with: replacement)
        return bytes
    }

    /// Scrubs a poll reply: two counts, then one Binary for each event, which is a message of its own and may be
    /// compressed.
    private func scrubbedEvents(_ body: ByteBuffer, limits: WireLimits) throws(RemotingError) -> ByteBuffer {
        var reader = BinMessageReader(body, limits: limits)
        var writer = BinMessageWriter()
        let count = try reader.readElementCount()
        writer.writeCount(count)
        writer.write(try reader.readInt32())
        // The inflated sizes of the events count together.
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

/// Replaces a ClientID in a body that arrives in chunks, in the same way as `ClientIDNeedles` in complete bytes.
/// Bytes at the end of a chunk that could begin an occurrence are held until the next chunk.
struct StreamScrubber {
    private let needles: ClientIDNeedles
    private let replacement: ClientID
    /// The number of bytes to hold of each chunk: one less than the longest form.
    private let overlap: Int
    private var held = ByteBuffer()
    /// Number of bytes at the front of `held` that were already replaced.
    private var settled = 0

    init(_ needles: ClientIDNeedles, replacement: ClientID) {
        self.needles = needles
        self.replacement = replacement
        overlap = needles.longest - 1
    }

    /// Returns the bytes that are final, in order. A large chunk without an occurrence is not copied.
    mutating func pass(_ piece: ByteBuffer) -> [ByteBuffer] {
        guard piece.readableBytes > 4 * overlap else { return [take(piece)].filter { $0.readableBytes > 0 } }
        var piece = piece
        // All bytes held so far become final; the front of the chunk is held instead.
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

    /// Returns the held bytes after the last chunk.
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

    /// Copies the few bytes, so that they neither share nor retain the storage of the bytes that are passed on.
    private mutating func hold(_ rest: ByteBuffer, settled: Int) {
        held = ByteBuffer()
        held.reserveCapacity(overlap * 6)
        held.writeImmutableBuffer(rest)
        self.settled = max(0, settled)
    }
}
