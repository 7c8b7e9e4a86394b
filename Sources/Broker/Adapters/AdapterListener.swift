// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import Platform

/// An adapter's Unix socket: HTTP/1.1, one POST for each call.
final class AdapterListener: Sendable {
    private let channel: any Channel
    private let connections: AdapterConnections
    private let path: String

    /// Binds the socket with mode 0600.
    ///
    /// - Parameter answer: answers one request on the event loop; it never throws, a failure is an answer too.
    static func open(
        at path: String,
        limits: AdapterLimits,
        budget: RequestBudget,
        loop: any EventLoop,
        answer: @escaping @Sendable (ByteBuffer) async -> AdapterReply
    ) async throws -> AdapterListener {
        let connections = AdapterConnections(limit: limits.connections, loop: loop)
        let bootstrap = ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: 64)
            // A tool may close its sending half after the request and still wait for the answer.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard connections.admit(channel) else { throw ChannelError.operationUnsupported }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                    try channel.pipeline.syncOperations.addHandler(
                        AdapterHandler(limits: limits, budget: budget, answer: answer)
                    )
                }
            }
        do {
            let channel = try await bootstrap.bind(unixDomainSocketPath: path).get()
            let listener = AdapterListener(channel: channel, connections: connections, path: path)
            guard chmod(path, 0o600) == 0 else {
                let code = errno
                listener.close()
                throw BrokerError.adapterSocket(reason: "chmod: \(String(cString: strerror(code)))")
            }
            return listener
        } catch let error as BrokerError {
            throw error
        } catch {
            throw BrokerError.adapterSocket(reason: "\(error)")
        }
    }

    private init(channel: any Channel, connections: AdapterConnections, path: String) {
        self.channel = channel
        self.connections = connections
        self.path = path
    }

    /// Stops listening, ends the connections and removes the socket.
    func close() {
        channel.close(promise: nil)
        connections.closeAll()
        unlink(path)
    }
}
