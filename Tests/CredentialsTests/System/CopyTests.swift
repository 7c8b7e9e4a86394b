// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Copies of a vault")
struct CopyTests {
    @Test("an export has the same logins under other keys, and opens only with its passphrase")
    func export() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        for index in 0..<3 { try await fixture.add(index, to: store) }
        let copy = try await store.export(passphrase: try fixture.secret("travel light"))
        #expect(copy.logins == 3 && copy.generation == 1)

        let mine = try VaultFile(parsing: try await store.backup().bytes)
        let theirs = try VaultFile(parsing: copy.bytes)
        #expect(mine.header.storeID != theirs.header.storeID)
        #expect(theirs.header.slots.map(\.kind) == [.passphrase])
        await #expect(throws: CredentialError.wrongKey) {
            try await store.openCopy(copy.bytes, with: .passphrase(SharedSecret(try fixture.secret("open sesame"))))
        }
        let opened = try await store.openCopy(
            copy.bytes,
            with: .passphrase(SharedSecret(try fixture.secret("travel light")))
        )
        let (old, new) = (try await store.open().payload, opened.vault.payload)
        #expect(old.entries.map(\.name) == new.entries.map(\.name))
        func salts(_ payload: VaultPayload) -> [[UInt8]] {
            payload.entries.compactMap { $0.password.seal?.salt }
        }
        #expect(salts(old).count == old.entries.count && Set(salts(old)).isDisjoint(with: salts(new)))
        for (before, after) in zip(old.entries, new.entries) {
            let pin = try opened.vault.pinned(of: after).pin
            let own = try #require(try await store.open().secret(of: before, pin: pin))
            let other = try #require(try opened.vault.secret(of: after, pin: pin))
            let same = own.secret.isEqual(to: other.secret)
            #expect(same)
        }
    }

    @Test("a copy with a higher cost than a vault of this machine is refused before any derivation")
    func costly() async throws {
        let (here, there) = (try StoreFixture(), try StoreFixture())
        _ = try await there.created()
        func export(_ log2N: UInt8) async throws -> VaultCopy {
            var fixture = there
            fixture.options.exportCost = try #require(ScryptCost(log2N: log2N))
            return try await fixture.opened().export(passphrase: try there.secret("travel light"))
        }
        let (dear, cheap) = (try await export(16), try await export(15))
        let store = try await here.created()
        // The passphrase is not even checked.
        for passphrase in ["travel light", "wrong"] {
            await #expect(throws: CredentialError.tooCostly(log2N: 16, limit: 15)) {
                try await store.openCopy(dear.bytes, with: try here.passphrase(passphrase))
            }
            await #expect(throws: CredentialError.tooCostly(log2N: 16, limit: 15)) {
                try await store.restore(dear.bytes, with: try here.passphrase(passphrase), isReplacing: true)
            }
        }
        #expect(await store.attempts.delay(of: .copy) == .zero)
        _ = try await store.openCopy(cheap.bytes, with: try here.passphrase("travel light"))
        // A cost that this machine would choose for its own vault is accepted for a copy.
        var stronger = here
        stronger.options.cost = ScryptCost(log2N: 16)
        _ = try await stronger.opened().openCopy(dear.bytes, with: try here.passphrase("travel light"))
    }

    @Test("opening copies neither speeds up nor slows down guesses at the vault")
    func guessing() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let copy = try await store.export(passphrase: try fixture.secret("travel light"))
        await #expect(throws: CredentialError.wrongKey) { try await store.unlock(try fixture.passphrase("wrong")) }
        _ = try await store.openCopy(copy.bytes, with: try fixture.passphrase("travel light"))
        #expect(await store.attempts.delay(of: .vault) == .milliseconds(100))
        await #expect(throws: CredentialError.wrongKey) {
            try await store.openCopy(copy.bytes, with: try fixture.passphrase("wrong"))
        }
        #expect(await store.attempts.delay(of: .vault) == .milliseconds(100))
        #expect(await store.attempts.delay(of: .copy) == .milliseconds(100))
        try await store.unlock(try fixture.passphrase("open sesame"))
        #expect(await store.attempts.delay(of: .vault) == .zero)
        #expect(await store.attempts.delay(of: .copy) == .milliseconds(100))
    }

    @Test("a restore keeps the last copy of a missing or damaged vault, and the vault that it replaces")
    func keptCopies() async throws {
        let (here, there) = (try StoreFixture(), try StoreFixture())
        let other = try await there.created()
        let copy = try await other.export(passphrase: try there.secret("travel light"))
        let key = try here.passphrase("travel light")
        let store = try await here.created()
        try await here.add(1, to: store)
        func content(_ suffix: String = "") -> [UInt8] { here.temporary.content(of: "data/vault.rcv" + suffix) }
        let last = content(".prev")
        #expect(!last.isEmpty)

        here.temporary.write([1], to: "data/vault.rcv")
        await store.refresh()
        try await store.restore(copy.bytes, with: key, isReplacing: true)
        #expect(content(".prev.saved-1") == last && content(".prev") == [1])
        unlink(here.temporary.path(of: "data/vault.rcv"))
        await store.refresh()
        try await store.restore(copy.bytes, with: key, isReplacing: false)
        #expect(content(".prev.saved-2") == [1] && content(".prev").isEmpty)

        let replaced = content()
        let next = try await other.export(passphrase: try there.secret("travel light"))
        try await store.restore(next.bytes, with: key, isReplacing: true)
        try await store.moveEndpoints([:])
        #expect(content(".prev") == replaced && content() != replaced)
    }

    @Test("an imported pin is unverified: no password is used for it until the user verifies it")
    func unverified() async throws {
        let (here, there) = (try StoreFixture(), try StoreFixture())
        let first = try await here.created()
        try await here.add(1, to: first)
        let copy = try await first.export(passphrase: try here.secret("travel light"))
        let second = try await there.created()
        let opened = try await second.openCopy(
            copy.bytes,
            with: .passphrase(SharedSecret(try there.secret("travel light")))
        )
        let planned = try await second.importLogins(of: opened, endpoints: [:], isDryRun: true)
        #expect(planned.map(\.verdict) == [.added])
        #expect(try await second.logins().isEmpty)
        let done = try await second.importLogins(of: opened, endpoints: [:], isDryRun: false)
        #expect(done.map(\.needsAgreement) == [true])

        let login = try #require(try await second.logins().first)
        #expect(!login.pinned.isVerified && !login.pinned.allowsPlaintext)
        let bound = try await second.boundLogins()
        #expect(bound.map(\.pin.isVerified) == [false])
        #expect(bound.map(\.logins) == [[login]])
        await #expect(throws: CredentialError.pinUnverified(login.endpoint)) {
            try await there.password(of: login, in: second)
        }
        _ = try await second.repin(
            PinnedEndpoint(endpoint: login.endpoint, pin: login.pin)
        )
        #expect(try await there.password(of: login, in: second) == "password 1")
    }

    @Test("an import replaces nothing: another password, user, endpoint or identity is a conflict")
    func conflicts() async throws {
        let (here, there) = (try StoreFixture(), try StoreFixture())
        let first = try await here.created()
        for index in 0..<2 { try await here.add(index, to: first) }
        let copy = try await first.export(passphrase: try here.secret("travel light"))
        let second = try await there.created()
        for index in 0..<2 { try await there.add(index, to: second) }
        let opened = try await second.openCopy(
            copy.bytes,
            with: .passphrase(SharedSecret(try there.secret("travel light")))
        )
        func verdicts() async throws -> [ImportedLogin.Verdict] {
            try await second.importLogins(of: opened, endpoints: [:], isDryRun: false).map(\.verdict)
        }
        #expect(try await verdicts() == [.unchanged, .unchanged])
        let login = try #require(try await second.logins().first)
        _ = try await second.edit(login, LoginEdit(), password: try there.secret("another"))
        #expect(try await verdicts() == [.conflict(.otherPassword), .unchanged])
        _ = try await second.edit(login, LoginEdit(user: "somebody"))
        #expect(try await verdicts().first == .conflict(.otherUser))
        _ = try await second.repin(
            PinnedEndpoint(endpoint: login.endpoint, pin: .tls(spkiSHA256: [UInt8](repeating: 7, count: 32)))
        )
        #expect(try await verdicts().first == .conflict(.otherIdentity))
        #expect(try await second.logins().count == 2)
    }
}
