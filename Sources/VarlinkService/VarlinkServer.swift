// SPDX-License-Identifier: Apache-2.0

import Glibc
public import Logging
public import NIOCore
import NIOPosix
public import Varlink

/// Serves interfaces on Unix sockets, all on one event loop.
///
/// A connection runs one call at a time and replies in the order of the requests. Further requests wait; beyond
/// `VarlinkLimits.frameBytes` they are not read. A peer that violates the protocol or exceeds a limit is
/// disconnected.
public final class VarlinkServer: Sendable {
    private struct Refused: Error {}

    private let loop: any EventLoop
    private let limits: VarlinkLimits
    private let accept: @Sendable (VarlinkPeer) -> VarlinkAcceptDecision
    private let logger: Logger
    private let box: NIOLoopBoundBox<ServerContext?>
    private let makeContext: @Sendable () -> ServerContext

    /// - Parameters:
    ///   - interfaces: the interfaces in addition to `org.varlink.service`, which the server adds.
    ///   - http: the HTTP/1 interface on the same sockets; without it HTTP requests are rejected.
    ///   - failure: the error that a caller gets if a method throws an error that is not for the caller.
    ///   - loop: a loop of `MultiThreadedEventLoopGroup`. Calls run on it as well.
    ///   - accept: called once for each connection, before anything is read.
    ///   - onUsage: called on the loop when the figures change.
    public init(
        service: VarlinkServiceInfo,
        interfaces: [any VarlinkInterface],
        limits: VarlinkLimits = VarlinkLimits(),
        http face: HTTPFace? = nil,
        failure: VarlinkError,
        loop: any EventLoop,
        logger: Logger,
        accept: @escaping @Sendable (VarlinkPeer) -> VarlinkAcceptDecision,
        onUsage: @escaping @Sendable (VarlinkUsage) -> Void = { _ in }
    ) throws(VarlinkServerError) {
        let methods = try MethodTable([ServiceInterface(service, others: interfaces)] + interfaces)
        self.loop = loop
        self.limits = limits
        self.accept = accept
        self.logger = logger
        box = .makeEmptyBox(valueType: ServerContext.self, eventLoop: loop)
        makeContext = {
            ServerContext(
                methods: methods,
                limits: limits,
                face: face,
                failure: failure,
                logger: logger,
                loop: loop,
                onUsage: onUsage
            )
        }
    }

    /// Listens at `path`, of up to 107 bytes, with mode 0600. A stale socket file of a dead server is replaced.
    ///
    /// - Throws: `VarlinkServerError`.
    public func listen(path: String) async throws {
        try await listen(descriptor: ListeningSocket.open(path: path))
    }

    /// Listens on a Unix stream socket that is already listening, such as one passed by systemd. The server owns the
    /// descriptor.
    public func listen(descriptor: Int32) async throws {
        try await loop.flatSubmit { [self] in
            let context = NIOLoopBound(onLoopContext(), eventLoop: loop)
            return ServerBootstrap(group: loop)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelOption(
                    .writeBufferWaterMark,
                    value: .init(low: max(1, limits.outboundBytes / 2), high: max(2, limits.outboundBytes))
                )
                .childChannelInitializer { [self] channel in admit(channel, context) }
                .withBoundSocket(descriptor)
                .map { context.value.listeners.append($0) }
        }.get()
    }

    /// Stops accepting connections. Idle and streaming connections are closed immediately, the others after their
    /// call or after `grace`. Returns when all are closed. The server cannot listen again.
    public func stop(within grace: Duration) async {
        let done = loop.makePromise(of: Void.self)
        loop.execute { [self] in
            let context = NIOLoopBound(onLoopContext(), eventLoop: loop)
            let timer = loop.scheduleTask(in: TimeAmount(grace)) { context.value.closeAll() }
            done.futureResult.whenComplete { _ in timer.cancel() }
            context.value.drain(done)
        }
        // This promise never fails.
        try? await done.futureResult.get()
    }

    private func onLoopContext() -> ServerContext {
        if let context = box.value { return context }
        let context = makeContext()
        box.value = context
        return context
    }

    private func admit(_ channel: any Channel, _ context: NIOLoopBound<ServerContext>) -> EventLoopFuture<Void> {
        guard let options = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        // The kernel's struct ucred, which the module Glibc does not export.
        let credentials: EventLoopFuture<(pid: Int32, uid: UInt32, gid: UInt32)> = options.unsafeGetSocketOption(
            level: .socket,
            name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
        )
        return credentials.flatMapThrowing { [self] credentials in
            let peer = VarlinkPeer(pid: credentials.pid, uid: credentials.uid, gid: credentials.gid)
            let handler = ConnectionHandler(peer: peer, server: context.value)
            guard accept(peer) == .accept, context.value.enter(handler) else {
                logger.debug("connection refused", metadata: ["pid": "\(peer.pid)", "uid": "\(peer.uid)"])
                context.value.connectionRefused()
                throw Refused()
            }
            try channel.pipeline.syncOperations.addHandler(handler)
        }
    }
}
