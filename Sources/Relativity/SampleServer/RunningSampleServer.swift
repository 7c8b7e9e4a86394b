// SPDX-License-Identifier: Apache-2.0

import Discovery
import EventLoops
import Glibc
import Locks
package import Logging
package import NIOCore
package import NIOPosix
import Platform
import Remoting

/// A Relativity-compatible server with a database of its own, for demonstrations and tests.
package struct RunningSampleServer: Sendable {
    /// The addresses that it listens on; the paths are always `/bin` and `/json`.
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
        let path = options.dataDirectory + "/sample.sqlite"
        let database = try await pool.perform {
            do {
                try ProtectedDirectory.create(options.dataDirectory)
                return try SampleDatabase(path: path)
            } catch {
                throw SampleServerError.database(path: path, reason: "\(error)")
            }
        }
        let dispatcher = try SampleDispatcher(
            options: options,
            database: database,
            loop: loop,
            pool: pool,
            logger: logger
        )
        let server: RemotingServer
        var settings = RemotingServer.Settings(jsonPath: "/json")
        settings.compressingFrom = options.compressingFrom
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
            let service = Announcement(name: name, type: SampleCatalog.serviceType, port: UInt16(clamping: port))
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

/// The options of the command line.
package struct SampleOptions: Sendable {
    /// The addresses to listen on.
    package var addresses: [SocketAddress]
    /// The directory of the database file; created if it is missing.
    package var dataDirectory: String
    /// The lifetime of a session after its last call.
    package var sessionTimeout: Duration
    /// LoginEx answers false to every client.
    package var refusesLogins: Bool
    /// LoginEx accepts any password for an existing account.
    package var acceptsAnyPassword: Bool
    /// A file that gets one line `Service.Method` for each call.
    package var requestLog: String?
    /// The delay of every reply.
    package var delay: Duration
    /// The name under which to announce the service on the link; nil announces nothing.
    package var publishedName: String?
    /// Replies of at least this many bytes are compressed; nil disables compression.
    package var compressingFrom: Int? = 4096

    /// The defaults are those of the command line.
    package init(
        addresses: [SocketAddress],
        dataDirectory: String,
        sessionTimeout: Duration = .seconds(600),
        refusesLogins: Bool = false,
        acceptsAnyPassword: Bool = false,
        requestLog: String? = nil,
        delay: Duration = .zero,
        publishedName: String? = nil
    ) {
        self.addresses = addresses
        self.dataDirectory = dataDirectory
        self.sessionTimeout = sessionTimeout
        self.refusesLogins = refusesLogins
        self.acceptsAnyPassword = acceptsAnyPassword
        self.requestLog = requestLog
        self.delay = delay
        self.publishedName = publishedName
    }
}

/// The reason why the sample server cannot start.
package enum SampleServerError: Error {
    /// A system call failed for a path.
    case system(call: String, path: String, errno: Int32)
    /// The database cannot be opened.
    case database(path: String, reason: String)
    /// An address cannot be bound.
    case cannotListen(address: String, reason: String)
}

extension SampleServerError: CustomStringConvertible {
    /// A sentence fragment.
    package var description: String {
        switch self {
        case .system(let call, let path, let errno): "\(call) of '\(path)' failed: \(String(cString: strerror(errno)))"
        case .database(let path, let reason): "cannot use the database '\(path)': \(reason)"
        case .cannotListen(let address, let reason): "cannot listen on \(address): \(reason)"
        }
    }
}
