// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Large reads from the command line", .timeLimit(.minutes(3)))
struct TableReadTests {
    /// Enough for a reply that no buffer between the server and the reader holds.
    private static let manyRows = 100_000

    private static func relctl(_ deployment: Deployment, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess([Products.path(of: "relctl")] + arguments, environment: deployment.environment)
    }

    @Test("a reader that pauses for longer than the timeout gets everything", arguments: ["csv", "bin2"])
    func slowReader(_ format: String) async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin("--rows", "\(Self.manyRows)", "--compression", "0")
        let get = ["table", "get", "sample", "Users", "--format", format, "--timeout", "1s"]
        let file = deployment.home.path(of: "whole")
        #expect(try await deployment.relctl(get + ["--to", file]).status == 0)
        let child = try Self.relctl(deployment, get)
        let read = try await BlockingWork.run {
            var bytes = child.readOutput()
            sleep(3)
            while true {
                let piece = child.readOutput()
                if piece.isEmpty { return bytes }
                bytes += piece
            }
        }
        #expect(child.wait() == 0)
        #expect(read.count > 2_000_000 && read == TextFile.bytes(of: file))
        try await started.daemon.end()
    }
}
