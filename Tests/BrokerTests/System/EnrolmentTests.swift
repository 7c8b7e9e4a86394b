// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Platform
import Registry
import SampleServer
import TestSupport
import Testing

@testable import Broker

@Suite("Logins that are added and changed", .timeLimit(.minutes(1)), .endsStarted)
struct EnrolmentTests {
    private struct NoOther: Error, Equatable {}

    /// A login of the sample server, with passwords that are tried in turn.
    private struct ScriptedLogin: LoginSource {
        let fixture: BrokerFixture
        let trust: ServerTrust? = nil
        var isTried = true
        var name: String?
        var schema = "Simple"
        var passwords: [String]
        var refusals: [BrokerError] = []
        var isAgreed = true
        var command: SecretCommand?
        var isCommandAgreed = true
        var whileAsked: @Sendable () async throws -> Void = {}

        init(_ fixture: BrokerFixture, _ passwords: [String]) {
            self.fixture = fixture
            self.passwords = passwords
        }

        func agree(to proposal: ServerProposal) throws {
            guard isAgreed else { throw NoOther() }
        }

        func agree(to command: SecretCommand, of login: NewLogin, at endpoint: Endpoint) throws {
            guard isCommandAgreed else { throw NoOther() }
        }

        var knownAccount: Account? { name == nil ? nil : account }

        func account(for proposal: ServerProposal) -> Account { account }

        private var account: Account { Account(user: "simple", domain: "DASamples", schema: schema) }

        mutating func password(for login: NewLogin, after refusal: BrokerError?) async throws -> Secret {
            if let refusal { refusals.append(refusal) }
            guard !passwords.isEmpty else { throw NoOther() }
            let next = passwords.removeFirst()
            try await whileAsked()
            return try fixture.secret(next)
        }
    }

    private func started() async throws -> (BrokerFixture, Endpoint) {
        let fixture = try await BrokerFixture(audit: "audit")
        let server = try await fixture.sampleServer()
        return (fixture, try await fixture.endpoint(at: server.addresses.first))
    }

    @Test("a command runs and is stored only after the user has agreed to it, and its password is tried")
    func command() async throws {
        let (fixture, endpoint) = try await started()
        let marker = TemporaryDirectory()
        let path = marker.path(of: "ran")
        func printing(_ password: String) -> SecretCommand? {
            SecretCommand(["sh", "-c", "echo >>'\(path)'; echo \(password)"])
        }
        var source = ScriptedLogin(fixture, [])
        (source.command, source.isCommandAgreed) = (printing("simple"), false)
        await #expect(throws: NoOther()) { try await fixture.broker.enrolment.add(to: endpoint, from: &source) }
        #expect(TextFile.bytes(of: path).isEmpty)

        (source.command, source.isCommandAgreed) = (printing("wrong"), true)
        await #expect(throws: BrokerError.self) { try await fixture.broker.enrolment.add(to: endpoint, from: &source) }
        #expect(try await fixture.store.logins().isEmpty && TextFile.bytes(of: path).count == 1)

        source.command = printing("simple")
        let login = try await fixture.broker.enrolment.add(to: endpoint, from: &source)
        #expect(login.command?.command == source.command && login.command?.isAgreed == true)
        #expect(try await isStored("simple", for: login, fixture))
        #expect(TextFile.bytes(of: path).count == 3)
    }

    private func isStored(_ password: String, for login: Login, _ fixture: BrokerFixture) async throws -> Bool {
        try await fixture.store.withPassword(of: login.id, pin: login.pin) { $0.elementsEqual(password.utf8) }
    }

    /// The events of the audit log about passwords and logins, in order.
    private func events(_ fixture: BrokerFixture) -> [String] {
        let log = TestSupport.TextFile.text(of: fixture.temporary.path(of: "audit/audit.jsonl"))
        return log.split(separator: "\n").compactMap { line in
            ["password.used", "login.added", "login.edited", "pin.set"].first { line.contains("\"event\":\"\($0)\"") }
        }
    }

    @Test("passwords are tried until the server accepts one, which is stored, and each attempt is logged")
    func adding() async throws {
        let (fixture, endpoint) = try await started()
        var source = ScriptedLogin(fixture, ["wrong", "simple", "later"])
        let login = try await fixture.broker.enrolment.add(to: endpoint, from: &source)
        #expect(login.name == "simple@here" && login.pinned.isVerified && login.pinned.allowsPlaintext)
        #expect(source.passwords == ["later"] && source.refusals.count == 1)
        #expect(try await isStored("simple", for: login, fixture))
        #expect(try fixture.calls("LoginService.LoginEx") == 2)
        try await eventually { events(fixture) == ["password.used", "password.used", "login.added"] }
    }

