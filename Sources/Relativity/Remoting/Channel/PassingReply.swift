// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOCore

/// A scrubbed reply for a tool: either a complete message, or the beginning of one with the rest to follow.
package struct PassingReply: Sendable {
    /// The beginning of the message. `rest` continues its body.
    package let start: BinMessage
    /// The rest of the body; nil if `start` is the complete message.
    package let rest: ScrubbedBody?
    /// Size of the message that the tool gets; nil if it is not known yet.
    package let byteCount: Int?

    /// Maximum number of bytes of the message that are in memory at a time.
    package var heldBytes: Int { rest == nil ? start.byteCount : 512 << 10 }

    /// A complete message.
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

/// Inflates and scrubs the body of a message. Chunks are fed as they arrive; the output comes in chunks of at most 64
/// KiB.
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

    /// Call only after `next` has returned nil.
    mutating func feed(_ piece: ByteBuffer) {
        input = piece
    }

    /// Returns the output available now, which may be empty; nil if more input is needed.
    ///
    /// - Throws: `malformed`.
    mutating func next() throws(RemotingError) -> [ByteBuffer]? {
        guard let inflate else {
            guard let piece = input.readSlice(length: min(input.readableBytes, Self.pieceBytes)),
                piece.readableBytes > 0
            else { return nil }
            // Otherwise `input` would share the chunk's storage, and replacing an occurrence would copy it.
            if input.readableBytes == 0 { input = ByteBuffer() }
            return scrubber.pass(piece)
        }
        let piece = try inflate.next(from: &input, atMost: Self.pieceBytes)
        return piece.readableBytes > 0 ? scrubber.pass(piece) : nil
    }

    /// Returns the last bytes, after all input was fed.
    ///
    /// - Throws: `malformed` if a compressed body is incomplete.
    mutating func finish() throws(RemotingError) -> ByteBuffer {
        try inflate?.finish()
        return scrubber.end()
    }
}

/// The rest of a scrubbed reply, for a tool. Use on its event loop only.
package final class ScrubbedBody: Sendable {
    private struct State {
        var body: PassingBody
        var turns = 0
        var isOver = false
    }

    /// After two inflated chunks, the event loop serves its sockets for at least 100 microseconds.
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

    /// Returns the next bytes, in order; nil after the last.
    ///
    /// - Throws: `RemotingError`, `CancellationError`; the caller must then report to the tool that the reply is
    ///   incomplete.
    package func next() async throws -> [ByteBuffer]? {
        while true {
            try await pauseForOthers()
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

    /// Bytes that have arrived and were not taken yet.
    var waitingBytes: Int { source?.heldBytes ?? 0 }

    /// Discards the rest of the reply and closes its connection if the reply is not complete.
    package func abandon() {
        source?.abandon()
    }

    /// A small input may inflate to a very large output without ever waiting for more input. Sleeping is necessary:
    /// the loop runs all scheduled tasks before it polls its sockets, so a yield would not let other connections
    /// proceed.
    private func pauseForOthers() async throws {
        guard state.value.body.isInflated else { return }
        state.value.turns += 1
        if state.value.turns.isMultiple(of: Self.turns) { try await loop.sleep(for: Self.pause) }
    }
}
