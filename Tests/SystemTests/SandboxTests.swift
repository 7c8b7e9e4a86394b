// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@Suite("Sandbox for the tests of tools", .timeLimit(.minutes(4)))
struct SandboxTests {
    private let home = TemporaryDirectory()

    private var environment: [String: String] {
        [
            "HOME": home.path, "XDG_RUNTIME_DIR": home.path, "TMPDIR": home.path, "PATH": "/usr/bin:/bin",
            "RELCTL": Products.path(of: "relctl"),
        ]
    }

    private func sandbox(_ script: String, options: [String] = []) -> Command {
        let command = [Products.path(of: "relctl"), "sandbox"] + options + ["--", "sh", "-c", script]
        return Command(command, environment: environment)
    }

    @Test("a program finds a server and a working login, its exit status is relctl's, and nothing is left")
    func everything() async throws {
        let output = try await sandbox(
            """
            $RELCTL login test sample && $RELCTL wait sample --for authenticated && $RELCTL adapter run -- true
            $RELCTL vault lock >/dev/null; $RELCTL vault unlock >/dev/null || exit 1
            pgrep -f "^$(dirname $RELCTL)/relativity.* .*$HOME/relctl-sandbox" >"$HOME/pids"
            exit 42
            """
        ).run()
        #expect(output.status == 42, "\(output)")
        #expect(output.standardOutput.contains("the server accepted the login"), "\(output)")
        let pids = TextFile.text(of: home.path(of: "pids")).split(separator: "\n").compactMap { Int32($0) }
        #expect(pids.count == 3)
        #expect(pids.allSatisfy { kill($0, 0) != 0 })
        #expect(home.names(in: "") == ["pids"])
    }

    @Test("its sockets are in the runtime directory, or in TMPDIR without one, and its data in TMPDIR")
    func directories() async throws {
        for name in ["run", "disk"] { mkdir(home.path(of: name), 0o700) }
        let script = """
            $RELCTL table count sample Deps && dirname "$RELATIVITYD_SOCKET"
            find "$1" -type s | wc -l; find "$1" -name "*.sqlite" -o -name "vault.rcv" | wc -l
            """
        for (runtime, sockets) in [(home.path(of: "run"), home.path(of: "run")), ("/nowhere", home.path(of: "disk"))] {
            let variables = ["XDG_RUNTIME_DIR": runtime, "TMPDIR": home.path(of: "disk")]
            let command = sandbox(script).arguments + ["sh", sockets]
            let output = try await Command(command, environment: environment.merging(variables) { $1 }).run()
            let lines = output.standardOutput.split(separator: "\n")
            try #require(output.status == 0 && lines.count == 4, "\(output)")
            #expect(lines[0] == "4" && lines[1].hasPrefix(sockets + "/relctl-sandbox."), "\(output)")
            #expect(lines[2] != "0" && (lines[3] == "0") == (runtime != "/nowhere"), "\(output)")
            #expect(home.names(in: "run").isEmpty && home.names(in: "disk").isEmpty)
        }
    }

