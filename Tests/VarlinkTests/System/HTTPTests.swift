// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing
import Varlink
import VarlinkService

@Suite("HTTP on the same socket", .timeLimit(.minutes(1)))
struct HTTPTests {
    private static let face = HTTPFace(
        pages: [
            HTTPFace.Page(path: "/text", method: "org.example.test.Text", member: "text", contentType: "text/plain")
        ],
        status: { $0 == "org.example.test.Sad" ? 409 : 500 }
    )
    private static let echo = #"{"text":"hé"}"#

    @Test("a method is called by POST, a safe one also by GET, and the reply is the body")
    func calls() async throws {
        try await TestServer.run(face: Self.face) { server in
            let reply = try server.connectRaw().http(
                "POST /call/org.example.test.Echo HTTP/1.1",
                "Host: d",
                body: Self.echo
            )
            #expect(reply.status == 200 && reply.headers["content-type"] == "application/json")
            #expect(reply.headers["connection"] == "close" && reply.isWhole)
            #expect(try reply.json == ["text": "hé"])
            let info = try server.connectRaw().http(
                "GET /call/org.varlink.service.GetInfo HTTP/1.1",
                "Host: localhost:80"
            )
            #expect(try info.json["product"] == "Test")
            let release = try server.connectRaw().http("POST /call/org.example.test.Release HTTP/1.0")
            #expect(try release.status == 200 && release.json.isEmpty)
            // Varlink on the same socket, and as one of many calls in one read.
            #expect(try server.connect().call("org.example.test.Echo", ["text": "a"]) == ["text": "a"])
        }
    }

    @Test("services, interfaces, health and pages have their own paths")
    func pages() async throws {
        try await TestServer.run(face: Self.face) { server in
            let services = try server.connectRaw().http("GET /services HTTP/1.1", "Host: d")
            #expect(try services.json.strings("interfaces") == ["org.varlink.service", "org.example.test"])
            let text = try server.connectRaw().http("GET /interfaces/org.example.test HTTP/1.1", "Host: d")
            #expect(text.headers["content-type"] == "text/plain; charset=utf-8")
            #expect(text.body == TestInterface(events: server.events).description)
            let health = try server.connectRaw().http("GET /health HTTP/1.1", "Host: d")
            #expect(health.status == 200 && health.body == "ok\n")
            let page = try server.connectRaw().http("GET /text HTTP/1.1", "Host: d")
            #expect(page.body == "a page\n" && page.headers["content-type"] == "text/plain")
        }
    }

    @Test("the paths of systemd's bridge list services and interfaces, and call methods")
    func bridge() async throws {
        try await TestServer.run(face: Self.face) { server in
            func get(_ path: String) throws -> JSONObject {
                let reply = try server.connectRaw().http("GET \(path) HTTP/1.1", "Host: d")
                #expect(reply.status == 200 && reply.headers["content-type"] == "application/json", "\(path)")
                return try reply.json
            }
            #expect(try get("/services").strings("services") == ["org.example.test"])
            #expect(try get("/sockets") == ["sockets": ["org.example.test"]])
            let info = try get("/call/org.varlink.service.GetInfo")
            for path in [
                "/services/org.example.test", "/sockets/org.example.test",
                "/call/org.varlink.service.GetInfo?service=org.example.test",
                "/call/org.varlink.service.GetInfo?socket=org.example.test",
                "/call/org.example.test/org.varlink.service.GetInfo",
            ] {
                #expect(try get(path) == info, "\(path)")
            }
            let description = try VarlinkDescription(parsing: TestInterface(events: server.events).description)
            let names = description.methods.map(\.name)
            #expect(try get("/sockets/org.example.test/org.example.test").strings("method_names") == names)
            let contents = try get("/services/org.example.test/org.example.test")
            for (member, declared) in [
                ("methods", names), ("types", description.types.map(\.name)),
                ("errors", description.errors.map(\.name)),
            ] {
                #expect(try contents.array(member).map { try #require($0.objectValue).string("name") } == declared)
            }
            let text = try server.connectRaw().http("GET \(contents.string("idl")) HTTP/1.1", "Host: d")
            #expect(text.body == TestInterface(events: server.events).description)
            let stream = try server.connectRaw().http(
                "GET /call/org.varlink.service.GetInfo?service=org.example.test&more=true HTTP/1.1",
                "Host: d"
            )
            #expect(stream.headers["content-type"] == "application/json-seq")
        }
    }

