// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import Platform
import Registry
import Remoting
import TestSupport
import Testing

@testable import Broker

@Suite(.endsStarted) struct RogueServerTests {
    private static let lost = RemotingException.sessionNotFound

    /// Opens an adapter to a server that accepts every login. The test chooses the other replies.
    private func started(
        _ reply: @escaping @Sendable (RequestMessage) -> ScriptedServer.Reply,
        pin: ((Endpoint) -> Pin)? = nil
    ) async throws -> (BrokerFixture, ScriptedServer, Endpoint) {
        let fixture = try await BrokerFixture()
        let server = try await ScriptedServer(on: fixture.loop) { request in
            ["LoginEx", "Logout"].contains(request.method) ? .accepted(request) : reply(request)
        }
        let endpoint = try await fixture.endpoint(at: server.address)
        try await fixture.login(to: endpoint, pin: pin?(endpoint))
        return (fixture, server, endpoint)
    }

    private func plaintext(_ endpoint: Endpoint) -> Pin { .address(.localhost, port: endpoint.url.port) }

    @Test("a server that loses every session gets one login again for each call")
    func lostForEver() async throws {
        let (fixture, server, endpoint) = try await started({ .exception(Self.lost, $0) })
        let adapter = try await fixture.open(endpoint)
        for call in 1...5 {
            let answer = try await Tool.call(adapter.socketPath)
            #expect(answer.status == 500 && answer.exception == Self.lost)
            #expect(server.count("LoginEx") == 1 + call)
        }
        #expect(server.connections <= 4)
        #expect(server.clientIDs.count == 6)
    }

    @Test("on plain HTTP it gets three, and then new adapters withhold the password too")
    func lostForEverOnTrust() async throws {
        let (fixture, server, endpoint) = try await started({ .exception(Self.lost, $0) }, pin: plaintext)
        let adapter = try await fixture.open(endpoint)
        for _ in 1...5 { _ = try await Tool.call(adapter.socketPath) }
        let answer = try await Tool.call(adapter.socketPath)
        #expect(answer.status == 403)
        #expect(answer.exception?.message == "\(BrokerError.reloginBlocked)")
        try await fixture.broker.close(adapter.id)
        await #expect(throws: BrokerError.reloginBlocked) { try await fixture.open(endpoint) }
        #expect(server.count("LoginEx") == 4)
    }

    /// Invalid replies of a rogue server, and the status that a tool gets for each.
    static let nonsense: [(String, ScriptedServer.Reply)] = [
        ("no HTTP", .text("SSH-2.0-OpenSSH\r\n\r\n")), ("closes", .bytesThenClose([])),
        ("200 garbage", .text("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\ngarbage")),
        ("404", .text("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")),
        ("redirect", .text("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")),
        ("huge length", .bytesThenClose(Array("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nRO107".utf8))),
        ("short body", .bytesThenClose(Array("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nRO107".utf8))),
        ("envelope", .message(ByteBuffer(string: "ROENV" + String(repeating: "x", count: 40)))),
        ("header only", .message(ByteBuffer(string: "RO107"))), ("bytes after zlib", .message(bomb(layers: 0))),
    ]
    /// Replies that are too large for a login, but are forwarded to a tool.
    static let loginNonsense = nonsense + [("bomb", .message(bomb(layers: 1)))]

    /// 70 MB of zeros in 70 kB, or a stream with bytes after it.
    static func bomb(layers: Int) -> ByteBuffer {
        let zeros = ByteBuffer(repeating: 0, count: layers == 0 ? 100 : 70_000_000)
        var message = BinMessage(header: MessageHeader(clientID: ClientID()), body: zeros).encoded(compressingFrom: 1)
        if layers == 0 { message.writeString("more") }
        return message
    }

    @Test("a malformed reply becomes a clear exception once, and nothing is retried", arguments: nonsense.indices)
    func nonsenseReplies(index: Int) async throws {
        let (name, reply) = Self.nonsense[index]
        let (fixture, server, endpoint) = try await started({ _ in reply })
        let adapter = try await fixture.open(endpoint)
        let answer = try await Tool.call(adapter.socketPath)
        #expect(answer.status == 502, "\(name)")
        let exception = try #require(answer.exception)
        #expect(exception.className == AdapterReply.failureClass && !exception.message.isEmpty, "\(name)")
        #expect(server.count("LoginEx") == 1, "\(name)")
        // After a kept connection that closed before the reply, the request is sent again on a new one.
        #expect(server.count("GetSchema") <= 2, "\(name)")
    }

