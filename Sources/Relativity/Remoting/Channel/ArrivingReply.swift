// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOCore

/// A server's reply whose header has arrived. It can be collected in memory, up to a limit, or passed on to a tool
/// while it arrives.
package struct ArrivingReply: Sendable {
    /// The header of the message.
    package let header: MessageHeader
    /// The HTTP status.
    package let status: Int
    /// What relativityd says of the call, if an adapter has sent the reply.
    package let failure: AdapterFailure?
    /// The message, or its first bytes.
    private let start: ByteBuffer
    private let rest: ArrivingBody?
    /// Size of the complete message on the wire; nil if the server does not announce it.
    private let byteCount: Int?
    private let loop: any EventLoop
    private let connection: (any Channel)?

    /// - Throws: `malformed`, `aesEnvelope` or `httpStatus`; the rest of the reply is then abandoned.
    init(_ reply: HTTPReply, on loop: any EventLoop) throws(RemotingError) {
        self.loop = loop
        connection = reply.connection
        (status, failure) = (reply.status, reply.failure)
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

    /// Discards the rest of the reply and closes its connection if the reply is not complete.
    package func abandon() {
        rest?.abandon()
    }

    /// Closes the connection, because the reply belongs to another request, and so may the next one.
    package func reject() {
        abandon()
        connection?.close(promise: nil)
    }

    /// Collects the whole message in memory.
    ///
    /// - Parameters:
    ///   - deadline: for the last byte.
    ///   - hold: called with a number of bytes before they are stored; if it throws, the reply is abandoned.
    /// - Throws: `tooLarge` for more than `limit` bytes; `deadline`; errors of the connection.
    package func collect(
        atMost limit: Int,
        before deadline: NIODeadline,
        _ hold: (Int) throws -> Void = { _ in }
    ) async throws -> ByteBuffer {
        var message = start
        // The deadline needs a timer of its own: a server that sends a byte now and then never appears idle.
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

    /// Passes the message on with the session's ClientID replaced, without collecting it in memory. Call on the event
    /// loop.
    ///
    /// - Throws: `malformed`; the rest of the reply is then abandoned.
    package func passed(by scrubber: MessageScrubber) throws(RemotingError) -> PassingReply {
        if rest == nil, !header.isCompressed { return PassingReply(try scrubber.scrubbed(message: start)) }
        do throws(RemotingError) {
            return try begin(scrubber)
        } catch {
            abandon()
            throw error
        }
    }

    /// Returns the body, inflated as it is taken. Take all of it or abandon the reply.
    ///
    /// - Throws: `malformed` if zlib has no memory.
    package func inflated() throws(RemotingError) -> InflatedBody {
        var first = start
        first.moveReaderIndex(forwardBy: MessageHeader.byteCount)
        return try InflatedBody(first, rest, isCompressed: header.isCompressed, byteCount: byteCount)
    }

    private func begin(_ scrubber: MessageScrubber) throws(RemotingError) -> PassingReply {
        var body = try PassingBody(isCompressed: header.isCompressed, scrubber.stream)
        var first = start
        first.moveReaderIndex(forwardBy: MessageHeader.byteCount)
        body.feed(first)
        var message = BinMessage(header: MessageHeader(kind: header.kind, clientID: scrubber.shown), body: ByteBuffer())
        // A small reply that is already complete is sent with its length.
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

/// The body of a large reply after its first bytes, buffered until a consumer takes it. While the buffer is full, no
/// more is read from the server. Use on the event loop of the connection only.
final class ArrivingBody: Sendable {
    private struct State {
        var pieces: CircularBuffer<ByteBuffer> = []
        var bytes = 0
        /// Since when the buffer has been full; nil if it is not.
        var fullSince: NIODeadline?
        var end: Result<Void, any Error>?
        /// Completed when the next chunk or the end has arrived; nil if no consumer waits.
        var taker: EventLoopPromise<Void>?
        /// Resumes reading from the server.
        var readOn: () -> Void
    }

    private static let mostHeld = 128 << 10

    /// Buffer space charged for a chunk. The minimum of 512 accounts for the memory overhead of tiny chunks.
    private static func cost(of piece: ByteBuffer) -> Int { max(piece.readableBytes, 512) }

    private let state: NIOLoopBoundBox<State>
    private let connection: any Channel
    private let arrived: EventLoopPromise<Void>

    /// - Parameter readOn: called whenever the buffer is no longer full.
    init(over connection: any Channel, readOn: @escaping () -> Void) {
        self.connection = connection
        state = NIOLoopBoundBox(State(readOn: readOn), eventLoop: connection.eventLoop)
        arrived = connection.eventLoop.makePromise()
    }

    /// Completed when the last byte has arrived from the server, whether or not a consumer has taken it.
    var whole: EventLoopFuture<Void> { arrived.futureResult }

    /// Whether reading from the server should pause.
    var isFull: Bool { heldBytes >= Self.mostHeld }

    var heldBytes: Int { state.value.bytes }

    /// Since when the server has had to wait for the consumer; nil if it need not wait.
    var pausedSince: NIODeadline? { state.value.end == nil ? state.value.fullSince : nil }

    func add(_ piece: ByteBuffer) {
        guard state.value.end == nil else { return }
        state.value.pieces.append(piece)
        state.value.bytes += Self.cost(of: piece)
        if isFull, state.value.fullSince == nil { state.value.fullSince = .now() }
        wakeTaker()
    }

    func end(_ result: Result<Void, any Error>) {
        guard state.value.end == nil else { return }
        state.value.end = result
        state.value.readOn = {}
        arrived.completeWith(result)
        wakeTaker()
    }

    /// The next bytes, or nil after the last.
    ///
    /// - Throws: `RemotingError`, `CancellationError`.
    func next() async throws -> ByteBuffer? {
        while true {
            if let piece = state.value.pieces.popFirst() {
                state.value.bytes -= Self.cost(of: piece)
                if !isFull {
                    state.value.fullSince = nil
                    state.value.readOn()
                }
                return piece
            }
            if let end = state.value.end {
                try end.get()
                return nil
            }
            let turn = connection.eventLoop.makePromise(of: Void.self)
            state.value.taker = turn
            try await withTaskCancellationHandler {
                try await turn.futureResult.get()
            } onCancel: {
                turn.fail(CancellationError())
            }
        }
    }

    /// Fails the body with `deadline` and closes the connection to the server, because the rest has taken too long.
    func giveUp() {
        guard state.value.end == nil else { return }
        end(.failure(RemotingError.deadline))
        connection.close(promise: nil)
    }

    /// Discards the buffered chunks and closes the connection to the server if the body is not complete.
    func abandon() {
        state.value.pieces.removeAll()
        state.value.bytes = 0
        if state.value.end == nil { connection.close(promise: nil) }
    }

    private func wakeTaker() {
        state.value.taker.take()?.succeed()
    }
}

/// An unparsed HTTP reply, for reports on the behaviour of a server.
package struct RawReply: Sendable {
    /// One line of the head.
    package struct Header: Sendable {
        /// The name, without surrounding blanks.
        package let name: ByteBuffer
        /// The value, without surrounding blanks.
        package let value: ByteBuffer
        /// The complete line: name, colon and value.
        package let line: ByteBuffer
    }

    /// The HTTP status.
    package let status: Int
    /// Includes the status line.
    private let head: ByteBuffer
    /// The body of the reply.
    package let body: ByteBuffer

    init(_ reply: HTTPReply) {
        status = reply.status
        head = reply.head ?? ByteBuffer()
        body = reply.body
    }

    /// Returns the first headers. They share the reply's storage.
    ///
    /// - Parameter limit: the maximum number of headers.
    package func headers(atMost limit: Int) -> [Header] {
        let (feed, colon) = (UInt8(ascii: "\n"), UInt8(ascii: ":"))
        let blanks = Array(" \t\r".utf8)
        func part(_ bytes: ByteBufferView) -> ByteBuffer { ByteBuffer(bytes.trimmed(blanks)) }
        return head.readableBytesView.split(separator: feed).dropFirst().lazy.compactMap { line in
            line.firstIndex(of: colon).map { colon in
                Header(
                    name: part(line[..<colon]),
                    value: part(line[line.index(after: colon)...]),
                    line: part(line)
                )
            }
        }.prefix(limit).map { $0 }
    }

    /// Overwrites head and body in memory.
    package func wipe() {
        head.wipeSharedStorage()
        body.wipeSharedStorage()
    }
}

extension ByteBufferView {
    fileprivate func trimmed(_ blanks: [UInt8]) -> ByteBufferView {
        var bytes = drop { blanks.contains($0) }
        while let last = bytes.last, blanks.contains(last) { bytes = bytes.dropLast() }
        return bytes
    }
}
