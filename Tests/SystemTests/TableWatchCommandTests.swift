// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("A table watched from the command line", .timeLimit(.minutes(3)))
struct TableWatchCommandTests {
    private let deployment = Deployment()

    /// The output of a program, line by line.
    private struct Lines {
        let child: ChildProcess
        private let lines: AsyncStream<String>

        /// - Parameter mixed: whether standard error is part of the output.
        init(_ deployment: Deployment, _ arguments: String..., mixed: Bool = false) throws {
            let words = [Products.path(of: "relctl"), "table", "watch"] + arguments
            let program = mixed ? ["sh", "-c", "exec \"$@\" 2>&1", "sh"] + words : words
            child = try ChildProcess(program, environment: deployment.environment)
            lines = child.outputLines(silence: .seconds(60))
        }

        func next() async throws -> String {
            for await line in lines { return line }
            throw NotInTime(seconds: 60)
        }

        func next(_ count: Int) async throws -> [String] {
            var all: [String] = []
            for _ in 0..<count { all.append(try await next()) }
            return all
        }

        /// Ends the program as Ctrl-C does.
        func interrupt() async throws {
            child.signal(SIGINT)
            let child = child
            #expect(try await BlockingWork.run { child.wait() } == 128 + SIGINT)
        }
    }

    @Test("a change of another client is shown when the server reports it, and one that it does not report in time")
    func changes() async throws {
        try await deployment.startWithLogin()
        let text = try await deployment.success("table", "count", "sample", "Deps")
        let count = try #require(Int(text.dropLast()))

        let told = try Lines(deployment, "sample", "Deps", "--every", "1h", "--initial", "--json")
        for line in try await told.next(count) {
            let object = try #require(try JSONValue(parsing: line).objectValue)
            #expect(try object.string("change") == "present" && object.object("row")["DepId"] != nil, "\(line)")
        }
        let untold = try Lines(deployment, "sample", "Deps", "--every", "1s", "--initial")
        let first = try await untold.next(count + 1)
        #expect(first[0].hasPrefix("CHANGE    DepId  DepName"), "\(first)")
        #expect(first.dropFirst().allSatisfy { $0.hasPrefix("present   ") }, "\(first)")

        // Both have a session of their own, and get the event.
        try await deployment.success("command", "run", "sample", "SetDepPhone", "DepId=1", "Phone:text=007")
        for state in ["ready", "busy", "tablesChanged"] {
            #expect(try await told.next() == #"{"schemaVersion":1,"state":"\#(state)"}"#)
        }
        let changed = try #require(try JSONValue(parsing: try await told.next()).objectValue)
        #expect(try changed.string("change") == "changed" && changed.object("row").string("DepPhone") == "007")
        let line = try await untold.next()
        #expect(line.hasPrefix("changed   1  ") && line.hasSuffix("  007"), "\(line)")

        // The server does not notice what another program does in its file.
        let sql = """
            BEGIN; DELETE FROM Deps WHERE DepId = 1; INSERT INTO Deps (DepId, DepName) VALUES (99, 'New'); COMMIT
            """
        let file = deployment.home.path(of: "server/sample.sqlite")
        _ = try await Command(["sqlite3", "-cmd", ".timeout 10000", file, sql]).succeed()
        let (inserted, removed) = (try await untold.next(), try await untold.next())
        #expect(inserted.hasPrefix("inserted  99  ") && inserted.contains("  New"), "\(inserted)")
        #expect(removed == "removed   1", "\(removed)")

        #expect(deployment.requests(of: "DataService.UnregisterForDataChangeNotification") == 0)
        try await told.interrupt()
        try await untold.interrupt()
        #expect(deployment.requests(of: "DataService.UnregisterForDataChangeNotification") == 2)
        let keyless = try await deployment.relctl("table", "watch", "sample", "Deps", "--key", "Nope")
        #expect(keyless.status == 64 && keyless.standardError.contains("Nope"), "\(keyless)")
    }

    @Test("a lock ends it, and a server that takes no registration is compared at the interval")
    func endings() async throws {
        try await deployment.startWithLogin()
        let locked = try Lines(deployment, "sample", "Deps", "--initial", "--every", "1h", "--where", "DepId = 2")
        #expect(try await locked.next(2)[1].hasPrefix("present   2  "))
        try await deployment.success("vault", "lock")
        #expect(try await BlockingWork.run { locked.child.wait() } == 3)

        let open = try await deployment.startServer(["--custom"])
        try await deployment.success("add", "open", "127.0.0.1:\(open.port)")
        let lines = try Lines(
            deployment,
            "open",
            "Workers",
            "--anonymous",
            "--service",
            "DASampleService",
            "--every",
            "1s",
            mixed: true
        )
        #expect(try await lines.next() == "relctl: note: open reports no changes: compared every 1 second")
        let sql = "UPDATE Workers SET WorkerFirstName = 'Zoë' WHERE WorkerID = 1"
        let file = deployment.home.path(of: "server/workers.sqlite")
        _ = try await Command(["sqlite3", "-cmd", ".timeout 10000", file, sql]).succeed()
        _ = try await lines.next()
        let line = try await lines.next()
        #expect(line.hasPrefix("changed   1 ") && line.contains("  Zoë"), "\(line)")
        try await lines.interrupt()
    }
}
