// SPDX-License-Identifier: Apache-2.0

public import JSON
import NIOCore
public import Varlink

/// A call of one method, and the means to reply.
public final class VarlinkCall: Sendable {
    /// The name without the interface.
    public let method: String

    /// The parameters; empty if the caller sent none.
    public let parameters: JSONObject

    /// Whether the caller accepts several replies.
    public let wantsMore: Bool

    /// Whether the caller can switch to the raw protocol of `upgraded(maximumBytes:_:)` or `upgraded(sending:)`.
    public let wantsUpgrade: Bool

    /// Whether the caller accepts no reply. Replies are discarded then.
    public let isOneway: Bool

    /// The process that makes the call.
    public let peer: VarlinkPeer

    /// The number of the connection, which no other connection of the server has had.
    public let connection: UInt64

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
        connection = handler.value.number
        self.id = id
        self.loop = handler.eventLoop
        self.handler = handler
    }

    /// Sends the last reply. Later ones are dropped. If the peer has gone, nothing is sent.
    public func reply(_ parameters: JSONObject = [:]) {
        let reply = made(of: parameters)
        onLoop { $0.send(reply, id: $1) }
    }

    /// Sends the last reply, like `reply(_:)`.
    public func reply(_ ready: ReadyReply) {
        onLoop { $0.send(Reply(ready), id: $1) }
    }

    /// Sends one of several replies. Returns when the peer has read enough of the earlier ones: at most
    /// `VarlinkLimits.outboundBytes` and this reply are held in memory.
    ///
    /// - Throws: `VarlinkError.expectedMore` if the caller did not ask for several replies, `VarlinkCallError` if it
    ///   has gone.
    public func reply(continuing parameters: JSONObject) async throws {
        try await send(made(of: parameters, continues: true))
    }

    /// Sends one of several replies, like `reply(continuing:)`.
    public func reply(continuing ready: ReadyReply) async throws {
        try await send(Reply(ready))
    }

    /// A method that does not run on the loop does not serialize there either.
    private func made(of parameters: JSONObject, continues: Bool = false) -> Reply {
        guard !loop.inEventLoop else { return Reply(continues: continues, parameters: parameters) }
        var text: [UInt8] = []
        parameters.serialize(into: &text)
        return Reply(ReadyReply(text: text, continues: continues))
    }

    private func send(_ reply: Reply) async throws {
        guard wantsMore || isOneway else { throw VarlinkError.expectedMore }
        try await withCheckedThrowingContinuation { continuation in
            onLoop { $0.send(reply, id: $1, whenWritable: continuation) }
        }
    }

    /// Sends bytes that are no reply, in a protocol that caller and method agree on. The first call replies `{}` before
    /// them. The method then replies again, by `reply(_:)` or by throwing, and the server closes the connection. Returns
    /// when the peer has read enough, like `reply(continuing:)`.
    ///
    /// - Throws: `InvalidParameter` for `upgrade` if the caller did not set it; `VarlinkCallError`.
    public func upgraded(sending bytes: ArraySlice<UInt8>) async throws {
        guard wantsUpgrade, !isOneway else { throw VarlinkError.invalidParameter("upgrade") }
        let bytes = ByteBuffer(bytes: bytes)
        try await withCheckedThrowingContinuation { continuation in
            onLoop { $0.send(bytes, id: $1, whenWritable: continuation) }
        }
    }

    /// Receives a secret over the connection: replies `{}`, reads a length (u32, little-endian) and that many raw
    /// bytes, and passes them to `body`. A method that needs several secrets calls this once for each; only the first
    /// call replies `{}`. The method then replies again, by `reply(_:)` or by throwing, and the server closes the
    /// connection.
    ///
    /// The bytes are in memory of this module while `body` runs, never in a `String` or an array. Every buffer of
    /// this process that had them is wiped: NIO's as soon as they were copied, this one before the method continues.
    /// The kernel's socket buffers are out of reach. `body` must not keep the pointer.
    /// - Parameter maximumBytes: up to 65,536.
    /// - Throws: `InvalidParameter` for `upgrade` if the caller did not set it, for `secret` if the length exceeds
    ///   `maximumBytes`; `VarlinkCallError` if the peer closes early or takes longer than `VarlinkLimits.secretTime`.
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

    /// Ends the call after the method has returned, or thrown `error`.
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

/// A call of one method with its parsed parameters, and the means to reply.
public struct TypedCall<Parameters: VarlinkMethodCall>: Sendable {
    /// The parameters of the call.
    public let parameters: Parameters

    /// The same call without types: for its peer, its flags, its secrets, and replies that are already text.
    public let untyped: VarlinkCall

    /// - Throws: `JSONShapeError` if a parameter is missing or has another type.
    public init(_ call: VarlinkCall) throws {
        parameters = try Parameters(json: call.parameters)
        untyped = call
    }

    /// Sends the last reply, like `VarlinkCall.reply(_:)`.
    public func reply(_ reply: Parameters.Reply) {
        untyped.reply(ReadyReply(reply))
    }

    /// Sends one of several replies, like `VarlinkCall.reply(continuing:)`.
    public func reply(continuing reply: Parameters.Reply) async throws {
        try await untyped.reply(continuing: ReadyReply(reply, continues: true))
    }
}

/// The process at the other end of a connection, as the kernel recorded it when the process connected (SO_PEERCRED).
///
/// The process may have passed its socket to another one since, and its number may have been reused. So access can be
/// based on `uid` only; `pid` is for limits and logs.
public struct VarlinkPeer: Sendable, Hashable {
    /// The process ID.
    public let pid: Int32
    /// The effective user ID.
    public let uid: UInt32
    /// The effective group ID.
    public let gid: UInt32

    /// A peer with these values.
    public init(pid: Int32, uid: UInt32, gid: UInt32) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
    }
}

/// Whether the server keeps a new connection.
public enum VarlinkAcceptDecision: Sendable, Hashable {
    case accept
    /// The connection is closed without a reply.
    case refuse
}

/// The reason why a call cannot continue. Methods do not catch it, because the caller can no longer receive a reply.
public enum VarlinkCallError: Error, Hashable {
    /// The peer closed its connection, or the server closed it because a limit was exceeded.
    case peerGone
    /// The final reply was already sent.
    case alreadyReplied
    /// The method already waits for a secret. Secrets are read one after another.
    case alreadyReading
}

extension VarlinkCallError: CustomStringConvertible {
    /// The error as a fragment of a sentence.
    public var description: String {
        switch self {
        case .peerGone: "peer has gone"
        case .alreadyReplied: "call was already answered"
        case .alreadyReading: "a secret is already being read"
        }
    }
}
