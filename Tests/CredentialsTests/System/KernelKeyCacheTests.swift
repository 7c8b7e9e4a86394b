// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Kernel keyring as a cache", .enabled(if: Requirement.allMet([.keyring]), "needs a kernel keyring"))
struct KernelKeyCacheTests {
    private var fixture: StoreFixture
    private let cache = KernelKeyCache()

    init() throws {
        fixture = try StoreFixture()
        fixture.options.kernelCache = cache
    }

    /// A store after a restart of the daemon, with an empty cache.
    private func restarted(_ change: (inout VaultOptions) -> Void = { _ in }) async throws -> CredentialStore {
        var next = fixture
        next.options.kernelCache = KernelKeyCache()
        change(&next.options)
        let store = next.store()
        try await store.load()
        return store
    }

    /// The kernel's serial number of the entry for a vault's first slot.
    private func entry(_ store: CredentialStore) async throws -> KernelKeyring.Serial? {
        let header = try #require(await store.header)
        return try KernelKeyring().find(KernelKeyCache.name(of: try #require(header.slots.first)))
    }

    @Test("the keyring of this machine passes the probe")
    func works() { #expect(cache.problem == nil) }

    @Test("the next daemon unlocks an unlocked vault again, until the user locks it")
    func restart() async throws {
        let first = try await fixture.created()
        // A new vault was never opened with its passphrase.
        #expect(try await entry(first) == nil)
        await first.lock()
        try await first.unlock(passphrase: try fixture.secret("open sesame"))
        #expect(try await entry(first) != nil)
        await first.lock(keepingCache: true)
        #expect(await first.state == .locked)

        let second = try await restarted()
        #expect(await second.state == .sealed)
        #expect(try await second.unlockAutomatically() == false)
        #expect(await second.unlockFromKernelCache())
        #expect(await second.state == .unlocked)
        #expect(await second.unlockFromKernelCache() == false)
        try await fixture.add(1, to: second)

        await second.lock()
        #expect(try await entry(second) == nil)
        let third = try await restarted()
        #expect(await third.unlockFromKernelCache() == false)
        #expect(await third.state == .sealed)
    }

    @Test("a lock removes the entry of an earlier daemon, although no process has read it")
    func foreignEntry() async throws {
        let first = try await fixture.created()
        await first.lock()
        try await first.unlock(passphrase: try fixture.secret("open sesame"))
        await first.lock(keepingCache: true)
        let second = try await restarted()
        #expect(try await entry(second) != nil)
        await second.lock()
        #expect(try await entry(second) == nil)
    }

    @Test("the time until the vault locks continues across a restart")
    func deadline() async throws {
        _ = try await fixture.created()
        var next = fixture
        next.options.lockPolicy = VaultLockPolicy(idle: .seconds(600), absolute: .seconds(50))
        let first = next.store()
        try await first.load()
        try await first.unlock(passphrase: try fixture.secret("open sesame"))
        await first.lock(keepingCache: true)
        // The policy of the next daemon is longer, but the time that was set with the passphrase stays in effect.
        let second = try await restarted { $0.lockPolicy = .standard }
        #expect(await second.unlockFromKernelCache())
        let locksIn = try #require(await second.status.locksIn)
        #expect(locksIn <= .seconds(50) && locksIn > .seconds(20))
        await second.lock()
    }

    @Test("an entry is void for a slot with another salt, and is removed with the slot")
    func bound() async throws {
        let store = try await fixture.created()
        let slot = try #require(await store.header?.slots.first)
        let arena = fixture.arena
        let secret = try Secret(randomBytes: 32, in: arena)
        cache.keep(secret, of: slot, for: .seconds(60), in: arena)
        let found = cache.entry(for: slot, in: arena)?.slotSecret.isEqual(to: secret)
        #expect(found == true)
        let identity = slot.identity
        let salted = SlotIdentity(
            kind: identity.kind,
            cost: identity.cost,
            id: identity.id,
            salt: identity.id + identity.id
        )
        let rewrapped = KeySlot(
            salted,
            commitment: slot.commitment,
            wrappedKey: slot.wrappedKey,
            label: slot.label,
            created: slot.created
        )
        let isVoid = cache.entry(for: rewrapped, in: arena) == nil
        #expect(isVoid)
        cache.keepOnly([slot])
        #expect(try await entry(store) != nil)
        cache.keepOnly([rewrapped])
        #expect(try await entry(store) == nil)
    }

    @Test("changing the passphrase and rewrapping remove the entry, and typing the passphrase does not prolong it")
    func changed() async throws {
        let store = try await fixture.created()
        await store.lock()
        func isKept() async throws -> Bool { try await entry(store) != nil }
        try await store.unlock(passphrase: try fixture.secret("open sesame"))
        let old = try #require(try await entry(store))
        let name = try #require(await store.status.slots.first?.id)
        try await store.change(.rewrap(name, presenting: SharedSecret(try fixture.secret("open sesame"))))
        let wasRead = try? KernelKeyring().read(old, byteCount: 40, in: fixture.arena) != nil
        #expect(wasRead != true)
        #expect(try await !isKept())
        // The vault is already open: its time to lock was set when it was first opened.
        try await store.unlock(passphrase: try fixture.secret("open sesame"))
        #expect(try await !isKept())

        await store.lock()
        try await store.unlock(passphrase: try fixture.secret("open sesame"))
        #expect(try await isKept())
        try await store.change(
            .passphrase(
                from: SharedSecret(try fixture.secret("open sesame")),
                to: SharedSecret(try fixture.secret("another one"))
            )
        )
        #expect(try await !isKept())
        await store.lock(keepingCache: true)
        #expect(await (try restarted()).unlockFromKernelCache() == false)
    }

    @Test("an expired entry, or one with another secret or length, opens nothing")
    func refused() async throws {
        let store = try await fixture.created()
        let slot = try #require(await store.header?.slots.first)
        let wrong = try Secret(randomBytes: 32, in: fixture.arena)
        cache.keep(wrong, of: slot, for: .seconds(60), in: fixture.arena)
        #expect(await (try restarted()).unlockFromKernelCache() == false)
        cache.keep(wrong, of: slot, for: .zero, in: fixture.arena)
        cache.clear()
        for count in [1, 39, 41, 500] {
            let bytes = try Secret(randomBytes: count, in: fixture.arena)
            let serial = try KernelKeyring().add(bytes, named: KernelKeyCache.name(of: slot), seconds: 60)
            let isNothing = cache.entry(for: slot, in: fixture.arena) == nil
            #expect(isNothing, "\(count)")
            KernelKeyring().remove(serial)
        }
        let past = try Secret(copying: [UInt8](repeating: 0, count: 40), in: fixture.arena)
        _ = try KernelKeyring().add(past, named: KernelKeyCache.name(of: slot), seconds: 60)
        let isNothing = cache.entry(for: slot, in: fixture.arena) == nil
        #expect(isNothing)
        cache.clear()
        #expect(try await entry(store) == nil)
    }
}
