// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI
import Testing

@testable import relctl

@Suite("A server as a user types it")
struct NamedServerTests {
    @Test("an address has a dot, a colon or a scheme, and a single word is a name")
    func address() throws {
        #expect(NamedServer.address("office") == nil && NamedServer.address("two words") == nil)
        for (text, name) in [
            ("localhost", "localhost"), ("10.0.0.1", "10.0.0.1"), ("host:80", "host:80"),
            ("https://server.example/bin", "server.example:443"), ("server.example:7099", "server.example"),
        ] {
            #expect(try NamedServer.name(of: #require(NamedServer.address(text))) == name)
        }
        #expect(NamedServer.address("ftp://server.example") == nil && NamedServer.address("a.b/c") == nil)
    }

    @Test("an endpoint that was added at the address is preferred to an announced one")
    func known() throws {
        let url = try #require(NamedServer.address("10.0.0.1"))
        let heard = RegistryAPI.Endpoint.example("a")
        let added = RegistryAPI.Endpoint.example("b", origin: .manual)
        #expect(NamedServer.known(at: url, [heard, added]) == added && NamedServer.known(at: url, [heard]) == heard)
        #expect(NamedServer.known(at: url, [heard, .example("c")]) == nil && NamedServer.known(at: url, []) == nil)
    }
}
