// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import NIOCore
import NIOSSL
import Platform
import Registry
import Remoting
import TestSupport
import Testing

@testable import Broker

/// Servers that are identified by a certificate for their host name.
@Suite("Trust in certificate authorities", .endsStarted)
struct AuthorityTests {
    private static let good = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    private static let vouched = Pin.authority(host: "localhost")

    private static func server(
        _ fixture: BrokerFixture,
        _ tls: NIOSSLContext?,
        at address: SocketAddress? = nil
    ) async throws -> ScriptedServer {
        try await ScriptedServer(
            at: address,
            on: fixture.loop,
            tls: tls,
            behaviour: Misbehaviour.none.behaviour(leadingTo: "", sparingLogin: true, seed: 0)
        )
    }

    private static func endpoint(
        _ fixture: BrokerFixture,
        _ server: ScriptedServer,
        host: String = "localhost",
        name: String = "here"
    ) async throws -> Endpoint {
        try await fixture.registry.add(
            name: name,
            url: try ServerURL(completing: "https://\(host):\(server.port)/bin")
        )
    }

    /// A server with a certificate for its name from an authority that the broker trusts, and its endpoint.
    private static func vouchedServer() async throws -> (BrokerFixture, ScriptedServer, Endpoint) {
        let directory = TemporaryDirectory()
        let authority = try await TestAuthority(in: directory)
        let fixture = try await BrokerFixture(authorityFile: authority.file)
        // Its file is read at each connection.
        TestEnds.current?.add { withExtendedLifetime(authority) {} }
        let server = try await server(fixture, try await authority.issue("server", for: good).context())
        return (fixture, server, try await endpoint(fixture, server))
    }

    @Test("a server with a certificate for its name gets the login, and may change its key")
    func rotation() async throws {
        let directory = TemporaryDirectory()
        let authority = try await TestAuthority(in: directory)
        let fixture = try await BrokerFixture(authorityFile: authority.file)
        let first = try await authority.issue("first", for: Self.good).context()
        var server = try await Self.server(fixture, first)
        let address = server.address
        let endpoint = try await Self.endpoint(fixture, server)
        let identity = try await fixture.broker.identity(of: endpoint, by: .ca)
        #expect(identity.pin == Self.vouched && server.requests.isEmpty)
        let login = try await fixture.login(to: endpoint, pin: identity.pin)
        // The existing pin determines the kind of trust.
        #expect(try await fixture.broker.identity(of: endpoint).pin == Self.vouched)
        guard case .tls = try await fixture.broker.identity(of: endpoint, by: .key).pin else {
            return #expect(Bool(false), "no key was shown")
        }
        #expect(try await fixture.broker.test(login).steps.allSatisfy(\.isOK))
        await server.stop()

        let second = try await authority.issue("second", for: Self.good).context()
        server = try await Self.server(fixture, second, at: address)
        let adapter = try await fixture.open(endpoint)
        #expect(try await Tool.call(adapter.socketPath).status == 200)
        #expect(server.count("LoginEx") == 1)
        let state = await fixture.registry.endpoint(endpoint.id)?.state
        #expect(state == .reachable)
    }

    @Test("any other certificate gets no login, and there is no fallback to the key")
    func refused() async throws {
        let directory = TemporaryDirectory()
        let authority = try await TestAuthority(in: directory)
        let stranger = try await TestAuthority("other", in: directory)
        let fixture = try await BrokerFixture(authorityFile: authority.file)
        let own = try await TestCertificate(in: directory, name: "own")
        let elsewhere = "subjectAltName=DNS:elsewhere.example,IP:127.0.0.1"
        let cases: [(String, NIOSSLContext, String)] = [
            ("expired", try await authority.issue("old", for: Self.good, days: -1).context(), "expired"),
            ("self-signed", own.context, "self-signed"),
            (
                "for another host, at an address that it names",
                try await authority.issue("host", for: elsewhere).context(), "another host"
            ),
            (
                "of an unknown authority", try await stranger.issue("strange", for: Self.good).context(),
                "no certificate authority"
            ),
        ]
        for (name, context, reason) in cases {
            let server = try await Self.server(fixture, context)
            let endpoint = try await Self.endpoint(fixture, server, name: name)
            // Reading the identity is not a conflict yet.
            await Self.expectConflict(reason, name) {
                _ = try await fixture.broker.identity(of: endpoint, by: .ca)
            }
            #expect(await fixture.registry.endpoint(endpoint.id)?.state != .conflict)
            let login = try await fixture.login(to: endpoint, name: name, pin: Self.vouched)
            await Self.expectConflict(reason, name) { _ = try await fixture.open(endpoint, login: name) }
            #expect(await fixture.registry.endpoint(endpoint.id)?.state == .conflict)
            #expect(try await fixture.broker.test(login).steps.contains { !$0.isOK })
            // Nothing listens at the other address.
            let other = try #require(IPAddress("127.0.0.2"))
            for addresses in [[.localhost], [.localhost, other], [other, .localhost]] {
                let contact = try await fixture.connector.contact(
                    endpoint,
                    at: addresses,
                    pin: login.pin,
                    before: .now() + .seconds(5)
                )
                guard case .conflict(let found) = contact else {
                    return #expect(Bool(false), "a probe of \(name): \(contact)")
                }
                #expect(found.code == .notVouched && found.detail?.contains(reason) == true && server.requests.isEmpty)
            }
        }
    }

