// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// A sample server that was added as `sample`, with a login and many rows, behind a proxy that cuts or holds replies:
/// `Tests/Tools/broken_reply.py`.
final class BrokenReply: Sendable {
    let deployment = Deployment()
    let daemon: Supervised
    private let server: Supervised
    private let proxy: ChildProcess
    private let lines: OutputLines

    init() async throws {
        daemon = try await deployment.startDaemon()
        let started = try await deployment.startServer(["--rows", "10000", "--compression", "0"])
        server = started.program
        proxy = try ChildProcess(
            ["/usr/bin/python3", Sources.root + "/Tests/Tools/broken_reply.py", "\(started.port)"]
        )
        lines = OutputLines(of: proxy)
        try await deployment.success("add", "sample", "127.0.0.1:\(try await line())")
        try await deployment.initialiseVault()
        let added = try await deployment.addLogin()
        try #require(added.status == 0, "\(added)")
    }

    /// Cuts or holds the reply with the byte that comes after `bytes` more of all replies.
    func prepare(_ mode: String, after bytes: Int) async throws {
        proxy.write("\(mode) \(bytes)\n")
        try #require(try await line() == "ready")
    }

    /// The next line of the proxy: `cut`, `held`, or `gone` when the client has closed a connection that is held.
    func line() async throws -> String { try await lines.next() }
}
