// SPDX-License-Identifier: Apache-2.0

import EventLoops
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

/// What follows the first bytes of a large reply, held until somebody takes it: as long as that is much, no more is read
/// from the server. On its event loop only.
final class ArrivingBody: Sendable {
    private struct State {
        var pieces: CircularBuffer<ByteBuffer> = []
        var bytes = 0
        var end: Result<Void, any Error>?
        /// Who waits for the next piece.
        var taker: EventLoopPromise<Void>?
        /// Has the server's bytes read again.
        var readOn: () -> Void
    }

    private static let mostHeld = 128 << 10

    /// A piece of one byte takes memory too.
    private static func cost(of piece: ByteBuffer) -> Int { max(piece.readableBytes, 512) }

    private let state: NIOLoopBoundBox<State>
    private let connection: any Channel
    private let arrived: EventLoopPromise<Void>

    /// - Parameter readOn: called whenever there is room again.
    init(over connection: any Channel, readOn: @escaping () -> Void) {
        self.connection = connection
        state = NIOLoopBoundBox(State(readOn: readOn), eventLoop: connection.eventLoop)
        arrived = connection.eventLoop.makePromise()
    }

    /// Completed when the last byte has come from the server, whoever has taken it.
    var whole: EventLoopFuture<Void> { arrived.futureResult }

    /// Nothing more should be read for now.
    var isFull: Bool { heldBytes >= Self.mostHeld }

    var heldBytes: Int { state.value.bytes }

    func add(_ piece: ByteBuffer) {
        guard state.value.end == nil else { return }
        state.value.pieces.append(piece)
        state.value.bytes += Self.cost(of: piece)
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
                if !isFull { state.value.readOn() }
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

    /// The rest has taken too long: whoever waits for it hears so, and the connection to the server ends.
    func giveUp() {
        guard state.value.end == nil else { return }
        end(.failure(RemotingError.deadline))
        connection.close(promise: nil)
    }

    /// Nobody wants the rest: the connection to the server ends, and with it the reading.
    func abandon() {
        state.value.pieces.removeAll()
        state.value.bytes = 0
        if state.value.end == nil { connection.close(promise: nil) }
    }

    private func wakeTaker() {
        let taker = state.value.taker
        state.value.taker = nil
        taker?.succeed()
    }
}

/// An HTTP reply as it came, for whoever reports what a server does.
package struct RawReply: Sendable {
    package struct Header: Sendable {
        package let name: ByteBuffer
        package let value: ByteBuffer
        /// Both, and what stands between them.
        package let line: ByteBuffer
    }

    package let status: Int
    /// With the status line.
    private let head: ByteBuffer
    package let body: ByteBuffer

    init(_ reply: HTTPReply) {
        status = reply.status
        head = reply.head ?? ByteBuffer()
        body = reply.body
    }

    /// The first headers, which share the reply's storage.
    ///
    /// - Parameter limit: how many, at most.
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

    /// Overwrites all of it.
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
