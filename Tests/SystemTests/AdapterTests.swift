// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Adapters from outside", .timeLimit(.minutes(2)))
struct AdapterTests {
    private static let getSchema = AdapterCall(service: "DataService", method: "GetSchema", strings: [""])

    @Test("a held adapter answers GetSchema, keeps the caller's ClientID, and ends with its holder")
    func lease() async throws {
        let deployment = try await Deployment.withLogin()
        let (holder, adapter) = try await deployment.holdAdapter("sample")
        let socket = try adapter.string("socketPath")
        for (key, value) in [
            "domain": "DASamples", "schema": "Simple", "dataService": "DataService", "loginService": "LoginService",
        ] {
            #expect(try adapter.string(key) == value)
        }
        let answer = try await Self.getSchema.post(to: socket)
        #expect(answer.status == 200 && !answer.isException)
        #expect(answer.text.contains("<Name>Deps</Name>"))
        #expect(answer.clientID == AdapterCall.clientID)

        holder.signal(SIGTERM)
        _ = holder.wait()
        try await eventually { access(socket, F_OK) != 0 }
        #expect(try await deployment.json("adapter", "list") == [])
    }

    @Test("the daemon answers a tool's own login and logout, which end no session")
    func ownLogin() async throws {
        let deployment = try await Deployment.withLogin()
        let (holder, adapter) = try await deployment.holdAdapter("sample")
        let socket = try adapter.string("socketPath")
        #expect(try await !Self.getSchema.post(to: socket).isException)
        let logins = deployment.requests(of: "LoginService.LoginEx")
        let logouts = deployment.requests(of: "LoginService.Logout")

        let text = #"User Id="simple";Password="whatever";Domain="DASamples";Schema="Simple""#
        let login = try await AdapterCall(service: "LoginService", method: "LoginEx", strings: [text]).post(to: socket)
        #expect(login.status == 200 && !login.isException, "\(login.text)")
        let logout = try await AdapterCall(service: "LoginService", method: "Logout").post(to: socket)
        #expect(logout.status == 200 && !logout.isException, "\(logout.text)")
        #expect(try await !Self.getSchema.post(to: socket).isException)
        #expect(deployment.requests(of: "LoginService.LoginEx") == logins)
        #expect(deployment.requests(of: "LoginService.Logout") == logouts)
        holder.signal(SIGTERM)
        _ = holder.wait()
    }

    @Test("an anonymous adapter connects to a server without login")
    func anonymous() async throws {
        let deployment = try await Deployment.running()
        let server = try await deployment.startServer()
        try await deployment.success("add", "sample", "127.0.0.1:\(server.port)")
        #expect(try await deployment.relctl("adapter", "open", "sample").status != 0)
        try await deployment.success("endpoint", "set", "sample", "--data-service", "DASampleService")
        let (holder, adapter) = try await deployment.holdAdapter("sample", "--anonymous")
        #expect(adapter["login"] == nil)
        let call = AdapterCall(
            service: try adapter.string("dataService"),
            method: "GetSchema",
            strings: [""]
        )
        #expect(try await call.post(to: try adapter.string("socketPath")).text.contains("<Name>Deps</Name>"))
        #expect(deployment.requests(of: "LoginService.LoginEx") == 0)
        holder.signal(SIGTERM)
        _ = holder.wait()
    }

    @Test("list and close work; the lock closes the rest, and ends the session on the server")
    func listAndClose() async throws {
        let deployment = try await Deployment.withLogin()
        let first = try #require(try await deployment.json("adapter", "open", "sample").objectValue)
        let second = try #require(try await deployment.json("adapter", "open", "sample", "--ttl", "60").objectValue)
        let listed = try #require(try await deployment.json("adapter", "list").arrayValue)
        #expect(listed.count == 2)
        #expect(first["socketPath"] != second["socketPath"])
        try await deployment.success("adapter", "close", try first.string("id"))
        #expect(access(try first.string("socketPath"), F_OK) != 0)
        #expect(try await deployment.relctl("adapter", "close", try first.string("id")).status == 11)

        let logouts = deployment.requests(of: "LoginService.Logout")
        let (holder, held) = try await deployment.holdAdapter("sample")
        try await deployment.success("vault", "lock")
        #expect(holder.wait() != 0)
        for adapter in [second, held] {
            let socket = try adapter.string("socketPath")
            try await eventually { access(socket, F_OK) != 0 }
        }
        try await eventually { deployment.requests(of: "LoginService.Logout") == logouts + 1 }
        #expect(try await deployment.relctl("adapter", "open", "sample").status == 3)
    }

    @Test(
        "the example program in Python prints the schema",
        .enabled(if: Requirement.allMet([.program(Sources.python)], for: "the Python example"), "scripts/python-env.sh")
    )
    func pythonExample() async throws {
        let deployment = try await Deployment.withLogin()
        let example = Sources.root + "/docs/examples/get_schema.py"
        let schema = try await Command([Sources.python, example, "sample"], environment: deployment.environment)
            .succeed()
        #expect(schema.contains("<Name>Users</Name>"))
        try await eventually { try await deployment.json("adapter", "list") == [] }
        let missing = try await Command([Sources.python, example, "nobody"], environment: deployment.environment).run()
        #expect(missing.status == 1 && missing.standardError.contains("EndpointNotFound"), "\(missing)")
    }
}
