// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import EventLoops
import NIOCore
import Prompts
import Registry
import SampleServer
import TestSupport
import Testing

@testable import Broker

@Suite("Adapters with prompts", .timeLimit(.minutes(1)), .endsStarted)
struct InteractiveOpeningTests {
    private func opening(_ fixture: BrokerFixture, _ person: ScriptedPrompter) -> InteractiveOpening {
        var limits = PromptLimits()
        limits.patience = .seconds(5)
        return fixture.opening(asking: person, limits)
    }

    private func open(
        _ fixture: BrokerFixture,
        _ opening: InteractiveOpening,
        _ endpoint: Endpoint,
        login: String? = nil,
        user: String? = "simple"
    ) async throws -> Adapter {
        let request = AdapterRequest(NamedUse(endpoint.id.text, login: login))
        let defaults = LoginDefaults(user: user, domain: "DASamples", schema: "Simple")
        let task = Task(executorPreference: LoopExecutor(fixture.loop)) { [request] in
            try await opening.open(request, defaults)
        }
        return try await task.value
    }

    /// The original error, and the reason why the prompt failed.
    private func failure(_ body: () async throws -> Adapter) async -> (any Error, PromptError?) {
        do {
            _ = try await body()
            return (NotInTime(seconds: 0), nil)
        } catch let error as UnansweredPrompt {
            return (error.failure, error.reason)
        } catch {
            return (error, nil)
        }
    }

