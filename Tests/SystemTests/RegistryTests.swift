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
            ("full", "https://server.invalid:8443/other/bin", "https://server.invalid:8443/other/bin"),
        ] {
            let added = try #require(try await deployment.json("add", name, address).objectValue)
            #expect(try added.string("url") == url)
            #expect(try added.string("origin") == "manual")
        }
        let before = try await deployment.json("list")
        #expect(before.arrayValue?.count == 2)
        #expect(try await daemon.end() == 0)
        daemon = try await deployment.startDaemon()
        #expect(try await deployment.json("list") == before)
        #expect(try await daemon.end() == 0)
    }

    @Test("an invalid address is a usage error with a reason")
    func nonsense() async throws {
        let deployment = try await Deployment.running()
        for address in ["", "http://user:word@server.invalid/bin", "0.0.0.0"] {
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
}
