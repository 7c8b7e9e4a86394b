// SPDX-License-Identifier: Apache-2.0

public import JSON
import NIOCore
import Varlink

/// One call of a method, and the way back to its caller.
public final class VarlinkCall: Sendable {
    /// Without the interface's name.
    public let method: String

    /// Empty when the caller gave none.
    public let parameters: JSONObject

    /// The caller takes any number of replies.
    public let wantsMore: Bool

    /// The caller is ready to leave the protocol: `upgraded(maximumBytes:_:)`.
    public let wantsUpgrade: Bool

    /// The caller takes no reply; those sent go nowhere.
    public let isOneway: Bool

    public let peer: VarlinkPeer

    static let maximumSecretBytes = 65_536

    private let id: UInt64
    private let loop: any EventLoop
    private let handler: NIOLoopBound<ConnectionHandler>

    init(_ request: Request, method: String, peer: VarlinkPeer, id: UInt64, handler: NIOLoopBound<ConnectionHandler>) {
        self.method = method
        parameters = request.parameters
        wantsMore = request.wantsMore
        wantsUpgrade = request.wantsUpgrade
        isOneway = request.isOneway
        self.peer = peer
        self.id = id
        self.loop = handler.eventLoop
        self.handler = handler
    }

    /// Sends the last reply. Later ones are dropped; so is this one when the peer has gone.
    public func reply(_ parameters: JSONObject = [:]) {
        onLoop { $0.send(Reply(parameters: parameters), id: $1) }
    }

    /// Sends the last reply, as `reply(_:)`.
    public func reply(_ ready: ReadyReply) {
        onLoop { $0.send(Reply(ready), id: $1) }
    }

    /// Sends one of several replies, and returns when the peer has read enough of the earlier ones: no more than
    /// `VarlinkLimits.outboundBytes` and this reply are ever held.
    ///
    /// - Throws: `VarlinkError.expectedMore` when the caller did not ask for several replies, `VarlinkCallError` when it
    ///   has gone.
    public func reply(continuing parameters: JSONObject) async throws {
        try await send(Reply(continues: true, parameters: parameters))
    }

    /// Sends one of several replies, as `reply(continuing:)`.
    public func reply(continuing ready: ReadyReply) async throws {
        try await send(Reply(ready))
    }

    private func send(_ reply: Reply) async throws {
        guard wantsMore || isOneway else { throw VarlinkError.expectedMore }
        try await withCheckedThrowingContinuation { continuation in
            onLoop { $0.send(reply, id: $1, whenWritable: continuation) }
        }
    }

    /// Takes a secret over the connection: replies `{}`, waits for a length (u32, little-endian) and that many raw bytes,
    /// and lets `body` see them. A method that needs several takes them one after another; only the first is asked for.
    /// The method then answers once more, by `reply(_:)` or by throwing, and the server closes.
    ///
    /// The bytes are in memory of this module for as long as `body` runs, never in a `String` or an array, and every
    /// buffer of this process that held them is wiped: those that NIO read into as soon as they were copied, this one
    /// before the method goes on. The kernel's socket buffers are out of reach. `body` must not keep the pointer.
    ///
    /// - Parameter maximumBytes: up to 65,536.
    /// - Throws: `InvalidParameter` for `upgrade` when the caller did not ask for it, for `secret` when the length exceeds
    ///   `maximumBytes`; `VarlinkCallError` when the peer leaves early or takes longer than `VarlinkLimits.secretTime`.
    public func upgraded<T: ~Copyable>(
        maximumBytes: Int,
        _ body: (UnsafeRawBufferPointer) throws -> T
    ) async throws -> T {
        precondition((0...Self.maximumSecretBytes).contains(maximumBytes))
        guard wantsUpgrade, !isOneway else { throw VarlinkError.invalidParameter("upgrade") }
        let secret: SecretBytes = try await withCheckedThrowingContinuation { continuation in
            onLoop { $0.awaitSecret(upTo: maximumBytes, id: $1, continuation) }
        }
        defer { secret.wipe(0..<secret.capacity) }
        return try body(UnsafeRawBufferPointer(start: secret.base, count: secret.capacity))
    }

    /// The method has returned, or thrown `error`.
    func finish(throwing error: (any Error)?) {
        onLoop { $0.finish(id: $1, throwing: error) }
    }

    private func onLoop(_ action: @escaping @Sendable (ConnectionHandler, UInt64) -> Void) {
        if loop.inEventLoop {
            action(handler.value, id)
        } else {
            loop.execute { [handler, id] in action(handler.value, id) }
        }
    }
}