    @Test(
        "a disk that is too small for the databases is named",
        .enabled(if: Requirement.allMet([.root, .program("unshare")]))
    )
    func fullDisk() async throws {
        let mount = """
            mount --make-rprivate / && mount --types tmpfs --options mode=700,size=64k tmpfs "$0" && exec "$@"
            """
        mkdir(home.path(of: "disk"), 0o700)
        let command = ["unshare", "--mount", "sh", "-c", mount, home.path(of: "disk")] + sandbox("true").arguments
        let variables = environment.merging(["TMPDIR": home.path(of: "disk")]) { $1 }
        let output = try await Command(command, environment: variables).run()
        #expect(output.status == 1 && output.standardError.contains("hint: df -h"), "\(output)")
        #expect(output.standardError.contains("full") || output.standardError.contains("space"), "\(output)")
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

    @Test("the ends of its programs are noticed also if relctl inherits an ignored SIGCHLD")
    func ignoredEnds() async throws {
        let relctl = Products.path(of: "relctl")
        for (options, status) in [([], 42), (["--database", "/nowhere.db"], 1)] as [([String], Int32)] {
            let output = try await Command(
                ["sh", "-c", "trap '' CHLD; exec \"$@\"", "sh", relctl, "sandbox"] + options + [
                    "--", "sh", "-c", "exit 42",
                ],
                environment: environment
            ).run()
            #expect(output.status == status, "\(output)")
            #expect(status == 42 || output.standardError.contains("'/nowhere.db'"), "\(output)")
            #expect(home.names(in: "").isEmpty)
        }
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

    @Test("the daemon and the server do not outlive a killed relctl, and the next sandbox removes its directory")
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
        #expect(home.names(in: "").count == 2)
        // The directory of the outer one is in use.
        #expect(try await sandbox("$RELCTL sandbox -- true && test -e $RELATIVITYD_SOCKET").run().status == 0)
        #expect(home.names(in: "").isEmpty)
    }

    @Test("every writing verb in it leaves the home, the daemon and the Data API of the user as they are")
    func outerHome() async throws {
        let outer = try await OuterHome()
        let tool = Sources.root + "/Tests/Tools/writing-verbs.sh"
        let output = try await outer.unchanged {
            try await Command(
                [Products.path(of: "relctl"), "sandbox", "--", tool, Products.path(of: "relctl")],
                environment: outer.environment
            ).run(deadline: .seconds(150))
        }
        #expect(output.status == 0, "\(output)")
        try await outer.end()
    }

    @Test("the program gets the sandbox by variables RELATIVITYD_* only")
    func variables() async throws {
        let output = try await sandbox("env").run()
        let inside = Set(output.standardOutput.split(separator: "\n"))
        let outside = try await Command(["env"], environment: environment).succeed().split(separator: "\n")
        // The shell sets its own.
        let changed = Set(outside).symmetricDifference(inside).filter { !$0.contains(/^(_|PWD|SHLVL)=/) }
        #expect(changed.count == 10 && changed.allSatisfy { $0.hasPrefix("RELATIVITYD_") }, "\(changed)")
        for name in ["URL", "ADAPTER_SOCKET"] { #expect(changed.contains("RELATIVITYD_\(name)=")) }
    }

    @Test("servers have copies of databases, sample tables and rows, and logins of their accounts")
    func servers() async throws {
        let database = home.path(of: "Shop.db")
        try await Command(["python3", "-c", Self.makeDatabase, database]).succeed()
        home.write(Array(Self.catalog.utf8), to: "catalog.toml")
        let before = home.content(of: "Shop.db")
        let script = """
            for each in "sample A" "sample2 B"; do
                $RELCTL table update $each 1 N=changed -q && $RELCTL table get $each --format csv || exit
            done
            $RELCTL login list --json
            for each in sample3 sample4; do $RELCTL table count $each Deps || exit; done
            """
        let catalog = ["--catalog", home.path(of: "catalog.toml")]
        let all = ["--database", database] + catalog + ["--servers", "4"]
        let refused = try await sandbox("true", options: catalog + ["--user", "nobody"]).run()
        #expect(refused.status == 11 && refused.standardError.contains("--user keeper"), "\(refused)")
        let output = try await sandbox(script, options: all).run(deadline: .seconds(60))
        let lines = output.standardOutput.split(whereSeparator: \.isNewline)
        #expect(output.status == 0 && lines.prefix(4) == ["Id,N", "1,changed", "Id,N", "1,changed"], "\(output)")
        for part in [#""name":"sample","#, #""user":"keeper""#, #""name":"sample4""#] {
            #expect(lines.contains { $0.contains(part) }, "\(output)")
        }
        #expect(lines.suffix(2) == ["4", "4"], "\(output)")
        #expect(home.content(of: "Shop.db") == before)
        let trade = ["--user", "Data", "--schema", "PCTrade", "--rows", "5000"]
        let orders = try await sandbox("$RELCTL table count sample Orders", options: trade).run()
        #expect(Int(orders.standardOutput.dropLast()).map { $0 >= 5_000 } == true, "\(orders)")
    }

    private static let makeDatabase = """
        import sqlite3, sys
        base = sqlite3.connect(sys.argv[1])
        for table in "AB": base.execute(f"create table {table} (Id integer primary key, N text)")
        for table in "AB": base.execute(f"insert into {table} values (1, 'x')")
        base.commit()
        """

    private static let catalog = """
        [[domain]]
        name = "D"
        [[domain.schema]]
        name = "S"
        database = "Shop.db"
        [[account]]
        user = "keeper"
        password = "of keys"
        [[account.right]]
        domain = "D"
        """

    @Test("a file that is missing, and options without effect, are errors")
    func wrongOptions() async throws {
        for (options, status, text) in [
            (["--database", "/nowhere.db"], 1, "'/nowhere.db'"),
            (["--catalog", "/nowhere.toml"], 1, "'/nowhere.toml'"),
            (["--rows", "3", "--database", "x"], 64, "--rows is for the sample tables"),
            (["--servers", "0"], 64, "1 to 16 servers"), (["--servers", "1"] + Self.two, 64, "1 to 16 servers"),
            (["--schema", "None"], 11, "--user simple --domain 'DASamples' --schema Simple"),
        ] as [([String], Int32, String)] {
            let output = try await sandbox("true", options: options).run()
            #expect(output.status == status && output.standardError.contains(text), "\(output)")
        }
        #expect(home.names(in: "").isEmpty)
    }

    private static let two = ["--database", "x", "--database", "y"]

    @Test("its daemon connects to loopback addresses only, and looks no name up")
    func loopback() async throws {
        let output = try await sandbox(
            """
            $RELCTL add far http://10.1.2.3:7099/bin && $RELCTL add name http://server.example:7099/bin
            $RELCTL add local http://mdns.local:7099/bin
            for each in far name local; do $RELCTL endpoint probe $each; done
            $RELCTL add near http://localhost:1/bin; $RELCTL endpoint probe near
            """
        ).run()
        let lines = output.standardError.split(separator: "\n").filter { $0.hasPrefix("relctl: error: ") }
        let refusal = "relctl: error: the server cannot be reached: this daemon connects to loopback addresses only ("
        #expect(lines.count == 4 && lines.prefix(3).allSatisfy { $0.hasPrefix(refusal) }, "\(output)")
        #expect(lines.last?.contains("Connection refused") == true, "\(output)")
    }

    @Test("temporary files are in TMPDIR")
    func temporaryFiles() async throws {
        let keep = "$RELCTL briefcase keep sample Deps -q"
        let output = try await sandbox("\(keep); TMPDIR=/nowhere $RELCTL briefcase refresh --kept").run()
        #expect(output.status != 0 && output.standardError.contains("/nowhere"), "\(output)")
        let other = try await sandbox("\(keep); TMPDIR=$HOME $RELCTL briefcase refresh --kept").run()
        #expect(other.status == 0, "\(other)")
    }

    @Test("a missing program is reported as shells report it")
    func missing() async throws {
        let command = Command([Products.path(of: "relctl"), "sandbox", "--", "/nowhere"], environment: environment)
        let output = try await command.run()
        #expect(output.status == 127 && output.standardError.contains("cannot run '"), "\(output)")
        #expect(home.names(in: "").isEmpty)
    }
}
