// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import Testing
import Varlink
import VarlinkService

@Suite("Client")
struct ClientTests {
    @Test("a stream is read to its end, or stopped early")
    func stream() async throws {
        try await TestServer.run { server in
            let connection = try server.connect()
            var values: [Int64] = []
            try connection.stream("org.example.test.Count", ["to": 5]) { reply in
                values.append(try reply.integer("value"))
                return .next
            }
            #expect(values == [1, 2, 3, 4, 5])
            try connection.stream("org.example.test.Count", ["to": 5]) { _ in .stop }
            #expect(throws: VarlinkClientError.closed) { try connection.call("org.example.test.Echo") }
        }
    }

    @Test(
        "the delay of a reply is reported once after a second, and so is the end of the wait"
    )
    func delay() async throws {
        try await TestServer.run { server in
            let connection = try server.connect()
            var told: [Bool] = []
            connection.onDelay = { told.append($0) }
            _ = try connection.call("org.example.test.Echo", ["text": "a"])
            #expect(told.isEmpty)
            #expect(throws: VarlinkClientError.deadlinePassed) {
                try connection.call("org.example.test.Wait", deadline: .milliseconds(1_500))
            }
            #expect(told == [true, false])
        }
    }

    @Test("replies of a pending call are read as they arrive, without waiting")
    func pending() async throws {
        try await TestServer.run { server in
            func next(_ call: VarlinkPendingCall) throws -> JSONObject? {
                var entry = pollfd(fd: call.descriptor, events: Int16(POLLIN), revents: 0)
                #expect(poll(&entry, 1, 10_000) == 1)
                return try call.nextReply()
            }
            let count = try VarlinkPendingCall(
                path: server.path,
                method: "org.example.test.Count",
                parameters: ["to": 3, "bytes": 100_000],
                wantsMore: true
            )
            var values: [Int64] = []
            while values.count < 3 { if let reply = try next(count) { values.append(try reply.integer("value")) } }
            #expect(values == [1, 2, 3])
            #expect(throws: VarlinkClientError.closed) { try count.nextReply() }

            let held = try VarlinkPendingCall(path: server.path, method: "org.example.test.Hold")
            #expect(try held.nextReply() == nil)
            await server.events.until("holding")
            #expect(try held.nextReply() == nil)
            server.events.add("release")
            #expect(try next(held) == ["held": true])

            let failing = try VarlinkPendingCall(path: server.path, method: "org.example.test.Fail")
            #expect(throws: VarlinkError("org.example.test.Failure")) { try next(failing) }
            #expect(throws: VarlinkClientError.noService(path: "/nowhere", errno: ENOENT)) {
                try VarlinkPendingCall(path: "/nowhere", method: "a.b")
            }
        }
    }

    @Test("a long reply arrives complete, and one above the limit is an error")
    func longReply() async throws {
        try await TestServer.run { server in
            let parameters: JSONObject = ["to": 1, "bytes": 1_000_000]
            let connection = try server.connect()
            let reply = try connection.call("org.example.test.Count", parameters)
            #expect(try reply.string("payload").utf8.count == 1_000_000)
            let strict = try VarlinkConnection(path: server.path, deadline: .seconds(10), replyBytes: 100_000)
            #expect(throws: VarlinkClientError.tooLong(limit: 100_000)) {
                try strict.call("org.example.test.Count", parameters)
            }
            #expect(throws: VarlinkClientError.closed) { try strict.call("org.example.test.Echo") }
        }
    }

    @Test("a deadline ends the wait and the connection")
    func deadline() async throws {
        try await TestServer.run { server in
            let connection = try server.connect()
            #expect(throws: VarlinkClientError.deadlinePassed) {
                try connection.call("org.example.test.Wait", deadline: .milliseconds(20))
            }
            await server.events.until("cancelled")
        }
    }

    @Test("a server that reads nothing does not hold a call beyond its deadline")
    func deadlineOfSending() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (release, hold) = (ends[1], ends[0])
        defer { close(hold) }
        // The server accepts nothing until the other end of the pipe is closed.
        try await TestServer.run(
            accept: { _ in
                var end = pollfd(fd: hold, events: Int16(POLLIN), revents: 0)
                _ = poll(&end, 1, 10_000)
                return .refuse
            },
            { server in
                defer { close(release) }
                let connection = try server.connect()
                let text = String(repeating: "x", count: 4 << 20)
                #expect(throws: VarlinkClientError.deadlinePassed) {
                    try connection.call(
                        "org.example.test.Echo",
                        ["text": .string(text)],
                        deadline: .milliseconds(50)
                    )
                }
            }
        )
    }

    @Test("a missing service is distinguished from a server that has gone")
    func noService() async throws {
        let path = "/tmp/vl-nobody-\(getpid())"
        #expect(throws: VarlinkClientError.noService(path: path, errno: ENOENT)) {
            try VarlinkConnection(path: path, deadline: .seconds(1))
        }
        let long = String(repeating: "x", count: 200)
        #expect(throws: VarlinkClientError.noService(path: long, errno: ENAMETOOLONG)) {
            try VarlinkConnection(path: long, deadline: .seconds(1))
        }
        try await TestServer.run { server in
            let connection = try server.connect()
            await server.server.stop(within: .zero)
            #expect(throws: VarlinkClientError.closed) { try connection.call("org.example.test.Echo") }
        }
    }
}
