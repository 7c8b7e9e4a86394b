// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Platform
import Registry
import Remoting
import SampleServer
import Testing

@testable import Broker

/// A login that changes between reading and use. No action may continue with the old state.
@Suite(.endsStarted) struct StaleLoginTests {
    private func loggedIn() async throws -> (BrokerFixture, Login) {
        let fixture = try await BrokerFixture()
        let server = try await fixture.sampleServer()
        let login = try await fixture.login(to: try await fixture.endpoint(at: server.addresses.first))
        return (fixture, login)
    }

    private static func reading() -> GrantRequest {
        var request = GrantRequest(NamedUse(nil, login: "login"))
        request.isReadOnly = true
        return request
    }

    @Test("a grant is not made if its login is edited meanwhile")
    func grant() async throws {
        let (fixture, login) = try await loggedIn()
        let made = try await fixture.broker.grant(Self.reading())
        try await fixture.broker.revoke(made.id)
        _ = try ProtectedDirectory(made.directory, creating: true)
        _ = try await fixture.store.edit(login, LoginEdit(domain: "Other"))
        await fixture.broker.forget(login.id)
        await #expect(throws: BrokerError.closed) {
            try await fixture.broker.open(made, of: login, for: .seconds(600))
        }
        #expect(await fixture.broker.grants.isEmpty)
        made.removeDirectory()
    }

    @Test("for a caller that read a login before, a new name or password does not make it another login")
    func renamed() async throws {
        let (fixture, login) = try await loggedIn()
        let renamed = try await fixture.store.edit(login, LoginEdit(name: "renamed"))
        try await fixture.broker.check(login)
        _ = try await fixture.store.edit(renamed, LoginEdit(), password: try fixture.secret("another"))
        try await fixture.broker.check(login)
        await fixture.store.lock()
        await #expect(throws: CredentialError.locked) { try await fixture.broker.check(login) }
    }

    @Test("after a rename, a grant follows its login, and a configured adapter the name")
    func names() async throws {
        let (fixture, login) = try await loggedIn()
        let grant = try await fixture.broker.grant(Self.reading())
        #expect(
            await fixture.broker.open([ConfiguredAdapter(name: "quiet", login: "login", place: .socket)]).isEmpty
        )
        let quiet = try #require(await fixture.broker.openAdapters.first).socketPath
        _ = try await fixture.store.edit(login, LoginEdit(name: "renamed"))
        #expect(try await Tool.call(grant.socketPath).status == 200)
        #expect(try await Tool.call(quiet).exception?.message == "\(CredentialError.noSuchLogin("login"))")
    }
}

extension ConnectionBroker {
    /// On the loop, as the broker itself checks a login.
    fileprivate func check(_ login: Login) throws { try access.checkUnchanged(login) }
}
