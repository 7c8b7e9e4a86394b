// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Rotating the data key", .timeLimit(.minutes(2)))
struct RotationTests {
    @Test("every presented slot opens the vault with its logins, and the old key opens nothing")
    func rotates() async throws {
        let fixture = try StoreFixture(keyFile: true)
        let store = try await fixture.created()
        let code = try fixture.recoveryCode(1)
        try await store.change(.add(.recoveryCode(code), label: "paper"))
        try await store.change(.add(.provider(.keyFile), label: "file"))
        let logins = [try await fixture.add(1, to: store), try await fixture.add(2, to: store)]
        let before = try fixture.file()
        let keys = try await Self.keys(of: store)

        let note = try await store.change(
            .rotate(presenting: [
                ("test", try fixture.shared("open sesame")), ("paper", code),
            ])
        )
        #expect(note == nil)
        #expect(!fixture.names.contains("vault.rcv.prev"))
        let after = try fixture.file()
        #expect(after.header.generation == before.header.generation + 1)
        #expect(after.header.previousHash == before.hash)
        #expect(after.header.slots.map(\.id) == before.header.slots.map(\.id))
        let now = try await Self.keys(of: store)
        let isKept = now.key.isSame(as: keys.key)
        #expect(!isKept)
        // The rollback anchor and the audit log keep their keys.
        #expect(now.payload.isSame(as: keys.payload))
        for (index, login) in logins.enumerated() {
            #expect(try await fixture.password(of: login, in: store) == "password \(index + 1)")
        }
        #expect(throws: CredentialError.damaged(.headerTag)) {
            try OpenVault(after, key: keys.key)
        }
        for input in [try fixture.passphrase("open sesame"), .recoveryCode(code), .provider(.keyFile)] {
            let other = fixture.store()
            try await other.load()
            try await other.unlock(input)
            #expect(try await fixture.password(of: logins[0], in: other) == "password 1")
        }
    }

    @Test("unless each slot is presented or dropped by name, nothing happens")
    func refusals() async throws {
        let fixture = try StoreFixture(keyFile: true)
        let store = try await fixture.created()
        try await store.change(.add(.recoveryCode(try fixture.recoveryCode(1)), label: "paper"))
        let before = try fixture.file()
        let paper = try #require(await store.status.slots.last?.id)
        let passphrase = ("test", try fixture.shared("open sesame"))
        await #expect(throws: CredentialError.slotNotPresented(paper)) {
            try await store.change(.rotate(presenting: [passphrase]))
        }
        await #expect(throws: CredentialError.wrongKey) {
            try await store.change(.rotate(presenting: [passphrase, ("paper", try fixture.recoveryCode(2))]))
        }
        await #expect(throws: CredentialError.noSuchSlot("stone")) {
            try await store.change(.rotate(presenting: [passphrase], dropping: ["stone"]))
        }
        await #expect(throws: CredentialError.slotNeeded("it is the last one", canBeForced: false)) {
            try await store.change(.rotate(presenting: [], dropping: ["test", "paper"], isForced: true))
        }
        #expect(try fixture.file() == before)
        try await store.change(.rotate(presenting: [passphrase], dropping: [paper, "paper"]))
        #expect(await store.status.slots.map(\.label) == ["test"])
    }

    @Test("a program with the old key gets an error at its next save, and continues after it is unlocked again")
    func otherDaemon() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let other = try await fixture.opened()
        try await store.change(.rotate(presenting: [("test", try fixture.shared("open sesame"))]))
        let error = await #expect(throws: CredentialError.self) { try await fixture.add(1, to: other) }
        #expect(error == .conflict(reason: "its key was changed; lock and unlock the vault"))
        await #expect(throws: CredentialError.self) { try await other.change(.add(try fixture.passphrase("x"))) }
        try await other.unlock(try fixture.passphrase("open sesame"))
        try await fixture.add(1, to: other)
        try await fixture.add(2, to: store)
        #expect(try await store.logins().count == 2)
    }

    @Test("slots of another program survive saves of this one, and vice versa")
    func concurrentSlots() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let other = try await fixture.opened()
        try await store.change(.add(try fixture.passphrase("one"), label: "one"))
        try await other.change(.add(try fixture.passphrase("two"), label: "two"))
        try await fixture.add(1, to: store)
        #expect(try fixture.slots().map(\.label) == ["test", "one", "two"])
        // This store has not read the new state yet.
        try await store.change(.remove("two"))
        try await other.change(.remove("one"))
        #expect(try fixture.slots().map(\.label) == ["test"])
        #expect(try await fixture.opened().logins().count == 1)
    }

    private static func keys(
        of store: isolated CredentialStore
    ) throws -> (key: DataKey, payload: VaultKeys) {
        let vault = try store.open()
        return (vault.key, vault.keys)
    }
}
