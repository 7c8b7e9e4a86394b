// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@Suite("The sockets are marked", .enabled(if: Requirement.allMet([.program("strace")])))
struct VarlinkMarkTests {
    private let deployment = Deployment()

    private func trace(_ path: String) -> [String] { ["strace", "-D", "-f", "-o", path, "--trace=lsetxattr"] }

    /// Linux before 7.1 refuses the attribute, so the calls are compared, and what the daemon reports.
    @Test("whether the daemon makes them or systemd passes them, and a refusal is not reported")
    func calls() async throws {
        let run = deployment.home.path(of: "run/relativityd")
        let sockets = ["relativityd.sock", "adapters.sock"].map { "\(run)/\($0)" }
        let own = deployment.home.path(of: "own.trace")
        let daemon = try await deployment.startDaemon(wrapper: trace(own))
        try await daemon.end()
        Self.check(TextFile.text(of: own), sockets)
        #expect(!TextFile.text(of: deployment.daemonLog).contains("user.varlink"))

        let passed = deployment.home.path(of: "passed.trace")
        let listen = sockets.flatMap { ["--listen", $0] }
        let environment = deployment.environment.map { ["-E", "\($0.key)=\($0.value)"] }.flatMap { $0 }
        let activated = try await deployment.startDaemon(
            wrapper: ["systemd-socket-activate"] + listen + environment + trace(passed)
        )
        try await activated.end()
        Self.check(TextFile.text(of: passed), sockets)
    }

    private static func check(_ trace: String, _ sockets: [String]) {
        for socket in sockets {
            let call = "lsetxattr(\"\(socket)\", \"user.varlink\", \"entrypoint\", 10, 0)"
            #expect(trace.split(separator: "\n").count { $0.contains(call) } == 1, "\(trace)")
        }
    }
}
