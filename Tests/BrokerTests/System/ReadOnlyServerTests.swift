// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import NIOCore
import Registry
import Remoting
import SampleServer
import TestSupport
import Testing

@testable import Broker

@Suite(.endsStarted) struct ReadOnlyServerTests {
    /// Calls that would change the sample's table, and one that reads it.
    private static func calls() -> [(message: ByteBuffer, isReading: Bool)] {
        let update = RemotingValue.utf8String("UPDATE Deps SET DepName = 'gone'")
        let calls: [(String, [RemotingValue], Bool)] = [
            ("SQLExecuteCommand", [update], false), ("sqlexecutecommandEX", [update, .wideString("")], false),
            ("SQLGetData", [update, .boolean(true), .integer(-1)], false),
            ("SQLGetDataEx", [update, .boolean(true), .integer(-1), .wideString("")], false),
            ("ExecuteCommand", [.utf8String("SetDepPhone"), .array([])], false),
            ("EXECUTECOMMANDEX", [.utf8String("SetDepPhone"), .array([])], false),
            ("updatedata", [.binary(ByteBuffer(string: String(repeating: " ", count: 3_000)))], false),
            ("getschema", [.utf8String("")], true),
        ]
        return calls.map { method, values, isReading in
            var writer = RequestMessage.writer(clientID: ClientID(), service: "DataService", method: method)
            for value in values { writer.write(value) }
            return (writer.buffer, isReading)
        }
    }

    /// The request with a body of one or of several chunks.
    private static func posts(_ body: ByteBuffer, path: String, host: String) -> [[UInt8]] {
        let bytes = Array(body.readableBytesView)
        let head = "POST \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
        var chunked = Array("\(head)Transfer-Encoding: chunked\r\n\r\n".utf8)
        for start in stride(from: 0, to: bytes.count, by: 40) {
            let part = bytes[start..<min(start + 40, bytes.count)]
            chunked += Array("\(String(part.count, radix: 16))\r\n".utf8) + part + Array("\r\n".utf8)
        }
        return [
            Array("\(head)Content-Length: \(bytes.count)\r\n\r\n".utf8) + bytes, chunked + Array("0\r\n\r\n".utf8),
        ]
    }

    @Test("no writing call reaches a read-only server, by socket, port or grant, compressed, chunked or as JSON")
    func forms() async throws {
        let fixture = try await BrokerFixture()
        let endpoint = try await fixture.sampleEndpoint()
        try await fixture.login(to: endpoint)
        let socket = try await fixture.open(endpoint).socketPath
        guard case .loopback(let port, let path) = try await fixture.open(endpoint, form: .loopback).address else {
            return #expect(Bool(false))
        }
        var request = GrantRequest(NamedUse(nil, login: "login"))
        request.isReadOnly = true
        let grant = try await fixture.broker.grant(request).socketPath
        _ = try await fixture.registry.set(endpoint.id, EndpointSettings { $0.isReadOnly = true })

        let places: [(@Sendable () throws -> Tool, path: String, host: String)] = [
            ({ try Tool(socket) }, "/bin", "x"), ({ try Tool(port: port) }, path, "127.0.0.1:\(port)"),
            ({ try Tool(grant) }, "/bin", "x"),
        ]
        var refused = 0
        for (open, path, host) in places {
            func status(_ post: [UInt8]) async throws -> Int {
                try await BlockingWork.run {
                    let tool = try open()
                    tool.send(post)
                    return try tool.readAnswer().status
                }
            }
            for call in Self.calls() {
                for body in [call.message, try BinMessage(decoding: call.message).encoded(compressingFrom: 1)] {
                    for post in Self.posts(body, path: path, host: host) {
                        #expect(try await status(post) == (call.isReading ? 200 : 403))
                        if !call.isReading { refused += 1 }
                    }
                }
            }
            let json = #"{"id":"{00000000-0000-4000-8000-000000000000}","method":"DataService.SQLExecuteCommand"}"#
            for post in Self.posts(ByteBuffer(string: json), path: path, host: host) {
                #expect(try await status(post) == 400)
            }
        }
        #expect(refused == 84)
        let log = TestSupport.TextFile.text(of: fixture.temporary.path(of: "requests")).lowercased()
        #expect(log.contains("dataservice.getschema"))
        for method in ["update", "sql", "execute"] { #expect(!log.contains("dataservice.\(method)"), "\(method)") }
    }
}
