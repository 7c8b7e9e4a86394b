// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Credentials directory")
struct CredentialsDirectoryTests {
    private static let key = [UInt8](0..<32).map { $0 &* 7 &+ 3 }
    private static let name = "relativityd.vault-key"

    private static func fixture(_ content: [UInt8], mode: mode_t = 0o400) throws -> StoreFixture {
        var fixture = try StoreFixture()
        fixture.temporary.write(content, to: name, mode: mode)
        fixture.options.keyProviders = [CredentialsDirectory(path: fixture.temporary.path)]
        return fixture
    }

    @Test("a vault opens automatically after a restart, with raw and with hexadecimal keys")
    func opensByItself() async throws {
        let fixture = try Self.fixture(Self.key)
        let store = fixture.store()
        try await store.load()
        try await store.create(provider: .credentialsDirectory, passphrase: nil)
        try await fixture.add(1, to: store)

        fixture.temporary.write(Array((HexText.encode(Self.key).uppercased() + "\n").utf8), to: Self.name, mode: 0o400)
        let restarted = fixture.store()
        try await restarted.load()
        #expect(await restarted.state == .sealed)
        #expect(try await restarted.unlockAutomatically())
        #expect(try await restarted.logins().count == 1)

        await restarted.lock()
        #expect(try await restarted.unlockAutomatically() == false)
        #expect(await restarted.state == .locked)
        try await restarted.unlock(passphrase: nil)
        #expect(await restarted.state == .unlocked)
    }

    @Test("another key is a wrong key, and does not delay the user's attempts")
    func otherKey() async throws {
        let fixture = try Self.fixture(Self.key)
        let store = fixture.store()
        try await store.load()
        try await store.create(provider: .credentialsDirectory, passphrase: nil)
        fixture.temporary.write([UInt8](repeating: 1, count: 32), to: Self.name, mode: 0o400)
        let restarted = fixture.store()
        try await restarted.load()
        await #expect(throws: CredentialError.wrongKey) { try await restarted.unlockAutomatically() }
        #expect(await restarted.state == .sealed)
    }

    @Test(
        "a missing or unusable key is an unavailable provider with its reason",
        arguments: [0, 31, 33, 64, 65, 66, 1000]
    )
    func unusable(count: Int) async throws {
        let fixture = try Self.fixture([UInt8](repeating: UInt8(ascii: "g"), count: count))
        let store = fixture.store()
        try await store.load()
        let error = await #expect(throws: CredentialError.self) {
            try await store.create(provider: .credentialsDirectory, passphrase: nil)
        }
        guard case .providerUnavailable(.credentialsDirectory, let fault) = error else {
            Issue.record("refused as \(String(describing: error))")
            return
        }
        #expect("\(fault)".contains(Self.name))
        #expect(!"\(fault)".contains("gg"))
        #expect(await store.state == .absent)
    }

    @Test("a missing directory or file, or a link, is unavailable; a file open to others is unsafe")
    func refused() async throws {
        let fixture = try Self.fixture(Self.key, mode: 0o444)
        func error(_ path: String?) throws -> CredentialError? {
            do throws(CredentialError) {
                _ = try CredentialsDirectory(path: path).key(in: fixture.arena)
                return nil
            } catch {
                return error
            }
        }
        guard case .unsafePermissions(_, _, let fix) = try error(fixture.temporary.path) else {
            Issue.record("a key open to others was taken")
            return
        }
        #expect(fix.hasPrefix("chmod 400"))
        mkdir(fixture.temporary.path(of: "linked"), 0o700)
        symlink(fixture.temporary.path(of: Self.name), fixture.temporary.path(of: "linked/" + Self.name))
        for path in [nil, "relative", "/nowhere", fixture.temporary.path(of: "linked")] {
            guard case .providerUnavailable(.credentialsDirectory, _) = try error(path) else {
                Issue.record("\(path ?? "nil") was not refused")
                continue
            }
        }
    }

    @Test("providers of later versions are named, and never replaced by another")
    func others() async throws {
        let fixture = try StoreFixture()
        let store = fixture.store()
        try await store.load()
        for kind in [KeyProviderKind.secretService, .systemdCreds, .recoveryCode, .keyFile] {
            let error = await #expect(throws: CredentialError.self) {
                try await store.create(provider: kind, passphrase: nil)
            }
            guard case .providerUnavailable(kind, _) = error else {
                Issue.record("\(kind) was refused as \(String(describing: error))")
                continue
            }
        }
        for kind in KeyProviderKind.allCases { #expect(KeyProviderKind(kind.description) == kind) }
    }
}
