// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@Suite("The terminal of relctl top", .timeLimit(.minutes(3)))
struct TopTerminalTests {
    /// The optimised program keeps values in other locations, so RELATIVITYD_PROGRAMS makes this test run that program.
    @Test("its settings are restored however the view ends", arguments: [nil, SIGTERM, SIGINT, SIGHUP])
    func settings(signal: Int32?) async throws {
        let home = TemporaryDirectory()
        let terminal = try PseudoTerminal()
        let before = try #require(TerminalSettings(terminal.keeper))
        let line = "exec '\(Products.path(of: "relctl"))' top <\(terminal.path) >\(terminal.path) 2>&1"
        let child = try ChildProcess(
            ["sh", "-c", line],
            environment: ["HOME": home.path, "RELATIVITYD_SOCKET": home.path(of: "socket"), "TERM": "xterm"]
        )
        // Without a daemon it shows a screen anyway.
        try await terminal.wait(for: "q quit")
        let during = try #require(TerminalSettings(terminal.keeper))
        #expect(!during.hasEcho && !during.takesLines)
        if let signal { child.signal(signal) } else { terminal.type("q") }
        let status = try await BlockingWork.run { child.wait() }
        #expect(status == signal.map { -$0 } ?? 0)
        let after = try #require(TerminalSettings(terminal.keeper))
        #expect(after == before && after.hasEcho && after.takesLines)
    }
}