    @Test(
        "the user is asked for passphrase, server, user and password once; then the login is stored"
    )
    func everything() async throws {
        let fixture = try await BrokerFixture()
        let server = try await fixture.sampleServer()
        // A name that only an announcement may have.
        let port = UInt16(try #require(server.addresses.first?.port))
        await fixture.announce("cellar\u{202E}", as: "cellar.local", port: port)
        let endpoint = try await fixture.registry.find("cellar\u{202E}")
        await fixture.store.lock()
        let person = ScriptedPrompter([
            .typed("open"), .typed("open sesame"), .agreed, .typed("simple"), .typed("wrong"), .typed("simple"),
        ])
        let opening = opening(fixture, person)
        let adapter = try await open(fixture, opening, endpoint, user: nil)
        #expect(adapter.login == "simple@cellar\u{202E}")
        let questions = person.questions
        #expect(questions.map(\.kind) == [.secret, .secret, .agreement, .text, .secret, .secret])
        #expect(questions.map { $0.remark != nil } == [false, true, false, false, false, true])
        let fingerprint = Fingerprint(of: .loopback(.localhost, port: endpoint.url.port))
        #expect(questions[2].lines.contains("fingerprint: \(fingerprint.words)"))
        #expect(questions[2].label.contains("unencrypted"))
        for question in questions {
            #expect(question.lines.allSatisfy { !$0.unicodeScalars.contains("\u{202E}") })
            #expect(question.lines.contains { $0.contains("cellar\\u{202E}") })
        }
        #expect(questions[5].lines.contains("user: 'simple'") && questions[5].lines.contains("domain: 'DASamples'"))
        // The wrong password, the test, and the session's own login.
        #expect(try fixture.calls("LoginService.LoginEx") == 3)
        _ = try await open(fixture, opening, endpoint)
        #expect(person.questions.count == 6)
    }

    @Test("three refused passwords are three logins, and a password that is typed again is not sent again")
    func threeTries() async throws {
        let fixture = try await BrokerFixture()
        let endpoint = try await fixture.sampleEndpoint()
        for (answers, sent) in [(["a", "b", "c"], 3), (["a", "a", "a"], 1)] {
            let before = try fixture.calls("LoginService.LoginEx")
            let person = ScriptedPrompter([.agreed] + answers.map { .typed($0) } + [.typed("simple")])
            let (error, _) = await failure { try await open(fixture, opening(fixture, person), endpoint) }
            let reason = "user, password, domain or schema is wrong"
            #expect(error as? BrokerError == .newLoginRejected(endpoint: "here", reason: reason))
            #expect(person.questions.count == 4)
            #expect(try fixture.calls("LoginService.LoginEx") - before == sent)
        }
        #expect(try await fixture.store.logins().isEmpty)
    }

    @Test("a refused login is repaired: the stored password is not sent again, and the new one is stored")
    func replacing() async throws {
        let fixture = try await BrokerFixture()
        let endpoint = try await fixture.sampleEndpoint()
        let login = try await fixture.login(to: endpoint, password: "old")
        let person = ScriptedPrompter([.typed("old"), .typed("simple")])
        let adapter = try await open(fixture, opening(fixture, person), endpoint)
        #expect(adapter.login == "login" && person.questions.map(\.kind) == [.secret, .secret])
        // The stored password once, the test, and the session's own login.
        #expect(try fixture.calls("LoginService.LoginEx") == 3)
        let stored = try await fixture.store.withPassword(of: login.id, pin: login.pin) {
            $0.elementsEqual("simple".utf8)
        }
        #expect(stored)
    }

    @Test("after three wrong passphrases the error says only that the vault is locked")
    func wrongPassphrase() async throws {
        let fixture = try await BrokerFixture()
        let endpoint = try await fixture.endpoint(at: try SocketAddress(ipAddress: "127.0.0.1", port: 1))
        await fixture.store.lock()
        let person = ScriptedPrompter([.typed("a"), .typed(""), .typed("a")])
        let (error, _) = await failure { try await open(fixture, opening(fixture, person), endpoint) }
        #expect(error as? CredentialError == .wrongKey && person.questions.count == 3)
    }

    @Test("after a refusal the user is not asked again immediately, and the caller gets the usual error")
    func dismissing() async throws {
        let fixture = try await BrokerFixture()
        let endpoint = try await fixture.endpoint(at: try SocketAddress(ipAddress: "127.0.0.1", port: 1))
        let person = ScriptedPrompter([.dismissed])
        let opening = opening(fixture, person)
        for reason in [PromptError.dismissed, .tooSoon(.seconds(30))] {
            let (error, why) = await failure { try await open(fixture, opening, endpoint) }
            #expect(error as? BrokerError == .loginNeeded(endpoint: "here") && why == reason)
        }
        #expect(person.questions.count == 1)
    }

    @Test("locking the vault withdraws the prompt, and later input is not sent")
    func locking() async throws {
        let fixture = try await BrokerFixture()
        let endpoint = try await fixture.sampleEndpoint()
        let person = ScriptedPrompter([.agreed])
        async let outcome = failure { try await open(fixture, opening(fixture, person), endpoint) }
        try await eventually { person.questions.count == 2 }
        await fixture.store.lock()
        #expect(await outcome.0 as? CredentialError == .locked)
        #expect(try fixture.calls("LoginService.LoginEx") == 0)
    }

    @Test("a caller that disconnects withdraws its prompt")
    func cancelling() async throws {
        let fixture = try await BrokerFixture()
        let endpoint = try await fixture.endpoint(at: try SocketAddress(ipAddress: "127.0.0.1", port: 1))
        let person = ScriptedPrompter([])
        let opening = opening(fixture, person)
        let task = Task(executorPreference: LoopExecutor(fixture.loop)) {
            try await opening.open(AdapterRequest(NamedUse(endpoint.id.text)), LoginDefaults())
        }
        try await eventually { person.questions.count == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("there is no prompt for a server that allows only grants, does not respond, or has changed")
    func notAsked() async throws {
        let fixture = try await BrokerFixture()
        let endpoint = try await fixture.sampleEndpoint()
        let person = ScriptedPrompter([.agreed, .typed("simple")])
        let opening = opening(fixture, person)
        _ = try await fixture.registry.set(endpoint.id, EndpointSettings { $0.isForGrantsOnly = true })
        let (refused, _) = await failure { try await open(fixture, opening, endpoint) }
        #expect(refused as? BrokerError == .loginNeeded(endpoint: "here"))
        _ = try await fixture.registry.set(endpoint.id, EndpointSettings { $0.isForGrantsOnly = false })

        let login = try await fixture.login(to: endpoint, pin: .loopback(.localhost, port: 1))
        let (other, _) = await failure { try await open(fixture, opening, endpoint) }
        guard case .identityConflict? = other as? BrokerError else {
            Issue.record("\(other)")
            return
        }
        try await fixture.store.remove(login.name)
        try await fixture.store.pin(
            PinnedEndpoint(endpoint: endpoint.id, pin: .loopback(.localhost, port: 1), allowsPlaintext: true)
        )
        let (mismatch, _) = await failure { try await open(fixture, opening, endpoint) }
        #expect(mismatch as? CredentialError == .pinMismatch(endpoint.id))
        #expect(person.questions.isEmpty)
        #expect(try fixture.calls("LoginService.LoginEx") == 0)
    }

    @Test("a pin that was verified before is not asked about again")
    func pinned() async throws {
        let fixture = try await BrokerFixture()
        let endpoint = try await fixture.sampleEndpoint()
        let pin = Pin.loopback(.localhost, port: endpoint.url.port)
        try await fixture.store.pin(
            PinnedEndpoint(endpoint: endpoint.id, pin: pin, allowsPlaintext: true)
        )
        let person = ScriptedPrompter([.typed("simple")])
        _ = try await open(fixture, opening(fixture, person), endpoint)
        #expect(person.questions.map(\.kind) == [.secret])
    }
}
