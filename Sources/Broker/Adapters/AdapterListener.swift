// SPDX-License-Identifier: Apache-2.0

import Endpoints
import EventLoops
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import Platform
import Remoting

/// The HTTP/1.1 server of one adapter: one POST for each call.
final class AdapterListener: Sendable {
    /// The address to listen on.
    enum Place: Sendable, Hashable {
        case socket(path: String)
        /// A port of 127.0.0.1; 0 selects a free one.
        case loopback(port: UInt16, path: String)
    }

    /// Answers one request on the event loop. Never throws: a failure is a reply too. Takes any memory beyond the
    /// request from the share.
    typealias Answer = @Sendable (ByteBuffer, RequestShare) async -> AdapterReply

    let address: AdapterAddress
    private let channel: any Channel
    private let connections: AdapterConnections

    /// Binds the address; a Unix socket gets mode 0600.
    static func open(
        at place: Place,
        limits: AdapterLimits,
        budget: RequestBudget,
        loop: any EventLoop,
        answer: @escaping Answer
    ) async throws -> AdapterListener {
        let connections = AdapterConnections(limit: limits.connections, loop: loop)
        let share = budget.share()
        let bootstrap = ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: 64)
            // A tool may close its sending half after the request and still wait for the reply.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let gate = try place.gate(of: channel)
                    guard connections.admit(channel) else { throw ChannelError.operationUnsupported }
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ReadAhead())
                    try pipeline.addHandler(HTTPResponseEncoder())
                    try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                    try pipeline.addHandler(HTTPServerPipelineHandler())
                    try pipeline.addHandler(
                        AdapterHandler(limits: limits, budget: share, gate: gate, answer: answer)
                    )
                }
            }
        do {
            let (channel, address) = try await bind(bootstrap, to: place)
            return AdapterListener(address: address, channel: channel, connections: connections)
        } catch let error as BrokerError {
            throw error
        } catch {
            throw BrokerError.adapterSocket(reason: "\(error)")
        }
    }

    private static func bind(
        _ bootstrap: ServerBootstrap,
        to place: Place
    ) async throws -> (channel: any Channel, address: AdapterAddress) {
        switch place {
        case .socket(let path):
            let channel = try await bootstrap.bind(unixDomainSocketPath: path).get()
            guard chmod(path, 0o600) == 0 else {
                let code = errno
                channel.close(promise: nil)
                unlink(path)
                throw BrokerError.adapterSocket(reason: "chmod: \(String(cString: strerror(code)))")
            }
            return (channel, .socket(path: path))
        case .loopback(let port, let path):
            let channel =
                try await bootstrap
                // Connections of an earlier run may linger on a configured port, which must not prevent binding it
                // again.
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(to: try SocketAddress(ipAddress: "127.0.0.1", port: Int(port))).get()
            guard let taken = channel.localAddress?.port.flatMap({ UInt16(exactly: $0) }) else {
                channel.close(promise: nil)
                throw BrokerError.adapterSocket(reason: "the system tells no port")
            }
            return (channel, .loopback(port: taken, path: path))
        }
    }

    private init(address: AdapterAddress, channel: any Channel, connections: AdapterConnections) {
        self.address = address
        self.channel = channel
        self.connections = connections
    }

    /// Stops listening, closes the connections and removes the socket.
    func close() {
        channel.close(promise: nil)
        connections.closeAll()
        if case .socket(let path) = address { unlink(path) }
    }
}

extension AdapterListener.Place {
    /// The gate for the requests of a new connection; nil if the socket's mode already restricts access.
    ///
    /// - Throws: `ChannelError.operationUnsupported` for a connection of another user.
    fileprivate func gate(of channel: any Channel) throws -> LoopbackGate? {
        guard case .loopback(_, let path) = self else { return nil }
        guard let here = channel.localAddress, let there = channel.remoteAddress, let port = here.port,
            TCPConnection(from: there, to: here)?.isOurs == true
        else { throw ChannelError.operationUnsupported }
        return LoopbackGate(port: UInt16(truncatingIfNeeded: port), path: path)
    }
}
