// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

/// The daemon on host 1, servers on host 2.
@Suite(
    "Liveness from outside",
    .enabled(if: Requirement.allMet([.root, .avahi]), "needs root and avahi-daemon"),
    .timeLimit(.minutes(2))
)
struct LivenessTests {
    @Test("a pulled cable and its return are detected within 10 seconds by a watch and by a lease")
    func cable() async throws {
        try await LAN.with(.hosts(2), bare: [1, 2]) { lan in
            let deployment = Deployment(on: lan)
            try await deployment.startDaemon()
            try await deployment.startServer(["--listen", "10.77.0.2"], port: 7_099)
            try await deployment.success("add", "watched", "10.77.0.2")
            try await deployment.success("add", "leased", "http://10.77.0.2:7099/other")
            let watcher = try Supervised(
                [Products.path(of: "relctl"), "watch", "--json", "watched"],
                environment: deployment.environment,
                log: deployment.home.path(of: "watch")
            )
            let lease = try deployment.background("adapter", "open", "--anonymous", "leased")
            for name in ["watched", "leased"] { try await awaitState(deployment, name, "reachable") }

            let pulled = ContinuousClock.now
            try await lan.link(up: false, of: 2)
            try await eventually { try states(in: watcher.output).last == "unreachable" }
            let watched = ContinuousClock.now - pulled
            try await awaitState(deployment, "leased", "unreachable")
            let leased = ContinuousClock.now - pulled
            let shown = try #require(try await deployment.json("show", "watched").objectValue)
            #expect(try shown.object("stateReason").string("code") == "noAnswer")
            let failed = try await deployment.relctl("endpoint", "probe", "watched")
            #expect(failed.status == 12, "\(failed)")

            let plugged = ContinuousClock.now
            try await lan.link(up: true, of: 2)
            try await eventually { try states(in: watcher.output).last == "reachable" }
            let back = ContinuousClock.now - plugged
            print("a pulled cable: \(watched) until a watch knows, \(leased) with a lease; \(back) until it is back")
            #expect(watched < .seconds(10) && leased < .seconds(10) && back < .seconds(10))
            #expect(try await deployment.success("endpoint", "probe", "watched").hasPrefix("reachable, "))
            #expect(
                try states(in: watcher.output).drop { $0 == "unknown" } == ["reachable", "unreachable", "reachable"]
            )
            lease.signal(SIGTERM)
            try await watcher.end()

            // The server is not in use now, and the next probe is most of a minute away.
            let unplugged = ContinuousClock.now
            let down = lan.command(on: 1, ["ip", "link", "set", "eth0", "down"])
            try await Command(down.arguments, environment: down.environment).succeed()
            try await awaitState(deployment, "watched", "unreachable")
            let heard = ContinuousClock.now - unplugged
            print("the machine's own interface down: \(heard)")
            #expect(heard < .seconds(10))
        }
    }

    private func awaitState(_ deployment: Deployment, _ name: String, _ state: String) async throws {
        do {
            try await eventually {
                try await deployment.json("list").arrayValue?.contains {
                    try $0.objectValue?.string("name") == name && $0.objectValue?.string("state") == state
                } ?? false
            }
        } catch {
            Issue.record("\(name) is not \(state): \(try await deployment.relctl("show", name))")
            throw error
        }
    }

    /// The states that a watch has reported, in order.
    private func states(in log: String) throws -> [String] {
        try log.split(separator: "\n").flatMap { line in
            let update = try JSONValue(parsing: String(line)).objectValue
            let endpoints = try? update?.objects("endpoints")
            return try (endpoints ?? [try update?.object("endpoint")].compactMap { $0 }).map { try $0.string("state") }
        }
    }
}
