// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Locks
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Rollback to an older vault", .timeLimit(.minutes(2)))
struct RollbackTests {
    private static let saves = 50

    /// A store for a vault that opens with a key in a file, so that no test waits for scrypt. It has an anchor file.
    private struct Bench {
        let fixture: StoreFixture
        private let key: [UInt8]

        init() throws {
            var fixture = try StoreFixture()
            key = (0..<32).map { UInt8($0) }
            mkdir(fixture.temporary.path(of: "credentials"), 0o700)
            fixture.temporary.write(key, to: "credentials/relativityd.vault-key", mode: 0o400)
            fixture.options.keyProviders = [CredentialsDirectory(path: fixture.temporary.path(of: "credentials"))]
            fixture.options.stateDirectory = fixture.temporary.path(of: "state")
            self.fixture = fixture
        }

        func created() async throws -> CredentialStore {
            let store = fixture.store()
            try await store.load()
            try await store.create(.provider(.credentialsDirectory))
            return store
        }

        func opened() async throws -> CredentialStore {
            let store = fixture.store()
            try await store.load()
            #expect(try await store.unlockAutomatically())
            return store
        }

        var vault: [UInt8] { get throws { try bytes("data", "vault.rcv") } }
        var anchor: [UInt8] { get throws { try bytes("state", "anchor") } }

        func put(_ vault: [UInt8]) { fixture.temporary.write(vault, to: "data/vault.rcv") }
        func putAnchor(_ anchor: [UInt8]) { fixture.temporary.write(anchor, to: "state/anchor") }

        private func bytes(_ directory: String, _ name: String) throws -> [UInt8] {
            let directory = try ProtectedDirectory(fixture.temporary.path(of: directory))
            return try AtomicFile.read(name, in: directory, maximumBytes: VaultLimits.fileBytes) ?? []
        }
    }

    @Test("each of 50 old generations is detected: by the running daemon on reading and saving, and after a restart")
    func replay() async throws {
        let bench = try Bench()
        let store = try await bench.created()
        var old = [try bench.vault]
        let login = try await bench.fixture.add(0, to: store)
        for index in 1..<Self.saves {
            old.append(try bench.vault)
            try await bench.fixture.add(index, to: store)
        }
        let last = try bench.vault
        let known = UInt64(Self.saves + 1)
        #expect(await store.status.generation == known && old.count == Self.saves)
        var noticed = (look: 0, save: 0, restart: 0)
        for (index, file) in old.enumerated() {
            let suspicion = CredentialError.rollbackSuspected(found: UInt64(index + 1), known: known)
            bench.put(file)
            do { try await bench.fixture.add(90, to: store) } catch let error as CredentialError {
                if error == suspicion { noticed.save += 1 }
            }
            bench.put(last)
            await store.refresh()
            #expect(await store.status.anchor?.suspicion == nil)

            bench.put(file)
            await store.refresh()
            if await store.status.anchor?.suspicion == suspicion { noticed.look += 1 }
            await #expect(throws: suspicion) { try await bench.fixture.password(of: login, in: store) }

            let restarted = try await bench.opened()
            if await restarted.status.anchor?.suspicion == suspicion { noticed.restart += 1 }
            #expect(try await restarted.logins().count == index)
            await #expect(throws: suspicion) { try await bench.fixture.add(91, to: restarted) }
            #expect(try bench.vault == file)
            bench.put(last)
            await store.refresh()
        }
        print(
            "rollback: of \(Self.saves) old files noticed: \(noticed.look) at a look, \(noticed.save) at a save, "
                + "\(noticed.restart) after a restart"
        )
        #expect(noticed == (Self.saves, Self.saves, Self.saves))
        #expect(try await bench.fixture.password(of: login, in: store) == "password 0")
        try await bench.fixture.add(92, to: store)
    }

    @Test("the right file is accepted when it returns, also if the wrong one was opened")
    func mended() async throws {
        let bench = try Bench()
        let first = try await bench.created()
        let start = try bench.vault
        let login = try await bench.fixture.add(1, to: first)
        let last = try bench.vault
        bench.put(start)
        let store = try await bench.opened()
        #expect(try await store.logins().isEmpty)
        bench.put(last)
        await store.refresh()
        #expect(await store.status.anchor?.verdict == .current)
        #expect(try await bench.fixture.password(of: login, in: store) == "password 1")
        try await bench.fixture.add(2, to: store)
    }

