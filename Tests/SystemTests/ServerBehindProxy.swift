// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// A sample server that was added as `sample`, with a login, behind a proxy that changes replies. All end with the
/// deployment.
final class ServerBehindProxy: Sendable {
    let deployment: Deployment
    let daemon: Supervised
    private let proxy: ChildProcess
    private let lines: OutputLines

    /// - Parameter tool: the name of the proxy in `Tests/Tools`.
    init(_ tool: String, in deployment: Deployment = Deployment(), server options: [String] = []) async throws {
        self.deployment = deployment
        daemon = try await deployment.startDaemon()
        let server = try await deployment.startServer(options)
        proxy = try ChildProcess(["/usr/bin/python3", "\(Sources.root)/Tests/Tools/\(tool).py", "\(server.port)"])
        lines = OutputLines(of: proxy)
        deployment.own(proxy)
        try await deployment.success("add", "sample", "127.0.0.1:\(try await line())")
        try await deployment.initialiseVault()
        let added = try await deployment.addLogin()
        try #require(added.status == 0, "\(added)")
    }

    /// One with many rows, whose replies can be cut or held.
    static func ofManyRows() async throws -> ServerBehindProxy {
        try await ServerBehindProxy("broken_reply", server: ["--rows", "10000", "--compression", "0"])
    }

    /// Passes a line to the proxy, which changes replies from then on.
    func prepare(_ change: String) async throws {
        proxy.write(change + "\n")
        try #require(try await line() == "ready")
    }

    /// Ends the proxy, so that the server cannot be reached any more.
    func kill() async throws {
        proxy.signal(9)
        _ = try await BlockingWork.run { [proxy] in proxy.wait() }
    }

    /// The next line of the proxy, such as `cut` or `held`.
    func line() async throws -> String { try await lines.next() }
}
