// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

/// The daemon on host 1, servers on host 2. relctl connects to the daemon's socket through the file system.
@Suite(
    "Discovery from outside",
    .enabled(if: Requirement.allMet([.root, .avahi, .program("avahi-publish")]), "needs root and avahi-daemon"),
    .timeLimit(.minutes(3))
)
struct LANTests {
    @Test("a server is one endpoint on IPv4 and IPv6, and its changes and its end are listed and watched")
    func lifeOfAServer() async throws {
        try await LAN.with(.hosts(2)) { lan in
            let deployment = Deployment(on: lan)
            try await deployment.startDaemon()
            let watcher = try Supervised(
                [Products.path(of: "relctl"), "watch", "--json"],
                environment: deployment.environment,
                log: deployment.home.path(of: "watch")
            )
            try await eventually { try kinds(in: watcher.output) == ["snapshot"] }

            let server = try await deployment.startServer(["--lan", "--name", "sample server"], port: 7_099)
            try await eventually {
                let list = try await deployment.json("list").arrayValue ?? []
                return try list.first?.objectValue?.array("addresses").count == 2
            }
            let list = try #require(try await deployment.json("list").arrayValue)
            #expect(list.count == 1)
            let endpoint = try #require(list.first?.objectValue)
            #expect(try endpoint.string("name") == "sample server")
            #expect(try endpoint.string("origin") == "discovered")
            #expect(try endpoint.string("url") == "http://h2.local:7099/bin")
            #expect(try endpoint.array("addresses").first == "10.77.0.2")

            let added = try #require(try await deployment.json("add", "sample server", "127.0.0.1").objectValue)
            let shown = try #require(try await deployment.json("show", "sample server").objectValue)
            #expect(try shown.string("id") == added.string("id"), "what the user added goes before what is announced")
            try await deployment.success("endpoint", "remove", try added.string("id"))

            try await server.program.end()
            try await eventually { try await deployment.json("list") == [] }
            try await eventually { try kinds(in: watcher.output).count { $0 == "removed" } == 2 }
            let seen = try kinds(in: watcher.output)
            #expect(seen.prefix(2) == ["snapshot", "added"])
            #expect(Set(seen).isSubset(of: ["snapshot", "added", "changed", "removed"]))
            try await watcher.end()

            let before = try deployment.publish("mover", port: 1111, txt: ["v=1"])
            try await awaitEndpoint(deployment) { try $0.integer("port") == 1_111 && $0.array("txt") == ["v=1"] }
            try await before.end()
            let after = try deployment.publish("mover", port: 2222, txt: ["v=2"])
            try await awaitEndpoint(deployment) { try $0.integer("port") == 2_222 && $0.array("txt") == ["v=2"] }
            try await after.end()
        }
    }

