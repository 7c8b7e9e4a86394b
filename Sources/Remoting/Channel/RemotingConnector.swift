// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// Opens connections, with TLS where it is asked for.
struct RemotingConnector: Sendable {
    let address: SocketAddress
    let timeout: Duration
    let loop: any EventLoop
    let tls: ClientTLS?
    /// Without one every key passes.
    var proof: TLSPolicy.Proof?
    /// What authorities are asked through.
    var verifier: ChainVerifier?
    /// Asked about each connection before its first byte goes out.
    var gate: RemotingChannel.Gate?
    /// Bytes of one read; nil for as many as there are.
    var readBytes: Int?

    /// Connects, ends the handshake, and gives the connection with the key that the server showed.
    ///
    /// - Parameter addHandlers: what comes after TLS in the pipeline.
    /// - Throws: `unreachable`, `tlsIdentity`, `tlsUntrusted`, `deadline` if that comes before the timeout, or what the gate
    ///   fails with.
    func connect(
        before deadline: NIODeadline = .distantFuture,
        _ addHandlers: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
    ) async throws -> (channel: any Channel, key: PublicKeyFingerprint?) {
        let start = NIODeadline.now()
        let end = min(deadline, start + TimeAmount(timeout))
        let late =
            end == deadline ? RemotingError.deadline : .unreachable(reason: "no connection within \(timeout)")
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
                    if let gate { try channel.pipeline.syncOperations.addHandler(GateHandler(gate, passed)) }
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
        let timer = loop.scheduleTask(deadline: end) { ready.fail(late) }
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
        case let error as IOError: .unreachable(reason: String(cString: strerror(error.errnoCode)))
        default: .unreachable(reason: "no connection")
        }
    }
}
