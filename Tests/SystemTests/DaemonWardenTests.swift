// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite("Daemons that a test's commands start", .timeLimit(.minutes(1)))
struct DaemonWardenTests {
    /// Whether the process has exited. A zombie counts as exited.
    private static func isGone(_ pid: String) -> Bool {
        TextFile.text(of: "/proc/\(pid)/stat").split(separator: ")").last.map { $0.hasPrefix(" Z") } ?? true
    }

    @Test("a daemon that a test has started by systemctl ends with the test's machine")
    func machine() async throws {
        let deployment = Deployment()
        var machine: DoctoredMachine? = try DoctoredMachine(deployment)
        try await machine?.run("systemctl --user start relativityd.service")
        let pid = String(TextFile.text(of: deployment.home.path(of: "run/daemon.pid")).prefix { $0 != "\n" })
        try #require(Int32(pid) != nil && !Self.isGone(pid))
        machine = nil
        try await eventually { Self.isGone(pid) }
    }
}
