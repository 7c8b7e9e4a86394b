// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import TestSupport
import Testing

@testable import Credentials

/// Vaults with an anchor in the keyring, next to their key.
@Suite(
    "Anchors in the Secret Service",
    .serialized,
    .timeLimit(.minutes(2)),
    .enabled(if: Requirement.allMet(SecretServiceFixture.tools))
)
struct KeyringAnchorTests {
    private static let place = AnchorPlace.keyProvider(.secretService)

    /// A store that also has an anchor file, and a helper that records each of its runs in a line.
    private struct Bench {
        var fixture: SecretServiceFixture
        let keyring: FakeKeyring
        let provider: SecretServiceProvider

        init() async throws {
            fixture = try await SecretServiceFixture()
            keyring = try await FakeKeyring(on: fixture.bus)
            let script = "#!/bin/sh\necho run >>\"$HOME/runs\"\nexec \(SecretServiceFixture.helper)\n"
            fixture.bus.directory.write(Array(script.utf8), to: "helper", mode: 0o700)
            provider = fixture.provider(helper: fixture.bus.directory.path(of: "helper"))
            var stores = fixture.stores
            stores.options.stateDirectory = stores.temporary.path(of: "state")
            stores.options.keyProviders = [provider]
            fixture.stores = stores
        }

        var stores: StoreFixture { fixture.stores }
        var runs: Int { fixture.bus.directory.content(of: "runs").count { $0 == 0x0A } }

        func created(_ input: UnlockInput = .provider(.secretService)) async throws -> CredentialStore {
            let store = stores.store()
            try await store.load()
            try await store.create(input)
            return store
        }

        /// A store of a daemon that starts.
        func restarted() async throws -> CredentialStore {
            let store = stores.store()
            try await store.load()
            #expect(try await store.unlockAutomatically())
            return store
        }

        /// The keyring's item for the vault.
        func item(_ item: KeyringItem) async throws -> [UInt8]? {
            let file = try VaultFile(parsing: stores.temporary.content(of: "data/vault.rcv"))
            return try await BlockingWork.run { [provider, arena = stores.arena] in
                try provider.find(item, of: file.header.storeID, attended: false, in: arena)?.withBytes { Array($0) }
            }
        }

        func removeAnchor() async throws {
            let file = try VaultFile(parsing: stores.temporary.content(of: "data/vault.rcv"))
            try await BlockingWork.run { [provider, arena = stores.arena] in
                try provider.order(.delete, .anchor, of: file.header.storeID, attended: true, in: arena)
            }
        }
    }

    @Test("after a restart the keyring's anchor detects an older vault that was restored with its anchor file")
    func rollback() async throws {
        let bench = try await Bench()
        let directory = bench.stores.temporary
        let store = try await bench.created()
        try await bench.stores.add(1, to: store)
        let old = (vault: directory.content(of: "data/vault.rcv"), anchor: directory.content(of: "state/anchor"))
        let login = try await bench.stores.add(2, to: store)
        #expect(await store.status.anchor?.places == ["memory", "\(Self.place)", "file"])
        await store.lock()
        #expect(try await bench.restarted().status.anchor?.verdict == .current)

        directory.write(old.vault, to: "data/vault.rcv")
        directory.write(old.anchor, to: "state/anchor")
        let restarted = try await bench.restarted()
        let suspicion = CredentialError.rollbackSuspected(found: 2, known: 3)
        #expect(await restarted.status.anchor?.suspicion == suspicion)
        await #expect(throws: suspicion) { try await restarted.checkTrust(in: login) }
        await #expect(throws: suspicion) { try await bench.stores.add(3, to: restarted) }
        #expect(try await bench.restarted().status.anchor?.suspicion == suspicion, "nothing was forgotten")

        // The user accepts the older file, and the keyring gets the new anchor.
        try await restarted.accept(generation: 2)
        #expect(try await bench.item(.anchor) == directory.content(of: "state/anchor"))
        #expect(try await bench.restarted().status.anchor?.verdict == .current)

        // Without the keyring's anchor the rollback is not detected.
        try await bench.stores.add(4, to: restarted)
        directory.write(old.vault, to: "data/vault.rcv")
        directory.write(old.anchor, to: "state/anchor")
        try await bench.removeAnchor()
        #expect(try await bench.restarted().status.anchor?.verdict == .current)
    }

