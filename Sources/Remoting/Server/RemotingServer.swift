// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOCore
import NIOHTTP1
import NIOPosix

/// A Remoting SDK server over HTTP/1.1: messages posted to a path for each format.
package struct RemotingServer: Sendable {
    /// What strangers may take of the server.
    package struct Settings: Sendable {
        /// Of BinMessages; compared without case.
        package var path: String
        /// Of JSON messages; nil takes none.
        package var jsonPath: String?
        package var connections: Int
        /// How long a connection may stay silent.
        package var idleTimeout: Duration
        package var limits: WireLimits
        /// Bodies of so many bytes and more go out compressed; nil compresses none. Vendor servers begin at 4,096
        /// (docs/wire.md, "Compression").
        package var compressingFrom: Int? = 4096

        package init(
            path: String = "/bin",
            jsonPath: String? = nil,
            connections: Int = 256,
            idleTimeout: Duration = .seconds(60),
            limits: WireLimits = .standard
        ) {
            self.path = path
            self.jsonPath = jsonPath
            self.connections = connections
            self.idleTimeout = idleTimeout
            self.limits = limits
        }

        var formats: [String: MessageFormat] {
            var formats = [path.lowercased(): MessageFormat.binary]
            if let jsonPath { formats[jsonPath.lowercased()] = .json }
            return formats
        }
    }

    /// Where it listens, with the ports that were chosen for port 0.
    package let addresses: [SocketAddress]
    private let listeners: [any Channel]
    private let cap: ConnectionCap

    /// Binds every address; if one fails, none stays bound.
    ///
    /// - Throws: what NIO says of the address (`IOError`).
    package static func listen(
        on addresses: [SocketAddress],
        loop: any EventLoop,
        settings: Settings = Settings(),
        dispatcher: any RemotingDispatcher
    ) async throws -> RemotingServer {
        let formats = settings.formats
        let cap = ConnectionCap(limit: settings.connections)
        let bootstrap = ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                guard cap.admits(channel) else { return channel.close() }
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ReadAhead())
                    try pipeline.addHandler(IdleStateHandler(allTimeout: TimeAmount(settings.idleTimeout)))
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(
                        RemotingRequestHandler(formats: formats, dispatcher: dispatcher, settings: settings)
                    )
                }
            }
        var listeners: [any Channel] = []
        do {
            for address in addresses { listeners.append(try await bootstrap.bind(to: address).get()) }
        } catch {
            for listener in listeners { listener.close(promise: nil) }
            throw error
        }
        return RemotingServer(addresses: listeners.compactMap(\.localAddress), listeners: listeners, cap: cap)
    }

    /// Stops listening and closes the connections, answered or not.
    package func stop() async {
        for listener in listeners { try? await listener.close() }
        cap.closeAll()
    }
}
