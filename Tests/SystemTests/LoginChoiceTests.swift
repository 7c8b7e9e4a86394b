// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite("Which login commands use", .timeLimit(.minutes(2)))
struct LoginChoiceTests {
    private static let other = "Data@sample"

    private static func opened(
        _ deployment: Deployment,
        _ arguments: String...,
        login: String? = nil
    ) async throws
        -> [String?]
    {
        let output = try await deployment.relctl(
            ["adapter", "open", "--json"] + arguments,
            environment: login.map { ["RELATIVITYD_LOGIN": $0] } ?? [:]
        )
        let adapter = try #require(try JSONValue(parsing: output.standardOutput).objectValue, "\(output)")
        return [adapter["login"]?.stringValue, adapter["chosenBy"]?.stringValue]
    }

    @Test("every command chooses by one rule")
    func rule() async throws {
        let deployment = try await Deployment.withLogin()
        #expect(try await deployment.addLogin(user: "Data", password: "Relativity").status == 0)
        let verbs = [
            ["adapter", "open", "sample"], ["table", "list", "sample"], ["table", "get", "sample", "Deps"],
            ["schema", "show", "sample"], ["sql", "sample", "select DepId from Deps"],
            ["sql", "-t", "d=sample:Deps", "select count(*) from d"], ["grant", "add", "--read-only", "sample"],
            ["wait", "--for", "authenticated", "--timeout", "20s", "sample"],
        ]
        for verb in verbs {
            let output = try await deployment.relctl(verb)
            #expect(output.status == 64, "\(verb): \(output)")
            #expect(output.standardError.contains("--login: simple@sample, Data@sample"), "\(verb): \(output)")
        }
        try await deployment.success("default", "set", "Dat")
        for verb in verbs {
            let output = try await deployment.relctl(verb)
            #expect(output.status == 0, "\(verb): \(output)")
        }
        #expect(try await Self.opened(deployment, "sample") == [Self.other, "global"])
        let set = try #require(try await deployment.json("endpoint", "set", "sample", "--login", "sim").objectValue)
        #expect(try set.string("defaultLogin") == Deployment.login)
        #expect(try await Self.opened(deployment, "sample") == [Deployment.login, "endpoint"])
        #expect(try await Self.opened(deployment, "sample", login: "Data") == [Self.other, "variable"])
        #expect(try await Self.opened(deployment, "Data@sample") == [Self.other, "named"])
        #expect(try await Self.opened(deployment, "sample", "--login", "D", login: "simple") == [Self.other, "named"])
        for verb in [["adapter", "open", "Data@sample", "--login", "simple"], ["table", "list", "S@sample"]] {
            let output = try await deployment.relctl(verb)
            #expect(output.status == (verb[0] == "table" ? 11 : 64), "\(verb): \(output)")
        }
        let joined = try await deployment.success([
            "sql", "-t", "a=Data@sample:Deps", "-t", "b=simple@sample:Deps",
            "select count(*) as N from a join b on a.DepId = b.DepId", "--format", "csv",
        ])
        #expect(joined == "N\r\n4\r\n", "\(joined)")
        try await deployment.success("login", "rename", "simple", "main")
        #expect(try await Self.opened(deployment, "sample") == ["main", "endpoint"])
        try await deployment.success("login", "remove", "main", "--yes")
        #expect(try #require(try await deployment.json("show", "sample").objectValue)["defaultLogin"] == nil)
    }

    @Test("an anonymous use takes no login")
    func anonymous() async throws {
        let deployment = try await Deployment.withLogin()
        for words in [
            ["table", "list"], ["adapter", "open"], ["sql", "select 1"], ["wire", "capture", "--out", "-"],
        ] {
            let place = words[0] == "sql" ? ["sql", Deployment.login, words[1]] : words + [Deployment.login]
            let output = try await deployment.relctl(place + ["--anonymous"])
            let error = "'\(Deployment.login)' names a login, which is not used without one"
            #expect(output.status == 64 && output.standardError.contains(error), "\(words): \(output)")
        }
        let unknown = try await deployment.relctl("table", "list", "x@nowhere", "--anonymous")
        #expect(unknown.status == 11 && unknown.standardError.contains("no endpoint 'x@nowhere'"), "\(unknown)")
    }

    @Test("connect opens a locked vault to find the login of LOGIN@ENDPOINT")
    func lockedVault() async throws {
        let deployment = try await Deployment.withLogin()
        #expect(try await deployment.addLogin(user: "Data", password: "Relativity").status == 0)
        try await deployment.success("vault", "lock")
        let closed = try await deployment.relctl("connect", "Dat@sample", input: "")
        #expect(closed.status == 64 && closed.standardError.contains("--passphrase-stdin"), "\(closed)")
        let output = try await deployment.relctl(
            ["connect", "Dat@sample", "--passphrase-stdin", "--json"],
            input: Deployment.passphrase + "\n"
        )
        #expect(output.status == 0, "\(output)")
        #expect(try JSONValue(parsing: output.standardOutput).objectValue?.string("login") == Self.other)
    }

    @Test("the Data API chooses by the same rule, with the caller's variable")
    func dataAPI() async throws {
        let deployment = try await Deployment.withLogin()
        #expect(try await deployment.addLogin(user: "Data", password: "Relativity").status == 0)
        let helper = try await DataHelper(deployment)
        func outcome(_ server: JSONObject) throws -> String {
            let reply = try helper.connect().call("ListTables", ["server": .object(server)])
            return reply["error"]?.stringValue ?? "ok"
        }
        let ambiguous = "org.relativityd.Broker.LoginAmbiguous"
        #expect(try outcome(["endpoint": "sample"]) == ambiguous)
        #expect(try outcome(["endpoint": "sample", "preferredLogin": .string(Self.other)]) == "ok")
        #expect(try outcome(["endpoint": .string(Self.other)]) == "ok")
        #expect(
            try outcome(["endpoint": .string(Self.other), "login": "simple"]) == "org.relativityd.Broker.LoginUnclear"
        )
        try await deployment.success("default", "set", Self.other)
        #expect(try outcome(["endpoint": "sample"]) == "ok")
        #expect(try outcome([:]) == "ok")
    }

    @Test("the command that connect prints for the next time connects with the same login")
    func again() async throws {
        let deployment = try await Deployment.withLogin()
        #expect(try await deployment.addLogin(user: "Data", password: "Relativity").status == 0)
        for (options, login) in [
            (["--login", "Data"], Self.other), (["--user", "simple"], Deployment.login),
            (["--login", "Data", "--loopback"], Self.other),
        ] {
            let output = try await deployment.relctl(["connect", "sample"] + options)
            let line = output.standardOutput.split(separator: "\n").first { $0.hasPrefix("next time:") }
            let command = try #require(
                line?.firstRange(of: "relctl ").map { line?[$0.upperBound...] ?? "" },
                "\(output)"
            )
            let script = "'\(Products.path(of: "relctl"))' \(command) --json"
            let text = try await Command(["sh", "-c", script], environment: deployment.environment).succeed()
            let adapter = try #require(try JSONValue(parsing: text).objectValue)
            #expect(try adapter.string("login") == login)
            #expect(try adapter.string("form") == (options.contains("--loopback") ? "loopback" : "socket"))
        }
        let refused = try await deployment.relctl("connect", "sample", "--login", "Data@sample", "--user", "simple")
        #expect(refused.status == 64 && refused.standardError.contains("has the user 'Data'"), "\(refused)")
    }
}