    @Test("acceptance names the generation, and stays in effect")
    func acceptance() async throws {
        let bench = try Bench()
        let first = try await bench.created()
        let login = try await bench.fixture.add(1, to: first)
        let old = try bench.vault
        try await bench.fixture.add(2, to: first)
        bench.put(old)
        for store in [try await bench.opened(), first] {
            await store.refresh()
            #expect(await store.status.anchor?.suspicion == .rollbackSuspected(found: 2, known: 3))
            await #expect(throws: CredentialError.wrongGeneration(asked: 3, found: 2)) {
                try await store.accept(generation: 3)
            }
            await #expect(throws: CredentialError.rollbackSuspected(found: 2, known: 3)) {
                try await store.remove("login 1")
            }
            await #expect(throws: CredentialError.rollbackSuspected(found: 2, known: 3)) {
                try await store.change(.add(.passphrase(SharedSecret(try bench.fixture.secret("another way")))))
            }
        }
        try await first.accept(generation: 2)
        #expect(await first.status.anchor?.verdict == .current)
        #expect(await first.status.generation == 2)
        #expect(try await first.logins() == [login])
        #expect(try await bench.fixture.password(of: login, in: first) == "password 1")
        let next = try await bench.opened()
        #expect(await next.status.anchor?.verdict == .current)
        try await bench.fixture.add(3, to: next)
        await first.lock()
        await #expect(throws: CredentialError.locked) { try await first.accept(generation: 3) }
    }

    @Test("without an anchor file the status is unanchored, and the next save writes one")
    func unanchored() async throws {
        let bench = try Bench()
        let first = try await bench.created()
        let old = try bench.vault
        try await bench.fixture.add(1, to: first)
        unlink(bench.fixture.temporary.path(of: "state/anchor"))
        bench.put(old)
        let store = try await bench.opened()
        #expect(await store.status.anchor?.verdict == .unanchored, "it cannot be told from a new machine")
        try await bench.fixture.add(2, to: store)
        #expect(await store.status.anchor?.verdict == .unanchored)
        #expect(await store.status.anchor?.places == ["memory", "file"])
        #expect(try await bench.opened().status.anchor?.verdict == .current)
    }

    @Test("an invalid anchor is ignored, reported and replaced")
    func ignored() async throws {
        let bench = try Bench()
        let store = try await bench.created()
        let good = try bench.anchor
        await store.lock()
        var wrong = good
        wrong[103] ^= 1
        let other = try Bench()
        _ = try await other.created()
        let cases: [([UInt8], AnchorNote.Code)] = [(wrong, .wrongTag), ([1, 2, 3], .malformed)]
        for (bytes, code) in cases + [(try other.anchor, .otherVault)] {
            bench.putAnchor(bytes)
            let opened = try await bench.opened()
            #expect(await opened.status.anchor?.verdict == .unanchored)
            #expect(await opened.status.anchor?.notes.contains(AnchorNote(code: code, place: "file")) == true)
            #expect(try bench.anchor == good)
        }
    }

    @Test("a failed write of an anchor is reported and fails no save, and the next one repairs it")
    func unwritable() async throws {
        let bench = try Bench()
        let store = try await bench.created()
        chmod(bench.fixture.temporary.path(of: "state"), 0o755)
        try await bench.fixture.add(1, to: store)
        #expect(await store.status.generation == 2)
        #expect(await store.status.anchor?.places == ["memory"])
        #expect(await store.status.anchor?.notes.contains { $0.detail?.contains("chmod 700") == true } == true)
        chmod(bench.fixture.temporary.path(of: "state"), 0o700)
        // The state after a crash between the save and its anchor.
        #expect(try await bench.opened().status.anchor?.verdict == .newer)
        #expect(try await bench.opened().status.anchor?.verdict == .current)
        try await bench.fixture.add(2, to: store)
        #expect(await store.status.anchor?.places == ["memory", "file"])
        #expect(await store.status.anchor?.notes.isEmpty == true)
        // The state after a crash while the anchor was written.
        bench.fixture.temporary.write([1], to: "state/.anchor.0011223344556677.tmp")
        #expect(try await bench.opened().status.anchor?.verdict == .current)
        #expect(bench.fixture.temporary.names(in: "state") == ["anchor"])
    }

    @Test("a provider with anchors detects an old vault that was restored with its anchor file")
    func keeper() async throws {
        let bench = try Bench()
        let keeper = ScriptedKeeper(key: [UInt8](repeating: 5, count: 32))
        var fixture = bench.fixture
        fixture.options.keyProviders = [keeper]
        func unlocked() async throws -> CredentialStore {
            let store = fixture.store()
            try await store.load()
            #expect(try await store.unlockAutomatically())
            return store
        }
        let store = fixture.store()
        try await store.load()
        try await store.create(.provider(.credentialsDirectory))
        let old = (try bench.vault, try bench.anchor)
        try await fixture.add(1, to: store)
        #expect(await store.status.anchor?.places == ["memory", "credentials-directory", "file"])
        bench.put(old.0)
        bench.putAnchor(old.1)
        #expect(try await unlocked().status.anchor?.suspicion == .rollbackSuspected(found: 1, known: 2))

        // It fails once, and is not tried again until the next unlock.
        let second = try await unlocked()
        try await second.accept(generation: 1)
        keeper.state.withLock {
            $0.fault = "it is locked"; $0.writes = 0
        }
        for index in 2...4 { try await fixture.add(index, to: second) }
        #expect(keeper.state.withLock { $0.writes } == 1)
        #expect(await second.status.anchor?.notes.contains { $0.fault?.detail == "it is locked" } == true)
        let third = try await unlocked()
        #expect(await third.status.anchor?.verdict == .current)
        #expect(await third.status.anchor?.notes.contains { $0.fault?.detail == "it is locked" } == true)
    }
}
