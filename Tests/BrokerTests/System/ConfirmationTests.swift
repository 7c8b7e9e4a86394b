// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import EventLoops
import Prompts
import Registry
import SampleServer
import TestSupport
import Testing

@testable import Broker

@Suite("Servers with confirmation", .timeLimit(.minutes(1)), .endsStarted)
struct ConfirmationTests {
    private func opening(
        _ fixture: BrokerFixture,
        _ person: ScriptedPrompter,
        within confirmation: Duration = .milliseconds(100)
    ) -> InteractiveOpening {
        var limits = PromptLimits()
        limits.confirmation = confirmation
        limits.quiet = .zero
        return fixture.opening(asking: person, limits)
    }

    /// The error of a call that fails with `UnansweredPrompt`.
    private func refusal(_ body: () async throws -> Void) async -> (BrokerError?, PromptError?) {
        do {
            try await body()
        } catch let error as UnansweredPrompt {
            return (error.failure as? BrokerError, error.reason)
        } catch {
            return (error as? BrokerError, nil)
        }
        return (nil, nil)
    }

    @Test("the user is asked for each adapter; a refusal or a timeout refuses it, and nothing is sent")
    func adapters() async throws {
        let fixture = try await BrokerFixture()
        let added = try await fixture.sampleEndpoint()
        try await fixture.login(to: added)
        let endpoint = try await fixture.registry.set(added.id, EndpointSettings { $0.isConfirmed = true })
        let person = ScriptedPrompter([.dismissed, .silent, .agreed, .agreed])
        let opening = opening(fixture, person)
        for reason in [PromptError.dismissed, .unanswered(.milliseconds(100))] {
            let outcome = await refusal { _ = try await opening.open(AdapterRequest(NamedUse(endpoint.id.text)), nil) }
            #expect(outcome == (.refused(.notAgreed), reason))
        }
        #expect(try fixture.calls("LoginService.LoginEx") == 0)
        for _ in 0..<2 { _ = try await opening.open(AdapterRequest(NamedUse(endpoint.id.text)), nil) }
        #expect(person.questions.count == 4 && person.questions.allSatisfy { $0.kind == .agreement })
        #expect(person.questions[0].lines[0].hasSuffix("wants an adapter"))
        await #expect(throws: BrokerError.refused(.notAgreed)) { try await fixture.open(endpoint) }
    }

    @Test("the user is asked for each grant and report")
    func others() async throws {
        let fixture = try await BrokerFixture()
        let added = try await fixture.sampleEndpoint()
        try await fixture.login(to: added)
        let settings = EndpointSettings { $0.isConfirmed = true }
        let endpoint = try await fixture.registry.set(added.id, settings)
        let uses: [@Sendable (ShownUse?) async throws -> Void] = [
            { agreed in
                var request = GrantRequest(NamedUse(nil, login: "login"))
                request.isReadOnly = true
                request.agreed = agreed
                _ = try await fixture.broker.grant(request)
            },
            { agreed in
                _ = try await fixture.broker.capture(
                    NamedUse(endpoint.id.text),
                    triesWrongPassword: false,
                    agreed: agreed
                )
            },
        ]
        for use in uses {
            let person = ScriptedPrompter([.dismissed, .agreed])
            let opening = opening(fixture, person)
            let outcome = await refusal {
                try await opening.agreed(
                    to: "it",
                    showing: { try await fixture.broker.shown(NamedUse(endpoint.id.text)) },
                    use
                )
            }
            #expect(outcome == (.refused(.notAgreed), .dismissed))
            try await opening.agreed(
                to: "it",
                showing: { try await fixture.broker.shown(NamedUse(endpoint.id.text)) },
                use
            )
            #expect(person.questions.count == 2)
        }
    }

    @Test("a lock withdraws the question, and an action that began before it has no effect after it")
    func lock() async throws {
        let fixture = try await BrokerFixture()
        let added = try await fixture.sampleEndpoint()
        try await fixture.login(to: added)
        let endpoint = try await fixture.registry.set(added.id, EndpointSettings { $0.isConfirmed = true })
        let person = ScriptedPrompter([.silent])
        let opening = opening(fixture, person, within: .seconds(30))
        async let opened = opening.open(AdapterRequest(NamedUse(endpoint.id.text)), nil)
        try await eventually { person.questions.count == 1 }
        await fixture.store.lock()
        do {
            _ = try await opened
            Issue.record("the adapter was opened")
        } catch {
            #expect(error as? CredentialError == .locked)
        }
        #expect(await fixture.broker.openAdapters.isEmpty)
    }

    @Test("for a locked vault the user is asked for the passphrase, and then for approval")
    func both() async throws {
        let fixture = try await BrokerFixture()
        let added = try await fixture.sampleEndpoint()
        try await fixture.login(to: added)
        let endpoint = try await fixture.registry.set(added.id, EndpointSettings { $0.isConfirmed = true })
        await fixture.store.lock()
        let person = ScriptedPrompter([.typed("open sesame"), .agreed])
        _ = try await opening(fixture, person).open(AdapterRequest(NamedUse(endpoint.id.text)), LoginDefaults())
        #expect(person.questions.map(\.kind) == [.secret, .agreement])
    }
}
