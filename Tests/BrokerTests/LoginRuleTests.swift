// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Platform
import TestSupport
import Testing

@testable import Broker
@testable import Registry

@Suite("Which login is used")
struct LoginRuleTests {
    /// Added endpoints, and `lan`, which is only announced. `tidy` has a default.
    private static let servers = ["shop", "office", "lan", "tidy", "web@shop"]

    private static func rule(
        _ logins: [(String, String)]? = nil,
        standing: DefaultLogin? = nil,
        missing: CredentialError? = nil
    ) throws -> LoginRule {
        let all = [
            ("clerk@shop", "shop"), ("chief@shop", "shop"), ("boss@office", "office"), ("only@lan", "lan"),
            ("a@tidy", "tidy"), ("b@tidy", "tidy"),
        ]
        return LoginRule(
            logins: try (logins ?? all).map {
                LoginRule.Known(name: $0.0, endpoint: try #require(EndpointID("id-\($0.1.filter { $0 != "@" })")))
            },
            missing: missing,
            standing: standing
        )
    }

    private static func find(_ text: String) throws -> Endpoint {
        let names = servers.contains(text) ? [text] : servers.filter { $0.hasPrefix(text) || id($0) == text }
        guard names.count == 1, let id = EndpointID(id(names[0])), !text.isEmpty else {
            throw BrokerError.unreachable(StateReason(code: .notListed))
        }
        let url = try ServerURL(completing: "127.0.0.1")
        var endpoint = Endpoint(id: id, name: names[0], origin: .manual, state: .unknown, url: url)
        if ["lan", "web@shop"].contains(names[0]) { endpoint.origin = .discovered }
        if names[0] == "tidy" { endpoint.defaultLogin = "b@tidy" }
        return endpoint
    }

    private static func id(_ name: String) -> String { "id-\(name.filter { $0 != "@" })" }

    /// The endpoint, the login and the chooser, or the error.
    private static func outcome(_ rule: LoginRule, _ use: NamedUse) -> String {
        do {
            let choice = try rule.choice(use, find: find)
            return "\(choice.endpoint.name) \(choice.login.name) \(choice.chooser)"
        } catch {
            return "\(error)"
        }
    }

    private static let several = "'shop' has several logins, name one with --login: clerk@shop, chief@shop"

    @Test("what is named comes first, then the variable, the endpoint's default, the global default, the only one")
    func precedence() throws {
        let plain = try Self.rule()
        let global = try Self.rule(standing: DefaultLogin(name: "clerk@shop"))
        let rows: [(LoginRule, NamedUse, String)] = [
            (global, NamedUse("shop", login: "chief@shop", preferred: "clerk@shop"), "shop chief@shop named"),
            (global, NamedUse("shop", login: "ch"), "shop chief@shop named"),
            (global, NamedUse("chief@shop", preferred: "clerk@shop"), "shop chief@shop named"),
            (global, NamedUse("shop", preferred: "chief@shop"), "shop chief@shop variable"),
            (global, NamedUse("shop", preferred: "boss@office"), "shop clerk@shop global"),
            (global, NamedUse("shop"), "shop clerk@shop global"),
            (plain, NamedUse("tidy", preferred: "a@tidy"), "tidy a@tidy variable"),
            (plain, NamedUse("tidy", preferred: "boss@office"), "tidy b@tidy endpoint"),
            (try Self.rule(standing: DefaultLogin(name: "a@tidy")), NamedUse("tidy"), "tidy b@tidy endpoint"),
            (global, NamedUse("office"), "office boss@office onlyOne"),
            (plain, NamedUse("shop"), Self.several),
            (try Self.rule(standing: DefaultLogin(name: "gone")), NamedUse("shop"), Self.several),
            (plain, NamedUse("shop", preferred: "gone"), "there is no login named 'gone', chosen by RELATIVITYD_LOGIN"),
            (plain, NamedUse("shop", login: "gone"), "there is no login named 'gone'"),
            (
                plain, NamedUse("shop", login: "boss@office"),
                "the login 'boss@office' belongs to the endpoint id-office"
            ),
            (
                try Self.rule([("a@tidy", "tidy")]), NamedUse("tidy"),
                "there is no login named 'b@tidy', the default of the endpoint"
            ),
            (try Self.rule([]), NamedUse("shop"), "there is no login for 'shop'"),
        ]
        for (rule, use, expected) in rows { #expect(Self.outcome(rule, use) == expected, "\(use)") }
    }

    @Test("without an endpoint the login determines it")
    func withoutEndpoint() throws {
        let rows: [(LoginRule, NamedUse, String)] = [
            (try Self.rule(), NamedUse(nil, login: "boss"), "office boss@office named"),
            (try Self.rule(), NamedUse(nil, preferred: "boss@office"), "office boss@office variable"),
            (
                try Self.rule(standing: DefaultLogin(name: "clerk@shop")), NamedUse(nil, preferred: "boss"),
                "office boss@office variable"
            ),
            (try Self.rule(standing: DefaultLogin(name: "clerk@shop")), NamedUse(nil), "shop clerk@shop global"),
            (try Self.rule([("work", "shop")]), NamedUse(nil), "shop work onlyOne"),
            (
                try Self.rule([("work", "shop"), ("boss", "office")]), NamedUse(nil),
                "there are several logins, name one with --login: work, boss"
            ),
            (try Self.rule([]), NamedUse(nil), "there is no login"),
            (
                try Self.rule(standing: DefaultLogin(name: "gone")), NamedUse(nil),
                "there is no login named 'gone', the default login"
            ),
        ]
        for (rule, use, expected) in rows { #expect(Self.outcome(rule, use) == expected, "\(use)") }
    }

    @Test("without a login a word is only an endpoint")
    func anonymous() throws {
        for (word, name) in [("sho", "shop"), ("web@shop", "web@shop")] {
            #expect(try LoginRule.anonymousEndpoint(word, find: Self.find).name == name)
        }
        for word in ["clerk@shop", "anybody@shop"] {
            #expect(throws: BrokerError.loginUnwanted(word)) {
                try LoginRule.anonymousEndpoint(word, find: Self.find)
            }
        }
        #expect(throws: BrokerError.unreachable(StateReason(code: .notListed))) {
            try LoginRule.anonymousEndpoint("clerk@nowhere", find: Self.find)
        }
    }

    @Test("a word is wholly a name, or a login and an endpoint, and contradictions are refused")
    func words() throws {
        let mixed = [("office", "shop"), ("shop", "shop"), ("boss", "office"), ("work", "shop"), ("c@shop", "tidy")]
        let rows: [([(String, String)]?, NamedUse, String)] = [
            (nil, NamedUse("clerk@shop"), "shop clerk@shop named"),
            (nil, NamedUse("cl@sho"), "shop clerk@shop named"),
            (nil, NamedUse("boss@shop"), "there is no login named 'boss@shop'"),
            (
                nil, NamedUse("c@shop"),
                "'c@shop' has several meanings, name the login with --login: "
                    + "the login 'clerk@shop' of 'shop', the login 'chief@shop' of 'shop'"
            ),
            (nil, NamedUse("clerk@shop", login: "clerk"), "shop clerk@shop named"),
            (
                nil, NamedUse("clerk@shop", login: "chief"),
                "'clerk@shop --login chief' has several meanings, name the login with --login: "
                    + "the login 'clerk@shop' of 'shop', the login 'chief@shop' of 'shop'"
            ),
            // The name of a login needs no @.
            (mixed, NamedUse("work"), "shop work named"),
            (mixed, NamedUse("c@shop"), "tidy c@shop named"),
            // Each @ may be the one between the login and the endpoint.
            (mixed, NamedUse("c@shop@tidy"), "tidy c@shop named"),
            (mixed, NamedUse("work@shop"), "shop work named"),
            // Wholly an endpoint and wholly a login of another one, or another login.
            (
                mixed, NamedUse("office"),
                "'office' has several meanings, name the login with --login: "
                    + "the login 'office' of 'shop', the endpoint 'office'"
            ),
            (mixed, NamedUse("office", login: "boss"), "office boss named"),
            (mixed, NamedUse("office", login: "office"), "shop office named"),
            ([("office", "office")], NamedUse("office"), "office office named"),
            // A host that announces the name of a login does not make it ambiguous.
            ([("web@shop", "shop")], NamedUse("web@shop"), "shop web@shop named"),
            ([("w", "shop")], NamedUse("web@shop", login: "w"), "there is no login named 'web@shop'"),
            ([("web", "shop")], NamedUse("web@shop"), "shop web named"),
            // The server of the login is gone.
            (
                [("lost", "gone")], NamedUse("lost"),
                "the server cannot be reached: it is not in the list of endpoints now"
            ),
        ]
        for (logins, use, expected) in rows {
            let outcome = Self.outcome(try Self.rule(logins), use)
            #expect(outcome == expected, "\(use)")
        }
    }

    @Test("while the vault is closed, nothing is chosen that an absent login would take precedence over")
    func closed() throws {
        let configured = [("robot@shop", "shop"), ("r@tidy", "tidy")]
        func outcome(
            _ use: NamedUse,
            _ standing: DefaultLogin? = nil,
            _ missing: CredentialError = .locked
        ) throws
            -> String
        {
            Self.outcome(try Self.rule(configured, standing: standing, missing: missing), use)
        }
        let locked = "\(CredentialError.locked)"
        #expect(try outcome(NamedUse("shop")) == "shop robot@shop onlyOne")
        #expect(try outcome(NamedUse("robot@shop")) == "shop robot@shop named")
        #expect(try outcome(NamedUse("shop", login: "clerk")) == locked)
        #expect(try outcome(NamedUse("shop", preferred: "clerk@shop")) == locked)
        #expect(try outcome(NamedUse("clerk@shop")) == locked)
        #expect(try outcome(NamedUse("tidy")) == locked)
        #expect(try outcome(NamedUse("office")) == locked)
        #expect(try outcome(NamedUse("shop"), DefaultLogin(name: "clerk@shop", endpoint: "id-shop")) == locked)
        // The default is of another endpoint, so that the vault is not needed.
        let other = DefaultLogin(name: "boss@office", endpoint: "id-office")
        #expect(try outcome(NamedUse("shop"), other) == "shop robot@shop onlyOne")
        // A configured login has the name of the default, which is a login of the vault for another endpoint.
        let same = DefaultLogin(name: "robot@shop", endpoint: "id-office")
        #expect(try outcome(NamedUse("shop"), same) == "shop robot@shop onlyOne")
        let none = CredentialError.noVault(path: "/v")
        #expect(try outcome(NamedUse("shop", preferred: "robot"), nil, none) == "shop robot@shop variable")
        #expect(try outcome(NamedUse("office"), nil, none) == "\(none)")
        let unknown = "there is no login named 'x', chosen by RELATIVITYD_LOGIN"
        #expect(try outcome(NamedUse("shop", preferred: "x"), nil, none) == unknown)
    }
}