    @Test(
        "the same malformed reply to a login is an error, with the password sent once per attempt",
        arguments: loginNonsense.indices
    )
    func nonsenseToLogin(index: Int) async throws {
        let (name, reply) = Self.loginNonsense[index]
        let fixture = try await BrokerFixture()
        let server = try await ScriptedServer(on: fixture.loop) { _ in reply }
        let endpoint = try await fixture.endpoint(at: server.address)
        try await fixture.login(to: endpoint)
        let failures = await withTaskGroup { group in
            for _ in 0..<10 { group.addTask { await Self.failure { try await fixture.open(endpoint) } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for failure in failures {
            switch failure as? BrokerError {
            case .protocolFailure, .unreachable: break
            default: Issue.record("\(name): \(String(describing: failure))")
            }
        }
        #expect(server.count("LoginEx") <= 2, "\(name)")
        #expect(fixture.sockets.isEmpty)
        #expect(await fixture.broker.sessionCount == 0)
    }

    private static func failure(_ body: () async throws -> Adapter) async -> (any Error)? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test("a login with malformed replies is withheld on plain HTTP after four attempts")
    func nonsenseOnTrust() async throws {
        let fixture = try await BrokerFixture()
        let server = try await ScriptedServer(on: fixture.loop) { _ in
            .text("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
        }
        let endpoint = try await fixture.endpoint(at: server.address)
        try await fixture.login(to: endpoint, pin: plaintext(endpoint))
        let anchor = try await fixture.open(endpoint, anonymous: true)
        for _ in 0..<8 { _ = await Self.failure { try await fixture.open(endpoint) } }
        #expect(server.count("LoginEx") == 4)
        try await fixture.broker.close(anchor.id)
    }

    @Test("nothing is sent if the pin does not match or plain HTTP is not permitted on this network")
    func pinMismatch() async throws {
        let network = [UInt8](repeating: 1, count: 32)
        for kind in 0..<5 {
            let fixture = try await BrokerFixture(networkID: kind == 4 ? [UInt8](repeating: 2, count: 32) : nil)
            let server = try await ScriptedServer(on: fixture.loop) { .accepted($0) }
            let endpoint = try await fixture.endpoint(at: server.address)
            let port = endpoint.url.port
            let pin: Pin =
                switch kind {
                case 0: .loopback(.otherLocalhost, port: port)
                case 1: .loopback(.localhost, port: port ^ 1)
                case 2: .tls(spkiSHA256: network)
                default: .address(.localhost, port: port)
                }
            let login = try await fixture.login(to: endpoint, pin: pin, networkID: kind >= 3 ? network : nil)
            switch await Self.failure({ try await fixture.open(endpoint) }) as? BrokerError {
            case .identityConflict where kind < 3: break
            case .plaintextNotAllowed where kind >= 3: break
            case let error: Issue.record("\(kind): \(String(describing: error))")
            }
            let steps = try await fixture.broker.test(login).steps
            #expect(steps.count == 1 && !steps[0].isOK)
            #expect(server.connections == 0 && server.received == 0)
            #expect(await fixture.registry.endpoint(endpoint.id)?.state != .unreachable)
        }
    }

    @Test("a server with another key is a conflict before any byte of the login is sent")
    func otherKey() async throws {
        let fixture = try await BrokerFixture()
        let certificate = try await TestCertificate(in: fixture.temporary)
        let server = try await ScriptedServer(on: fixture.loop, tls: certificate.context) { .accepted($0) }
        let endpoint = try await fixture.endpoint(at: server.address, scheme: .https)
        let login = try await fixture.login(to: endpoint, pin: .tls(spkiSHA256: [UInt8](repeating: 1, count: 32)))
        for _ in 0..<2 {
            do {
                _ = try await fixture.open(endpoint)
                Issue.record("another key was taken")
            } catch BrokerError.identityConflict(let reason) {
                #expect(reason.code == .otherKey && reason.shown?.contains(HexText.encode(certificate.digest)) == true)
            }
        }
        let steps = try await fixture.broker.test(login).steps
        #expect(steps.map(\.name) == ["pin"] && steps.map(\.isOK) == [false])
        #expect(server.received == 0)
    }

    @Test("no byte that a tool receives contains the session's ClientID, in whatever form the server returns it")
    func scrubbing() async throws {
        let (fixture, server, endpoint) = try await started { request in
            let id = request.clientID
            let wire = id.withWireBytes { Array($0) }
            let text = wire.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            if request.service == "Throws" {
                return .exception(RemotingException(className: text, message: text), request)
            }
            var body = BinMessageWriter()
            body.write(utf8: text + text.uppercased())
            body.write(binary: ByteBuffer(bytes: wire))
            if request.service == "Large" { body.write(utf8: String(repeating: text, count: 10_000)) }
            let isCompressed = request.service != "Plain"
            return .message(ReplyMessage.encode(body, to: request).encoded(compressingFrom: isCompressed ? 1 : nil))
        }
        let adapter = try await fixture.open(endpoint)
        let tool = ClientID()
        for service in ["Plain", "Small", "Large", "Throws"] {
            let bytes = try await Tool.rawCall(adapter.socketPath, Tool.getSchema(service, as: tool))
            #expect(Tool.answer(in: bytes)?.status == (service == "Throws" ? 500 : 200))
            let secrets = server.clientIDs
            #expect(secrets.count == 1 && !secrets.contains(tool))
            for secret in secrets { Self.expectNoTrace(of: secret, in: bytes) }
        }
    }

    @Test("nor does the error of a login that the server refuses with the ClientID in its text")
    func scrubbedRefusal() async throws {
        let fixture = try await BrokerFixture()
        let server = try await ScriptedServer(on: fixture.loop) { request in
            let text = request.clientID.withWireBytes {
                $0.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            }
            return .exception(RemotingException(className: "X", message: text.joined()), request)
        }
        let endpoint = try await fixture.endpoint(at: server.address)
        let login = try await fixture.login(to: endpoint)
        let error = await Self.failure { try await fixture.open(endpoint) }
        let steps = try await fixture.broker.test(login).steps
        let texts = ["\(String(describing: error))", "\(steps)"]
        #expect(texts.allSatisfy { $0.contains("00000000000000000000000000000000") })
        for secret in server.clientIDs {
            for text in texts { Self.expectNoTrace(of: secret, in: Array(text.utf8)) }
        }
    }

    private static func expectNoTrace(of id: ClientID, in bytes: [UInt8]) {
        let wire = id.withWireBytes { Array($0) }
        let text = Array(wire.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined().utf8)
        let lower = bytes.map { (65...70).contains($0) ? $0 | 0x20 : $0 }
        #expect(!bytes.indices.contains { bytes[$0...].starts(with: wire) })
        #expect(!lower.indices.contains { lower[$0...].starts(with: text) })
    }
}