    @Test(
        "a failed call gets a status, the error's name, a text and the next step",
        arguments: [
            ("GET /", 404, "PathNotFound"),
            ("GET /call/", 400, "org.varlink.service.InvalidParameter"),
            ("GET /call/org.example.other.Echo", 404, "org.varlink.service.InterfaceNotFound"),
            ("GET /call/org.example.test.Nothing", 404, "org.varlink.service.MethodNotFound"),
            ("GET /call/org.example.test.Unwritten", 501, "org.varlink.service.MethodNotImplemented"),
            ("GET /call/org.example.test.Echo", 400, "org.varlink.service.InvalidParameter"),
            ("GET /call/org.example.test.Release", 405, "RequestMethodNotAllowed"),
            ("DELETE /call/org.example.test.Echo", 405, "RequestMethodNotAllowed"),
            ("POST /services", 405, "RequestMethodNotAllowed"),
            ("GET /interfaces/org.example.other", 404, "org.varlink.service.InterfaceNotFound"),
            ("GET /call/org.example.test.Echo?text=a", 400, "InvalidQuery"),
            ("GET /services?more", 400, "InvalidQuery"),
            ("GET /services/", 404, "ServiceNotFound"),
            ("GET /services/org.example.other", 404, "ServiceNotFound"),
            ("GET /sockets/org.example.test/org.example.other", 404, "org.varlink.service.InterfaceNotFound"),
            ("GET /services/org.example.test/org.example.test/x", 404, "PathNotFound"),
            ("GET /idl/org.example.test", 404, "PathNotFound"),
            ("GET /ws/services/org.example.test", 404, "PathNotFound"),
            ("POST /sockets", 405, "RequestMethodNotAllowed"),
            ("GET /call/org.example.other/org.example.test.Echo", 404, "ServiceNotFound"),
            ("GET /call/org.example.test/org.example.test.Release", 405, "RequestMethodNotAllowed"),
            ("POST /call/org.example.test.Echo?service=org.example.other", 404, "ServiceNotFound"),
            ("POST /call/org.example.test.Echo?oneway=true", 400, "InvalidQuery"),
            ("GET services", 400, "MalformedRequest"),
        ]
    )
    func refusals(line: String, status: Int, name: String) async throws {
        try await TestServer.run(face: Self.face) { server in
            let reply = try server.connectRaw().http("\(line) HTTP/1.1", "Host: d")
            #expect(reply.status == status)
            let json = try reply.json
            #expect(try json.string("error") == name)
            #expect(try !json.string("message").isEmpty && !json.string("hint").isEmpty)
            #expect((reply.headers["allow"] == nil) == (status != 405))
        }
    }

