// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite(
    "A watched server that goes away",
    .enabled(if: Requirement.allMet([.program("systemd-socket-activate")], for: "data"), "systemd-socket-activate"),
    .timeLimit(.minutes(3))
)
struct WatchOutageTests {
    @Test("a watch reports that the server is offline, goes on, and finds the changes when it is online again")
    func outage() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let helper = try await DataHelper(deployment)
        let watcher = try helper.connect()
        watcher.send("Watch", ["server": ["endpoint": "sample"], "table": "Deps", "everySeconds": 1], more: true)
        #expect(try watcher.reply().object("parameters")["fields"] != nil)
        #expect(try watcher.reply().object("parameters") == ["state": "ready"])
        let command = [
            "sh", "-c", "exec \"$@\" 2>&1", "sh", Products.path(of: "relctl"), "table", "watch", "sample", "Deps",
        ]
        let text = try ChildProcess(command + ["--every", "1s", "--initial"], environment: deployment.environment)
        let lines = try ChildProcess(
            [Products.path(of: "relctl"), "table", "watch", "sample", "Deps", "--every", "1s", "--json"],
            environment: deployment.environment
        )
        let (textLines, jsonLines) = (text.outputLines(silence: .seconds(60)), lines.outputLines(silence: .seconds(60)))
        try await textLines.first { $0.hasPrefix("present   4") }
        try await jsonLines.first { $0 == #"{"schemaVersion":1,"state":"ready"}"# }

        try await started.server.end()
        try Self.reply(of: watcher) { $0["state"] == "offline" }
        try await textLines.first { $0 == "relctl: note: sample cannot be reached: trying again" }
        try await jsonLines.first { $0 == #"{"schemaVersion":1,"state":"offline"}"# }
        let file = deployment.home.path(of: "server/sample.sqlite")
        _ = try await Command(["sqlite3", file, "DELETE FROM Deps WHERE DepId = 4"]).succeed()
        let server = try await deployment.startServer(port: started.port)
        try Self.reply(of: watcher) { $0["state"] == "online" }
        try Self.reply(of: watcher) { $0["state"] == "tablesChanged" }
        #expect(try watcher.reply().object("parameters") == ["change": "removed", "rows": [[4]]])
        #expect(try watcher.reply().object("parameters") == ["state": "ready"])
        try await textLines.first { $0 == "relctl: note: sample answers again" }
        try await textLines.first { $0 == "removed   4" }
        for state in ["online", "tablesChanged", "ready", "busy"] {
            try await jsonLines.first { $0 == #"{"schemaVersion":1,"state":"\#(state)"}"# }
        }

        for child in [text, lines] {
            child.signal(SIGINT)
            #expect(try await BlockingWork.run { child.wait() } == 128 + SIGINT)
        }
        try await server.program.end()
        let unreachable = try helper.connect()
        unreachable.send("Watch", ["server": ["endpoint": "sample"], "table": "Deps"], more: true)
        #expect(try unreachable.reply()["error"] == "org.relativityd.Broker.EndpointUnreachable")
        try await helper.program.end()
    }

    /// Skips replies until one satisfies a condition.
    private static func reply(of client: DataClient, _ condition: (JSONObject) -> Bool) throws {
        while !condition(try client.reply().object("parameters")) {}
    }
}

extension AsyncStream<String> {
    /// Skips lines until one satisfies a condition.
    fileprivate func first(_ condition: (String) -> Bool) async throws {
        for await line in self where condition(line) { return }
        throw NotInTime(seconds: 60)
    }
}
