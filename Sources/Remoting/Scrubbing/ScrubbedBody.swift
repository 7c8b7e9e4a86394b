// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOCore

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