    @Test("a sandbox and a daemon with --loopback-only find no announced server, and connect to none")
    func loopbackOnly() async throws {
        try await LAN.with(.hosts(2)) { lan in
            let deployment = Deployment(on: lan)
            try await deployment.startServer(["--lan", "--name", "sample server"], port: 7_099)
            let daemon = try await deployment.startDaemon()
            try await awaitEndpoint(deployment) { try $0.string("name") == "sample server" }
            let script = "$0 list --json; $0 add lan 10.77.0.2 -q; $0 endpoint probe lan"
            let command = lan.command(
                on: 1,
                [Products.path(of: "relctl"), "sandbox", "--", "sh", "-c", script, Products.path(of: "relctl")]
            )
            let output = try await Command(
                command.arguments,
                environment: command.environment.merging(deployment.environment) { $1 }
            ).run()
            #expect(output.status == 12 && output.standardError.contains("loopback addresses only"), "\(output)")
            let names = output.standardOutput.matches(of: /"name":"([^"]*)"/).map { String($0.1) }
            #expect(names == ["sample"], "\(output)")
            try await daemon.end()

            // The daemon without the system bus of the sandbox: the bus and Avahi are there.
            try await deployment.startDaemon(options: ["--loopback-only"])
            try await deployment.success("add", "lan", "10.77.0.2")
            #expect(try await deployment.relctl("endpoint", "probe", "lan").status == 12)
            let kept = try await deployment.json("list").arrayValue?.compactMap { $0.objectValue?["name"]?.stringValue }
            #expect(kept == ["lan"], "an announced server is not in the list")
            #expect(TextFile.text(of: deployment.requestLog).isEmpty)
        }
    }

    @Test("connect uses the login of LOGIN@ENDPOINT, also if a host announces this name")
    func announcedLogin() async throws {
        try await LAN.with(.hosts(2)) { lan in
            let deployment = Deployment(on: lan)
            try await deployment.startDaemon()
            try await deployment.startServer(["--lan", "--name", "real"], port: 7_099)
            try await deployment.success("add", "sample", "10.77.0.2")
            try await deployment.initialiseVault()
            try #require(try await deployment.addLogin().status == 0)
            let rogue = try deployment.publish(Deployment.login, port: 7_100, txt: [])
            try await awaitEndpoint(deployment) { try $0.string("name") == Deployment.login }
            let output = try await deployment.relctl("connect", Deployment.login, "--json")
            let adapter = try #require(try? JSONValue(parsing: output.standardOutput).objectValue, "\(output)")
            #expect(try adapter.string("endpointName") == "sample" && adapter.string("login") == Deployment.login)
            try await rogue.end()
        }
    }

    @Test("an added .local name is looked up through Avahi, and an unknown one is unreachable")
    func addedName() async throws {
        try await LAN.with(.hosts(2)) { lan in
            let deployment = Deployment(on: lan)
            try await deployment.startDaemon()
            try await deployment.startServer(["--listen", "10.77.0.2"], port: 7_099)
            try await deployment.success("add", "named", "http://h2.local:7099/bin")
            try await deployment.success("add", "nobody", "http://h9.local:7099/bin")
            try await eventually { try await sourceState(deployment) == "up" }
            #expect(try await deployment.success("endpoint", "probe", "named").hasPrefix("reachable, "))
            #expect(try await deployment.relctl("endpoint", "probe", "nobody").status == 12)
        }
    }

    @Test("with * as service type custom servers are found, with their type, and they go again")
    func customTypes() async throws {
        try await LAN.with(.hosts(2)) { lan in
            let deployment = Deployment(on: lan)
            let configuration = "[discovery]\nservice_types = [\"*\"]\n[probe]\nmode = \"off\"\n"
            deployment.home.write(Array(configuration.utf8), to: "config/relativityd/relativityd.toml")
            try await deployment.startDaemon()
            let custom = try deployment.publish("shop", port: 7_100, txt: [], type: "_OrderShop_rosdk._tcp")
            let usual = try deployment.publish("office", port: 7_099, txt: [])
            let other = try deployment.publish("printer", port: 631, txt: [], type: "_ipp._tcp")
            try await eventually { try await deployment.json("list").arrayValue?.count ?? 0 == 2 }
            #expect(try await deployment.success("show", "shop").contains("_OrderShop_rosdk._tcp"))
            #expect(try await deployment.success("list").contains("office"))
            try await custom.end()
            try await eventually { try await deployment.json("list").arrayValue?.count ?? 0 == 1 }
            for publisher in [usual, other] { try await publisher.end() }
        }
    }

    private func awaitEndpoint(_ deployment: Deployment, _ condition: (JSONObject) throws -> Bool) async throws {
        try await eventually {
            try await deployment.json("list").arrayValue?.contains {
                try $0.objectValue.map(condition) ?? false
            } ?? false
        }
    }

    private func sourceState(_ deployment: Deployment) async throws -> String {
        let status = try #require(try await deployment.json("status").objectValue)
        return try #require(try status.objects("sources").first).string("state")
    }

    private func kinds(in log: String) throws -> [String] {
        try log.split(separator: "\n").compactMap { try JSONValue(parsing: String($0)).objectValue?.string("kind") }
    }
}

extension Deployment {
    /// Announces a service on host 2 of the LAN, by Avahi's own program.
    fileprivate func publish(
        _ name: String,
        port: Int,
        txt: [String],
        type: String = "_Relativity_DataService_rosdk._tcp"
    ) throws -> Supervised {
        try Supervised(
            ["avahi-publish", "-s", name, type, "\(port)"] + txt,
            environment: environment,
            log: home.path(of: "publish.\(port).\(name.utf8.count)"),
            on: lan.map { ($0, 2) }
        )
    }
}
