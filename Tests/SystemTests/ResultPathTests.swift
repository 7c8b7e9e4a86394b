// SPDX-License-Identifier: Apache-2.0

import Glibc
import LocalAPI
import TestSupport
import Testing

@testable import relctl

@Suite("Paths of results", .timeLimit(.minutes(3)))
struct ResultPathTests {
    private let deployment = Deployment()
    private static let get = ["table", "get", "sample", "Users", "--select", "Id", "--limit", "1", "-q"]

    private func bash(_ script: String) async throws -> Command.Output {
        let relctl = "relctl() { '\(Products.path(of: "relctl"))' \"$@\"; }; cd \"$0\"; "
        return try await Command(
            ["bash", "-c", relctl + script, deployment.home.path(of: "")],
            environment: deployment.environment
        ).run()
    }

    @Test(
        "the name of a file chooses the format, --format wins with a note, and other names are refused",
        arguments: [
            ("u.csv", nil, .csv, false), ("u.Json", nil, .json, false), ("u", nil, .table, false),
            ("u.txt", .csv, .csv, false),
            ("u.csv", .jsonl, .jsonl, true), ("u.json", .document, .document, false),
            ("u.jsonl", .document, .document, true),
            ("u.xlsx", .csv, .csv, true), ("/dev/stdout", .csv, .csv, false), ("u.ndjson", .jsonl, .jsonl, false),
        ] as [(String, JobOutput.Format?, JobOutput.Format, Bool)]
    )
    func formats(path: String, chosen: JobOutput.Format?, format: JobOutput.Format, hasNote: Bool) throws {
        let found = try FileFormat(path, chosen: chosen)
        #expect(found.format == format && (found.note != nil) == hasNote, "\(found)")
    }

    @Test("a database and a name of no format are refused, with what to do")
    func refusedNames() {
        for chosen in [nil, JobOutput.Format.csv] {
            let failure = #expect(throws: Failure.self) { try FileFormat("u.db", chosen: chosen) }
            #expect(failure?.status == .usage && failure?.hint?.command == "relctl table export --help")
        }
        for name in ["u.xlsx", "u.parquet", "u.csv.gz"] {
            let failure = #expect(throws: Failure.self) { try FileFormat(name, chosen: nil) }
            #expect(failure?.status == .usage && failure?.message.contains(".csv, .tsv, .json, .jsonl") == true)
        }
    }

    @Test("results are written to descriptors, pipes and through links, and never in front of what is there")
    func streams() async throws {
        try await deployment.startWithLogin()
        let get = Self.get.joined(separator: " ") + " --format csv"
        for (script, expected) in [
            ("{ echo a; relctl \(get) --to /dev/stdout; echo b; } > r; cat r", "a\nId\n1\nb\n"),
            ("{ echo a; relctl \(get) --to /dev/fd/7; echo b >&7; } 7> r; cat r", "a\nId\n1\nb\n"),
            ("relctl \(get) --to - | cat", "Id\n1\n"),
            ("relctl \(get) --to >(cat > r); while ! grep -q 1 r; do :; done; cat r", "Id\n1\n"),
            ("ln -s target link; relctl \(get) --to link; readlink link; cat target", "target\nId\n1\n"),
            ("relctl schema save sample --to /dev/stdout | head -c 5", "<?xml"),
            ("relctl endpoint export sample --out /dev/stdout | head -c 5", "<?xml"),
            ("relctl endpoint export sample --out - | head -c 5", "<?xml"),
            (
                "relctl table export sample Deps --to /dev/stdout > o.db; sqlite3 o.db 'select count(*) from Deps'",
                "4\n"
            ),
            ("relctl sql sample --file <(echo 'select count(*) as N from Deps')", "N\n4\n"),
            (
                "relctl table update sample Deps 1 -q DepPhone@<(printf 7); relctl table get sample Deps --limit 1 --format csv --select DepPhone -q",
                "DepPhone\n7\n"
            ),
            ("relctl \(get) --to r; relctl table import sample Users r --dry-run -q; echo $?", "0\n"),
            (
                "printf 00 > h; relctl wire decode --hex < h 2>&1 | head -c 6; relctl wire decode --hex /dev/stdin < h 2>&1 | head -c 6",
                "relctlrelctl"
            ),
        ] {
            let output = try await bash(script)
            #expect(output.standardOutput.replacing("\r\n", with: "\n") == expected, "\(script): \(output)")
        }
        #expect(deployment.home.names().allSatisfy { !$0.contains(".part") })
    }

