// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Proposed key providers", .timeLimit(.minutes(1)))
struct ProposalTests {
    @Test(
        "the first working provider is proposed, and never a key file",
        arguments: [
            ([], .passphrase), ([.keyFile], .passphrase), ([.secretService, .keyFile], .secretService),
            ([.secretService, .systemdCreds], .systemdCreds),
            ([.systemdCreds, .credentialsDirectory], .credentialsDirectory),
        ] as [([KeyProviderKind], KeyProviderKind)]
    )
    func order(working: [KeyProviderKind], best: KeyProviderKind) async throws {
        var fixture = try StoreFixture()
        fixture.options.keyProviders = working.map { FixedProvider(kind: $0) }
        let checks = try await fixture.store().checkProviders()
        #expect(checks.map(\.kind) == [.credentialsDirectory, .systemdCreds, .secretService, .passphrase, .keyFile])
        #expect(checks.filter { $0.obstacle == nil }.map(\.kind).count == working.count + 1)
        #expect(ProviderCheck.best(of: checks) == best)
    }

    @Test("the reason why a provider does not work is reported")
    func obstacle() async throws {
        var fixture = try StoreFixture()
        fixture.options.keyProviders = [CredentialsDirectory(path: nil)]
        let checks = try await fixture.store().checkProviders()
        #expect(checks[0].obstacle == ProviderFault(code: .noDirectory, detail: "relativityd.vault-key"))
        #expect(checks[1].obstacle == ProviderFault(code: .noProvider))
    }

    @Test("a second call while the providers are being tried is refused; a later one tries them again")
    func oneAtATime() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { for end in ends { close(end) } }
        var fixture = try StoreFixture()
        fixture.options.keyProviders = [FixedProvider(kind: .keyFile, gate: reading)]
        let store = fixture.store()
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    do {
                        return try await store.checkProviders().count
                    } catch CredentialError.attemptInProgress {
                        return nil
                    }
                }
            }
            // The other call waits in the provider.
            #expect(try await group.next() == .some(nil))
            try #require(write(writing, "12", 2) == 2)
            #expect(try await group.next() == 5)
        }
        #expect(try await store.checkProviders().count == 5)
    }

    @Test("the first key that is stored outside opens the vault, and a failing one is not replaced by the next")
    func noFallback() async throws {
        var fixture = try StoreFixture()
        fixture.options.keyProviders = [FixedProvider(kind: .secretService), FixedProvider(kind: .keyFile)]
        let store = fixture.store()
        try await store.load()
        try await store.create(.provider(.secretService))
        try await store.change(.add(.provider(.keyFile)))
        #expect(await store.status.locksIn == nil)
        fixture.options.keyProviders.removeFirst()
        let other = fixture.store()
        try await other.load()
        let missing = CredentialError.providerUnavailable(.secretService, ProviderFault(code: .noProvider))
        await #expect(throws: missing) { _ = try await other.unlockAutomatically() }
        await #expect(throws: missing) { try await other.unlock() }
        try await other.unlock(.provider(.keyFile))
        #expect(await other.state == .unlocked)
    }

    @Test("scrypt takes a quarter of a second, within the bounds and a sixteenth of the memory")
    func cost() throws {
        let gigabyte: UInt64 = 1 << 30
        for (milliseconds, gigabytes, log2N) in [
            (63, 16, 17), (1_000, 16, 17), (40, 16, 18), (30, 16, 18), (20, 16, 19), (10, 64, 20), (1, 64, 20),
            (1, 16, 20), (1, 8, 19), (1, 4, 18), (1, 2, 17), (1, 0, 17),
        ] as [(Int, UInt64, UInt8)] {
            let cost = ScryptCost.chosen(minimumTakes: .milliseconds(milliseconds), memory: gigabytes * gigabyte)
            #expect(cost.log2N == log2N, "\(milliseconds) ms, \(gigabytes) GB")
        }
        let measured = try ScryptCost.calibrated(in: try SecretArena())
        #expect(measured.log2N >= 17)
    }

    @Test("the weakest slot is determined by its kind, and among passphrases by its cost")
    func weakest() {
        func slot(_ kind: KeyProviderKind, _ log2N: UInt8? = nil) -> KeySlot {
            let cost = log2N.flatMap { ScryptCost(log2N: $0) }
            let identity = SlotIdentity(kind: kind, cost: cost, id: [kind.rawValue, log2N ?? 0], salt: [])
            return KeySlot(identity, commitment: [], wrappedKey: [], label: "", created: 0)
        }
        var slots = [
            slot(.recoveryCode), slot(.systemdCreds), slot(.credentialsDirectory), slot(.passphrase, 17),
            slot(.passphrase, 15), slot(.secretService), slot(.keyFile),
        ]
        while let last = slots.last {
            guard last.cost?.log2N != 17 else { break }
            #expect(slots.weakest == last)
            slots.removeLast()
        }
        #expect([KeySlot]().weakest == nil)
    }
}

/// A working provider, whose key is derived from the vault's ID.
private struct FixedProvider: KeyProvider {
    let kind: KeyProviderKind
    /// Each probe reads a byte from this descriptor; none if negative.
    var gate: Int32 = -1

    func probe(in arena: SecretArena) {
        var byte: UInt8 = 0
        if gate >= 0 { _ = read(gate, &byte, 1) }
    }

    func makeKey(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        try key(for: storeID, in: arena)
    }

    func key(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        try translated(Secret(copying: storeID + [UInt8](repeating: kind.rawValue, count: 16), in: arena))
    }

    func removeKey(for storeID: [UInt8]) {}
}
