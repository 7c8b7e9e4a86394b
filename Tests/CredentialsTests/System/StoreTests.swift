// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Credential store")
struct StoreTests {
    @Test("a vault is made, filled, locked and opened again")
    func wholeLife() async throws {
        let fixture = try StoreFixture()
        let store = fixture.store()
        try await store.load()
        #expect(await store.state == .absent)
        await #expect(throws: CredentialError.noVault(path: fixture.options.directory)) { try await store.logins() }

        try await store.create(provider: .passphrase, passphrase: try fixture.secret("open sesame"), label: "desk")
        #expect(await store.state == .unlocked)
        let login = try await fixture.add(1, to: store)
        #expect(login.name == "login 1")
        #expect(login.revision == 1)
        #expect(try await fixture.password(of: login, in: store) == "password 1")

        await store.lock()
        #expect(await store.state == .locked)
        await #expect(throws: CredentialError.locked) { try await store.logins() }
        await #expect(throws: CredentialError.locked) { try await fixture.password(of: login, in: store) }
        await #expect(throws: CredentialError.locked) { try await fixture.add(2, to: store) }

        try await store.unlock(passphrase: try fixture.secret("open sesame"))
        #expect(try await store.logins() == [login])

        let other = try await fixture.opened()
        #expect(try await other.logins() == [login])
        #expect(try await fixture.password(of: login, in: other) == "password 1")
        #expect(fixture.names == ["vault.lock", "vault.rcv", "vault.rcv.prev"])
    }