    @Test("if the keyring fails, saves succeed, status names it, and it is tried again only when it opens")
    func failing() async throws {
        let bench = try await Bench()
        let store = try await bench.created()
        let faults = [("locked", "the keyring is locked"), ("silent", "did not answer within")]
        for (turn, (fault, words)) in faults.enumerated() {
            let before = try #require(try await bench.item(.anchor))
            bench.keyring.fail(fault)
            let runs = bench.runs
            for index in 0..<3 { try await bench.stores.add(turn * 10 + index, to: store) }
            #expect(bench.runs == runs + 1, "\(fault): later saves do not wait for it")
            let status = try #require(await store.status.anchor)
            #expect(status.places == ["memory", "file"] && status.verdict == .current)
            #expect(status.notes.map(\.code) == [.notKept] && status.notes[0].place == "secret-service")
            #expect(status.notes.allSatisfy { "\($0)".contains(words) }, "\(status.notes)")
            bench.keyring.fail("none")
            #expect(try await bench.item(.anchor) == before)
            try await store.unlock(.provider(.secretService))
            #expect(await store.status.anchor?.places == ["memory", "\(Self.place)", "file"])
            #expect(await store.status.anchor?.notes == [])
            #expect(try await bench.item(.anchor) == bench.stores.temporary.content(of: "state/anchor"))
        }
    }

    @Test("a locked keyring is reported when a passphrase opens the vault, without a prompt")
    func lockedAtOpening() async throws {
        let bench = try await Bench()
        let store = try await bench.created()
        try await store.change(.add(.passphrase(SharedSecret(try bench.stores.secret("open sesame")))))
        await store.lock()
        // A prompt would have another reason, because the keyring never answers it.
        bench.keyring.fail("unanswered")
        let opened = try await bench.stores.opened()
        let notes = try #require(await opened.status.anchor?.notes)
        #expect(notes.count == 2 && notes.allSatisfy { $0.fault?.code == .keyringLocked }, "\(notes)")
        try await bench.stores.add(1, to: opened)
        #expect(await opened.status.anchor?.places == ["memory", "file"])
    }

    @Test("without such a slot the helper never runs; the slot stores the anchor, and its removal removes the anchor")
    func slots() async throws {
        let bench = try await Bench()
        let passphrase = UnlockInput.passphrase(SharedSecret(try bench.stores.secret("open sesame")))
        let store = try await bench.created(passphrase)
        for index in 0..<3 { try await bench.stores.add(index, to: store) }
        await store.lock()
        try await store.unlock(passphrase)
        #expect(bench.runs == 0)
        #expect(await store.status.anchor?.places == ["memory", "file"])

        try await store.change(.add(.provider(.secretService), label: "ring"))
        #expect(await store.status.anchor?.places == ["memory", "\(Self.place)", "file"])
        #expect(try await bench.item(.key)?.count == 32)
        #expect(try await bench.item(.anchor)?.count == AnchorRecord.byteCount)

        #expect(try await store.change(.remove("ring")) == nil)
        #expect(try await bench.item(.key) == nil)
        #expect(try await bench.item(.anchor) == nil)
        let runs = bench.runs
        try await bench.stores.add(4, to: store)
        #expect(bench.runs == runs)
        #expect(await store.status.anchor?.places == ["memory", "file"])
    }

    @Test("a forged anchor in the keyring is ignored, and reported")
    func foreign() async throws {
        let bench = try await Bench()
        let store = try await bench.created()
        await store.lock()
        let storeID = try VaultFile(parsing: bench.stores.temporary.content(of: "data/vault.rcv")).header.storeID
        for bytes in [[UInt8](repeating: 1, count: 104), [1]] {
            try await BlockingWork.run { [provider = bench.provider] in
                try provider.keepAnchor(bytes, for: storeID)
            }
            let status = try #require(try await bench.restarted().status.anchor)
            #expect(status.verdict == .current)
            #expect(status.notes.contains(AnchorNote(code: .malformed, place: "secret-service")))
            #expect(try await bench.item(.anchor)?.count == AnchorRecord.byteCount, "it was written anew")
        }
    }

    @Test("the cost of a save with the keyring's anchor")
    func cost() async throws {
        let saves = 20
        var times: [Duration] = []
        for isInKeyring in [false, true] {
            let bench = try await Bench()
            let passphrase = UnlockInput.passphrase(SharedSecret(try bench.stores.secret("open sesame")))
            let store = try await bench.created(isInKeyring ? .provider(.secretService) : passphrase)
            let runs = bench.runs
            let start = ContinuousClock.now
            for index in 0..<saves { try await bench.stores.add(index, to: store) }
            times.append((ContinuousClock.now - start) / saves)
            #expect(bench.runs - runs == (isInKeyring ? saves : 0), "one run of the helper for a save")
        }
        print("a save: \(times[0]) without, \(times[1]) with the anchor in a keyring (\(saves) saves each)")
    }
}
