// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Logging
import NIOCore
import NIOPosix
import Remoting
import SampleServer
import TestSupport
import Testing

/// Runs a sample server behind a Unix socket, and logs in.
func withSampleService(
    _ kind: ServerKind = .relativity,
    _ collation: ServerCollation = .binary,
    schema: String = "PCTrade",
    domain: String = "DASamples",
    change: (inout SampleOptions) -> Void = { _ in },
    _ body: (RemoteDataAdapter) async throws -> Void
) async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let folder = TemporaryDirectory()
    let address = try SocketAddress(unixDomainSocketPath: folder.path(of: "s"))
    var options = SampleOptions(addresses: [address], dataDirectory: folder.path(of: "data"))
    (options.kind, options.collation) = (kind, collation)
    change(&options)
    let server = try await RunningSampleServer.start(
        options,
        loop: loop,
        pool: .singleton,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    let target = try RemotingTarget(address: address, hostHeader: "localhost", security: .plain)
    let channel = try RemotingChannel(target: target, loop: loop)
    let id = ClientID()
    let login = try LoginString(user: "Data", domain: domain, schema: schema)
    let request = try Array("Relativity".utf8).withUnsafeBytes {
        try LoginRequest.encode(login, password: $0, clientID: id)
    }
    #expect(try await LoginService(channel: channel).login(request, deadline: .seconds(20)))
    let adapter = try RemoteDataAdapter(target: target, clientID: id, loop: loop, idleTimeout: .seconds(20))
    do {
        try await body(adapter)
    } catch {
        Issue.record(error)
    }
    await adapter.close()
    await channel.close()
    await server.stop()
}

/// Collects rows as values.
struct CollectedRows: RowConsumer {
    var heads: [TableHead] = []
    var rows: [[DataValue]] = []

    mutating func begin(_ table: TableHead) { heads.append(table) }

    mutating func add(_ rows: DataRows, _ indices: [Int]?) {
        for index in indices ?? Array(rows.indices) { self.rows.append(Array(rows[index])) }
    }

    mutating func finish() {}

    /// The rows as text, because a NaN is not equal to itself.
    var texts: [String] { rows.map { "\($0)" } }
}
