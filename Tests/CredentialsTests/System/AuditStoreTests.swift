// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import JSON
import Locks
import NIOCore
import NIOPosix
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Audit log of a store", .timeLimit(.minutes(1)))
struct AuditStoreTests {
    private var fixture: StoreFixture
    private let log: AuditLog

    init() throws {
        fixture = try StoreFixture()
        log = AuditLog(
            directory: fixture.temporary.path(of: "state"),
            loop: MultiThreadedEventLoopGroup.singleton.next(),
            pool: .singleton
        )
        fixture.options.audit = log
    }

    private func events() async throws -> [String] {
        try await log.lines(1_000, since: nil).compactMap { line in
            line["result"] == "done" ? line["event"]?.stringValue : line["event"]?.stringValue.map { $0 + "!" }
        }
    }

    @Test("every change is recorded in order, with the caller, and the chain continues across locks")
    func life() async throws {
        let store = try await fixture.created()
        let login = try await AuditPeer.$caller.withValue(CallingProcess(pid: getpid())) {
            try await fixture.add(1, to: store)
        }
        _ = try await store.edit(login, LoginEdit(user: "other"))
        await store.lock()
        await #expect(throws: CredentialError.wrongKey) {
            try await store.unlock(passphrase: try fixture.secret("wrong"))
        }
        try await store.unlock(passphrase: try fixture.secret("open sesame"))
        try await store.remove(login.name)
        #expect(
            try await events() == [
                "log.bound", "vault.made", "login.added", "login.edited", "vault.locked", "vault.refused!", "log.bound",
                "vault.unlocked", "login.removed",
            ]
        )
        let report = try await store.verifyAudit()
        #expect(report.fault == nil && report.lines == 9 && report.keyed == 8)
        let added = try #require(try await log.lines(1_000, since: nil).first { $0["event"] == "login.added" })
        #expect(added["pid"]?.integerValue == Int64(getpid()))
        #expect(added["login"]?.stringValue == login.id.description)
        await store.lock()
        await #expect(throws: CredentialError.locked) { _ = try await store.verifyAudit() }
    }

    @Test("a lock by time is not the act of the caller whose call detects it")
    func lateLock() async throws {
        var fixture = fixture
        fixture.options.lockPolicy = VaultLockPolicy(idle: .milliseconds(1), absolute: .seconds(60))
        let store = try await fixture.created()
        // The executor of the store is blocked beyond the time, so that the call comes before the timer.
        await AuditPeer.$caller.withValue(CallingProcess(pid: getpid())) { await store.touchAfter(.milliseconds(20)) }
        #expect(await store.state == .locked)
        let line = try #require(try await log.lines(1_000, since: nil).last { $0["event"] == "vault.locked" })
        #expect(line["pid"] == nil)
    }

    @Test("lines after a time are listed, also if the clock was set back meanwhile")
    func wrongClock() async throws {
        let clock = Lock<[Int64]>([4_000, 2_000, 1_000, 3_000])
        let writer = AuditWriter(path: fixture.temporary.path(of: "state")) {
            AuditTimestamp(wall: 1_000 * clock.withLock { $0.removeLast() }, boot: 1)
        }
        for _ in 0..<4 { try writer.add(.note(.daemonStarted)) }
        let times = try await log.lines(10, since: 2_000).compactMap { $0["time"]?.integerValue }
        #expect(times == [3_000_000, 2_000_000, 4_000_000])
    }

    @Test("a log that cannot be written refuses the change and leaves the vault unchanged")
    func refused() async throws {
        let store = try await fixture.created()
        let login = try await fixture.add(1, to: store)
        let before = await store.status.generation
        let state = fixture.temporary.path(of: "state")
        chmod(state, 0o755)
        for _ in 0..<3 {
            do {
                try await fixture.add(2, to: store)
                Issue.record("a login was added untold")
            } catch CredentialError.auditUnavailable {}
        }
        #expect(await store.status.generation == before)
        #expect(try await store.logins().map(\.name) == [login.name])
        // A use of the vault that changes nothing succeeds, and its event is counted as lost.
        #expect(try await fixture.password(of: login, in: store) == "password 1")
        #expect(log.losses.events == 3 && log.losses.failure != nil)
        chmod(state, 0o700)
        try await fixture.add(2, to: store)
        #expect(log.losses.failure == nil)
        let report = try await store.verifyAudit()
        #expect(report.fault == nil && report.lost == 3)
    }

    @Test("the acceptance of an older file is recorded")
    func accepted() async throws {
        let store = try await fixture.created()
        try await fixture.add(1, to: store)
        let old = try await store.backup().bytes
        try await fixture.add(2, to: store)
        fixture.temporary.write(old, to: "data/vault.rcv")
        await store.refresh()
        await #expect(throws: CredentialError.self) { try await store.accept(generation: 3) }
        try await store.accept(generation: 2)
        #expect(try await events().suffix(2) == ["login.added", "vault.accepted"])
        #expect(try await store.logins().count == 1)
    }

    @Test("an impossible change is not recorded as done")
    func impossible() async throws {
        let store = try await fixture.created()
        try await fixture.add(1, to: store)
        let before = try await events()
        await #expect(throws: CredentialError.self) { try await fixture.add(1, to: store) }
        #expect(try await events() == before)
    }

    @Test("the vault stores the head of the log, so the next store detects a truncated log")
    func truncatedTail() async throws {
        let store = try await fixture.created()
        for index in 1...3 { try await fixture.add(index, to: store) }
        await store.lock()
        await log.finish()
        let path = fixture.temporary.path(of: "state/audit.jsonl")
        // After the second line.
        let bytes = try #require(try AuditFolder(path: fixture.temporary.path(of: "state")).read("audit.jsonl")).bytes
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
        truncate(path, ends[1] + 1)

        let later = AuditLog(
            directory: fixture.temporary.path(of: "state"),
            loop: MultiThreadedEventLoopGroup.singleton.next(),
            pool: .singleton
        )
        var second = fixture
        second.options.audit = later
        let opened = try await second.opened()
        try await second.add(9, to: opened)
        let report = try await opened.verifyAudit()
        #expect(report.fault?.code == .missing && report.fault?.first == 3 && report.fault?.last == 5)
    }

    @Test("a pin is changed with its logins in one save, and the old seal does not open with another pin")
    func repinning() async throws {
        let store = try await fixture.created()
        let login = try await fixture.add(1, to: store)
        let generation = try #require(await store.status.generation)
        let pin = VaultFixture.pin(77)
        let new = PinnedEndpoint(endpoint: login.endpoint, pin: pin)
        let repinned = try #require(try await store.repin(new).first)
        #expect(await store.status.generation == generation + 1)
        #expect(repinned.pin == pin && repinned.revision == login.revision + 1)
        #expect(try await fixture.password(of: repinned, in: store) == "password 1")
        await #expect(throws: CredentialError.pinMismatch(login.endpoint)) {
            _ = try await fixture.password(of: login, in: store)
        }
        await #expect(throws: CredentialError.loginsBound(login.endpoint, names: [login.name])) {
            _ = try await store.unpin(login.endpoint, includingLogins: false)
        }
        #expect(try await store.unpin(login.endpoint, includingLogins: true).map(\.id) == [login.id])
        #expect(try await store.boundLogins().isEmpty)
        #expect(try await store.logins().isEmpty)
        await #expect(throws: CredentialError.notPinned(login.endpoint)) {
            _ = try await store.unpin(login.endpoint, includingLogins: true)
        }
        try await store.pin(new)
        #expect(try await store.pinned(login.endpoint) == new)
        await #expect(throws: CredentialError.pinMismatch(login.endpoint)) { try await fixture.add(1, to: store) }
        #expect(try await store.verifyAudit().fault == nil)
        #expect(try await events().suffix(4) == ["login.added", "pin.changed", "pin.removed", "pin.set"])
    }

    @Test(
        "a login that is attached to another endpoint is sealed for its pin, and a pin that no login needs is removed"
    )
    func attaching() async throws {
        let store = try await fixture.created()
        let login = try await fixture.add(1, to: store)
        var second = try VaultFixture.login(1)
        second.name = "second"
        let other = try await store.add(second, password: try fixture.secret("password 2"))
        let known = try await fixture.add(3, to: store)
        let new = PinnedEndpoint(endpoint: try #require(EndpointID("new")), pin: VaultFixture.pin(77))
        var edit = LoginEdit()
        edit.binding = new
        let attached = try await store.edit(login, edit)
        #expect(attached.endpoint == new.endpoint && attached.pinned.isVerified && attached.pin == new.pin)
        #expect(attached.id == login.id && attached.name == login.name && attached.revision == login.revision + 1)
        #expect(try await fixture.password(of: attached, in: store) == "password 1")
        await #expect(throws: CredentialError.pinMismatch(new.endpoint)) {
            _ = try await fixture.password(of: login, in: store)
        }
        #expect(try await store.pinned(login.endpoint) != nil, "the second login needs it")
        #expect(try await fixture.password(of: other, in: store) == "password 2")
        _ = try await store.edit(other, edit)
        #expect(try await store.pinned(login.endpoint) == nil)
        edit.binding = PinnedEndpoint(endpoint: known.endpoint, pin: VaultFixture.pin(78))
        let mismatch = edit
        await #expect(throws: CredentialError.pinMismatch(known.endpoint)) {
            _ = try await store.edit(attached, mismatch)
        }
        await store.lock()
        try await store.unlock(passphrase: try fixture.secret("open sesame"))
        #expect(try await fixture.password(of: attached, in: store) == "password 1")
        #expect(try await store.verifyAudit().fault == nil)
    }

    @Test("an edited login is sealed again with a fresh salt, and a renamed one keeps its seal")
    func editing() async throws {
        let store = try await fixture.created()
        let login = try await fixture.add(1, to: store)
        let sealed = try await store.open().payload.entries[0].password
        let renamed = try await store.edit(login, LoginEdit(name: "new name"))
        #expect(renamed.revision == login.revision && renamed.id == login.id && renamed.name == "new name")
        #expect(try await store.open().payload.entries[0].password == sealed)

        let edited = try await store.edit(renamed, LoginEdit(domain: ""))
        #expect(
            edited.revision == login.revision + 1 && edited.account.domain.isEmpty
                && edited.account.user == login.account.user
        )
        let resealed = try await store.open().payload.entries[0].password
        let (before, after) = (try #require(sealed.seal), try #require(resealed.seal))
        #expect(after.salt != before.salt && after.ciphertext != before.ciphertext)
        #expect(try await fixture.password(of: edited, in: store) == "password 1")

        let changed = try await store.edit(edited, LoginEdit(), password: try fixture.secret("Relativity"))
        #expect(try await fixture.password(of: changed, in: store) == "Relativity")
        #expect(try await store.hasSamplePassword(changed))
        let other = try await fixture.add(2, to: store)
        #expect(try await !store.hasSamplePassword(other))
        await #expect(throws: CredentialError.nameTaken(other.name)) {
            _ = try await store.edit(changed, LoginEdit(name: other.name))
        }
        await #expect(throws: CredentialError.self) { _ = try await store.edit(changed, LoginEdit(user: "a\nb")) }
        await store.lock()
        try await store.unlock(passphrase: try fixture.secret("open sesame"))
        #expect(try await store.loginInReach(named: "new name").revision == login.revision + 2)
    }
}

extension CredentialStore {
    /// Blocks the executor, then uses the vault.
    fileprivate func touchAfter(_ delay: Duration) {
        usleep(useconds_t(delay / .microseconds(1)))
        touch()
    }
}
