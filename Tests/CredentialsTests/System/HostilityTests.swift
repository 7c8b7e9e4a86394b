// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Hostile file systems")
struct HostilityTests {
    @Test("empty, oversized, newer files and other types are distinguished and never overwritten")
    func content() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let contents: [([UInt8], CredentialError)] = [
            ([], .notAVault),
            (Array("hello".utf8), .notAVault),
            (VaultHeader.magic, .damaged(.size)),
            (VaultHeader.magic + [9, 0, 4, 0], .versionTooNew(major: 9, minor: 4)),
        ]
        for (bytes, expected) in contents {
            fixture.temporary.write(bytes, to: "data/vault.rcv")
            await #expect(throws: expected) { try await fixture.store().load() }
            await #expect(throws: expected) { try await fixture.store().unlock(passphrase: try fixture.secret("x")) }
            await #expect(throws: CredentialError.self) { try await fixture.add(1, to: store) }
            await #expect(throws: CredentialError.self) {
                try await fixture.store().create(provider: .passphrase, passphrase: try fixture.secret("x"))
            }
            var facts = stat()
            #expect(stat(fixture.vaultPath, &facts) == 0 && facts.st_size == bytes.count)
        }
        #expect(truncate(fixture.vaultPath, VaultLimits.fileBytes + 1) == 0)
        await #expect(throws: CredentialError.damaged(.size)) { try await fixture.store().load() }
    }

    @Test("the directory and its missing parents are made for this user only")
    func madeDirectory() async throws {
        var fixture = try StoreFixture()
        fixture.options.directory = fixture.temporary.path(of: "x/y/z")
        _ = try await fixture.created()
        for name in ["x", "x/y", "x/y/z"] {
            var facts = stat()
            #expect(stat(fixture.temporary.path(of: name), &facts) == 0)
            #expect(facts.st_mode & 0o777 == 0o700)
        }
    }
}
