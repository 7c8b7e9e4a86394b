// SPDX-License-Identifier: Apache-2.0

import Glibc
package import NIOCore
import NIOPosix

/// Opens TCP connections, with TLS if configured.
struct RemotingConnector: Sendable {
    let address: SocketAddress
    let timeout: Duration
    let loop: any EventLoop
    let tls: ClientTLS?
    /// The required proof of the server's identity; without one every key is accepted.
    var proof: TLSPolicy.Proof?
    /// Checks certificates against the trusted authorities.
    var verifier: ChainVerifier?
    /// Decides about each connection before its first byte is sent.
    var gate: RemotingChannel.Gate?
    /// Size of one read; nil for NIO's adaptive size.
    var readBytes: Int?

    /// Connects, completes the handshake, and returns the connection with the key that the server presented.
    ///
    /// - Parameter addHandlers: adds the handlers that follow TLS in the pipeline.
    /// - Throws: `unreachable`, `tlsIdentity`, `tlsUntrusted`, `deadline` if that comes before the timeout, or the
    ///   error of the gate.
    func connect(
        before deadline: NIODeadline = .distantFuture,
        _ addHandlers: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
    ) async throws -> (channel: any Channel, key: PublicKeyFingerprint?) {
        let start = NIODeadline.now()
        let end = min(deadline, start + TimeAmount(timeout))
        let late = end == deadline ? RemotingError.deadline : .unreachable(.timeout)
        guard end > start else { throw late }
        let check = PeerCheck(proof, verifier)
        let ready = loop.makePromise(of: Void.self)
        let passed = loop.makePromise(of: Void.self)
        var bootstrap = ClientBootstrap(group: loop)
        if let readBytes {
            let allocator = FixedSizeRecvByteBufferAllocator(capacity: readBytes)
            bootstrap = bootstrap.channelOption(.recvAllocator, value: allocator)
        }
        let connecting =
            bootstrap
            .connectTimeout(end - start)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let gate { try channel.pipeline.syncOperations.addHandler(GateHandler(gate, deadline, passed)) }
                    try tls?.addHandlers(to: channel.pipeline.syncOperations, check, ready)
                    try addHandlers(channel.pipeline.syncOperations)
                }
            }
            .connect(to: address)
        connecting.whenFailure {
            let failure = Self.failure(for: $0, late: late)
            passed.fail(failure)
            ready.fail(failure)
        }
        if gate == nil { connecting.map { _ in }.cascadeSuccess(to: passed) }
        passed.futureResult.cascadeFailure(to: ready)
        if tls == nil { passed.futureResult.cascadeSuccess(to: ready) }
        // A gate may wait for a busy server, which the kernel has already connected.
        let timer = loop.scheduleTask(deadline: gate == nil ? end : deadline) { ready.fail(late) }
        defer { timer.cancel() }
        do {
            try await withTaskCancellationHandler {
                try await ready.futureResult.get()
            } onCancel: {
                ready.fail(CancellationError())
            }
        } catch {
            connecting.whenSuccess { $0.close(promise: nil) }
            throw error
        }
        return (try await connecting.get(), check.observed)
    }

    private static func failure(for error: any Error, late: RemotingError) -> RemotingError {
        switch error {
        case ChannelError.connectTimeout: late
        case let error as IOError: .unreachable(.system(errno: error.errnoCode))
        default: .unreachable(.unknown)
        }
    }
}

/// Destination of messages: an address that was resolved and checked before, and the HTTP request line and Host
/// header.
package struct RemotingTarget: Hashable, Sendable {
    /// Protection of the connection.
    package enum Security: Hashable, Sendable {
        case plain
        case tls(TLSPolicy)
    }

    /// The address to connect to.
    package let address: SocketAddress
    /// The value of the Host header.
    package let hostHeader: String
    /// The request path. Begins with a slash; `/bin` is the default of the servers.
    package let path: String
    /// Plain HTTP, or TLS with the required proof of identity.
    package let security: Security

    /// - Throws: `malformed` for a path without a leading slash, and for bytes in path or host that would break out
    ///   of the request line or header.
    package init(
        address: SocketAddress,
        hostHeader: String,
        path: String = "/bin",
        security: Security
    )
        throws(RemotingError)
    {
        guard path.hasPrefix("/"), path.utf8.allSatisfy(Self.isVisible) else {
            throw .malformed(reason: "path of the server")
        }
        guard !hostHeader.isEmpty, hostHeader.utf8.allSatisfy(Self.isVisible) else {
            throw .malformed(reason: "host of the server")
        }
        self.address = address
        self.hostHeader = hostHeader
        self.path = path
        self.security = security
    }

    private static func isVisible(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte)
    }
}

/// Blocks a new connection, including its TLS handshake, until the gate has approved the peer.
final class GateHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let gate: RemotingChannel.Gate
    private let deadline: NIODeadline
    private let passed: EventLoopPromise<Void>
    private var isOpen = false

    /// - Parameter passed: succeeds when the gate approves; fails with the gate's error, or if the connection closes
    ///   before.
    init(_ gate: @escaping RemotingChannel.Gate, _ deadline: NIODeadline, _ passed: EventLoopPromise<Void>) {
        self.gate = gate
        self.deadline = deadline
        self.passed = passed
    }

    func channelActive(context: ChannelHandlerContext) {
        gate(context.channel, deadline).assumeIsolated().whenComplete { verdict in
            switch verdict {
            case .success: self.open(context)
            case .failure(let error): self.refuse(error, context)
            }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isOpen else {
            return refuse(RemotingError.unreachable(.spokeFirst), context)
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        passed.fail(RemotingError.unreachable(.closed))
        context.fireChannelInactive()
    }

    private func open(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        isOpen = true
        // The later handlers have not started yet; the TLS handshake begins now.
        context.fireChannelActive()
        passed.succeed()
    }

    private func refuse(_ error: any Error, _ context: ChannelHandlerContext) {
        passed.fail(error)
        context.close(promise: nil)
    }
}
