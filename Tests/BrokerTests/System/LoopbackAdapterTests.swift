// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import NIOCore
import Platform
import Remoting
import SampleServer
import TestSupport
import Testing

@testable import Broker

@Suite(.everyReplyShape, .endsStarted) struct LoopbackAdapterTests {
    /// The address of a loopback adapter.
    private struct Place: Sendable {
        let port: UInt16
        let path: String

        init(_ adapter: Adapter) throws {
            guard case .loopback(let port, let path) = adapter.address else {
                throw BrokerError.adapterNotFound(adapter.id)
            }
            (self.port, self.path) = (port, path)
        }

        func post(_ message: ByteBuffer, path other: String? = nil, headers: String? = nil) -> [UInt8] {
            let head =
                "POST \(other ?? path) HTTP/1.1\r\n\(headers ?? "Host: 127.0.0.1:\(port)\r\n")"
                + "Content-Length: \(message.readableBytes)\r\nConnection: close\r\n\r\n"
            return Array(head.utf8) + Array(message.readableBytesView)
        }

        /// Sends a request on a separate connection, and returns every byte of the reply.
        func call(_ request: [UInt8]) async throws -> [UInt8] {
            try await BlockingWork.run {
                let tool = try Tool(port: port)
                tool.send(request)
                return try tool.readToEnd()
            }
        }
    }

    /// A loopback adapter with a login, and its request.
    private func opened(
        _ limits: AdapterLimits = AdapterLimits()
    ) async throws -> (BrokerFixture, Adapter, Place) {
        let fixture = try await BrokerFixture(limits)
        let endpoint = try await fixture.sampleEndpoint()
        try await fixture.login(to: endpoint)
        let adapter = try await fixture.open(endpoint, form: .loopback)
        return (fixture, adapter, try Place(adapter))
    }

    @Test("a loopback adapter returns the schema, shows the tool its own ClientID, and ends when it is closed")
    func roundTrip() async throws {
        let (fixture, adapter, place) = try await opened()
        #expect(adapter.address.url == "http://127.0.0.1:\(place.port)\(place.path)")
        #expect(LoopbackGate.isUsable(place.path))
        let id = ClientID()
        let answer = try #require(Tool.answer(in: try await place.call(place.post(Tool.getSchema(as: id)))))
        #expect(answer.status == 200)
        #expect(try answer.schema().contains("<Name>Deps</Name>"))
        var start = answer.body
        #expect(try MessageHeader(from: &start).clientID == id)
        #expect(fixture.sockets.isEmpty)

        try await fixture.broker.close(adapter.id)
        try await eventually { (try? Tool(port: place.port)) == nil }
    }

    @Test("other paths, hosts and web pages get only a status, and the server receives nothing")
    func refusals() async throws {
        let (fixture, _, place) = try await opened()
        let message = Tool.getSchema()
        let host = "Host: 127.0.0.1:\(place.port)\r\n"
        let cases: [(bytes: [UInt8], status: Int)] = [
            (place.post(message, path: "/bin"), 404), (place.post(message, path: place.path + "x"), 404),
            (place.post(message, headers: "Host: evil.example:\(place.port)\r\n"), 403),
            (place.post(message, headers: ""), 403),
            (place.post(message, headers: host + "Origin: https://evil.example\r\n"), 403),
            (Array("GET \(place.path) HTTP/1.1\r\n\(host)Referer: https://evil.example/\r\n\r\n".utf8), 403),
            (Array("GET \(place.path) HTTP/1.1\r\n\(host)Sec-Fetch-Mode: no-cors\r\n\r\n".utf8), 403),
            (Array("OPTIONS \(place.path) HTTP/1.1\r\n\(host)Origin: null\r\n\r\n".utf8), 403),
        ]
        for (bytes, status) in cases {
            let raw = try await place.call(bytes)
            let answer = try #require(Tool.answer(in: raw), "\(status)")
            #expect(answer.status == status)
            #expect(answer.body.readableBytes == 0 && answer.byteCount == raw.count)
            #expect(!String(decoding: raw, as: UTF8.self).lowercased().contains("access-control"))
        }
        #expect(try fixture.calls("DataService.GetSchema") == 0)
    }

    @Test("an endless header and a missing request close the connection")
    func bounds() async throws {
        var limits = AdapterLimits()
        limits.silence = .milliseconds(300)
        limits.connections = 2
        let (_, _, place) = try await opened(limits)
        let endless = Array("POST \(place.path) HTTP/1.1\r\nX: ".utf8) + [UInt8](repeating: 65, count: 1 << 20)
        #expect(try await place.call(endless).count < 1_000)
        #expect(try await place.call(Array("POST ".utf8)).isEmpty)
        try await BlockingWork.run {
            let waiting = [try Tool(port: place.port), try Tool(port: place.port)]
            let third = try Tool(port: place.port)
            #expect(try third.readToEnd().isEmpty)
            for tool in waiting { #expect(try tool.readToEnd().isEmpty) }
        }
    }

    @Test(
        "another user of the machine gets no reply, although the path is right",
        .enabled(
            if: Requirement.allMet([.root, .program("setpriv"), .program("/usr/bin/python3")]),
            "setpriv(1) as root"
        )
    )
    func otherUser() async throws {
        let (_, _, place) = try await opened()
        let program = """
            import http.client
            connection = http.client.HTTPConnection("127.0.0.1", \(place.port), timeout=10)
            try:
                connection.request("POST", "\(place.path)", b"RO107")
                print(connection.getresponse().status)
            except ConnectionError:
                print("closed")
            """
        let stranger = ["setpriv", "--reuid=12345", "--regid=12345", "--clear-groups", "--"]
        let theirs = try await Command(stranger + ["/usr/bin/python3", "-c", program]).succeed()
        #expect(theirs == "closed\n")
        let ours = try await Command(["/usr/bin/python3", "-c", program]).succeed()
        #expect(ours == "400\n")
    }
}
