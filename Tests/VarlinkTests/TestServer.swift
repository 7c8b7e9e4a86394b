// SPDX-License-Identifier: Apache-2.0

import Glibc
import Logging
import NIOCore
import NIOPosix
import Varlink
import VarlinkService

/// A server on its own socket, and raw or complete clients for it.
struct TestServer {
    let path: String
    let events: Events
    let server: VarlinkServer

    /// Runs `body` against a server, which is stopped afterwards.
    ///
    /// `body` blocks its thread, but not that of the server, which has a separate loop.
    static func run(
        _ limits: VarlinkLimits = VarlinkLimits(),
        face: HTTPFace? = nil,
        others: [any VarlinkInterface] = [],
        accept: @escaping @Sendable (VarlinkPeer) -> VarlinkAcceptDecision = { _ in .accept },
        usage: @escaping @Sendable (VarlinkUsage) -> Void = { _ in },
        closed: @escaping @Sendable (UInt64) -> Void = { _ in },
        _ body: (TestServer) async throws -> Void
    ) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let directory = "/tmp/vl-\(getpid())-\(UInt32.random(in: .min ... .max))"
        mkdir(directory, 0o700)
        let path = "\(directory)/s"
        let events = Events()
        let server = try VarlinkServer(
            service: VarlinkServiceInfo(vendor: "Example", product: "Test", version: "1", url: "https://example.org"),
            interfaces: [TestInterface(events: events)] + others,
            limits: limits,
            http: face,
            failure: VarlinkError("org.example.test.Failure"),
            loop: group.next(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            accept: accept,
            onUsage: usage,
            onClose: closed
        )
        try await server.listen(path: path)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(TestServer(path: path, events: events, server: server)))
        } catch {
            outcome = .failure(error)
        }
        await server.stop(within: .zero)
        unlink(path)
        rmdir(directory)
        try await group.shutdownGracefully()
        try outcome.get()
    }

    func connect() throws -> VarlinkConnection {
        try VarlinkConnection(path: path, deadline: .seconds(10))
    }

    func connectRaw() throws -> RawPeer {
        try RawPeer(path: path)
    }
}
