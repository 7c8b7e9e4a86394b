// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform
import TestSupport
import Testing

@testable import Credentials

/// A file has the lowest version that can store its content.
@Suite("Versions of the vault's format")
struct MinorVersionTests {
    private static func login(_ change: (inout NewLogin) -> Void = { _ in }) throws -> NewLogin {
        var login = try VaultFixture.login(1)
        change(&login)
        return login
    }

    private static func format(of fixture: StoreFixture) throws -> VaultVersion {
        try VaultFile(parsing: TextFile.bytes(of: fixture.vaultPath)).header.version
    }

    @Test("extra keys or an authority's pin make a file of version 1.1, and without them it is 1.0 again")
    func lowest() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        func secret() throws -> Secret { try Secret(copying: Array("secret".utf8), in: fixture.arena) }
        #expect(try Self.format(of: fixture) == VaultVersion(1, 0))
        _ = try await store.add(try Self.login { $0.account.userKey = .user }, password: try secret())
        #expect(try Self.format(of: fixture) == VaultVersion(1, 1))
        #expect(await store.status.format == "1.1")
        try await store.upgrade()
        let login = try await store.loginInReach(named: "login 1")
        _ = try await store.edit(login, LoginEdit(userKey: .userID))
        #expect(try Self.format(of: fixture) == VaultVersion(1, 0))

        let host = Pin.authority(host: "db.example.com")
        let pinned = PinnedEndpoint(endpoint: login.endpoint, pin: host)
        #expect(try await store.repin(pinned).map(\.pin) == [host])
        #expect(try Self.format(of: fixture) == VaultVersion(1, 1))
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
        #expect(try Self.format(of: fixture) == VaultVersion(1, 0))
        try await store.withPassword(of: login.id, pin: key.pin) { #expect(Array($0) == Array("secret".utf8)) }
    }

    @Test("a password command makes a file of version 2.0, and without it the file has the earlier version again")
    func command() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let agreed = PasswordCommand(try #require(SecretCommand(["printf", "printed\\n"])), isAgreed: true)
        let login = try await store.add(try Self.login { $0.command = agreed }, password: nil)
        #expect(login.command == agreed)
        #expect(try Self.format(of: fixture) == VaultVersion(2, 0))
        #expect(try await fixture.password(of: login, in: store) == "printed")
        #expect(try await !store.hasSamplePassword(login))
        // An edit of another part keeps the command.
        let edited = try await store.edit(login, LoginEdit(user: "other"))
        #expect(edited.command == agreed && edited.revision == 2)
        #expect(try await fixture.password(of: edited, in: try await fixture.opened()) == "printed")

        let typed = try await store.edit(edited, LoginEdit(), password: try fixture.secret("typed"))
        #expect(typed.command == nil)
        #expect(try Self.format(of: fixture) == VaultVersion(1, 0))
        #expect(try await fixture.password(of: typed, in: store) == "typed")

        var edit = LoginEdit()
        edit.command = agreed.command
        #expect(try await store.edit(typed, edit).command == agreed)
        #expect(try Self.format(of: fixture) == VaultVersion(2, 0))
        #expect(!TextFile.bytes(of: fixture.vaultPath).contains("printf".utf8))
    }

    @Test("a command in an imported or restored vault does not run before the user has agreed to it here")
    func copies() async throws {
        let (here, there) = (try StoreFixture(), try StoreFixture())
        let first = try await here.created()
        let marker = here.temporary.path(of: "ran")
        let command = try #require(SecretCommand(["sh", "-c", "echo >'\(marker)'; echo printed"]))
        let login = try Self.login { $0.command = PasswordCommand(command, isAgreed: true) }
        _ = try await first.add(login, password: nil)
        let copy = try await first.export(passphrase: try here.secret("travel light"))
        let key = UnlockInput.passphrase(SharedSecret(try there.secret("travel light")))

        let second = try await there.created()
        let opened = try await second.openCopy(copy.bytes, with: key)
        func imported() async throws -> ImportedLogin {
            try #require(try await second.importLogins(of: opened, endpoints: [:], isDryRun: false).first)
        }
        #expect(try await imported().command == command)
        let added = try await second.loginInReach(named: login.name)
        #expect(added.command == PasswordCommand(command, isAgreed: false))
        // With a verified server the command is still not agreed to.
        _ = try await second.repin(login.pinned)
        await #expect(throws: CredentialError.commandNotAgreed(login.name)) {
            try await there.password(of: added, in: second)
        }
        #expect(try await imported().verdict == .unchanged)
        var edit = LoginEdit()
        edit.command = SecretCommand(["printf", "other"])
        _ = try await second.edit(added, edit)
        #expect(try await imported().verdict == .conflict(.otherCommand))
        edit.command = command
        let agreed = try await second.edit(added, edit)
        #expect(TextFile.bytes(of: marker).isEmpty)
        #expect(try await there.password(of: agreed, in: second) == "printed")
        #expect(!TextFile.bytes(of: marker).isEmpty)

        let key2 = UnlockInput.passphrase(SharedSecret(try here.secret("travel light")))
        try await first.restore(copy.bytes, with: key2, isReplacing: true)
        let restored = try await first.loginInReach(named: login.name)
        #expect(restored.command?.isAgreed == false)
        await #expect(throws: CredentialError.commandNotAgreed(login.name)) {
            try await here.password(of: restored, in: first)
        }
    }

    @Test("what a command prints is not used after the vault was locked or the login was changed")
    func lockedMeanwhile() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let paths = (started: fixture.temporary.path(of: "started"), go: fixture.temporary.path(of: "go"))
        let script = "echo >'\(paths.started)'; until [ -e '\(paths.go)' ]; do sleep 0.02; done; echo printed"
        let command = try #require(SecretCommand(["sh", "-c", script]))
        let login = try await store.add(
            try Self.login { $0.command = PasswordCommand(command, isAgreed: true) },
            password: nil
        )
        func outcome(after change: () async throws -> Void) async throws -> CredentialError? {
            async let used: Void = store.withPassword(of: login.id, pin: login.pin) { _ in }
            try await eventually { !TextFile.bytes(of: paths.started).isEmpty }
            try await change()
            fixture.temporary.write([1], to: "go")
            defer { for path in [paths.started, paths.go] { unlink(path) } }
            do {
                try await used
                return nil
            } catch {
                return error as? CredentialError
            }
        }
        #expect(try await outcome {} == nil)
        let changed = CredentialError.conflict(reason: "the login was changed while its password command ran")
        #expect(try await outcome { _ = try await store.edit(login, LoginEdit(user: "other")) } == changed)
        #expect(try await outcome { await store.lock() } == .locked)
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