    @Test("a path that must be a file names what it is, before a login, and a link is followed")
    func noFile() async throws {
        for (path, kind) in [("fifo", "a FIFO"), ("/dev/null", "a character device"), ("socket", "a socket")] {
            let place = path.hasPrefix("/") ? path : deployment.home.path(of: path)
            if path == "fifo" { mkfifo(place, 0o600) }
            if path == "socket" { mknod(place, S_IFSOCK | 0o600, 0) }
            for command in [
                ["table", "insert", "sample", "Deps", "DepName=x", "--pending", place],
                ["table", "apply", "sample", "--pending", place],
                ["table", "import", "sample", "Deps", "/dev/null", "--pending", place],
                ["table", "pending", "list", place], ["briefcase", "save", "sample", "Deps", "--to", place],
                ["briefcase", "show", place], ["briefcase", "load", place, "Deps"], ["briefcase", "delete", place],
                ["briefcase", "diff", "sample", place], ["briefcase", "refresh", "sample", place],
            ] {
                // There is no daemon.
                let output = try await deployment.relctl(command)
                let isNamed =
                    output.standardError.contains("\(place)' is \(kind), not a regular file")
                    || output.standardError.contains("\(place) is \(kind), not a regular file")
                #expect(output.status == 64 && isNamed, "\(command): \(output)")
            }
        }
        let output = try await deployment.relctl("table", "pending", "list", "/dev/stdin", input: "")
        #expect(output.status == 64 && output.standardError.contains("a descriptor of this process"), "\(output)")
        try await deployment.startWithLogin()
        symlink("changes", deployment.home.path(of: "link"))
        let pending = ["--pending", deployment.home.path(of: "link"), "-q"]
        for name in ["a", "b"] {
            let output = try await deployment.relctl(
                ["table", "insert", "sample", "Deps", "DepName=\(name)"] + pending
            )
            #expect(output.status == 0, "\(output)")
        }
        let listed = try await deployment.success("table", "pending", "list", deployment.home.path(of: "changes"))
        #expect(listed.split(separator: "\n").count >= 2 && listed.contains("b"), "\(listed)")
    }

    @Test("a full output is an error that says so")
    func fullOutput() async throws {
        try await deployment.startWithLogin()
        for words in [
            "table list sample", "\(Self.get.joined(separator: " "))", "schema show sample", "list", "--help",
            "table get --help",
            "\(Self.get.joined(separator: " ")) --to /dev/full", "table export sample Deps --to /dev/full",
        ] {
            let output = try await bash("relctl \(words) > /dev/full")
            #expect(output.status == 1, "\(words): \(output)")
            let expected = "relctl: error: the output cannot be written: No space left on device\n"
            #expect(output.standardError.hasSuffix(expected), "\(words): \(output)")
        }
    }

    @Test("in the shell an empty line continues a statement, Ctrl-C discards it, and commands work in the middle of it")
    func shell() async throws {
        try await deployment.startWithLogin()
        let file = deployment.home.path(of: "rows.csv")
        let terminal = try TerminalSession(
            [Products.path(of: "relctl"), "sql", "sample"],
            environment: deployment.environment
        )
        try await terminal.wait(for: "\\? lists the commands")
        func type(_ prompt: String, _ line: String) async throws {
            try await terminal.wait(for: prompt)
            terminal.type(line + "\r")
        }
        try await type("sql> ", "select Id + 1000 as N from Users")
        try await type("...> ", "")
        try await type("...> ", "\\timing")
        try await terminal.wait(for: "timing is on")
        try await type("...> ", "where Id = 7;")
        try await terminal.wait(for: "1007")
        try await type("sql> ", "select 'a")
        try await type("...> ", "\\q' as N from Users where Id = 1;")
        try await terminal.wait(for: "\\q")
        try await type("sql> ", "select nonsense")
        try await terminal.wait(for: "...> ")
        terminal.type("from\u{3}")
        try await terminal.wait(for: "the statement was discarded")
        try await type("sql> ", "\\?")
        try await terminal.wait(for: "\\format FORMAT")
        try await type("sql> ", "select Id from Users limit 3;")
        try await terminal.wait(for: "use SELECT TOP 3")
        try await type("sql> ", "\\o \(file)")
        try await type("sql> ", "select Id from Users where Id = 9;")
        try await type("sql> ", "\\q")
        #expect(try await terminal.end().status == 0)
        #expect(TextFile.text(of: file) == "Id\r\n9\r\n")
    }
}
