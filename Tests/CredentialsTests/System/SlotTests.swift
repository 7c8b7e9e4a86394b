// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Key slots", .timeLimit(.minutes(2)))
struct SlotTests {
    @Test("a vault is created with a recovery code, and opens with either slot")
    func recoveryCode() async throws {
        let fixture = try StoreFixture()
        let code = try fixture.recoveryCode(1)
        let store = fixture.store()
        try await store.load()
        try await store.create(try fixture.passphrase("open sesame"), extra: .recoveryCode(code), label: "desk")
        let slots = await store.status.slots
        #expect(slots.map(\.kind) == ["passphrase", "recovery-code"])
        #expect(slots.map(\.label) == ["desk", ""])
        #expect(slots.map(\.scryptLog2N) == [15, nil])
        #expect(await store.status.weakestSlot == slots[0].id)
        await store.lock()
        try await store.unlock(.recoveryCode(code))
        #expect(await store.state == .unlocked)
        #expect(await store.status.locksIn != nil)
        await store.lock()
        await #expect(throws: CredentialError.wrongKey) {
            try await store.unlock(.recoveryCode(try fixture.recoveryCode(2)))
        }
        await #expect(throws: CredentialError.self) {
            try await store.unlock(.recoveryCode(try fixture.shared("0000")))
        }
    }

    @Test("a mistyped code makes no vault")
    func mistyped() async throws {
        let fixture = try StoreFixture()
        let store = fixture.store()
        try await store.load()
        let wrong = try fixture.shared("0000-0000-0000-0000-0000-0000-0000-0000-0001")
        let error = await #expect(throws: CredentialError.self) {
            try await store.create(try fixture.passphrase("open sesame"), extra: .recoveryCode(wrong))
        }
        #expect(error?.description == "the recovery code is mistyped: its checksum does not match")
        await #expect(throws: CredentialError.self) {
            try await store.create(try fixture.passphrase("open sesame"), label: "two\nlines")
        }
        #expect(!fixture.names.contains("vault.rcv"))
    }

    @Test("a vault has up to eight slots, and one of each kind that is stored outside")
    func adding() async throws {
        let fixture = try StoreFixture(keyFile: true)
        let store = try await fixture.created()
        try await store.change(.add(.provider(.keyFile), label: "file"))
        await #expect(throws: CredentialError.slotExists(.keyFile)) {
            try await store.change(.add(.provider(.keyFile)))
        }
        for index in 2..<8 { try await store.change(.add(.recoveryCode(try fixture.recoveryCode(index)))) }
        await #expect(throws: CredentialError.full(.slots, limit: 8)) {
            try await store.change(.add(.recoveryCode(try fixture.recoveryCode(9))))
        }
        #expect(await store.status.slots.count == 8)
        #expect(await store.status.generation == 8)
        let other = fixture.store()
        try await other.load()
        #expect(try await other.unlockAutomatically())
    }

    @Test("a missing provider makes no slot, and is reported with the reason")
    func unavailable() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let missing = CredentialError.providerUnavailable(.systemdCreds, ProviderFault(code: .noProvider))
        await #expect(throws: missing) { try await store.change(.add(.provider(.systemdCreds))) }
        await #expect(throws: CredentialError.self) { try await store.unlock(.provider(.keyFile)) }
    }

    @Test("a slot is named by its label or by four digits of its ID")
    func naming() throws {
        func slot(_ id: [UInt8], _ label: String) -> KeySlot {
            let identity = SlotIdentity(kind: .recoveryCode, cost: nil, id: id, salt: [])
            return KeySlot(identity, commitment: [], wrappedKey: [], label: label, created: 0)
        }
        let alike = [UInt8](repeating: 0xAB, count: 15)
        let list = [
            slot(alike + [1], "desk"), slot(alike + [2], "desk"), slot([UInt8](repeating: 0xCD, count: 16), "abababab"),
        ]
        #expect(list.map(list.shortID).map(\.count) == [32, 32, 8])
        #expect(try list.slot(named: "CDCD") == list[2])
        #expect(try list.slot(named: list.shortID(of: list[1])) == list[1])
        for name in ["desk", "abab", "abababab"] {
            let error = #expect(throws: CredentialError.self) { try list.slot(named: name) }
            guard case .slotAmbiguous = error else {
                Issue.record("\(name): \(String(describing: error))")
                continue
            }
        }
        for name in ["", "cdc", "chair"] {
            #expect(throws: CredentialError.noSuchSlot(name)) { try list.slot(named: name) }
        }
    }

    @Test("the last slot stays, and the last that opens elsewhere stays unless forced")
    func removing() async throws {
        let fixture = try StoreFixture(keyFile: true)
        let store = try await fixture.created()
        await #expect(throws: CredentialError.slotNeeded("it is the last one", canBeForced: false)) {
            try await store.change(.remove("test", isForced: true))
        }
        try await store.change(.add(.provider(.keyFile), label: "file"))
        let needed = CredentialError.slotNeeded("it is the last passphrase or recovery code", canBeForced: true)
        await #expect(throws: needed) { try await store.change(.remove("test")) }
        #expect(fixture.names.contains("vault.rcv.prev"))
        #expect(try await store.change(.remove("test", isForced: true)) == nil)
        #expect(!fixture.names.contains("vault.rcv.prev"))
        #expect(await store.status.slots.map(\.kind) == ["key-file"])
        await store.lock()
        await #expect(throws: CredentialError.self) { try await store.unlock(try fixture.passphrase("open sesame")) }
        try await store.unlock()

        try await store.change(.add(try fixture.passphrase("open barley"), label: "new"))
        let keyFiles = fixture.temporary.names(in: "state").filter { $0.hasSuffix(".key") }
        #expect(keyFiles.count == 1)
        #expect(try await store.change(.remove("file")) == nil)
        #expect(fixture.temporary.names(in: "state").allSatisfy { !$0.hasSuffix(".key") })
        await #expect(throws: CredentialError.noSuchSlot("file")) { try await store.change(.remove("file")) }
    }

    @Test("a key that two slots need is removed with the last of them")
    func sharedKey() async throws {
        let fixture = try StoreFixture(keyFile: true)
        let store = try await fixture.created()
        try await store.change(.add(.provider(.keyFile), label: "first"))
        // A vault of this program never has a second slot of the kind, but a file of another program may have one.
        let (disk, vault) = (VaultDisk(options: fixture.options), try await store.open())
        let new = try disk.newSlot(.provider(.keyFile), label: "", for: vault.key)
        let slot = try vault.key.wrapped(for: new, random: SystemRandom())
        let folder = try #require(try disk.folder(creating: false))
        _ = try vault.save(in: folder) { _, draft throws(CredentialError) in draft.header.slots.append(slot) }
        await store.refresh()
        func hasKey() -> Bool { fixture.temporary.names(in: "state").contains { $0.hasSuffix(".key") } }
        #expect(try await store.change(.remove("first")) == nil)
        #expect(hasKey())
        await store.lock()
        try await store.unlock(.provider(.keyFile))
        let second = try #require(await store.status.slots.first { $0.kind == "key-file" })
        #expect(try await store.change(.remove(second.id)) == nil)
        #expect(!hasKey())
    }

    @Test("a slot is removed although its provider fails to remove the key, and that is reported")
    func leftover() async throws {
        var fixture = try StoreFixture()
        fixture.options.keyProviders = [StubbornProvider()]
        let store = try await fixture.created()
        try await store.change(.add(.provider(.secretService), label: "ring"))
        let note = try await store.change(.remove("ring"))
        #expect(note == .providerUnavailable(.secretService, ProviderFault(code: .error, detail: "stays")))
        #expect(await store.status.slots.count == 1)
    }

    @Test("a rewrapped slot opens with the same secret at the current cost, and a wrong secret changes nothing")
    func rewrapping() async throws {
        var fixture = try StoreFixture(keyFile: true)
        let store = try await fixture.created()
        try await store.change(.add(.provider(.keyFile), label: "file"))
        let before = try fixture.slots()
        await #expect(throws: CredentialError.wrongKey) {
            try await store.change(.rewrap("test", presenting: try fixture.shared("open barley")))
        }
        await #expect(throws: CredentialError.self) { try await store.change(.rewrap("test", presenting: nil)) }
        #expect(try fixture.slots() == before)
        try await store.change(.rewrap("file", presenting: nil))
        fixture.options.cost = ScryptCost(log2N: 16)
        let other = try await fixture.opened()
        try await other.change(.rewrap("test", presenting: try fixture.shared("open sesame")))
        let after = try fixture.slots()
        #expect(after.map(\.id) == before.map(\.id))
        #expect(after.map(\.label) == before.map(\.label))
        #expect(after.map { $0.cost?.log2N } == [16, nil])
        for (old, new) in zip(before, after) {
            #expect(old.identity.salt != new.identity.salt)
            #expect(old.commitment != new.commitment && old.wrappedKey != new.wrappedKey)
        }
        // The first store still has the vault of two saves ago.
        try await fixture.add(1, to: store)
        #expect(try fixture.slots() == after)
        #expect(try await fixture.opened().logins().count == 1)
    }

    @Test("a label is changed without a secret, and a label that cannot be stored is refused")
    func labelling() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let before = try fixture.slots()[0]
        try await store.change(.label("test", "Schreibtisch"))
        let after = try fixture.slots()[0]
        #expect(after.label == "Schreibtisch")
        #expect(after == before.labelled("Schreibtisch"))
        for label in ["a\u{1B}[2J", String(repeating: "x", count: 65)] {
            await #expect(throws: CredentialError.self) { try await store.change(.label("Schreibtisch", label)) }
        }
        #expect(try await fixture.opened().state == .unlocked)
    }

    @Test("a changed passphrase opens the vault, and no remaining copy opens with the old one")
    func changingThePassphrase() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        try await fixture.add(1, to: store)
        let before = try fixture.slots()[0]
        let old = try fixture.shared("open sesame")
        await #expect(throws: CredentialError.wrongKey) {
            try await store.change(.passphrase(from: try fixture.shared("wrong"), to: old))
        }
        await #expect(throws: CredentialError.self) {
            try await store.change(.passphrase(from: old, to: try fixture.shared("")))
        }
        try await store.change(.passphrase(from: old, to: try fixture.shared("open barley")))
        #expect(!fixture.names.contains("vault.rcv.prev"))
        let after = try fixture.slots()[0]
        #expect(after.label == before.label && after.id != before.id)
        await store.lock()
        await #expect(throws: CredentialError.wrongKey) { try await store.unlock(.passphrase(old)) }
        try await store.unlock(try fixture.passphrase("open barley"))
        #expect(try await store.logins().count == 1)
    }

    @Test("unlocking an open vault checks the secret, and leaves it open")
    func checking() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        await #expect(throws: CredentialError.wrongKey) { try await store.unlock(try fixture.passphrase("wrong")) }
        #expect(await store.state == .unlocked)
        try await store.unlock(try fixture.passphrase("open sesame"))
        #expect(await store.status.generation == 1)
    }
}

/// A provider that never removes its key.
private struct StubbornProvider: KeyProvider {
    var kind: KeyProviderKind { .secretService }

    func probe(in arena: SecretArena) {}

    func makeKey(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        try key(for: storeID, in: arena)
    }

    func key(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        try translated(Secret(copying: [UInt8](repeating: 7, count: 32), in: arena))
    }

    func removeKey(for storeID: [UInt8]) throws(CredentialError) {
        throw .providerUnavailable(.secretService, ProviderFault(code: .error, detail: "stays"))
    }
}
