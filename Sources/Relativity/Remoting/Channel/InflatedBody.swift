// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// The body of an arriving reply, inflated as it is taken. Use on its event loop only.
package final class InflatedBody {
    /// Maximum bytes of an inflated chunk.
    private static let pieceBytes = 64 << 10

    private let inflate: InflateStream?
    private var input: ByteBuffer
    private let rest: ArrivingBody?
    private var isFinished = false
    /// Bytes of the message that have been taken, as received.
    package private(set) var receivedBytes: Int
    /// Size of the message as sent; nil if the server does not announce it.
    package let byteCount: Int?

    init(_ first: ByteBuffer, _ rest: ArrivingBody?, isCompressed: Bool, byteCount: Int?) throws(RemotingError) {
        inflate = isCompressed ? try InflateStream() : nil
        input = first
        self.rest = rest
        self.byteCount = byteCount
        receivedBytes = MessageHeader.byteCount + first.readableBytes
    }

    /// Whether more bytes have arrived.
    package var hasMore: Bool { input.readableBytes > 0 || (rest?.heldBytes ?? 0) > 0 }

    /// Returns the next bytes, in order; nil after the last.
    ///
    /// - Throws: `RemotingError`, `CancellationError`.
    package func next() async throws -> ByteBuffer? {
        while true {
            if let piece = try take() { return piece }
            guard let piece = try await rest?.next() else {
                if !isFinished { try inflate?.finish() }
                isFinished = true
                return nil
            }
            receivedBytes += piece.readableBytes
            input = piece
        }
    }

    private func take() throws(RemotingError) -> ByteBuffer? {
        let piece: ByteBuffer
        if let inflate {
            piece = try inflate.next(from: &input, atMost: Self.pieceBytes)
        } else {
            piece = input
            input = ByteBuffer()
        }
        return piece.readableBytes > 0 ? piece : nil
    }
}
