// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Saving")
struct SavingTests {
    @Test("two stores that add twenty logins each lose none")
    func twoStores() async throws {
        let fixture = try StoreFixture()
        let first = try await fixture.created()
        let second = try await fixture.opened()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<20 {
                group.addTask { try await fixture.add(index, to: first) }
                group.addTask { try await fixture.add(100 + index, to: second) }
            }
            try await group.waitForAll()
        }
        let third = try await fixture.opened()
        let logins = try await third.logins()
        #expect(Set(logins.map(\.name)) == Set((Array(0..<20) + Array(100..<120)).map { "login \($0)" }))
        #expect(await third.status.generation == 41)
        for login in logins {
            let index = login.name.dropFirst("login ".count)
            #expect(try await fixture.password(of: login, in: third) == "password \(index)")
        }
        #expect(fixture.names == ["vault.lock", "vault.rcv", "vault.rcv.prev"])
    }

    @Test("of two simultaneous additions of one name, one fails")
    func sameName() async throws {
        let fixture = try StoreFixture()
        let first = try await fixture.created()
        let second = try await fixture.opened()
        async let one = Result.catching { try await fixture.add(1, to: first) }
        async let two = Result.catching { try await fixture.add(1, to: second) }
        let results = await [one, two]
        #expect(results.count { (try? $0.get()) != nil } == 1)
        let failures = results.compactMap { result -> CredentialError? in
            if case .failure(let error) = result { error as? CredentialError } else { nil }
        }
        #expect(failures == [.nameTaken("login 1")])
    }

    @Test("the file before the last save is kept, and each file names its predecessor")
    func previous() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        try await fixture.add(1, to: store)
        try await fixture.add(2, to: store)
        let directory = try ProtectedDirectory(fixture.options.directory)
        let folder = VaultFolder(directory: directory, random: SystemRandom(), lockTimeout: .seconds(1))
        let current = try #require(try folder.read())
        let bytes = try AtomicFile.read("vault.rcv.prev", in: directory, maximumBytes: VaultLimits.fileBytes)
        let previous = try VaultFile(parsing: try #require(bytes))
        #expect(current.header.generation == 3)
        #expect(previous.header.generation == 2)
        #expect(current.header.previousHash == previous.hash)
        #expect(current.header.saveSalt != previous.header.saveSalt)
    }

    @Test("an older file, another vault or a missing file is refused and stays untouched")
    func conflicts() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let old = try Self.bytes(fixture.vaultPath)
        try await fixture.add(1, to: store)
        let newer = try Self.bytes(fixture.vaultPath)
        let foreign = try VaultFixture(seed: 5).file(loginCount: 1)
        let refusals: [([UInt8], CredentialError)] = [
            (old, .rollbackSuspected(found: 1, known: 2)), (foreign, .conflict(reason: "it is another vault")),
        ]
        for (bytes, refusal) in refusals {
            fixture.temporary.write(bytes, to: "data/vault.rcv")
            await #expect(throws: refusal) { try await fixture.add(2, to: store) }
            #expect(try Self.bytes(fixture.vaultPath) == bytes)
        }
        unlink(fixture.vaultPath)
        await #expect(throws: CredentialError.conflict(reason: "the file is gone")) {
            try await fixture.add(2, to: store)
        }
        fixture.temporary.write(newer, to: "data/vault.rcv")
        try await fixture.add(2, to: store)
    }

    @Test("a changed copy is not accepted as the next save")
    func fork() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let start = try Self.bytes(fixture.vaultPath)
        try await fixture.add(1, to: store)
        let ours = await store.status.generation
        // Another host saves twice from the same start, and its file is restored here.
        fixture.temporary.write(start, to: "data/vault.rcv")
        let other = try await fixture.opened()
        try await fixture.add(2, to: other)
        try await fixture.add(3, to: other)
        #expect(await other.status.generation == ours.map { $0 + 1 })
        await #expect(throws: CredentialError.forkSuspected(generation: 3)) {
            try await fixture.add(4, to: store)
        }
    }

    @Test("a writer that fails to get the lock gets the name of its holder")
    func busy() async throws {
        var fixture = try StoreFixture()
        fixture.options.lockTimeout = .milliseconds(30)
        let store = try await fixture.created()
        let directory = try ProtectedDirectory(fixture.options.directory)
        let file = try ProtectedFile.openOrCreate("vault.lock", in: directory, maximumBytes: 512)
        #expect(LockHolder.read(from: file).hasPrefix("process \(getpid()) on "))
        #expect(LockHolder.read(from: file, isOther: true) == "another process")
        try file.writeAll(Array("process 7 on \u{1B}[2Jelsewhere\n".utf8))
        #expect(try Self.lock(file.descriptor))
        await #expect(throws: CredentialError.storeBusy(holder: "process 7 on [2Jelsewhere")) {
            try await fixture.add(1, to: store)
        }
        #expect(fixture.names == ["vault.lock", "vault.rcv"])
    }

    @Test("only the remains of an interrupted save are removed")
    func staleFiles() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        for name in [".vault.0123456789abcdef.tmp", ".vault.0123.tmp", ".vault.0123456789abcdef.txt", "notes"] {
            fixture.temporary.write([1], to: "data/" + name)
        }
        try await fixture.store().load()
        let expected = [".vault.0123.tmp", ".vault.0123456789abcdef.txt", "notes", "vault.lock", "vault.rcv"]
        #expect(fixture.names == expected)
        for name in [".vault.ffffffffffffffff.tmp", ".vault.rcv.prev.ffffffffffffffff.tmp"] {
            fixture.temporary.write([1], to: "data/" + name)
        }
        try await fixture.add(1, to: store)
        #expect(fixture.names == expected + ["vault.rcv.prev"])
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let directory = try ProtectedDirectory(String(path[..<slash]))
        let name = String(path[path.index(after: slash)...])
        return try AtomicFile.read(name, in: directory, maximumBytes: VaultLimits.fileBytes) ?? []
    }

    private static func lock(_ descriptor: Int32) throws -> Bool {
        relx_try_lock(descriptor) == 0
    }
}

extension Result where Failure == any Error {
    fileprivate static func catching(_ body: () async throws -> Success) async -> Result {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
