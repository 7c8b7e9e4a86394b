// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LocalAPI
import Platform
import TestSupport
import Testing

extension Deployment {
    /// The daemon's second socket.
    var adapterSocket: String { home.path(of: "run/relativityd/adapters.sock") }
}

extension UnixStream {
    /// Sends a call, and returns its first reply.
    func call(_ method: String, _ parameters: JSONObject = [:], more: Bool = false) throws -> JSONObject {
        let call: JSONObject = ["method": .string(method), "parameters": .object(parameters), "more": .bool(more)]
        send(Array(call.text.utf8) + [0])
        return try nextReply()
    }

    /// The next reply to the call.
    func nextReply() throws -> JSONObject {
        let frame = try receiveFrame()
        return try #require(try JSONValue(parsing: Array(frame.dropLast())).objectValue)
    }
}

@Suite("The daemon's second socket", .timeLimit(.minutes(2)))
struct SecondSocketTests {
    private static let open = "org.relativityd.Adapters.Open"

    private static func caller(_ change: UInt64 = 0) throws -> JSONValue {
        let process = try #require(ProcessIdentity(running: getpid()))
        return ["pid": .integer(Int64(process.pid)), "startTime": .integer(Int64(process.startTime + change))]
    }

    @Test(
        "it opens an adapter for a claimed caller, which the list and the audit log name, and closes it with the call"
    )
    func opens() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        // The claimed caller is another process than the one that connects.
        let client = try ChildProcess(["sleep", "60"])
        defer { client.signal(SIGKILL) }
        let claimed = try #require(ProcessIdentity(running: client.pid))
        var stream: UnixStream? = try UnixStream(path: deployment.adapterSocket)
        let caller: JSONValue = [
            "pid": .integer(Int64(claimed.pid)), "startTime": .integer(Int64(claimed.startTime)),
        ]
        let reply = try stream?.call(Self.open, ["caller": caller, "endpoint": "sample"], more: true)
        #expect(reply?["continues"] == true, "\(String(describing: reply))")
        let opened = try #require(reply?["parameters"]?.objectValue)
        #expect(opened["endpointName"] == "sample" && opened["dataService"] == "DataService")
        var facts = stat()
        #expect(try stat(opened.string("socketPath"), &facts) == 0 && facts.st_mode & S_IFMT == S_IFSOCK)

        let adapters = try #require(try await deployment.json("adapter", "list").arrayValue)
        #expect(adapters.count == 1)
        let adapter = try #require(adapters.first?.objectValue)
        #expect(adapter["id"] == opened["adapter"])
        #expect(adapter["pid"] == .integer(Int64(client.pid)))
        #expect(adapter["claimedBy"] == .integer(Int64(getpid())))
        let lines = try #require(try await deployment.json("audit").arrayValue).compactMap(\.objectValue)
        let line = try #require(lines.last { $0["event"] == "adapter.opened" })
        #expect(line["pid"] == .integer(Int64(client.pid)) && line["claimedBy"] == .integer(Int64(getpid())))
        #expect(lines.contains { $0["event"] == "login.added" && $0["claimedBy"] == nil })
        #expect(try await deployment.success("audit").contains("\(client.pid) (as claimed by \(getpid()))"))

        stream = nil
        try await eventually { try await deployment.json("adapter", "list") == .array([]) }
        try await started.daemon.end()
        #expect(access(deployment.adapterSocket, F_OK) != 0)
    }

    @Test("a process of another user, a reused process ID and a call without more are refused")
    func refused() async throws {
        let deployment = try await Deployment.running()
        let stream = try UnixStream(path: deployment.adapterSocket)
        func error(_ parameters: JSONObject, more: Bool = true) throws -> JSONObject {
            try stream.call(Self.open, parameters, more: more)
        }
        let valid: JSONObject = ["caller": try Self.caller(), "endpoint": "none"]
        #expect(try error(valid)["error"] == "org.relativityd.Registry.EndpointNotFound")
        #expect(try error(valid, more: false)["error"] == "org.varlink.service.ExpectedMore")
        let others: [JSONValue] = [
            try Self.caller(1), ["pid": 0, "startTime": 0], ["pid": 4_194_305, "startTime": 1],
            ["pid": .integer(.max), "startTime": .integer(-1)],
        ]
        for caller in others {
            let reply = try error(["caller": caller, "endpoint": "none"])
            #expect(reply["error"] == "org.varlink.service.InvalidParameter", "\(caller)")
            #expect(reply["parameters"] == ["parameter": "caller"], "\(caller)")
        }
        #expect(try error(["endpoint": "none"])["error"] == "org.varlink.service.InvalidParameter")
    }

    @Test("it has no other method: every one of the local API is unknown there, and HTTP is closed")
    func nothingElse() async throws {
        let deployment = try await Deployment.running()
        let stream = try UnixStream(path: deployment.adapterSocket)
        let info = try stream.call("org.varlink.service.GetInfo")["parameters"]?.objectValue
        #expect(info?["interfaces"] == ["org.varlink.service", "org.relativityd.Adapters"])
        for method in [
            "Manager.GetStatus", "Registry.List", "Credentials.Unlock", "Broker.Open", "Broker.Close", "Broker.List",
            "Broker.OpenSession", "Broker.AddGrant", "Audit.List",
        ] {
            let reply = try stream.call("org.relativityd.\(method)", ["endpoint": "none"], more: true)
            #expect(reply["error"] == "org.varlink.service.InterfaceNotFound", "\(method): \(reply)")
        }
        let close = try stream.call("org.relativityd.Adapters.Close", ["adapter": "x"])
        #expect(close["error"] == "org.varlink.service.MethodNotFound")
        let http = try UnixStream(path: deployment.adapterSocket)
        http.send(Array("GET /services HTTP/1.1\r\nHost: d\r\n\r\n\0".utf8))
        #expect(try http.receive().isEmpty)
    }

    @Test(
        "a process of another user is closed without an answer, and recorded",
        .enabled(if: Requirement.allMet([.root, .program("/usr/bin/python3")]), "needs root and Debian's python3")
    )
    func otherUser() async throws {
        let deployment = Deployment()
        try await deployment.startDaemon()
        #expect(try await deployment.bytesForOtherUser(at: deployment.adapterSocket) == 0)
        let lines = try #require(try await deployment.json("audit").arrayValue).compactMap(\.objectValue)
        #expect(lines.contains { $0["event"] == "peer.refused" })
    }
}
