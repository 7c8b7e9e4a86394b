// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Hostile file systems")
struct HostilityTests {
    private static func replace(_ path: String, with make: (String) -> Int32) {
        Glibc.rename(path, path + ".real")
        #expect(make(path) == 0)
    }

    @Test(
        "a vault that is a link, FIFO or directory, is open to others or has two names is refused with a fix",
        arguments: ["link", "fifo", "directory", "mode", "hard link"]
    )
    func file(kind: String) async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let path = fixture.vaultPath
        switch kind {
        case "link": Self.replace(path) { symlink($0 + ".real", $0) }
        case "fifo": Self.replace(path) { mkfifo($0, 0o600) }
        case "directory": Self.replace(path) { mkdir($0, 0o700) }
        case "mode": #expect(chmod(path, 0o640) == 0)
        default: #expect(Glibc.link(path, path + ".twin") == 0)
        }
        let fresh = fixture.store()
        for attempt in [{ try await fresh.load() }, { try await fixture.add(1, to: store) }]
            as [() async throws -> Void]
        {
            let error = await #expect(throws: CredentialError.self) { try await attempt() }
            guard case .unsafePermissions(path, _, let fix) = error else {
                Issue.record("\(kind) was refused as \(String(describing: error))")
                continue
            }
            #expect(fix.contains(path))
        }
        #expect(await fresh.status.fault != nil)
        #expect(await fresh.state == .sealed)
    }

    @Test("a directory open to others, a link or another user's is refused", arguments: ["mode", "link", "owner"])
    func directory(kind: String) async throws {
        let fixture = try StoreFixture()
        _ = try await fixture.created()
        let path = fixture.options.directory
        switch kind {
        case "mode": #expect(chmod(path, 0o750) == 0)
        case "link": Self.replace(path) { symlink($0 + ".real", $0) }
        default:
            // Without root, a directory cannot be given to another user, so its mode is changed instead.
            #expect(geteuid() == 0 ? chown(path, 65534, 65534) == 0 : chmod(path, 0o701) == 0)
        }
        let error = await #expect(throws: CredentialError.self) { try await fixture.store().load() }
        guard case .unsafePermissions(path, _, _) = error else {
            Issue.record("\(kind) was refused as \(String(describing: error))")
            return
        }
    }

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
