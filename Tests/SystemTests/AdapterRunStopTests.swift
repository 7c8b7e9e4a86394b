// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@Suite(
    "Programs with their own adapter that are stopped",
    .timeLimit(.minutes(2)),
    .enabled(if: Requirement.allMet([.program("tmux")], for: "job control"), "needs tmux")
)
struct AdapterRunStopTests {
    /// A program that needs a moment before it stops, as one that restores the terminal.
    private static let slow = """
        trap 'sleep 0.2; echo restored >&2; kill -STOP $$' TSTP
        trap 'echo continued' CONT
        trap 'exit 7' TERM
        echo started $$
        while :; do sleep 1 >/dev/null & wait; done
        """

    @Test("the shell gets the terminal after the program has restored it", arguments: ["", " | cat"])
    func control(pipe: String) async throws {
        let deployment = try await Deployment.withLogin()
        deployment.home.write(Array(Self.slow.utf8), to: "slow")
        let terminal = try await TmuxSession(deployment)
        let usual = try await terminal.settings()
        try await terminal.enter("clear; relctl adapter run sample -- sh $HOME/slow\(pipe)")
        try await terminal.wait(for: "started ")
        try await terminal.keys("C-z")
        try await terminal.wait(for: "Stopped")
        // The shell does not wait for every program of a pipeline.
        if !pipe.isEmpty { try await terminal.wait(for: "restored") }
        let lines = try await terminal.screen()
        let restored = try #require(lines.firstIndex { $0.hasSuffix("restored") })
        let stopped = try #require(lines.firstIndex { $0.contains("Stopped") })
        #expect(restored < stopped || !pipe.isEmpty, "\(lines)")
        #expect(try await terminal.settings() == usual)
        try await terminal.enter("fg")
        try await terminal.wait(for: "continued")
        let pid = lines.compactMap { $0.split(separator: " ").last }.compactMap { pid_t($0) }.first
        kill(try #require(pid), SIGTERM)
        try await terminal.waitForShell()
        try await terminal.enter("echo ended $?")
        try await terminal.wait(for: "ended \(pipe.isEmpty ? 7 : 0)")
    }

    @Test("if only the program is stopped and continued, relctl still waits for it")
    func programAlone() async throws {
        let deployment = try await Deployment.withLogin()
        let script = "(sleep 0.2; kill -CONT $$) & kill -STOP $$; exit 5"
        let run = try await deployment.relctl("adapter", "run", "--login", Deployment.login, "--", "sh", "-c", script)
        #expect(run.status == 5, "\(run)")
    }
}
