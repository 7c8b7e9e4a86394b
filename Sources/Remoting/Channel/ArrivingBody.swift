// SPDX-License-Identifier: Apache-2.0

import NIOCore

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
