// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOCore

/// A reply as a tool may see it: a whole message, or the beginning of one that goes on.
package struct PassingReply: Sendable {
    /// Its body is where `rest` begins.
    package let start: BinMessage
    package let rest: ScrubbedBody?
    /// Of the message that the tool gets; nil while that is not known.
    package let byteCount: Int?

    /// Bytes of it that are in memory at a time, at most.
    package var heldBytes: Int { rest == nil ? start.byteCount : 512 << 10 }

    package init(_ whole: BinMessage) {
        start = whole
        rest = nil
        byteCount = whole.byteCount
    }

    init(_ start: BinMessage, _ rest: ScrubbedBody, byteCount: Int?) {
        self.start = start
        self.rest = rest
        self.byteCount = byteCount
    }
}

/// The body of a message on its way to a tool: pieces are fed as they come, and what may be passed on comes out in pieces of
/// at most 64 KiB, inflated and without a trace of the session.
struct PassingBody {
    static let pieceBytes = 64 << 10

    private let inflate: InflateStream?
    private var input = ByteBuffer()
    private var scrubber: StreamScrubber

    init(isCompressed: Bool, _ scrubber: StreamScrubber) throws(RemotingError) {
        inflate = isCompressed ? try InflateStream() : nil
        self.scrubber = scrubber
    }

    var isInflated: Bool { inflate != nil }

    /// Only after `next` has asked for it.
    mutating func feed(_ piece: ByteBuffer) {
        input = piece
    }

    /// What is certain now, which may be nothing yet; nil asks to be fed.
    ///
    /// - Throws: `malformed`.
    mutating func next() throws(RemotingError) -> [ByteBuffer]? {
        guard let inflate else {
            guard let piece = input.readSlice(length: min(input.readableBytes, Self.pieceBytes)),
                piece.readableBytes > 0
            else { return nil }
            // Else its storage is shared, and copied where there is a trace.
            if input.readableBytes == 0 { input = ByteBuffer() }
            return scrubber.pass(piece)
        }
        let piece = try inflate.next(from: &input, atMost: Self.pieceBytes)
        return piece.readableBytes > 0 ? scrubber.pass(piece) : nil
    }

    /// The last bytes, after all was fed.
    ///
    /// - Throws: `malformed` for a compressed body without its end.
    mutating func finish() throws(RemotingError) -> ByteBuffer {
        try inflate?.finish()
        return scrubber.end()
    }
}

/// The rest of a reply on its way to a tool. On its event loop only.
package final class ScrubbedBody: Sendable {
    private struct State {
        var body: PassingBody
        var turns = 0
        var isOver = false
    }

    /// So many pieces are inflated before the loop looks after its sockets, and the least time that it takes.
    private static let turns = 2
    private static let pause = Duration.microseconds(100)

    private let state: NIOLoopBoundBox<State>
    private let source: ArrivingBody?
    private let loop: any EventLoop

    init(_ body: PassingBody, from source: ArrivingBody?, on loop: any EventLoop) {
        state = NIOLoopBoundBox(State(body: body), eventLoop: loop)
        self.source = source
        self.loop = loop
    }

    /// The next bytes, in order; nil after the last.
    ///
    /// - Throws: `RemotingError`, `CancellationError`; the tool has to be told that the reply is not whole.
    package func next() async throws -> [ByteBuffer]? {
        while true {
            try await giveWay()
            if let pieces = try state.value.body.next() {
                if !pieces.isEmpty { return pieces }
            } else if let piece = try await source?.next() {
                state.value.body.feed(piece)
            } else {
                guard !state.value.isOver else { return nil }
                state.value.isOver = true
                let last = try state.value.body.finish()
                return last.readableBytes > 0 ? [last] : nil
            }
        }
    }

    /// Bytes that have come and that nobody has taken.
    var waitingBytes: Int { source?.heldBytes ?? 0 }

    /// Nobody wants what is left.
    package func abandon() {
        source?.abandon()
    }

    /// A few bytes may inflate to very many, without any wait for more. A turn of the loop would not do: it takes all turns
    /// before it looks at its sockets.
    private func giveWay() async throws {
        guard state.value.body.isInflated else { return }
        state.value.turns += 1
        if state.value.turns.isMultiple(of: Self.turns) { try await loop.sleep(for: Self.pause) }
    }
}
