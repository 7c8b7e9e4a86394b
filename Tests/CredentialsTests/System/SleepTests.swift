// SPDX-License-Identifier: Apache-2.0

import CLinux
import Endpoints
import Glibc
import TestSupport
import Testing

@testable import Credentials

@Suite("Sleep and the vault")
struct SleepTests {
    @Test("a vault with a provider's key is sealed and opens on waking; one that was locked before stays locked")
    func unattended() async throws {
        var fixture = try StoreFixture()
        mkdir(fixture.temporary.path(of: "c"), 0o700)
        fixture.temporary.write([UInt8](repeating: 7, count: 32), to: "c/relativityd.vault-key", mode: 0o400)
        fixture.options.keyProviders = [CredentialsDirectory(path: fixture.temporary.path(of: "c"))]
        let store = fixture.store()
        try await store.load()
        try await store.create(provider: .credentialsDirectory, passphrase: nil)
        await store.prepareForSleep()
        #expect(await store.state == .sealed)
        await #expect(throws: CredentialError.locked) { try await store.logins() }
        try await store.wakeUp(since: store.locks)
        #expect(await store.state == .unlocked)

        // The machine sleeps again before the vault has opened.
        await store.prepareForSleep()
        let before = await store.locks
        await store.prepareForSleep()
        try await store.wakeUp(since: before)
        #expect(await store.state == .sealed)

        await store.lock()
        await store.prepareForSleep()
        try await store.wakeUp(since: store.locks)
        #expect(await store.state == .locked)

        // The lock also stays in effect while the file is damaged or missing.
        let path = "data/vault.rcv"
        let vault = fixture.temporary.content(of: path)
        fixture.temporary.write([1], to: path)
        await store.refresh()
        #expect(await store.state == .locked)
        unlink(fixture.temporary.path(of: path))
        await store.refresh()
        #expect(await store.state == .absent)
        fixture.temporary.write(vault, to: path)
        await store.refresh()
        try await store.wakeUp(since: store.locks)
        #expect(await store.state == .locked)
    }

    @Test("keys in use by a save are not reported as gone; the save is complete, and the vault stays locked")
    func saveInFlight() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        #expect(await !store.keysAreGone)
        // This descriptor holds the lock like another process, so the save waits.
        let path = fixture.temporary.path(of: "data/vault.lock")
        let lock = open(path, O_RDWR | O_CLOEXEC)
        #expect(relx_try_lock(lock) == 0)
        async let added = fixture.add(1, to: store)
        try await eventually { Self.descriptors(of: path) == 2 }
        await store.lock()
        #expect(await !store.keysAreGone, "the save has them")
        close(lock)
        _ = try? await added
        #expect(await store.anchors.newest?.generation == 2, "a file without the login would be noticed")
        try await eventually { await store.keysAreGone }
        #expect(await store.state == .locked)
        try await store.unlock(passphrase: try fixture.secret("open sesame"))
        #expect(try await store.logins().count == 1)
    }

    /// The number of descriptors of this process for a file.
    private static func descriptors(of path: String) -> Int {
        (0..<1_024).count { number in
            var target = [CChar](repeating: 0, count: 4_096)
            let length = readlink("/proc/self/fd/\(number)", &target, target.count)
            return length > 0 && target.prefix(length).map(UInt8.init(bitPattern:)).elementsEqual(path.utf8)
        }
    }
}
