// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Locks
import NIOCore
import NIOSSL
import Registry
import Remoting
import TestSupport
import Testing

@testable import Broker

/// The name in TLS and in the Host header of a pinned server, while announcements change.
@Suite("Names of pinned servers", .timeLimit(.minutes(1)), .endsStarted)
struct AgreedHostTests {
    /// A TLS server that is announced as `agreed.local`.
    private final class Announced: Sendable {
        let fixture: BrokerFixture
        let server: ScriptedServer
        let certificate: TestCertificate
        private let names: Names

        private final class Names: Sendable {
            let list = Lock<[String?]>([])
        }

        init() async throws {
            fixture = try await BrokerFixture()
            certificate = try await TestCertificate(in: fixture.temporary)
            let names = Names()
            self.names = names
            server = try await ScriptedServer(
                on: fixture.loop,
                tls: try certificate.files.context {
                    $0.sslContextCallback = { values, promise in
                        names.list.withLock { $0.append(values.serverHostname) }
                        promise.succeed(.noChanges)
                    }
                },
                behaviour: Misbehaviour.none.behaviour(leadingTo: "", sparingLogin: true, seed: 0)
            )
        }

        /// The names in the handshakes since the last call.
        func takeNames() -> [String?] {
            names.list.withLock { names in
                defer { names = [] }
                return names
            }
        }

        /// The `Host:` headers of the requests so far.
        var hosts: [String] {
            String(decoding: server.bytes, as: UTF8.self).split(separator: "\r\n")
                .filter { $0.lowercased().hasPrefix("host: ") }.map { String($0.dropFirst(6)) }
        }

        func announce(as host: String) async throws -> Endpoint {
            await fixture.announce(as: host, port: server.port, scheme: .https)
            return try await fixture.registry.find("announced")
        }

        func addLogin(to endpoint: Endpoint) async throws -> Login {
            try await fixture.login(
                to: endpoint,
                pin: .tls(spkiSHA256: certificate.digest),
                location: EndpointLocation(name: endpoint.name, url: endpoint.url.description)
            )
        }
    }

    @Test("after an announcement of another name, handshake and Host still use the verified name")
    func login() async throws {
        let announced = try await Announced()
        let login = try await announced.addLogin(to: try await announced.announce(as: "agreed.local"))
        let endpoint = try await announced.announce(as: "newest.local")
        #expect(endpoint.url.host.urlText == "newest.local")
        let adapter = try await announced.fixture.open(endpoint, login: "login")
        #expect(try await Tool.call(adapter.socketPath).status == 200)
        #expect(try await announced.fixture.broker.test(login).steps.allSatisfy(\.isOK))
        let names = announced.takeNames()
        #expect(!names.isEmpty && names.allSatisfy { $0 == "agreed.local" }, "\(names)")
        let hosts = announced.hosts
        #expect(hosts.count >= 3 && hosts.allSatisfy { $0 == "agreed.local:\(announced.server.port)" }, "\(hosts)")
        // A caller that reads the current identity, in order to verify it, uses the latest announcement.
        _ = try await announced.fixture.broker.identity(of: endpoint)
        #expect(announced.takeNames() == ["newest.local"])
    }

    @Test("a probe checks the server against its pin with the verified name")
    func probe() async throws {
        let announced = try await Announced()
        _ = try await announced.addLogin(to: try await announced.announce(as: "agreed.local"))
        let endpoint = try await announced.announce(as: "newest.local")
        let fixture = announced.fixture
        let prober = Prober(connector: fixture.connector, store: fixture.store) { _ in }
        #expect(try await prober.probe(endpoint).contact == .reached)
        #expect(announced.takeNames() == ["agreed.local"])
    }
}
