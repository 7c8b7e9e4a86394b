// SPDX-License-Identifier: Apache-2.0

import NIOCore

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
