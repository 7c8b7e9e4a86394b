// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import TestSupport
import Testing

@testable import Credentials

/// A file has the lowest minor version that can store its content.
@Suite("Minor versions of the vault")
struct MinorVersionTests {
    private static func login(_ change: (inout NewLogin) -> Void = { _ in }) throws -> NewLogin {
        var login = try VaultFixture.login(1)
        change(&login)
        return login
    }

    private static func format(of fixture: StoreFixture) throws -> UInt16 {
        try VaultFile(parsing: TextFile.bytes(of: fixture.vaultPath)).header.minor
    }

    @Test("extra keys or an authority's pin make a file of version 1.1, and without them it is 1.0 again")
    func lowest() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        func secret() throws -> Secret { try Secret(copying: Array("secret".utf8), in: fixture.arena) }
        #expect(try Self.format(of: fixture) == 0)
        _ = try await store.add(try Self.login { $0.account.userKey = .user }, password: try secret())
        #expect(try Self.format(of: fixture) == 1)
        #expect(await store.status.format == "1.1")
        try await store.upgrade()
        let login = try await store.loginInReach(named: "login 1")
        _ = try await store.edit(login, LoginEdit(userKey: .userID))
        #expect(try Self.format(of: fixture) == 0)

        let host = Pin.authority(host: "db.example.com")
        let pinned = PinnedEndpoint(endpoint: login.endpoint, pin: host)
        #expect(try await store.repin(pinned).map(\.pin) == [host])
        #expect(try Self.format(of: fixture) == 1)
        try await store.withPassword(of: login.id, pin: host) { #expect(Array($0) == Array("secret".utf8)) }
        await #expect(throws: CredentialError.pinMismatch(login.endpoint)) {
            try await store.withPassword(of: login.id, pin: .authority(host: "other.example.com")) { _ in }
        }
        // The key that represents an authority in the file is not an identity.
        let stand = Pin.tls(spkiSHA256: SHA256.digest(of: host.canonicalRecord))
        await #expect(throws: CredentialError.pinMismatch(login.endpoint)) {
            try await store.withPassword(of: login.id, pin: stand) { _ in }
        }
        let key = PinnedEndpoint(endpoint: login.endpoint, pin: VaultFixture.pin(1))
        #expect(try await store.repin(key).map(\.pin) == [VaultFixture.pin(1)])
        #expect(try Self.format(of: fixture) == 0)
        try await store.withPassword(of: login.id, pin: key.pin) { #expect(Array($0) == Array("secret".utf8)) }
    }

    @Test("an edit sets, replaces and removes single extra keys, ignoring case")
    func edits() throws {
        let old = [LoginExtra(key: "Level", value: "a"), LoginExtra(key: "Site", value: "b")]
        #expect(LoginExtra.merged(old, []) == old)
        let new = [
            LoginExtra(key: "SITE", value: "c"), LoginExtra(key: "level", value: ""),
            LoginExtra(key: "New", value: "d"),
            LoginExtra(key: "Absent", value: ""),
        ]
        #expect(
            LoginExtra.merged(old, new) == [
                LoginExtra(key: "SITE", value: "c"), LoginExtra(key: "New", value: "d"),
            ]
        )
    }

    @Test("invalid extra keys are refused, and no error repeats them")
    func refusals() throws {
        let many = (0...16).map { LoginExtra(key: "k\($0)", value: "v") }
        let bad: [[LoginExtra]] = [
            many,
            [LoginExtra(key: "", value: "v")], [LoginExtra(key: String(repeating: "k", count: 65), value: "v")],
            [LoginExtra(key: "a;b", value: "v")], [LoginExtra(key: " a", value: "v")],
            [LoginExtra(key: "a ", value: "v")],
            [LoginExtra(key: "é", value: "v")], [LoginExtra(key: "PASSWORD", value: "v")],
            [LoginExtra(key: "User", value: "v")], [LoginExtra(key: "schema", value: "v")],
            [LoginExtra(key: "a", value: "")], [LoginExtra(key: "a", value: String(repeating: "v", count: 1025))],
            [LoginExtra(key: "a", value: "canary\r\n")], [LoginExtra(key: "a", value: "canary\u{0}")],
            [LoginExtra(key: "a", value: "canary\u{9b}")],
            [LoginExtra(key: "a", value: "v"), LoginExtra(key: "A", value: "w")],
        ]
        for extras in bad {
            do throws(CredentialError) {
                try LoginExtra.check(extras)
                Issue.record("\(extras.map(\.key)) was taken")
            } catch {
                #expect(!error.description.contains("canary"))
            }
        }
        try LoginExtra.check(Array(many.dropLast()))
        try LoginExtra.check([LoginExtra(key: "User Access.Level_x-1", value: "\"quoted\"; Key=é")])
    }

    @Test("an import includes authorities and extra keys, and different ones under one name are a conflict")
    func imports() async throws {
        let (here, there) = (try StoreFixture(), try StoreFixture())
        let first = try await here.created()
        let login = try Self.login {
            $0.pinned.pin = .authority(host: "db.example.com")
            $0.account.extras = [LoginExtra(key: "Level", value: "data")]
        }
        _ = try await first.add(login, password: try here.secret("secret"))
        let copy = try await first.export(passphrase: try here.secret("travel light"))
        let second = try await there.created()
        let key = UnlockInput.passphrase(SharedSecret(try there.secret("travel light")))
        let opened = try await second.openCopy(copy.bytes, with: key)
        func verdicts() async throws -> [ImportedLogin.Verdict] {
            try await second.importLogins(of: opened, endpoints: [:], isDryRun: false).map(\.verdict)
        }
        #expect(try await verdicts() == [.added])
        let added = try await second.loginInReach(named: login.name)
        #expect(added.pin == login.pin && added.account == login.account && !added.pinned.isVerified)
        #expect(try await verdicts() == [.unchanged])
        let other = LoginEdit(extras: [LoginExtra(key: "Level", value: "admin")])
        _ = try await second.edit(added, other)
        #expect(try await verdicts() == [.conflict(.otherKeys)])
    }
}
