// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// A server's reply of which the header is there: to be held, where that has bounds, or to be passed on as it comes.
package struct ArrivingReply: Sendable {
    package let header: MessageHeader
    /// The message, or its first bytes.
    private let start: ByteBuffer
    private let rest: ArrivingBody?
    /// Of the whole message as it comes; nil where the server does not say.
    private let byteCount: Int?
    private let loop: any EventLoop

    /// - Throws: `malformed`, `aesEnvelope` or `httpStatus`; then the rest was given up.
    init(_ reply: HTTPReply, on loop: any EventLoop) throws(RemotingError) {
        self.loop = loop
        rest = reply.rest
        byteCount = reply.rest == nil ? reply.body.readableBytes : reply.announced
        do throws(RemotingError) {
            start = try ReplyBody.message(reply.body, status: reply.status)
            var body = start
            header = try MessageHeader(from: &body)
        } catch {
            reply.rest?.abandon()
            throw error
        }
    }

    /// Nobody wants the rest.
    package func abandon() {
        rest?.abandon()
    }

    /// The whole message.
    ///
    /// - Parameters:
    ///   - deadline: for the last byte.
    ///   - hold: told of bytes before they are held; what it throws ends the reply.
    /// - Throws: `tooLarge` for more than `limit` bytes; `deadline`; what the connection throws.
    package func collect(
        atMost limit: Int,
        before deadline: NIODeadline,
        _ hold: (Int) throws -> Void = { _ in }
    ) async throws -> ByteBuffer {
        var message = start
        // A server that sends a byte now and then makes no pause.
        let end = rest.map { rest in loop.scheduleTask(deadline: deadline) { rest.giveUp() } }
        defer { end?.cancel() }
        do {
            guard message.readableBytes <= limit, byteCount ?? 0 <= limit else {
                throw RemotingError.tooLarge(limit: limit)
            }
            try hold(message.readableBytes)
            while let piece = try await rest?.next() {
                guard message.readableBytes + piece.readableBytes <= limit else {
                    throw RemotingError.tooLarge(limit: limit)
                }
                try hold(piece.readableBytes)
                message.writeImmutableBuffer(piece)
            }
            return message
        } catch {
            abandon()
            throw error
        }
    }

    /// The message as a tool may see it, without being held. On the event loop.
    ///
    /// - Throws: `malformed`; then the rest was given up.
    package func passed(by scrubber: MessageScrubber) throws(RemotingError) -> PassingReply {
        if rest == nil, !header.isCompressed { return PassingReply(try scrubber.scrubbed(message: start)) }
        do throws(RemotingError) {
            return try begin(scrubber)
        } catch {
            abandon()
            throw error
        }
    }

    private func begin(_ scrubber: MessageScrubber) throws(RemotingError) -> PassingReply {
        var body = try PassingBody(isCompressed: header.isCompressed, scrubber.stream)
        var first = start
        first.moveReaderIndex(forwardBy: MessageHeader.byteCount)
        body.feed(first)
        var message = BinMessage(header: MessageHeader(kind: header.kind, clientID: scrubber.shown), body: ByteBuffer())
        // A reply that is whole and small goes out with its length.
        while message.body.readableBytes < PassingBody.pieceBytes {
            guard let pieces = try body.next() else {
                guard rest == nil else { break }
                message.body.writeImmutableBuffer(try body.finish())
                return PassingReply(message)
            }
            for piece in pieces { message.body.writeImmutableBuffer(piece) }
        }
        return PassingReply(
            message,
            ScrubbedBody(body, from: rest, on: loop),
            byteCount: header.isCompressed ? nil : byteCount
        )
    }
}
