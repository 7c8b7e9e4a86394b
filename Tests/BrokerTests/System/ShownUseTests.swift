// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import NIOCore
import Platform
import Prompts
import Registry
import TestSupport
import Testing

@testable import Broker

/// An approval must not apply to a server or login other than the shown one.
@Suite(.timeLimit(.minutes(1)), .endsStarted)
struct ShownUseTests {
    private typealias Use = @Sendable (BrokerFixture, EndpointID, ShownUse?) async throws -> Void
    private typealias Change = @Sendable (BrokerFixture, Endpoint, Login) async throws -> Void

    private static let grant: Use = { fixture, _, agreed in
        var request = GrantRequest(NamedUse(nil, login: "login"))
        request.isReadOnly = true
        request.agreed = agreed
        _ = try await fixture.broker.grant(request)
    }

    private static let uses: [Use] = [
        grant,
        { fixture, id, agreed in
            _ = try await fixture.broker.capture(
                NamedUse(id.text, login: "login"),
                triesWrongPassword: false,
                agreed: agreed
            )
        },
        { fixture, id, agreed in
            var request = AdapterRequest(NamedUse(id.text, login: "login"))
            request.agreed = agreed
            _ = try await fixture.broker.open(request)
        },
    ]

    private static let changes: [(name: String, change: Change)] = [
        ("another user", { fixture, _, login in _ = try await fixture.store.edit(login, LoginEdit(user: "other")) }),
        (
            "another login of that name",
            { fixture, endpoint, login in
                _ = try await fixture.store.edit(login, LoginEdit(name: "old"))
                try await fixture.login(to: endpoint)
            }
        ),
        (
            "another pin",
            { fixture, endpoint, _ in
                let pin = Pin.loopback(.otherLocalhost, port: endpoint.url.port)
                let pinned = PinnedEndpoint(endpoint: endpoint.id, pin: pin, allowsPlaintext: true)
                _ = try await fixture.store.repin(pinned)
            }
        ),
        (
            "another URL",
            { fixture, endpoint, _ in
                _ = try await fixture.registry.set(endpoint.id, EndpointSettings { $0.path = "/other" })
            }
        ),
    ]

    /// A server with confirmation. It is never contacted, because nothing gets that far.
    private func withConfirmedServer(_ body: (BrokerFixture, Endpoint, Login) async throws -> Void) async throws {
        let fixture = try await BrokerFixture()
        let added = try await fixture.endpoint(at: try SocketAddress(ipAddress: "127.0.0.1", port: 1))
        let login = try await fixture.login(to: added)
        let settings = EndpointSettings { $0.isConfirmed = true }
        try await body(fixture, try await fixture.registry.set(added.id, settings), login)
    }

    /// Prompts the user, makes a change during the question, and then approves.
    private func agree(
        to use: Use,
        _ fixture: BrokerFixture,
        _ endpoint: Endpoint,
        while change: () async throws -> Void
    ) async throws -> [PromptQuestion] {
        let consent = try StopSignal()
        let person = ScriptedPrompter([.agreedAfter(consent)])
        let opening = fixture.opening(asking: person, PromptLimits())
        async let outcome: Void = opening.agreed(
            to: "it",
            showing: { try await fixture.broker.shown(NamedUse(nil, login: "login")) },
            { try await use(fixture, endpoint.id, $0) }
        )
        try await eventually { person.questions.count == 1 }
        try await change()
        consent.give()
        try await outcome
        return person.questions
    }

    @Test("a change between the question and the approval is not approved, for any change and any use")
    func changed() async throws {
        for (name, change) in Self.changes {
            for use in Self.uses {
                try await withConfirmedServer { fixture, endpoint, login in
                    await #expect(throws: BrokerError.changedSinceAgreed, "\(name)") {
                        _ = try await agree(to: use, fixture, endpoint) { try await change(fixture, endpoint, login) }
                    }
                    #expect(await fixture.broker.grants.isEmpty, "\(name)")
                }
            }
        }
    }

    private func failure(_ body: @Sendable () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test("an adapter is not opened with the login that the user was shown")
    func adapter() async throws {
        for (name, change) in Self.changes {
            try await withConfirmedServer { fixture, endpoint, login in
                let consent = try StopSignal()
                let person = ScriptedPrompter([.agreedAfter(consent)])
                let wanted = AdapterRequest(NamedUse(endpoint.id.text, login: "login"))
                async let failure = failure {
                    _ = try await fixture.opening(asking: person, PromptLimits()).open(wanted, nil)
                }
                try await eventually { person.questions.count == 1 }
                try await change(fixture, endpoint, login)
                consent.give()
                let found = await failure
                #expect(found as? BrokerError == .changedSinceAgreed, "\(name)")
            }
        }
    }

    @Test(
        "the question names server, login and user; a new password or another use does not invalidate the approval"
    )
    func unchanged() async throws {
        try await withConfirmedServer { fixture, endpoint, login in
            let questions = try await agree(to: Self.grant, fixture, endpoint) {
                _ = try await fixture.store.edit(login, LoginEdit(), password: try fixture.secret("another"))
            }
            #expect(
                questions.first?.lines.dropFirst() == [
                    "server: 'here'", "url: 'http://127.0.0.1:1/bin'", "login: 'login'", "user: 'simple'",
                ]
            )
            #expect(await fixture.broker.grants.count == 1)
        }
    }
}