    @Test(
        "bodies other than an object of parameters, and errors of methods, get a status",
        arguments: [
            ("Echo", "[]", 400, "InvalidBody"), ("Echo", "{", 400, "InvalidBody"),
            ("Echo", "text=a", 400, "InvalidBody"),
            ("Echo", #"{"text":"a"}}"#, 400, "InvalidBody"), ("Echo", "{\"text\":\"a\"}\0", 400, "InvalidBody"),
            ("Fail", #"{"why":"rain"}"#, 409, "org.example.test.Sad"), ("Fail", "{}", 500, "org.example.test.Failure"),
            ("Secret", #"{"limit":4}"#, 400, "org.varlink.service.InvalidParameter"),
        ]
    )
    func errors(method: String, body: String, status: Int, name: String) async throws {
        try await TestServer.run(face: Self.face) { server in
            let line = "POST /call/org.example.test.\(method) HTTP/1.1"
            let reply = try server.connectRaw().http(line, "Host: d", body: body)
            #expect(reply.status == status)
            #expect(try reply.json["error"] == .string(name))
            if method == "Secret" { #expect(reply.body.contains("do not travel over HTTP")) }
            if status == 409 { #expect(try reply.json["why"] == "rain") }
        }
    }

    @Test("requests of web pages are refused, and so are hosts that DNS may resolve")
    func browsers() async throws {
        try await TestServer.run(face: Self.face) { server in
            let line = "POST /call/org.example.test.Echo HTTP/1.1"
            for header in [
                "Origin: http://d", "Origin: null", "Host: evil.example", "Host: a\r\nHost: b", "Host: [::1]",
            ] {
                let reply = try server.connectRaw().http(line, header, body: Self.echo)
                #expect(reply.status == 403, "\(header)")
            }
            #expect(server.events.count("echo") == 0)
        }
    }

    @Test(
        "several replies of a method are records of json-seq, whether requested or not",
        arguments: ["?more", "", "?more=1 with Accept", " with Accept"]
    )
    func streams(asking: String) async throws {
        try await TestServer.run(face: Self.face) { server in
            let query = asking.prefix { $0 != " " }
            let accept = asking.contains("Accept") ? "Accept: text/html, application/json-seq;q=0.9" : "Accept: */*"
            let line = "POST /call/org.example.test.Count\(query) HTTP/1.1"
            let reply = try server.connectRaw().http(line, "Host: d", accept, body: #"{"to":3}"#)
            #expect(reply.status == 200 && reply.headers["content-type"] == "application/json-seq")
            #expect(reply.isWhole && reply.headers["transfer-encoding"] == "chunked")
            #expect(try reply.records.map { try $0.integer("value") } == [1, 2, 3])
        }
    }

    @Test("a stream for HTTP/1.0 ends with the connection, and an aborted one lacks its last chunk")
    func ends() async throws {
        try await TestServer.run(face: Self.face) { server in
            let old = try server.connectRaw().http(
                "POST /call/org.example.test.Count HTTP/1.0",
                body: #"{"to":2}"#
            )
            #expect(try old.records.count == 2 && old.headers["transfer-encoding"] == nil)
            let stumbled = try server.connectRaw().http("GET /call/org.example.test.Stumble?more HTTP/1.1", "Host: d")
            #expect(try stumbled.records == [[:], ["error": "org.example.test.Sad", "why": "half way"]])
            let refused = try server.connectRaw().http("GET /call/org.example.test.Fail?more HTTP/1.1", "Host: d")
            #expect(refused.status == 500 && refused.headers["content-type"] == "application/json")
            let peer = try server.connectRaw()
            peer.send(Array("POST /call/org.example.test.Forever HTTP/1.1\r\nContent-Length: 0\r\n\r\n".utf8))
            await server.events.until("forever")
            await server.server.stop(within: .zero)
            #expect(try !HTTPResponse(peer.receiveAll()).isWhole)
        }
    }

    @Test("a request may arrive in any chunks, with a chunked body or after 100-continue")
    func pieces() async throws {
        try await TestServer.run(face: Self.face) { server in
            let head = "POST /call/org.example.test.Echo HTTP/1.1\r\nHost: d\r\n"
            let whole = Array("\(head)Content-Length: 14\r\n\r\n\(Self.echo)".utf8)
            for split in stride(from: 1, to: whole.count, by: 7) {
                let peer = try server.connectRaw()
                peer.send(whole[..<split])
                peer.send(whole[split...])
                #expect(try HTTPResponse(peer.receiveAll()).json == ["text": "hé"])
            }
            let chunked = try server.connectRaw()
            chunked.send(Array("\(head)Transfer-Encoding: chunked\r\n\r\ne\r\n\(Self.echo)\r\n0\r\n\r\n".utf8))
            chunked.finishSending()
            #expect(try HTTPResponse(chunked.receiveAll()).json == ["text": "hé"])
            let asking = try server.connectRaw()
            asking.send(Array("\(head)Expect: 100-continue\r\nContent-Length: 14\r\n\r\n".utf8))
            let goAhead = "HTTP/1.1 100 Continue\r\n\r\n"
            #expect(try asking.receive(count: goAhead.utf8.count) == goAhead)
            asking.send(Array(Self.echo.utf8))
            #expect(try HTTPResponse(asking.receiveAll()).json == ["text": "hé"])
        }
    }

    @Test("long heads, many headers and long bodies are refused, and a slow request is closed in time")
    func limits() async throws {
        var limits = VarlinkLimits()
        limits.frameBytes = 1_000
        limits.frameTime = .milliseconds(200)
        try await TestServer.run(limits, face: Self.face) { server in
            let long = String(repeating: "x", count: 9_000)
            #expect(try server.connectRaw().http("GET /\(long) HTTP/1.1", "Host: d").status == 413)
            #expect(try server.connectRaw().http("GET / HTTP/1.1", "Host: d", "X: \(long)").status == 413)
            let many = (0..<65).map { "X\($0): y" }.joined(separator: "\r\n")
            #expect(try server.connectRaw().http("GET / HTTP/1.1", "Host: d", many).status == 413)
            let body = String(repeating: " ", count: 1_001)
            let line = "POST /call/org.example.test.Echo HTTP/1.1"
            #expect(try server.connectRaw().http(line, "Host: d", body: body).status == 413)
            let chunked = try server.connectRaw()
            chunked.send(Array("\(line)\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n\(body)\r\n0\r\n\r\n".utf8))
            #expect(try HTTPResponse(chunked.receiveAll()).status == 413)
            #expect(try server.connectRaw().http("GET / HTTP/2.0", "Host: d").status == 400)
            #expect(try server.connectRaw().http("HELLO", "Host: d").status == 400)
            for half in ["G", "GET / HT", "\(line)\r\nContent-Length: 5\r\n\r\n{}"] {
                let peer = try server.connectRaw()
                peer.send(Array(half.utf8))
                #expect(try peer.receiveAll() == "", "\(half)")
            }
        }
    }

    @Test("a call over HTTP is cancelled when its client disconnects")
    func disconnect() async throws {
        try await TestServer.run(face: Self.face) { server in
            do {
                let peer = try server.connectRaw()
                peer.send(Array("GET /call/org.example.test.Wait HTTP/1.1\r\nHost: d\r\n\r\n".utf8))
                await server.events.until("waiting")
            }
            await server.events.until("cancelled")
        }
    }

    @Test("a server without HTTP closes such a connection without a reply")
    func without() async throws {
        try await TestServer.run { server in
            let peer = try server.connectRaw()
            peer.send("GET /health HTTP/1.1\r\n\r\n")
            #expect(try peer.receiveAll() == "")
        }
    }

    @Test("mutated requests are answered or closed, and the server continues", arguments: 1...4)
    func mutations(seed: UInt64) async throws {
        let seeds = [
            "POST /call/org.example.test.Echo?more HTTP/1.1\r\nHost: d\r\nContent-Length: 12\r\n\r\n{\"text\":\"a\"}",
            "GET /interfaces/org.example.test HTTP/1.1\r\nHost: d\r\nAccept: application/json-seq\r\n\r\n",
            "POST /call/org.example.test.Count HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{\"to\":3}\r\n0\r\n\r\n",
            "GET /call/org.example.test.Secret HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n{ }",
        ]
        var random = SeededRandom(seed: seed)
        try await TestServer.run(face: Self.face) { server in
            for _ in 0..<150 {
                var bytes = Array(seeds.randomElement(using: &random)?.utf8 ?? "".utf8)
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[place] = .random(in: 0...255, using: &random)
                    case 1: bytes.remove(at: place)
                    case 2: bytes.insert(Array("\r\n :0f/?{\"\0".utf8).randomElement(using: &random) ?? 0, at: place)
                    default: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
                    }
                }
                let peer = try server.connectRaw()
                peer.send(bytes)
                peer.finishSending()
                let answer = try peer.receiveAll()
                if answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 5") {
                    #expect(throws: Never.self) { try HTTPResponse(answer).json }
                }
            }
            #expect(try server.connect().call("org.example.test.Echo", ["text": "a"]) == ["text": "a"])
        }
    }
}
