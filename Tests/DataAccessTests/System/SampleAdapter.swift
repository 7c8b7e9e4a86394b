// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Logging
import NIOCore
import NIOPosix
import Remoting
import SampleServer
import TestSupport
import Testing

/// A sample server behind a Unix socket, with a session, as an adapter offers it.
enum SampleAdapter {
    /// Runs a server, logs in, and calls `body` with an adapter to the server.
    static func with(
        schema: String = "Simple",
        domain: String = "DASamples",
        idleTimeout: Duration = .seconds(60),
        _ change: (inout SampleOptions) -> Void = { _ in },
        _ body: (RemoteDataAdapter, RunningSampleServer) async throws -> Void
    ) async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let folder = TemporaryDirectory()
        let address = try SocketAddress(unixDomainSocketPath: folder.path(of: "s"))
        var options = SampleOptions(addresses: [address], dataDirectory: folder.path(of: "data"))
        change(&options)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = try await RunningSampleServer.start(options, loop: loop, pool: .singleton, logger: logger)
        let target = try RemotingTarget(address: address, hostHeader: "localhost", security: .plain)
        let channel = try RemotingChannel(target: target, loop: loop)
        let id = ClientID()
        let request = try Array("Relativity".utf8).withUnsafeBytes {
            try LoginRequest.encode(LoginString(user: "Data", domain: domain, schema: nil), password: $0, clientID: id)
        }
        #expect(try await LoginService(channel: channel).login(request))
        await channel.close()
        let adapter = try RemoteDataAdapter(
            target: target,
            service: "DataService.\(schema)",
            clientID: id,
            idleTimeout: idleTimeout
        )
        try await body(adapter, server)
        await adapter.close()
        await server.stop()
    }
}
