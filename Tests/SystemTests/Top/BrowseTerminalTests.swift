// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("The terminal of relctl table browse", .timeLimit(.minutes(5)))
struct BrowseTerminalTests {
    /// The optimised programs keep values in other locations, so RELATIVITYD_PROGRAMS makes this test run those.
    @Test("its settings are restored however the view ends")
    func settings() async throws {
        let deployment = Deployment()
        try await deployment.startWithLogin()
        let terminal = try PseudoTerminal()
        let before = try #require(TerminalSettings(terminal.keeper))
        for end in End.all {
            let line =
                "exec '\(Products.path(of: "relctl"))' table browse sample Deps <\(terminal.path) >\(terminal.path) 2>&1"
            let variables = deployment.environment.merging(["TERM": "xterm"]) { $1 }
            let child = try ChildProcess(["sh", "-c", line], environment: variables)
            try await eventually { TerminalSettings(terminal.keeper).map { !$0.hasEcho && !$0.takesLines } ?? false }
            try await terminal.wait(for: "Sales")
            if end.signalsHelper {
                try await eventually { child.helper != nil }
                kill(try #require(child.helper), end.signal)
            } else if end.signal != 0 {
                child.signal(end.signal)
            } else {
                terminal.type(end.keys)
            }
            let status = try await BlockingWork.run { child.wait() }
            #expect(status == end.status, "\(end)")
            #expect(TerminalSettings(terminal.keeper) == before, "\(end)")
            try await terminal.wait(for: "\u{1B}[?1006l\u{1B}[?1000l")
        }
    }

    /// The rest of the table does not come before the end of the test.
    @Test(
        "the first rows are on the screen as soon as they have arrived",
        .enabled(if: Requirement.allMet([.program("/usr/bin/python3")], for: "replies"), "needs Debian's python3")
    )
    func firstRows() async throws {
        let broken = try await ServerBehindProxy.ofManyRows()
        var times: [Duration] = []
        for _ in 0..<3 {
            let terminal = try PseudoTerminal()
            try await broken.prepare("hold 100000")
            let line =
                "exec '\(Products.path(of: "relctl"))' table browse sample Users <\(terminal.path) >\(terminal.path) 2>&1"
            let variables = broken.deployment.environment.merging(["TERM": "xterm"]) { $1 }
            let child = try ChildProcess(["sh", "-c", line], environment: variables)
            async let shown = {
                try await terminal.wait(for: "Escape keeps these")
                return ContinuousClock.now
            }()
            #expect(try await broken.line() == "held")
            let held = ContinuousClock.now
            times.append(try await shown - held)
            terminal.type("q")
            #expect(try await BlockingWork.run { child.wait() } == 0)
            #expect(try await broken.line() == "gone")
        }
        print("the first rows were on the screen after \(times)")
        // A busy machine may delay any one of them.
        #expect(times.min().map { $0 < .milliseconds(200) } ?? false, "\(times)")
    }

    /// A way out.
    private struct End {
        var keys = ""
        var signal: Int32 = 0
        var signalsHelper = false
        var status: Int32 = 0

        static let all = [
            End(keys: "q"), End(signal: SIGTERM, status: 128 + SIGTERM),
            End(signal: SIGHUP, status: 128 + SIGHUP), End(signal: SIGQUIT, status: 128 + SIGQUIT), End(signal: SIGINT),
            End(signal: SIGTERM, signalsHelper: true, status: 128 + SIGTERM),
            // As if it crashed.
            End(signal: SIGKILL, signalsHelper: true, status: 128 + SIGKILL),
        ]
    }
}

extension ChildProcess {
    /// The program that this process runs.
    var helper: pid_t? {
        TextFile.text(of: "/proc/\(pid)/task/\(pid)/children").split(separator: " ").first.flatMap { pid_t($0) }
    }
}

@Suite(
    "relctl table browse on a terminal of tmux",
    .timeLimit(.minutes(5)),
    .enabled(if: Requirement.allMet([.program("tmux")], for: "relctl table browse"), "needs tmux")
)
struct BrowseTests {
    @Test("it stops and continues, and a lost adapter does not keep it from ending")
    func stops() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let terminal = try await TmuxSession(deployment)
        let usual = try await terminal.settings()
        try await terminal.enter("relctl table browse sample Deps")
        try await terminal.wait(for: "Sales")
        for _ in 0..<3 {
            try await terminal.keys("C-z")
            try await terminal.wait(for: "Stopped")
            #expect(try await terminal.settings() == usual)
            try await terminal.enter("clear; fg")
            try await terminal.wait(for: "Sales", "q quit")
        }
        try await terminal.resize(columns: 40, lines: 10)
        try await started.daemon.end()
        try await terminal.keys("q")
        try await eventually { try await terminal.settings() == usual }
        try await terminal.enter("echo ended $?")
        try await terminal.wait(for: "ended 0")
    }

