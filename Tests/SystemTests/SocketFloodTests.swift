// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

/// Clients that call methods and do not read the replies, at each socket and with each shape of reply.
@Suite(
    "Clients that do not read",
    .serialized,
    .enabled(if: Requirement.allMet([.root, .program("systemd-socket-activate")]), "needs root"),
    .timeLimit(.minutes(30))
)
struct SocketFloodTests {
    private static let time = Duration.seconds(Soak.count(5, soak: 40))
    private static let most = 4 << 20
    private static let info = call("org.varlink.service.GetInfo")

    private static func call(_ method: String, _ parameters: JSONObject = [:], flag: String? = nil) -> [UInt8] {
        var call: JSONObject = ["method": .string(method), "parameters": .object(parameters)]
        if let flag { call[flag] = true }
        return Array(call.text.utf8) + [0]
    }

    private static func description(of interface: String) -> [UInt8] {
        call("org.varlink.service.GetInterfaceDescription", ["interface": .string(interface)])
    }

    private static func http(_ method: String, _ path: String, _ body: String = "") -> [UInt8] {
        Array("\(method) \(path) HTTP/1.1\r\nHost: d\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }

    /// Calls of the length of a request at most whose parsing takes long, or took long.
    private static let costly: [(shape: String, request: [UInt8])] = {
        let length = 250 << 10
        func info(_ parameters: String) -> [UInt8] {
            Array(#"{"method":"org.varlink.service.GetInfo","parameters":\#(parameters)}"#.utf8) + [0]
        }
        func list(_ element: String) -> String {
            "[" + Array(repeating: element, count: length / 4 / element.utf8.count).joined(separator: ",") + "]"
        }
        // Each begins with another of 32 spellings of the same characters, and ends with another digit.
        let keys = (0..<16).map { number in
            let head = (0..<5).map { number >> $0 & 1 == 0 ? "\u{e9}" : "e\u{301}" }.joined()
            return "\"\(head)\(String(repeating: "\u{1100}\u{1161}", count: length / 16 / 6 - 8))\(number)\":0"
        }
        let marks = "a" + String(repeating: "\u{301}\u{323}", count: length / 4 - 64)
        return [
            ("values", info(#"{"x":\#(list("0"))}"#)), ("arrays", info(#"{"x":\#(list("[0]"))}"#)),
            ("keys", info("{\((0..<length / 12).map { "\"ä\($0)\":0" }.joined(separator: ","))}")),
            ("equal keys", info("{\(keys.joined(separator: ","))}")),
            ("marks in a key", info("{\((0..<17).map { "\"\($0)\":0" }.joined(separator: ",")),\"\(marks)\":0}")),
            ("marks in a name", Array(#"{"method":"\#(marks)"}"#.utf8) + [0]),
        ]
    }()

    private static func flood(
        _ requests: [(shape: String, request: [UInt8])],
        at socket: String,
        pid: Int,
        connections: Int = SocketFlood.most,
        mayPause: Bool = false,
        readsReplies: Bool = false
    ) async throws {
        try await BlockingWork.run {
            let other = try UnixStream(path: socket)
            func call() throws {
                other.send(Self.info)
                try #require(try !other.receiveFrame().isEmpty)
            }
            let unloaded = try SocketFlood.unloaded(call)
            for (shape, request) in requests {
                let flood = SocketFlood(
                    path: socket,
                    request: request,
                    connections: connections,
                    readsReplies: readsReplies
                )
                let result = try flood.run(for: Self.time, pid: pid, call: call)
                print(
                    "\(shape): \(result.growth >> 10) KiB, p99 \(result.p99), unloaded \(unloaded), \(result.closed) closed"
                )
                #expect(result.p99 <= unloaded + .milliseconds(20), "\(shape)")
                if readsReplies { continue }
                #expect(result.growth <= Self.most, "\(shape)")
                if Soak.isOn { #expect(result.closed == (mayPause ? 0 : connections), "\(shape)") }
            }
        }
    }

    @Test("take bounded memory of the daemon, delay no other caller, and are disconnected in time")
    func daemon() async throws {
        let deployment = Deployment()
        try await deployment.startDaemon()
        let pid = Int(try #require(try await deployment.json("status").objectValue).integer("pid"))
        try await Self.flood(
            [
                ("small", Self.info), ("large", Self.description(of: "org.relativityd.Credentials")),
                ("HTTP", Self.http("GET", "/interfaces/org.relativityd.Credentials")),
                ("upgrade", Self.call("org.relativityd.Credentials.UnlockWithPassphrase", flag: "upgrade")),
            ],
            at: deployment.socket,
            pid: pid
        )
        // Nothing of a watch without events is unread.
        try await Self.flood(
            [("watch", Self.call("org.relativityd.Registry.Watch", flag: "more"))],
            at: deployment.socket,
            pid: pid,
            mayPause: true
        )
        try await Self.flood(
            [
                ("small", Self.info), ("large", Self.description(of: "org.relativityd.Adapters")),
                ("HTTP", Self.http("GET", "/interfaces/org.relativityd.Adapters")),
                ("open", Self.call("org.relativityd.Adapters.Open", ["endpoint": "none"], flag: "more")),
            ],
            at: deployment.home.path(of: "run/relativityd/adapters.sock"),
            pid: pid
        )
        for socket in [deployment.socket, deployment.home.path(of: "run/relativityd/adapters.sock")] {
            try await Self.flood(Self.costly, at: socket, pid: pid, readsReplies: true)
        }
    }

    @Test("take bounded memory of the helper for data, and delay no other caller")
    func data() async throws {
        let deployment = Deployment()
        try await deployment.startWithLogin("--rows", "100000")
        let helper = try await DataHelper(deployment)
        let read: JSONObject = ["server": ["endpoint": "sample"], "table": "Users"]
        // The helper runs from its first connection on.
        _ = try helper.connect().call("ListTables", ["server": ["endpoint": "sample"]])
        let pid = try await helper.pid()
        try await Self.flood(
            [
                ("small", Self.info), ("large", Self.description(of: "org.relativityd.Data")),
                ("HTTP", Self.http("GET", "/interfaces/org.relativityd.Data")),
            ],
            at: helper.socket,
            pid: pid
        )
        try await Self.flood(
            [
                ("rows", Self.call("org.relativityd.Data.Read", read, flag: "more")),
                ("rows by HTTP", Self.http("POST", "/call/org.relativityd.Data.Read?more", read.text)),
            ],
            at: helper.socket,
            pid: pid,
            connections: 4,
            mayPause: true
        )
        try await Self.flood(Self.costly, at: helper.socket, pid: pid, readsReplies: true)
    }
}
