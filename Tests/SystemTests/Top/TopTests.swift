// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite(
    "relctl top on a terminal of tmux",
    .timeLimit(.minutes(2)),
    .enabled(if: Requirement.allMet([.program("tmux")], for: "relctl top"), "needs tmux")
)
struct TopTests {
    @Test("the list is updated, keys work, and the view continues across resizing, a stop, and the daemon's end")
    func view() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let terminal = try await TmuxSession(deployment)
        let usual = try await terminal.settings()
        try await terminal.enter("relctl top")
        try await terminal.wait(for: "relctl top  1 server, 0 sessions, 0 adapters", "> sample", "watching    1 server")

        try await deployment.success("add", "away", "127.0.0.1:1")
        try await terminal.wait(for: "  away ", "added       away", "2 servers")
        try await terminal.keys("k", "p")
        try await terminal.wait(for: "> away                   unreachable", "probe       away  unreachable")
        try await terminal.keys("h")
        try await terminal.wait(for: "1 server, 1 hidden", "hidden      away")
        #expect(try await deployment.success("list").contains("away") == false)
        try await terminal.keys("a", "k", "h")
        try await terminal.wait(for: "unhidden    away")

        try await terminal.keys("/", "s", "a", "m", "Enter")
        try await terminal.wait(for: "1 server,")
        try await terminal.keys("p", "o")
        try await terminal.wait(for: "probe       sample  reachable", "1 session, 1 adapter", "reachable   1        1 ")
        try await terminal.keys("Tab")
        try await terminal.wait(for: "-- adapters --", "/relativityd/adapters/")
        #expect(try await deployment.json("adapter", "list").arrayValue?.count == 1)

        try await terminal.resize(columns: 50, lines: 12)
        try await terminal.wait(for: "q quit  ? help  / filter  Tab pane  p probe  i pi…")
        #expect(try await terminal.screen().count == 12)
        try await terminal.keys("C-z")
        try await terminal.wait(for: "Stopped")
        #expect(try await terminal.settings() == usual)
        try await terminal.enter("fg")
        try await terminal.wait(for: "> sample", "q quit")

        try await started.daemon.end()
        try await terminal.wait(for: "daemon away: ")
        try await deployment.startDaemon()
        try await terminal.keys("Tab", "Tab", "Escape")
        try await terminal.wait(for: "2 servers, 0 sessions, 0 adapters", "back        the daemon answers again")
        try await terminal.keys("q")
        try await terminal.waitForShell()
        #expect(try await terminal.settings() == usual)
    }

    @Test("pin and log in prompt on the shell's screen, and Ctrl-C returns to the list")
    func conversations() async throws {
        let deployment = try await Deployment.running()
        let server = try await deployment.startServer()
        try await deployment.success("add", "sample", "127.0.0.1:\(server.port)")
        try await deployment.initialiseVault()
        try await deployment.success("vault", "lock")
        let terminal = try await TmuxSession(deployment, lines: 100)
        let usual = try await terminal.settings()
        try await terminal.enter("relctl top")
        try await terminal.wait(for: "> sample")

        try await terminal.keys("i")
        try await terminal.wait(for: "The vault is locked.")
        try await terminal.wait(for: "passphrase:", asked: 1)
        try await terminal.keys("C-c")
        try await terminal.wait(for: "> sample", "q quit")
        try await terminal.keys("i")
        try await terminal.wait(for: "passphrase:", asked: 2)
        try await terminal.enter(Deployment.passphrase)
        try await terminal.wait(for: "[y/N]", asked: 1)
        try await terminal.wait(for: "in words: ")
        try await terminal.enter("n")
        try await terminal.wait(for: "Press Enter to return to the list:", asked: 1)
        #expect(try await terminal.settings() == usual)
        try await terminal.keys("Enter")
        try await terminal.wait(for: "> sample", "q quit")

        try await terminal.keys("l")
        try await terminal.wait(for: "user:", asked: 1)
        for (answer, next) in [
            ("simple", "domain:"), ("DASamples", "schema:"), ("Simple", "Send it there"),
            ("y", "Is this the server?"), ("y", "password:"), ("simple", "password again:"),
        ] {
            try await terminal.enter(answer)
            try await terminal.wait(for: next, asked: next.hasPrefix("Send") ? 2 : 1)
        }
        try await terminal.enter("simple")
        try await terminal.wait(for: "Press Enter to return to the list:", asked: 2)
        try await terminal.wait(for: "added  \(Deployment.login)")
        try await terminal.keys("Enter")
        try await terminal.wait(for: "> sample", "q quit")
        try await terminal.keys("l")
        try await terminal.wait(for: "Press Enter to return to the list:", asked: 3)
        try await terminal.wait(for: "ok  ")
        try await terminal.keys("C-c")
        try await terminal.wait(for: "> sample", "q quit")
        try await terminal.keys("C-c")
        try await terminal.waitForShell()
        #expect(try await terminal.settings() == usual)
    }

    @Test("without a terminal it names the alternative")
    func noTerminal() async throws {
        let output = try await Deployment().relctl("top")
        #expect(output.status == 64 && output.standardError.contains("hint: relctl watch"), "\(output)")
    }
}
