// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

/// Only addresses of this machine, and names that do not resolve, so that there are no connections.
@Suite("Added servers", .timeLimit(.minutes(2)))
struct RegistryTests {
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
