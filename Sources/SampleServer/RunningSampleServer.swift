// SPDX-License-Identifier: Apache-2.0

import EventLoops
import Glibc
package import Logging
package import NIOCore
package import NIOPosix
import Platform
import Remoting

/// A Relativity-compatible server with a database of its own, for demonstrations and tests.
package struct RunningSampleServer: Sendable {
    /// Where it listens; the paths are always `/bin` and `/json`.
    package let addresses: [SocketAddress]
    private let server: RemotingServer
    private let dispatcher: SampleDispatcher
    private let publisher: (any ServicePublisher)?

    /// Opens the database, then listens, then announces itself if it shall.
    ///
    /// - Parameter pool: runs SQLite; started by the caller, who shuts it down too.
    /// - Throws: `SampleServerError`.
    package static func start(
        _ options: SampleOptions,
        loop: any EventLoop,
        pool: NIOThreadPool,
        publisher: (any ServicePublisher)? = nil,
        logger: Logger
    ) async throws -> RunningSampleServer {
        let path = options.dataDirectory + "/sample.sqlite"
        let database = try await pool.perform {
            try makeDirectory(options.dataDirectory)
            do {
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
        if let name = options.publishedName, let port = server.addresses.first?.port {
            publisher?.publish(name: name, type: SampleCatalog.serviceType, port: UInt16(clamping: port))
        }
        return RunningSampleServer(
            addresses: server.addresses,
            server: server,
            dispatcher: dispatcher,
            publisher: publisher
        )
    }

    /// Sessions that it takes for logged in.
    package var sessionCount: Int { dispatcher.sessionCount }

    /// Withdraws the announcement, stops listening and closes the connections.
    package func stop() async {
        publisher?.withdraw()
        await server.stop()
    }

    /// Makes a directory for this user alone, and those above it.
    private static func makeDirectory(_ path: String) throws(SampleServerError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        let code = errno
        guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw .system(call: "mkdir", path: path, errno: code)
        }
        try makeDirectory(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .system(call: "mkdir", path: path, errno: errno)
        }
    }
}