    @Test(
        "while rows arrive keys move in them and change nothing, Escape keeps them, and the key stays at the left",
        .enabled(if: Requirement.allMet([.program("/usr/bin/python3")], for: "replies"), "needs Debian's python3")
    )
    func arrivingRows() async throws {
        let broken = try await ServerBehindProxy.ofManyRows()
        try await broken.prepare("hold 100000")
        let terminal = try await TmuxSession(broken.deployment, columns: 60)
        try await terminal.enter("relctl table browse sample Users")
        #expect(try await broken.line() == "held")
        try await terminal.wait(for: "Users  1/", "Escape keeps these")
        try await terminal.keys("j", "d")
        try await terminal.wait(for: "Users  2/")
        #expect(try await !terminal.screen()[0].contains("pending"))
        // Too narrow for all fields.
        try await terminal.resize(columns: 26, lines: 24)
        try await eventually { try await terminal.screen()[1].hasPrefix("    Id  Name") }
        try await terminal.keys(">")
        try await eventually {
            let headings = try await terminal.screen()[1]
            return headings.hasPrefix("    Id  ") && headings.contains("Type") && !headings.contains("Name")
        }
        try await terminal.resize(columns: 60, lines: 24)
        try await terminal.keys("Escape")
        #expect(try await broken.line() == "gone")
        try await terminal.wait(for: "cut at ")
        try await terminal.keys("Escape")
        // What was typed for the rows is no filter of the list.
        try await terminal.wait(for: "> Deps ", "Users ")
        try await terminal.keys("C-c")
        try await terminal.waitForShell()
        try await terminal.enter("clear; relctl table browse sample Users --limit 10")
        try await terminal.wait(for: "Users  1/10", "cut at 10 rows")
        try await terminal.keys("q")
    }

    @Test("the login is chosen by the rule, with a note on the screen, or at the terminal if there are several")
    func logins() async throws {
        let deployment = Deployment()
        try await deployment.startWithLogin()
        let terminal = try await TmuxSession(deployment)
        let (browse, note) = ("clear; relctl table browse sample Deps", "login '\(Deployment.login)', the only one")
        try await terminal.enter(browse)
        try await terminal.wait(for: "Sales", note)
        try await terminal.keys("j")
        try await terminal.wait(for: "DepId: ")
        try await terminal.keys("q")
        try await terminal.waitForShell()
        #expect(try await !terminal.screen().contains { $0.contains(note) })
        for option in ["--read-only", "--quiet", "--login simple"] {
            try await terminal.enter("\(browse) \(option)")
            try await terminal.wait(for: "Sales", "DepId: ")
            try await terminal.keys("q")
            try await terminal.waitForShell()
        }

        #expect(try await deployment.addLogin(user: "Data", password: "Relativity").status == 0)
        try await terminal.enter(browse)
        try await terminal.wait(for: "1  \(Deployment.login)", "2  Data@sample")
        try await terminal.wait(for: "which login, 1 to 2", asked: 1)
        try await terminal.enter("7")
        try await terminal.wait(for: "which login, 1 to 2", asked: 2)
        try await terminal.enter("2")
        try await terminal.wait(for: "Sales", "DepId: ")
        let adapters = try await deployment.json("adapter", "list").arrayValue
        #expect(try adapters?.map { try $0.objectValue?.string("login") } == ["Data@sample"])
        try await terminal.keys("q")
        try await terminal.waitForShell()
    }

