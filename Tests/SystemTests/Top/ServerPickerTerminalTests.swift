// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite(
    "The list of servers of relctl table browse on a terminal of tmux",
    .timeLimit(.minutes(2)),
    .enabled(if: Requirement.allMet([.program("tmux")], for: "relctl table browse"), "needs tmux")
)
struct ServerPickerTerminalTests {
    @Test("a server and a login are added, its tables are shown, and Escape returns to the list")
    func flow() async throws {
        let deployment = try await Deployment.running()
        let server = try await deployment.startServer()
        try await deployment.initialiseVault()
        try await deployment.success("vault", "lock")
        let terminal = try await TmuxSession(deployment, lines: 60)
        let usual = try await terminal.settings()
        try await terminal.enter("relctl table browse")
        try await terminal.wait(for: "no servers: + adds one", "filter:")

        try await terminal.enter("+127.0.0.1:\(server.port)")
        try await terminal.wait(for: "name: 127.0.0.1")
        try await terminal.keys("C-u")
        try await terminal.enter("sample")
        try await terminal.wait(for: "> sample ", "filter:")
        try await terminal.keys("z")
        try await terminal.wait(for: "no server matches 'z'")
        try await terminal.keys("C-u")
        try await terminal.wait(for: "> sample ")
        // Ctrl-Z drops keys that were not read.
        try await terminal.keys("C-z")
        try await terminal.wait(for: "Stopped")
        #expect(try await terminal.settings() == usual)
        try await terminal.enter("clear; fg")
        try await terminal.wait(for: "> sample ")

        try await terminal.enter("+/")
        try await terminal.wait(for: "name:")
        try await terminal.enter("bad")
        try await terminal.wait(for: "Press Enter to return to the list:", asked: 1)
        #expect(try await terminal.settings() == usual)
        try await terminal.keys("Enter")
        try await terminal.wait(for: "> sample ")

        try await terminal.keys("Enter")
        try await terminal.wait(for: "passphrase:", asked: 1)
        try await terminal.keys("C-c")
        try await terminal.wait(for: "> sample ")
        try await terminal.keys("Enter")
        try await terminal.wait(for: "passphrase:", asked: 2)
        try await terminal.enter(Deployment.passphrase)
        try await terminal.wait(for: "user:", asked: 1)
        for (answer, next) in [
            ("simple", "domain:"), ("DASamples", "schema:"), ("Simple", "Send it there"),
            ("y", "Is this the server?"), ("y", "password:"), ("simple", "password again:"),
        ] {
            try await terminal.enter(answer)
            try await terminal.wait(for: next, asked: 1)
        }
        try await terminal.enter("simple")
        try await terminal.wait(for: "Deps")
        try await terminal.keys("Escape")
        try await terminal.wait(for: "> sample ", "filter:")
        try await terminal.type("\u{1B}[<0;5;3M\u{1B}[<0;5;3m")
        try await terminal.wait(for: "Deps")
        try await terminal.keys("Escape")
        try await terminal.wait(for: "> sample ", "filter:")
        try await terminal.keys("Escape")
        try await eventually { try await terminal.settings() == usual }
        try await terminal.enter("echo ended $?")
        try await terminal.wait(for: "ended 0")
    }
}
