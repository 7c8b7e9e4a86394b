// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@Suite("Sandbox for the tests of tools", .timeLimit(.minutes(1)))
struct SandboxTests {
    private let home = TemporaryDirectory()

    private var environment: [String: String] {
        [
            "HOME": home.path, "XDG_RUNTIME_DIR": home.path, "PATH": "/usr/bin:/bin",
            "RELCTL": Products.path(of: "relctl"),
        ]
    }

    private func sandbox(_ script: String) -> Command {
        Command([Products.path(of: "relctl"), "sandbox", "--", "sh", "-c", script], environment: environment)
    }

    @Test("a program finds a server and a working login, its exit status is relctl's, and nothing is left")
    func everything() async throws {
        let output = try await sandbox(
            """
            $RELCTL login test sample && $RELCTL wait sample --for authenticated && $RELCTL adapter run -- true
            $RELCTL vault lock >/dev/null; $RELCTL vault unlock >/dev/null || exit 1
            pgrep -f "^$(dirname $RELCTL)/relativity.* .*$(dirname $(dirname $RELATIVITYD_SOCKET))" >"$HOME/pids"
            exit 42
            """
        ).run()
        #expect(output.status == 42, "\(output)")
        #expect(output.standardOutput.contains("the server accepted the login"), "\(output)")
        let pids = TextFile.text(of: home.path(of: "pids")).split(separator: "\n").compactMap { Int32($0) }
        #expect(pids.count == 2)
        #expect(pids.allSatisfy { kill($0, 0) != 0 })
        #expect(home.names(in: "") == ["pids"])
    }

    @Test("the doctor finds no problem in a sandbox, and recommends no sudo")
    func doctor() async throws {
        let output = try await sandbox("$RELCTL doctor").run()
        #expect(output.status == 0 && !output.standardOutput.contains("sudo"), "\(output)")
        #expect(output.standardOutput.contains("ok  sandbox  "), "\(output)")
    }

    @Test("tables are kept in the sandbox, and not in the home directory")
    func keptTables() async throws {
        let keep = "$RELCTL briefcase keep sample Deps -q && $RELCTL briefcase refresh --kept"
        let output = try await sandbox("\(keep) && $RELCTL table count sample Deps --offline -q").run()
        let shown = "sample, DataService:\nTABLE  ROWS  PENDING\nDeps   4     0\n4\n"
        #expect(output.status == 0 && output.standardOutput == shown, "\(output)")
        #expect(!home.names(in: ".local/state").contains("relativityd-kept"))
    }

    @Test("a signal reaches the program, and the sandbox is removed after it")
    func signal() async throws {
        let command = sandbox("trap 'exit 7' TERM; echo up; while :; do sleep 0.05; done")
        let running = try ChildProcess(command.arguments, environment: command.environment)
        for await line in running.outputLines(silence: .seconds(30)) {
            #expect(line == "up")
            break
        }
        running.signal(SIGTERM)
        #expect(running.wait() == 7)
        #expect(home.names(in: "").isEmpty)
    }

    @Test("the daemon and the server do not outlive a killed relctl")
    func killed() async throws {
        let command = sandbox(#"pgrep -f "relativity.* .*$(dirname $(dirname $RELATIVITYD_SOCKET))"; echo; sleep 60"#)
        let running = try ChildProcess(command.arguments, environment: command.environment)
        var pids: [Int32] = []
        for await line in running.outputLines(silence: .seconds(30)) {
            guard let pid = Int32(line) else { break }
            pids.append(pid)
        }
        #expect(pids.count >= 2)
        running.signal(SIGKILL)
        _ = running.wait()
        try await eventually { pids.allSatisfy { kill($0, 0) != 0 } }
    }

    @Test("a missing program is reported as shells report it")
    func missing() async throws {
        let command = Command([Products.path(of: "relctl"), "sandbox", "--", "/nowhere"], environment: environment)
        let output = try await command.run()
        #expect(output.status == 127 && output.standardError.contains("cannot run '"), "\(output)")
        #expect(home.names(in: "").isEmpty)
    }
}