    @Test("a wrong passphrase is a wrong key and delays the next attempt, and the right one still opens")
    func wrongPassphrase() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        await store.lock()
        for _ in 0..<2 {
            await #expect(throws: CredentialError.wrongKey) {
                try await store.unlock(passphrase: try fixture.secret("open barley"))
            }
        }
        #expect(await store.attempts.delay(of: .vault) == .milliseconds(200))
        let started = ContinuousClock.now
        try await store.unlock(passphrase: try fixture.secret("open sesame"))
        #expect(ContinuousClock.now - started >= .milliseconds(200))
        #expect(await store.attempts.delay(of: .vault) == .zero)
    }

    @Test("one attempt runs at a time, and a lock during an attempt takes effect")
    func attempts() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        await store.lock()
        async let first: Void = store.unlock(passphrase: try fixture.secret("open sesame"))
        while await !store.attempts.isRunning { await Task.yield() }
        await #expect(throws: CredentialError.attemptInProgress) {
            try await store.unlock(passphrase: try fixture.secret("open sesame"))
        }
        await store.lock()
        do {
            try await first
            Issue.record("unlocked after a lock")
        } catch {
            #expect(error as? CredentialError == .locked)
        }
        #expect(await store.state == .locked)
    }

    @Test(
        "a passphrase must be UTF-8 of 1 to 1024 bytes",
        arguments: [[], [0xFF], [UInt8](repeating: 65, count: 1025)]
    )
    func badPassphrase(bytes: [UInt8]) async throws {
        let fixture = try StoreFixture()
        let store = fixture.store()
        try await store.load()
        let error = await #expect(throws: CredentialError.self) {
            let passphrase = try Secret(copying: bytes, in: fixture.arena)
            try await store.create(provider: .passphrase, passphrase: passphrase)
        }
        guard case .invalid = error else {
            Issue.record("refused as \(String(describing: error))")
            return
        }
        #expect(await store.state == .absent)
    }

    @Test("composed and decomposed letters are the same passphrase")
    func normalForm() async throws {
        let fixture = try StoreFixture()
        let store = fixture.store()
        try await store.load()
        try await store.create(
            provider: .passphrase,
            passphrase: try fixture.secret("\u{C5}ngstr\u{F6}m\u{1E9B}\u{323}")
        )
        await store.lock()
        try await store.unlock(passphrase: try fixture.secret("A\u{30A}ngstro\u{308}m\u{1E9B}\u{323}"))
        #expect(await store.state == .unlocked)
    }

    @Test("names are unique, endpoints keep their pin, and invalid values are refused")
    func refusedLogins() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        try await fixture.add(1, to: store)
        await #expect(throws: CredentialError.nameTaken("login 1")) { try await fixture.add(1, to: store) }

        var login = try VaultFixture.login(1)
        login.name = "other"
        login.pinned.pin = VaultFixture.pin(2)
        await #expect(throws: CredentialError.pinMismatch(login.endpoint)) {
            try await store.add(login, password: try fixture.secret("x"))
        }
        login = try VaultFixture.login(5)
        for (keyPath, text) in [
            (\NewLogin.account.user, "a\nb"), (\.account.domain, "\u{0}"), (\.name, ""),
            (\.account.schema, String(repeating: "x", count: 4097)),
        ] {
            var bad = login
            bad[keyPath: keyPath] = text
            await #expect(throws: CredentialError.self) { try await store.add(bad, password: try fixture.secret("x")) }
        }
        let long = String(repeating: "x", count: VaultLimits.secretBytes + 1)
        await #expect(throws: CredentialError.self) { try await store.add(login, password: try fixture.secret(long)) }
        #expect(try await store.logins().count == 1)
        #expect(await store.status.generation == 2)
    }

    @Test("a password is passed only for the pin that it is bound to")
    func pins() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let login = try await fixture.add(1, to: store)
        await #expect(throws: CredentialError.pinMismatch(login.endpoint)) {
            try await store.withPassword(of: login.id, pin: VaultFixture.pin(2)) { _ in Issue.record("lent") }
        }
        #expect(try await store.boundLogins().map(\.pin.endpoint) == [login.endpoint])
    }

    @Test("a login is removed together with the previous file that contained it")
    func remove() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        try await fixture.add(1, to: store)
        try await fixture.add(2, to: store)
        #expect(fixture.names.contains("vault.rcv.prev"))
        try await store.remove("login 1")
        #expect(!fixture.names.contains("vault.rcv.prev"))
        #expect(try await store.logins().map(\.name) == ["login 2"])
        await #expect(throws: CredentialError.noSuchLogin("login 1")) { try await store.remove("login 1") }
        await #expect(throws: CredentialError.noSuchLogin("login 1")) { try await store.loginInReach(named: "login 1") }
        #expect(try await store.loginInReach(named: "login 2").name == "login 2")
        let other = try await fixture.opened()
        #expect(try await other.logins().map(\.name) == ["login 2"])
    }

    @Test("the beginning of a name is enough where one login has it")
    func beginnings() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        try await fixture.add(1, to: store)
        try await fixture.add(20, to: store)
        for (short, name) in [("login 1", "login 1"), ("login 20", "login 20")] {
            #expect(try await store.loginInReach(named: short).name == name)
            #expect(try await store.ownLogin(named: short).name == name)
        }
        // In the middle of a number.
        await #expect(throws: CredentialError.noSuchLogin("login 2")) { try await store.loginInReach(named: "login 2") }
        let several = CredentialError.loginNameAmbiguous("log", candidates: ["login 1", "login 20"])
        await #expect(throws: several) { try await store.loginInReach(named: "log") }
        await #expect(throws: several) { try await store.ownLogin(named: "log") }
        #expect("\(several)" == "'log' may be one of several logins: login 1, login 20")
        try await store.remove("login 20")
        #expect(try await store.loginInReach(named: "log").name == "login 1")
        await store.lock()
        await #expect(throws: CredentialError.locked) { try await store.loginInReach(named: "log") }
    }

    @Test("the day of the last use is saved with the next change")
    func lastUse() async throws {
        var fixture = try StoreFixture()
        fixture.options.now = { 86_400 * 20_000 + 5 }
        let store = try await fixture.created()
        let login = try await fixture.add(1, to: store)
        #expect(login.lastUsedDay == 0)
        #expect(login.created == 86_400 * 20_000 + 5)
        _ = try await fixture.password(of: login, in: store)
        try await fixture.add(2, to: store)
        let other = try await fixture.opened()
        #expect(try await other.logins().map(\.lastUsedDay) == [20_000, 0])
    }

    @Test("a vault whose file is missing is reported, and the copy of the file is not replaced by a new vault")
    func missingFile() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        try await fixture.add(1, to: store)
        let copy = fixture.vaultPath + ".prev"
        let missing = CredentialError.fileMissing(path: fixture.vaultPath, copy: copy)
        unlink(fixture.vaultPath)
        await store.refresh()
        #expect(await store.state == .unlocked)
        #expect(await store.status.fault == missing)
        await store.lock()

        let other = fixture.store()
        await #expect(throws: missing) { try await other.load() }
        #expect(await other.state == .sealed)
        await #expect(throws: missing) {
            try await other.create(provider: .passphrase, passphrase: try fixture.secret("other"))
        }
        #expect(fixture.names == ["vault.lock", "vault.rcv.prev"])
        #expect(rename(copy, fixture.vaultPath) == 0)
        try await other.load()
        try await other.unlock(passphrase: try fixture.secret("open sesame"))
        #expect(await other.status.fault == nil)
    }

    @Test("an anchor alone shows that the vault's file is missing, and a new vault may be made")
    func missingFileWithAnchor() async throws {
        var fixture = try StoreFixture()
        fixture.options.stateDirectory = fixture.temporary.path(of: "state")
        let store = try await fixture.created()
        await store.lock()
        unlink(fixture.vaultPath)
        let missing = CredentialError.fileMissing(path: fixture.vaultPath, copy: nil)
        await #expect(throws: missing) { try await store.load() }
        #expect(await store.state == .absent)
        #expect(await store.status.fault == missing)
        try await store.create(provider: .passphrase, passphrase: try fixture.secret("other"))
        #expect(await store.status.fault == nil)
    }

    @Test("a vault is made once")
    func createTwice() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let other = fixture.store()
        await #expect(throws: CredentialError.vaultExists(path: fixture.vaultPath)) {
            try await other.create(provider: .passphrase, passphrase: try fixture.secret("other"))
        }
        await store.lock()
        try await store.unlock(passphrase: try fixture.secret("open sesame"))
    }
}