    private static func expectConflict(_ reason: String, _ name: String, _ use: () async throws -> Void) async {
        do {
            try await use()
            Issue.record("\(name) was taken")
        } catch BrokerError.identityConflict(let found) {
            #expect(found.detail?.contains(reason) == true && found.host == "localhost", "\(name): \(found)")
        } catch {
            Issue.record("\(name): \(error)")
        }
    }

    @Test("if TLS is gone, there is a conflict or no server, and never plain HTTP")
    func downgrade() async throws {
        let fixture = try await BrokerFixture()
        let server = try await Self.server(fixture, nil)
        let endpoint = try await Self.endpoint(fixture, server)
        let login = try await fixture.login(to: endpoint, pin: Self.vouched)
        await #expect(throws: BrokerError.self) { try await fixture.open(endpoint) }
        var plain = endpoint
        plain.url.scheme = .http
        await #expect(throws: BrokerError.identityConflict(StateReason(code: .tlsGone))) {
            try await fixture.connector.target(of: plain, for: login.pinned)
        }
        #expect(server.requests.isEmpty)
    }

    @Test("a pin changes from the key to the authority and back, together with the login")
    func repin() async throws {
        let (fixture, server, endpoint) = try await Self.vouchedServer()
        let key = try await fixture.broker.identity(of: endpoint).pin
        #expect(key.authorityHost == nil)
        try await fixture.login(to: endpoint, pin: key)
        for trust in [ServerTrust.ca, .key] {
            let identity = try await fixture.broker.identity(of: endpoint, by: trust)
            let pinned = PinnedEndpoint(endpoint: endpoint.id, pin: identity.pin)
            let login = try #require(try await fixture.store.repin(pinned).first)
            #expect((login.pin.authorityHost != nil) == (trust == .ca))
            #expect(try await fixture.broker.test(login).steps.allSatisfy(\.isOK))
        }
        #expect(server.count("LoginEx") == 2)
    }

    @Test("only a host name that the user or the administrator gave can be verified, and only over TLS")
    func hosts() async throws {
        let (fixture, server, _) = try await Self.vouchedServer()
        let typed = try await Self.endpoint(fixture, server, host: "127.0.0.1", name: "typed")
        #expect(
            try await fixture.broker.identity(of: typed, by: .ca).pin == .authority(host: "127.0.0.1")
        )
        let other = try await Self.server(fixture, nil)
        await fixture.announce("announced", at: [.localhost], port: other.port, scheme: .https)
        var announced = try await fixture.registry.find("announced")
        announced.url.host = .address(.localhost, zone: nil)
        await #expect(throws: BrokerError.noAuthority(reason: "it is known by its address alone")) {
            try await fixture.broker.identity(of: announced, by: .ca)
        }
        var plain = typed
        plain.url.scheme = .http
        await #expect(throws: BrokerError.noAuthority(reason: "it speaks plain HTTP")) {
            try await fixture.broker.identity(of: plain, by: .ca)
        }
        #expect(server.requests.isEmpty && other.connections == 0)
    }

    @Test("the administrator's fingerprint determines the kind of trust")
    func administrator() async throws {
        let (fixture, _, endpoint) = try await Self.vouchedServer()
        let word = AdministratorsTrust.Word(
            file: "f",
            fingerprint: Fingerprint(of: Self.vouched),
            allowsPlaintext: false
        )
        fixture.connector.trust.replace([endpoint.id: word])
        let identity = try await fixture.broker.identity(of: endpoint)
        #expect(identity.pin == Self.vouched && identity.isPinnedByAdministrator)
        // The key is not the identity that the administrator configured.
        await #expect(throws: BrokerError.self) { try await fixture.broker.identity(of: endpoint, by: .key) }
    }

    @Test("the login string has the other user key and the extra keys, and a tool cannot use other values")
    func extraKeys() async throws {
        let fixture = try await BrokerFixture()
        let server = try await Self.server(fixture, nil)
        let endpoint = try await fixture.endpoint(at: server.address)
        let account = Account(
            user: "jane",
            domain: "Sales",
            schema: "",
            userKey: .user,
            extras: [LoginExtra(key: "Level", value: "da\"ta"), LoginExtra(key: "User Site", value: "é")]
        )
        let login = try await fixture.login(to: endpoint, account: account)
        let adapter = try await fixture.open(endpoint)
        #expect(try await Tool.call(adapter.socketPath).status == 200)
        let sent = String(decoding: server.bytes, as: UTF8.self)
        #expect(sent.contains(#"User="jane";Password="simple";Domain="Sales";Level="da""ta";User Site="é""#))
        let tool = login.account
        for text in ["Level=\"DA\"\"TA\"", "level=;Other=x", "user site=É"] {
            try tool.check(loginString: Array(text.utf8))
        }
        #expect(throws: BrokerError.otherExtra) { try tool.check(loginString: Array("LEVEL=admin".utf8)) }
        // A session with another login string is another session.
        let edit = LoginEdit(extras: [LoginExtra(key: "Level", value: "")])
        let edited = try await fixture.store.edit(login, edit)
        #expect(edited.account.extras.map(\.key) == ["User Site"] && !login.isUsed(as: edited))
    }
}