    @Test("without an endpoint it begins with the list of servers, and returns to it")
    func servers() async throws {
        let deployment = Deployment()
        try await deployment.startShop()
        let terminal = try await TmuxSession(deployment)
        let usual = try await terminal.settings()
        try await terminal.enter("relctl table browse")
        for _ in 0..<2 {
            try await terminal.wait(for: "shop", "http://127.0.0.1:")
            try await terminal.keys("Enter")
            try await terminal.wait(for: "shop  3 tables", "Esc servers")
            try await terminal.keys("Escape")
        }
        try await terminal.wait(for: "http://127.0.0.1:")
        try await terminal.keys("C-c")
        try await eventually { try await terminal.settings() == usual }
        try await terminal.enter("echo ended $?")
        try await terminal.wait(for: "ended 0")
    }

    @Test("details are read, rows are exported, and changes are applied, each with its outcome")
    func applies() async throws {
        let deployment = Deployment()
        try await deployment.startShop()
        let terminal = try await TmuxSession(deployment)
        try await terminal.enter("cd; relctl table browse shop Orders --color 'OrderId < 3=red/black'")
        try await terminal.wait(for: "Orders  1/200", "login 'Data@shop', the only one")
        try await terminal.keys("m")
        try await terminal.wait(
            for: "--- OrderDetails  1/2 ---",
            ">       1        5         8   3026.9400",
            "colour rule 1 is not applied: no field 'OrderId'; the nearest one is 'Order'"
        )
        try await terminal.keys("Enter", "Down", "Down", "e", "BSpace", "3", "Enter")
        try await terminal.wait(for: "Orders  1/200  changed", ">*OrderStatus  3")
        try await terminal.keys("Escape")
        try await terminal.wait(for: "Orders  1/200  1 pending")
        try await terminal.keys("F")
        try await terminal.type("OrderId < 4")
        try await terminal.keys("Enter")
        try await terminal.wait(for: "/3  1 pending  filter: OrderId < 4")
        try await terminal.keys("w")
        try await terminal.type("out.csv")
        try await terminal.keys("Enter")
        try await terminal.wait(for: "3 rows written to out.csv")
        try await terminal.keys("Down", "Down", "d", "a")
        try await terminal.wait(for: "apply 2 changes?", "Orders: 1 changed, 1 deleted", "OrderStatus: 5 -> 3")
        try await terminal.keys("y")
        try await terminal.wait(
            for: "1 of 2 changes applied",
            "! Orders OrderId=3: rejected",
            "FOREIGN KEY constraint failed"
        )
        try await terminal.keys("Escape")
        try await terminal.wait(for: ">!▸       3", "FOREIGN KEY constraint failed")
        try await terminal.keys("q", "y")
        try await terminal.waitForShell()
        let written = TextFile.text(of: deployment.home.path(of: "out.csv")).split(separator: "\r\n")
        #expect(written.first == "OrderId,OrderDate,OrderStatus,Client" && written.count == 4)
        let stored = try await deployment.success([
            "table", "get", "shop", "Orders", "--where", "OrderId < 4", "--select", "OrderId,OrderStatus", "--format",
            "csv", "-q",
        ])
        #expect(stored == "OrderId,OrderStatus\r\n1,3\r\n2,4\r\n3,4\r\n")
    }

    @Test("keys are answered while the server is slow")
    func slowServer() async throws {
        let deployment = Deployment()
        try await deployment.startWithLogin()
        let slow = try await deployment.startServer(["--delay", "30000"], data: "slow")
        try await deployment.success("add", "slow", "127.0.0.1:\(slow.port)")
        let terminal = try await TmuxSession(deployment)
        let usual = try await terminal.settings()
        try await terminal.enter("relctl table browse slow --anonymous")
        try await eventually { try await !terminal.settings().hasEcho }
        let begin = ContinuousClock.now
        try await terminal.keys("Escape")
        try await terminal.wait(for: "cancelled")
        try await terminal.keys("C-c")
        try await eventually { try await terminal.settings() == usual }
        #expect(ContinuousClock.now - begin < .seconds(20))
    }
}
