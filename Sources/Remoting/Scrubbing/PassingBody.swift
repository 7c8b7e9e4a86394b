// SPDX-License-Identifier: Apache-2.0

import NIOCore

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
