// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

/// Only addresses of this machine, and names that do not resolve, so that there are no connections.
@Suite("Added servers", .timeLimit(.minutes(2)))
struct RegistryTests {
    @Test("an address is completed, a URL is used unchanged, and both survive a restart")
    func completing() async throws {
        let deployment = Deployment()
        var daemon = try await deployment.startDaemon()
        for (name, address, url) in [
            ("plain", "192.168.0.150", "http://192.168.0.150:7099/bin"),
            ("port", "127.0.0.1:8099", "http://127.0.0.1:8099/bin"),
            ("six", "[::1]", "http://[::1]:7099/bin"),
            ("host", "server.invalid", "http://server.invalid:7099/bin"),
            ("full", "https://server.invalid:8443/other/bin", "https://server.invalid:8443/other/bin"),
        ] {
            let added = try #require(try await deployment.json("add", name, address).objectValue)
            #expect(try added.string("url") == url)
            #expect(try added.string("origin") == "manual")
        }
        let before = try await deployment.json("list")
        #expect(before.arrayValue?.count == 5)
        #expect(try await daemon.end() == 0)
        daemon = try await deployment.startDaemon()
        #expect(try await deployment.json("list") == before)
        #expect(try await daemon.end() == 0)
    }

    @Test("an invalid address is a usage error with a reason")
    func nonsense() async throws {
        let deployment = try await Deployment.running()
        for address in [
            "", "http://", "server.invalid:0", "http://user:word@server.invalid/bin", "0.0.0.0", "a b",
            String(repeating: "a", count: 3_000),
        ] {
            let refused = try await deployment.relctl("add", "--", "nonsense", address)
            #expect(refused.status == 64, "\(address): \(refused)")
            #expect(refused.standardError.hasPrefix("relctl: error: "), "\(address): \(refused)")
            #expect(refused.standardOutput.isEmpty)
        }
        for name in ["", String(repeating: "n", count: 300), "line\nbreak"] {
            let refused = try await deployment.relctl("add", "--", name, "127.0.0.1")
            #expect(refused.status == 64, "\(name): \(refused)")
        }
        #expect(try await deployment.json("list") == [])
    }

    @Test("a watch ends when its output is closed, without waiting for a change")
    func watchWithoutReader() async throws {
        let deployment = try await Deployment.running()
        try await deployment.success("add", "sample", "127.0.0.1")
        let started = ContinuousClock.now
        let line = try await firstLine(of: "watch", deployment)
        #expect(line.contains(/^\d\d:\d\d:\d\d  present/))
        #expect(ContinuousClock.now - started < .seconds(10))
    }

    @Test("while the vault is locked, removing a server that may have logins needs confirmation")
    func lockedVault() async throws {
        let deployment = try await Deployment.running()
        try await deployment.success("add", "sample", "127.0.0.1")
        try await deployment.initialiseVault()
        try await deployment.success("vault", "lock")
        let refused = try await deployment.relctl("endpoint", "remove", "sample")
        #expect(refused.status == 3 && refused.standardError.contains("relctl vault unlock"), "\(refused)")
        #expect(try await deployment.json("list").arrayValue?.count == 1)
        let removed = try await deployment.relctl("endpoint", "remove", "--yes", "sample")
        #expect(removed.status == 0 && removed.standardError.contains("stay there"), "\(removed)")
        #expect(try await deployment.json("list") == [])
    }

    @Test("a hidden server is left out of list and watch, is found by its name, and stays hidden across a restart")
    func hiding() async throws {
        let deployment = Deployment()
        var daemon = try await deployment.startDaemon()
        try await deployment.success("add", "sample", "127.0.0.1")
        try await deployment.success("add", "other", "127.0.0.2")
        try await deployment.success("endpoint", "hide", "sample")
        #expect(try await daemon.end() == 0)
        daemon = try await deployment.startDaemon()

        let list = try await deployment.success("list")
        #expect(list.contains("other") && !list.contains("sample"), "\(list)")
        #expect(try await deployment.success("list", "--all").contains("sample"))
        let all = try #require(try await deployment.json("list").arrayValue).compactMap(\.objectValue)
        #expect(try all.filter { try $0.bool("hidden") }.map { try $0.string("name") } == ["sample"])
        #expect(try await deployment.success("show", "sample").contains("hidden:"))
        #expect(try await firstLine(of: "watch", deployment).contains("other"))
        #expect(try await firstLine(of: "watch sample", deployment).contains("sample"))

        try await deployment.success("hide", "other")
        let none = try await deployment.relctl("list")
        #expect(none.status == 0 && none.standardOutput.isEmpty)
        #expect(none.standardError.hasPrefix("discovery through avahi does not work: "), "\(none)")
        #expect(none.standardError.hasSuffix("relctl doctor\nno servers, except 2 hidden: relctl list --all\n"))
        try await deployment.success("unhide", "sample")
        #expect(try await deployment.success("list").contains("sample"))
    }

    private func firstLine(of verb: String, _ deployment: Deployment) async throws -> String {
        let relctl = Products.path(of: "relctl")
        return try await Command(
            ["sh", "-c", "'\(relctl)' \(verb) | head -n 1"],
            environment: deployment.environment
        ).run().standardOutput
    }
}
