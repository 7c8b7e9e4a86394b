// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
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

    private static func login(_ name: String, _ user: String, _ schema: String?) throws -> CredentialsAPI.Login {
        var json: JSONObject = [
            "name": .string(name), "origin": "vault", "endpoint": "e1", "user": .string(user), "userKey": "User Id",
            "domain": "D", "extraKeys": [], "strength": "tlsKey", "pin": "aa", "allowPlaintext": false,
            "verified": true, "created": 0,
        ]
        json["schema"] = schema.map { .string($0) }
        return try CredentialsAPI.Login(json: json)
    }

    @Test("each option of connect about a login takes effect or is an error")
    func account() throws {
        let logins = [
            try Self.login("simple", "u", "Simple"), try Self.login("trade", "u", "PCTrade"),
            try Self.login("none", "v", nil),
        ]
        let any = LoginAccount()
        let rows: [(String?, LoginAccount, StoredLogins.Choice)] = [
            (nil, any, .byRule), ("sim", any, .stored("simple")), ("other", any, .new),
            (nil, LoginAccount(user: "v"), .stored("none")),
            (nil, LoginAccount(user: "v", schema: ""), .stored("none")),
            (nil, LoginAccount(user: "v", schema: "Simple"), .new), (nil, LoginAccount(user: "w"), .new),
            (nil, LoginAccount(user: "u", domain: "D"), .several(["simple", "trade"])),
            (nil, LoginAccount(schema: "PCTrade"), .stored("trade")), (nil, LoginAccount(domain: "E"), .new),
            ("trade", LoginAccount(user: "u", domain: "D", schema: "PCTrade"), .stored("trade")),
            // With a user the name is whole, because a new login may get it.
            ("sim", LoginAccount(user: "u"), .new),
        ]
        for (name, account, expected) in rows {
            let choice = try StoredLogins.choice(of: name, as: account, among: logins)
            #expect(choice == expected, "\(name ?? "-") \(account)")
        }
        #expect(try StoredLogins.choice(of: nil, as: any, among: []) == .new)
        for account in [LoginAccount(user: "v"), LoginAccount(domain: "E"), LoginAccount(user: "u", schema: "Simple")] {
            #expect(throws: Failure.self) {
                try StoredLogins.choice(of: "trade", as: account, among: logins)
            }
        }
    }
}
