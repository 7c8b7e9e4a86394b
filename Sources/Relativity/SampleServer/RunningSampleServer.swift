// SPDX-License-Identifier: Apache-2.0

import Discovery
import EventLoops
import Glibc
package import Logging
package import NIOCore
package import NIOPosix
import Platform
import Remoting

/// A Relativity-compatible server with a database of its own, for demonstrations and tests.
package struct RunningSampleServer: Sendable {
    /// The addresses that it listens on; the path is always `/bin`.
    package let addresses: [SocketAddress]
    private let server: RemotingServer
    private let dispatcher: SampleDispatcher
    private let publisher: AvahiPublisher?

    /// Opens the database, then listens, then announces the service if configured.
    ///
    /// - Parameter pool: runs SQLite. The caller starts it and shuts it down.
    /// - Throws: `SampleServerError`, or a `DiscoveryError` if Avahi's thread cannot start.
    package static func start(
        _ options: SampleOptions,
        loop: any EventLoop,
        pool: NIOThreadPool,
        logger: Logger
    ) async throws -> RunningSampleServer {
        let avahi = options.publishedName == nil ? nil : try AvahiLoop()
        let schemas = try await pool.perform {
            if options.usesDataDirectory {
                do {
                    try ProtectedDirectory.create(options.dataDirectory)
                } catch {
                    throw SampleServerError.database(path: options.dataDirectory, reason: "\(error)")
                }
            }
            return try OpenSchemas(options)
        }
        let dispatcher = try SampleDispatcher(
            options: options,
            schemas: schemas,
            loop: loop,
            pool: pool,
            logger: logger
        )
        let server: RemotingServer
        var settings = RemotingServer.Settings()
        settings.compressingFrom = options.compressingFrom
        settings.compressionLevel = options.compressionLevel
        do {
            server = try await RemotingServer.listen(
                on: options.addresses,
                loop: loop,
                settings: settings,
                dispatcher: dispatcher
            )
        } catch {
            let addresses = options.addresses.map { "\($0.ipAddress ?? "?"), port \($0.port ?? 0)" }
            let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
            throw SampleServerError.cannotListen(address: addresses.joined(separator: ", "), reason: reason)
        }
        var publisher: AvahiPublisher?
        if let avahi, let name = options.publishedName, let port = server.addresses.first?.port {
            let service = Announcement(name: name, type: LoginCalls.serviceType, port: UInt16(clamping: port))
            publisher = AvahiPublisher(service, on: avahi)
            publisher?.start()
        }
        return RunningSampleServer(
            addresses: server.addresses,
            server: server,
            dispatcher: dispatcher,
            publisher: publisher
        )
    }

    /// The number of sessions.
    package var sessionCount: Int { dispatcher.sessionCount }

    /// Withdraws the announcement, stops listening and closes the connections.
    package func stop() async {
        publisher?.stop()
        await server.stop()
    }
}
