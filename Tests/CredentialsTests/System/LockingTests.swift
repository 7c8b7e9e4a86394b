// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Locking by time")
struct LockingTests {
    private static let start = ContinuousClock.now

    @Test("an unused vault locks after the idle time, and a used one after the absolute time")
    func timer() {
        var timer = LockTimer(VaultLockPolicy(idle: .seconds(10), absolute: .seconds(25)), now: Self.start)
        #expect(timer.deadline == Self.start + .seconds(10))
        #expect(!timer.isExpired(Self.start + .seconds(9)))
        #expect(timer.isExpired(Self.start + .seconds(10)))
        timer.touch(Self.start + .seconds(9))
        #expect(timer.deadline == Self.start + .seconds(19))
        timer.touch(Self.start + .seconds(18))
        timer.touch(Self.start + .seconds(3))
        #expect(timer.deadline == Self.start + .seconds(25))
        #expect(timer.isExpired(Self.start + .seconds(25)))
    }

    @Test("no policy keeps a vault open for more than twelve hours")
    func hardCap() {
        let policy = VaultLockPolicy(idle: .seconds(1 << 40), absolute: .seconds(1 << 40))
        #expect(policy.idle == .seconds(43_200))
        #expect(policy.absolute == .seconds(43_200))
    }

    @Test("each wrong passphrase adds a tenth of a second, up to ten seconds")
    func throttle() {
        var attempts = UnlockAttempts()
        #expect(attempts.delay(of: .vault) == .zero)
        for failures in 1...200 {
            attempts.failed(.vault)
            #expect(attempts.delay(of: .vault) == min(.milliseconds(100 * failures), .seconds(10)))
        }
        #expect(attempts.delay(of: .copy) == .zero)
        attempts.succeeded(.vault)
        #expect(attempts.delay(of: .vault) == .zero)
    }

    @Test("a vault opened with a passphrase locks automatically, and reports it")
    func locksItself() async throws {
        var fixture = try StoreFixture()
        fixture.options.lockPolicy = VaultLockPolicy(idle: .milliseconds(50), absolute: .seconds(60))
        let store = try await fixture.created()
        for await count in await store.lockCounts() where count > 0 { break }
        #expect(await store.state == .locked)
        #expect(try await store.unlockAutomatically() == false)
        #expect(await store.watchers.count <= 1)
    }

    @Test("a watcher detects a lock, also if the vault is open again before the watcher reads")
    func lockCounts() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        var counts = await store.lockCounts().makeAsyncIterator()
        let first = await counts.next()
        #expect(first == 0)
        await store.lock()
        try await store.unlock(passphrase: try fixture.secret("open sesame"))
        #expect(await counts.next() == 1)
        await store.prepareForSleep()
        #expect(await counts.next() == 2)
    }

    @Test("a waiting change of passphrase fails when the vault is locked")
    func lockWhileWaiting() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let (wrong, right, new) = (
            SharedSecret(try fixture.secret("wrong")), SharedSecret(try fixture.secret("open sesame")),
            SharedSecret(try fixture.secret("another one"))
        )
        for _ in 0..<4 {
            await #expect(throws: CredentialError.wrongKey) {
                try await store.change(.passphrase(from: wrong, to: new))
            }
        }
        async let change = store.change(.passphrase(from: right, to: new))
        try await eventually { await store.attempts.isRunning }
        await store.lock()
        do {
            _ = try await change
            Issue.record("the passphrase was changed")
        } catch {
            #expect(error as? CredentialError == .locked)
        }
        try await store.unlock(.passphrase(right))
        #expect(await store.status.generation == 1)
    }

    @Test("locking releases the memory of the keys")
    func wiped() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let keys = await Self.keys(of: store)
        #expect(keys.arena != nil)
        await store.lock()
        // The thread that made the vault may still be releasing it.
        let started = ContinuousClock.now
        while keys.arena != nil, ContinuousClock.now - started < .seconds(10) { await Task.yield() }
        #expect(keys.arena == nil)
    }

    private struct Keys {
        weak var arena: SecretArena?
    }

    private static func keys(of store: isolated CredentialStore) -> Keys {
        guard let vault = try? store.open() else { return Keys(arena: nil) }
        return Keys(arena: vault.key.arena)
    }

    @Test("a vault locks by time if no remaining slot opens it without the user")
    func lastKeyOutside() async throws {
        var fixture = try StoreFixture()
        fixture.options.keyProviders = [KeyFile(directory: fixture.temporary.path(of: "state"))]
        let store = fixture.store()
        try await store.load()
        try await store.create(.provider(.keyFile), label: "outside")
        try await store.change(.add(.passphrase(SharedSecret(try fixture.secret("open sesame"))), label: "typed"))
        #expect(await store.status.locksIn == nil)
        try await store.change(.remove("outside"))
        #expect(await store.status.locksIn != nil)
    }
}
