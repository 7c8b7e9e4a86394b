// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import Locks
import Testing
import Varlink
import VarlinkService

@Suite("Server")
struct ServerTests {
    private static let echo = #"{"method":"org.example.test.Echo","parameters":{"text":"hé"}}"#
    private static let echoed = #"{"parameters":{"text":"hé"}}"#

    @Test("replies are sent in the order of the requests, also after a call that waits")
    func pipelining() async throws {
        try await TestServer.run { server in
            let peer = try server.connectRaw()
            var frames = Array(#"{"method":"org.example.test.Hold"}"#.utf8) + [0]
            for number in 0..<1_000 {
                frames += Array(#"{"method":"org.example.test.Echo","parameters":{"text":"\#(number)"}}"#.utf8) + [0]
            }
            peer.send(frames)
            await server.events.until("holding")
            #expect(server.events.count("echo") == 0)
            _ = try server.connect().call("org.example.test.Release")
            #expect(try peer.receive() == #"{"parameters":{"held":true}}"#)
            for number in 0..<1_000 {
                #expect(try peer.receive() == #"{"parameters":{"text":"\#(number)"}}"#)
            }
        }
    }

    @Test("a oneway call receives no reply")
    func oneway() async throws {
        try await TestServer.run { server in
            let peer = try server.connectRaw()
            peer.send(#"{"method":"org.example.test.Echo","parameters":{"text":"a"},"oneway":true}"#)
            peer.send(Self.echo)
            #expect(try peer.receive() == Self.echoed)
        }
    }

    @Test("each connection has a number of its own, which is reported when it has closed")
    func connectionNumbers() async throws {
        let closed = Lock<[UInt64]>([])
        try await TestServer.run(closed: { number in closed.withLock { $0.append(number) } }) { server in
            func number(_ connection: VarlinkConnection) throws -> Int64 {
                try connection.call("org.example.test.Number").integer("number")
            }
            let first = try server.connect()
            let second = try server.connect()
            let numbers = try [number(first), number(second)]
            #expect(Set(numbers).count == 2)
            #expect(try number(first) == numbers[0])
            #expect(closed.withLock { $0 }.isEmpty)
            second.close()
            while closed.withLock({ $0.isEmpty }) { usleep(1_000) }
            #expect(closed.withLock { $0 } == [UInt64(numbers[1])])
            first.close()
        }
        #expect(closed.withLock { $0.count } == 2)
    }

    @Test(
        "an invalid call gets a standard error",
        arguments: [
            ("org.example.test.Nothing", "{}", "org.varlink.service.MethodNotFound", #"{"method":"Nothing"}"#),
            (
                "org.example.other.Echo", "{}", "org.varlink.service.InterfaceNotFound",
                #"{"interface":"org.example.other"}"#
            ),
            (
                "org.example.test.Unwritten", "{}", "org.varlink.service.MethodNotImplemented",
                #"{"method":"Unwritten"}"#
            ),
            ("org.example.test.Echo", "{}", "org.varlink.service.InvalidParameter", #"{"parameter":"text"}"#),
            ("org.example.test.Echo", #"{"text":1}"#, "org.varlink.service.InvalidParameter", #"{"parameter":"text"}"#),
            ("org.example.test.Count", #"{"to":2}"#, "org.varlink.service.ExpectedMore", "{}"),
            (
                "org.example.test.Secret", #"{"limit":2}"#, "org.varlink.service.InvalidParameter",
                #"{"parameter":"upgrade"}"#
            ),
            ("org.example.test.Fail", #"{"why":"rain"}"#, "org.example.test.Sad", #"{"why":"rain"}"#),
            ("org.example.test.Fail", "{}", "org.example.test.Failure", "{}"),
            ("org.example.test.Silent", "{}", "org.example.test.Failure", "{}"),
            ("nonsense", "{}", "org.varlink.service.InvalidParameter", #"{"parameter":"method"}"#),
            ("org.example.test.Ä", "{}", "org.varlink.service.InvalidParameter", #"{"parameter":"method"}"#),
        ]
    )
    func errors(method: String, parameters: String, error: String, facts: String) async throws {
        let parameters = try #require(try JSONValue(parsing: parameters).objectValue)
        let facts = try #require(try JSONValue(parsing: facts).objectValue)
        try await TestServer.run { server in
            let connection = try server.connect()
            #expect(throws: VarlinkError(error, facts)) { try connection.call(method, parameters) }
            #expect(try connection.call("org.example.test.Echo", ["text": "on"]) == ["text": "on"])
        }
    }

    @Test("a call or stream is cancelled when its client disconnects")
    func disconnect() async throws {
        try await TestServer.run { server in
            do {
                let peer = try server.connectRaw()
                peer.send(#"{"method":"org.example.test.Wait","more":true}"#)
                await server.events.until("waiting")
            }
            await server.events.until("cancelled")
            do {
                let peer = try server.connectRaw()
                peer.send(#"{"method":"org.example.test.Wait"}"#)
                await server.events.until("waiting", count: 2)
            }
            await server.events.until("cancelled", count: 2)
        }
    }

    @Test("a client that has half-closed its connection gets its replies")
    func halfClose() async throws {
        try await TestServer.run { server in
            let peer = try server.connectRaw()
            peer.send(#"{"method":"org.example.test.Hold"}"#)
            peer.send(Self.echo)
            peer.finishSending()
            await server.events.until("holding")
            _ = try server.connect().call("org.example.test.Release")
            #expect(try peer.receive() == #"{"parameters":{"held":true}}"#)
            #expect(try peer.receive() == Self.echoed)
            #expect(try peer.receive() == nil)
        }
    }

    @Test("a slow reader delays its stream, in bounded memory, and receives everything")
    func slowReader() async throws {
        try await TestServer.run { server in
            let peer = try server.connectRaw()
            peer.send(#"{"method":"org.example.test.Count","parameters":{"to":400,"bytes":20000},"more":true}"#)
            await server.events.until("counted")
            // Other callers are served, and 8 MB are not produced: buffers hold less than a hundred replies.
            for _ in 0..<50 { _ = try server.connect().call("org.example.test.Echo", ["text": "a"]) }
            #expect(server.events.count("counted") < 100)
            for value in 1...400 {
                let frame = try #require(try peer.receive())
                let parameters = try JSONValue(parsing: frame).objectValue?.object("parameters")
                #expect(try parameters?.integer("value") == Int64(value))
            }
        }
    }

    @Test(
        "an invalid request closes the connection",
        arguments: [
            "", "x", "[]", "{}", #"{"method":1}"#, #"{"method":"a.b.C","parameters":[]}"#, #"{"method":"a.b.C"}}"#,
        ]
    )
    func malformed(frame: String) async throws {
        try await TestServer.run { server in
            let peer = try server.connectRaw()
            peer.send(Self.echo)
            peer.send(frame)
            peer.send(Self.echo)
            #expect(try peer.receive() == Self.echoed)
            #expect(try peer.receive() == nil)
        }
    }

    @Test("a request above the limit closes the connection, and one at the limit is served")
    func oversize() async throws {
        var limits = VarlinkLimits()
        limits.frameBytes = 1_000
        try await TestServer.run(limits) { server in
            let text = String(repeating: "x", count: 1_000 - 62 + 3)
            let frame = #"{"method":"org.example.test.Echo","parameters":{"text":"\#(text)"}}"#
            try #require(frame.utf8.count == 1_000)
            let peer = try server.connectRaw()
            peer.send(frame)
            #expect(try peer.receive() == #"{"parameters":{"text":"\#(text)"}}"#)
            peer.send(" " + frame)
            #expect(try peer.receive() == nil)
            let flood = try server.connectRaw()
            for _ in 0..<1_000 where flood.send(Array(repeating: UInt8(ascii: " "), count: 10_000)) {}
            #expect(try flood.receive() == nil)
        }
    }

    @Test("incomplete and missing requests are closed in time")
    func timeouts() async throws {
        var limits = VarlinkLimits()
        limits.frameTime = .milliseconds(30)
        limits.idleTime = .milliseconds(60)
        try await TestServer.run(limits) { server in
            let half = try server.connectRaw()
            half.send(Array(Self.echo.utf8))
            #expect(try half.receive() == nil)
            let idle = try server.connectRaw()
            #expect(try idle.receive() == nil)
            let used = try server.connectRaw()
            used.send(Self.echo)
            #expect(try used.receive() == Self.echoed)
            #expect(try used.receive() == nil)
        }
    }

    @Test("connections above the limit are closed, and a closed one frees its place")
    func tooManyConnections() async throws {
        var limits = VarlinkLimits()
        limits.connectionsPerProcess = 3
        let events = Events()
        let most = Lock(0)
        try await TestServer.run(
            limits,
            usage: { usage in
                most.withLock { $0 = max($0, usage.connections) }
                if usage.connections == 2 { events.add("two") }
            }
        ) { server in
            var held = try (0..<3).map { _ in try server.connect() }
            for connection in held { _ = try connection.call("org.example.test.Echo", ["text": "a"]) }
            #expect(try server.connectRaw().receive() == nil)
            held.removeLast()
            await events.until("two", count: 2)
            #expect(try server.connect().call("org.example.test.Echo", ["text": "a"]) == ["text": "a"])
            #expect(most.withLock { $0 } == 3)
        }
    }

    @Test("the accept hook gets the peer, and a refused connection is closed")
    func refused() async throws {
        let seen = Lock<VarlinkPeer?>(nil)
        try await TestServer.run(accept: { peer in
            seen.withLock { $0 = peer }
            return .refuse
        }) { server in
            #expect(try server.connectRaw().receive() == nil)
            let peer = try #require(seen.withLock { $0 })
            #expect(peer == VarlinkPeer(pid: getpid(), uid: getuid(), gid: getgid()))
        }
    }

    @Test("stop lets a call finish, cancels a stream and accepts no other call")
    func stop() async throws {
        try await TestServer.run { server in
            let call = try server.connectRaw()
            call.send(#"{"method":"org.example.test.Hold"}"#)
            let stream = try server.connectRaw()
            stream.send(#"{"method":"org.example.test.Wait","more":true}"#)
            await server.events.until("holding")
            await server.events.until("waiting")
            async let stopped: Void = server.server.stop(within: .seconds(10))
            await server.events.until("cancelled")
            #expect(try stream.receive() == nil)
            #expect(throws: (any Error).self) { try server.connectRaw() }
            server.events.add("release")
            await stopped
            #expect(try call.receive() == #"{"parameters":{"held":true}}"#)
            #expect(try call.receive() == nil)
        }
    }
}