    @Test("a login without a name gets a short one, a long one if another account has it, and is not added twice")
    func names() async throws {
        let (fixture, endpoint) = try await started()
        let enrolment = fixture.broker.enrolment
        func add(_ schema: String, named name: String? = nil) async throws -> String {
            var source = ScriptedLogin(fixture, ["simple"])
            (source.isTried, source.schema, source.name) = (false, schema, name)
            return try await enrolment.add(to: endpoint, from: &source).name
        }
        #expect(try await add("Simple") == "simple@here")
        #expect(try await add("Other") == "simple@here/DASamples/Other")
        for (schema, name) in [("Simple", "simple@here"), ("Other", "simple@here/DASamples/Other")] {
            await #expect(throws: CredentialError.nameTaken(name)) { try await add(schema) }
        }
        #expect(try await add("Simple", named: "everyday") == "everyday")
        #expect(try await fixture.store.logins().count == 3)
    }

    @Test("a login that is not tried is stored as it is, and what the source throws ends it")
    func untried() async throws {
        let (fixture, endpoint) = try await started()
        let enrolment = fixture.broker.enrolment
        var refused = ScriptedLogin(fixture, ["wrong"])
        await #expect(throws: NoOther.self) { try await enrolment.add(to: endpoint, from: &refused) }
        #expect(refused.refusals.count == 1)
        var disagreed = ScriptedLogin(fixture, ["simple"])
        disagreed.isAgreed = false
        await #expect(throws: NoOther.self) { try await enrolment.add(to: endpoint, from: &disagreed) }
        #expect(disagreed.passwords == ["simple"])
        #expect(try await fixture.store.logins().isEmpty)
        #expect(try fixture.calls("LoginService.LoginEx") == 1)

        var source = ScriptedLogin(fixture, ["wrong"])
        source.isTried = false
        let login = try await enrolment.add(to: endpoint, from: &source)
        #expect(try await isStored("wrong", for: login, fixture))
        #expect(try fixture.calls("LoginService.LoginEx") == 1)
    }

    @Test("a taken name, another server and a locked vault are reported before the password is asked for")
    func obstacles() async throws {
        let (fixture, endpoint) = try await started()
        let enrolment = fixture.broker.enrolment
        try await fixture.login(to: endpoint)
        var named = ScriptedLogin(fixture, ["simple"])
        named.name = "login"
        await #expect(throws: CredentialError.nameTaken("login")) {
            try await enrolment.add(to: endpoint, from: &named)
        }
        try await fixture.store.remove("login")
        try await fixture.store.pin(
            PinnedEndpoint(endpoint: endpoint.id, pin: .loopback(.localhost, port: 1), allowsPlaintext: true)
        )
        await #expect(throws: CredentialError.pinMismatch(endpoint.id)) {
            try await enrolment.add(to: endpoint, from: &named)
        }
        #expect(named.passwords == ["simple"])
        await fixture.store.lock()
        await #expect(throws: CredentialError.locked) { try await enrolment.add(to: endpoint, from: &named) }
        await #expect(throws: CredentialError.locked) { try await enrolment.pin(of: endpoint, by: named) }
        #expect(named.passwords == ["simple"])
        #expect(try fixture.calls("LoginService.LoginEx") == 0)
    }

    @Test("if the vault locks while the password is typed, the password is not sent")
    func locking() async throws {
        let (fixture, endpoint) = try await started()
        var source = ScriptedLogin(fixture, ["simple"])
        source.whileAsked = { await fixture.store.lock() }
        await #expect(throws: CredentialError.locked) {
            try await fixture.broker.enrolment.add(to: endpoint, from: &source)
        }
        let calls = try fixture.calls("LoginService.LoginEx")
        #expect(calls == 0)
    }

    @Test("a change is tested with the stored or the new password, and a new name is not tested")
    func changing() async throws {
        let (fixture, endpoint) = try await started()
        let enrolment = fixture.broker.enrolment
        let login = try await fixture.login(to: endpoint)
        let renamed = try await enrolment.change(login, LoginEdit(name: "other"), isTried: true)
        #expect(renamed.name == "other" && events(fixture).filter { $0 == "password.used" }.isEmpty)
        await #expect(throws: BrokerError.self) {
            try await enrolment.change(renamed, LoginEdit(user: "nobody"), isTried: true)
        }
        #expect(try await fixture.store.loginInReach(named: "other").account.user == "simple")
        let untried = try await enrolment.change(renamed, LoginEdit(user: "nobody"), isTried: false)
        #expect(untried.account.user == "nobody")

        var source = ScriptedLogin(fixture, ["wrong", "simple"])
        let repaired = try await enrolment.change(untried, LoginEdit(user: "simple"), from: &source)
        #expect(repaired.account.user == "simple" && source.refusals.count == 1)
        #expect(try await isStored("simple", for: repaired, fixture))
        #expect(try fixture.calls("LoginService.LoginEx") == 3)
    }
}
