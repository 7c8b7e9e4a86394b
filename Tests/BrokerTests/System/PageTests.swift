// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import NIOCore
import NIOPosix
import Registry
import Remoting
import SampleServer
import TestSupport
import Testing

@testable import Broker

/// The description of a server's services, requested with GET through an adapter.
@Suite(.endsStarted) struct PageTests {
    private static func get(_ path: String, _ requested: String = "/bin") async throws -> Tool.Answer {
        try await BlockingWork.run {
            let tool = try Tool(path)
            tool.send(Array("GET \(requested) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
            return try tool.readAnswer()
        }
    }

    private static func reply(_ head: String, _ body: String) -> ScriptedServer.Reply {
        .text("HTTP/1.1 \(head)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Calls `body` with the socket of an adapter that is logged in to a server with this page.
    private func opened(
        _ page: ScriptedServer.Reply
    ) async throws -> (String, ScriptedServer, BrokerFixture) {
        let fixture = try await BrokerFixture()
        let server = try await ScriptedServer(on: fixture.loop, page: { _ in page }) { .accepted($0) }
        let endpoint = try await fixture.endpoint(at: server.address)
        try await fixture.login(to: endpoint)
        return (try await fixture.open(endpoint).socketPath, server, fixture)
    }

    @Test("a page is passed on with its status, and nothing of the session or the login is sent for it")
    func pages() async throws {
        for (head, body) in [("200 OK", "<Library/>"), ("404 Not Found", "no"), ("405 X", ""), ("200 OK", "{}")] {
            let (path, server, _) = try await opened(Self.reply(head, body))
            let answer = try await Self.get(path)
            #expect(answer.status == Int(head.prefix(3)) && String(buffer: answer.body) == body)
            let requests = server.pageRequests
            #expect(requests.count == 1 && requests[0].hasPrefix("get /bin http/1.1\n"), "\(requests)")
            let allowed = ["host", "user-agent"]
            #expect(
                requests[0].split(separator: "\n").dropFirst().allSatisfy { line in
                    allowed.contains { line.hasPrefix($0 + ": ") }
                },
                "\(requests)"
            )
        }
    }

    @Test("other interfaces have paths of their own, a smaller limit, and no other path is passed on")
    func otherPaths() async throws {
        let body = String(repeating: "x", count: 64 << 10)
        let (path, server, _) = try await opened(Self.reply("200 OK", body))
        for requested in ["/rest/", "/odata/", "/api/", "/odata", "/admin"] {
            #expect(try await Self.get(path, requested).body.readableBytes == 64 << 10)
        }
        let lines = server.pageRequests.map { $0.prefix { $0 != "\n" } }
        #expect(
            lines == ["get /rest/ http/1.1", "get /odata/ http/1.1", "get /api/ http/1.1"]
                + Array(repeating: "get /bin http/1.1", count: 2)
        )
        let (longer, _, _) = try await opened(Self.reply("200 OK", body + "y"))
        #expect(try await Self.get(longer, "/api/").status == 413)
        #expect(try await Self.get(longer, "/bin").status == 200)
    }

    @Test("a server is asked without a login if the adapter has none")
    func anonymous() async throws {
        let fixture = try await BrokerFixture()
        let endpoint = try await fixture.sampleEndpoint()
        let answer = try await Self.get(try await fixture.open(endpoint, anonymous: true).socketPath)
        #expect(answer.status == 200)
        let services = try RODLFile(file: Array(answer.body.readableBytesView)).services()
        #expect(services.map(\.name).contains("DASampleService"))
        #expect(try fixture.calls("LoginService.LoginEx") == 0)
    }

    @Test("a redirect has no address, and is not followed")
    func redirect() async throws {
        let other = try await ScriptedServer(
            on: MultiThreadedEventLoopGroup.singleton.next(),
            page: { _ in Self.reply("200 OK", "x") }
        ) { .accepted($0) }
        let head = "302 Found\r\nLocation: http://127.0.0.1:\(other.address.port ?? 0)/bin"
        let (path, _, _) = try await opened(Self.reply(head, "<html>"))
        let answer = try await Self.get(path)
        #expect(answer.status == 302 && answer.body.readableBytes == 0)
        #expect(other.connections == 0)
        let adapter = try RemoteDataAdapter(socketPath: path)
        await #expect(throws: ServicePageError.redirect(302)) { try await adapter.services() }
    }

    @Test("a page of more than 1 MiB is refused, announced or not")
    func tooLarge() async throws {
        let body = String(repeating: "x", count: 1 << 20) + "y"
        for reply in [Self.reply("200 OK", body), .bytesThenClose(Array("HTTP/1.0 200 OK\r\n\r\n\(body)".utf8))] {
            let (path, _, _) = try await opened(reply)
            let answer = try await Self.get(path)
            #expect(answer.status == 413 && answer.exception?.message.contains("1048576") == true)
        }
        let (path, _, _) = try await opened(Self.reply("200 OK", String(body.dropLast())))
        #expect(try await Self.get(path).body.readableBytes == 1 << 20)
    }

    @Test("a grant gives no description, and the server is not asked")
    func refused() async throws {
        let (_, server, fixture) = try await opened(Self.reply("200 OK", "<Library/>"))
        var request = GrantRequest(NamedUse(nil, login: "login"))
        request.isReadOnly = true
        let grant = try await fixture.broker.grant(request)
        let answer = try await Self.get(grant.socketPath)
        #expect(answer.status == 403 && answer.exception?.message.contains("a grant allows calls") == true)
        #expect(server.pageRequests.isEmpty)
    }

    @Test("a page that repeats the session's ClientID is withheld")
    func echo() async throws {
        let fixture = try await BrokerFixture()
        let server = try await ScriptedServer(
            on: fixture.loop,
            page: { id in Self.reply("200 OK", "<Library Name='\(id?.revealedText() ?? "")'/>") }
        ) { .accepted($0) }
        let endpoint = try await fixture.endpoint(at: server.address)
        let login = try await fixture.login(to: endpoint)
        let session = ServerSession(
            endpoint: endpoint.id,
            login: login,
            connector: fixture.connector,
            store: fixture.store
        )
        try await session.open()
        await #expect(throws: BrokerError.protocolFailure(reason: "a page that contains the session's ClientID")) {
            try await session.page()
        }
        _ = await session.close()
    }
}
