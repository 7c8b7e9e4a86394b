// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Configured logins next to the vault")
struct ConfiguredLoginStoreTests {
    private static let pin = String(repeating: "ab", count: 32)
    private var fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
        let lines = ["url=https://10.0.0.5", "user=u", "pin=\(Self.pin)", "password=secret"]
        for name in ["office", "login 1"] {
            fixture.temporary.write(
                Array(lines.joined(separator: "\n").utf8),
                to: "relativityd.login.\(name)",
                mode: 0o400
            )
        }
        let endpoint = try #require(EndpointID("office"))
        fixture.options.configuredLogins = ConfiguredLogins(directory: fixture.temporary.path, now: 0) { _ in endpoint }
    }

    private func isReadOnly(_ store: CredentialStore) async -> Bool {
        do {
            _ = try await store.ownLogin(named: "office")
            return false
        } catch {
            return error as? CredentialError == .loginIsConfigured("office")
        }
    }

    @Test("a configured login works without a vault, with a locked and an open one, and cannot be changed")
    func states() async throws {
        let store = fixture.store()
        try await store.load()
        func check(_ state: VaultState, own: Int, missing: CredentialError?) async throws {
            #expect(await store.state == state)
            let (logins, why) = await store.loginsInReach()
            #expect(logins.map(\.name) == ["office"] + (0..<own).map { "login \($0)" })
            #expect(why == missing)
            let login = try await store.loginInReach(named: "office")
            #expect(try await fixture.password(of: login, in: store) == "secret")
            #expect(await isReadOnly(store))
            // The beginning may be that of a login in a vault that is closed.
            if missing == .locked {
                await #expect(throws: CredentialError.locked) { try await store.loginInReach(named: "off") }
            } else {
                #expect(try await store.loginInReach(named: "off").id == login.id)
            }
            await #expect(throws: missing ?? .noSuchLogin("x")) { try await store.loginInReach(named: "x") }
        }
        try await check(.absent, own: 0, missing: .noVault(path: fixture.options.directory))
        try await store.create(provider: .passphrase, passphrase: try fixture.secret("open sesame"))
        try await check(.unlocked, own: 0, missing: nil)
        try await fixture.add(0, to: store)
        try await check(.unlocked, own: 1, missing: nil)
        await store.lock()
        try await check(.locked, own: 0, missing: .locked)
    }

    @Test("its name is taken; an earlier login of the vault with that name can only be removed")
    func names() async throws {
        var plain = fixture
        plain.options.configuredLogins = ConfiguredLogins()
        let before = try await plain.created()
        var login = try VaultFixture.login(0)
        login.name = "office"
        _ = try await before.add(login, password: try fixture.secret("own"))

        let store = try await fixture.opened()
        #expect(try await store.logins().map(\.name) == ["office", "office"])
        let meant = try await store.loginInReach(named: "office")
        #expect(meant.origin == .configured)
        let own = try await store.ownLogin(named: "office")
        #expect(own.origin == .vault && own.id != meant.id)
        #expect(try await store.loginInReach(named: "off").id == meant.id)
        #expect(try await store.ownLogin(named: "off").id == own.id)
        #expect(try await fixture.password(of: own, in: store) == "own")
        try await store.remove("office")
        #expect(await isReadOnly(store))
        await #expect(throws: CredentialError.nameTaken("office")) {
            try await store.add(login, password: try fixture.secret("own"))
        }
    }
}
