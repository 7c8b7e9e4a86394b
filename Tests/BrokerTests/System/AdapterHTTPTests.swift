// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Remoting
import SampleServer
import TestSupport
import Testing

@testable import Broker

@Suite(.everyReplyShape, .endsStarted) struct AdapterHTTPTests {
    /// An adapter without login on the sample server's open service.
    private func opened(
        _ limits: AdapterLimits = AdapterLimits(),
        delay: Duration = .zero
    ) async throws -> String {
        let fixture = try await BrokerFixture(limits)
        let endpoint = try await fixture.sampleEndpoint { $0.delay = delay }
        return try await fixture.open(endpoint, anonymous: true).socketPath
    }

    private static func request(keepAlive: Bool = true) -> [UInt8] {
        Tool.post(Tool.getSchema("DASampleService"), keepAlive: keepAlive)
    }

    @Test("a connection is reused for several calls, and pipelined calls are answered in order")
    func keepAlive() async throws {
        let path = try await opened()
        try await BlockingWork.run {
            let tool = try Tool(path)
            for _ in 0..<3 {
                tool.send(Self.request())
                #expect(try tool.readAnswer().status == 200)
            }
            let own = ClientID()
            tool.send(
                Tool.post(Tool.getSchema("Nowhere", as: own), keepAlive: true) + Self.request(keepAlive: false)
            )
            let answers = [try tool.readAnswer(), try tool.readAnswer()]
            #expect(answers.map(\.status) == [500, 200])
            var start = answers[0].body
            #expect(try MessageHeader(from: &start).clientID == own)
            #expect(try tool.readToEnd().isEmpty)
        }
    }

    @Test("a tool that expects 100-continue receives it, unless its body is too long")
    func expectation() async throws {
        var limits = AdapterLimits()
        limits.requestBytes = 1_000
        let path = try await opened(limits)
        try await BlockingWork.run {
            let tool = try Tool(path)
            for _ in 0..<2 {
                let request = Self.request()
                let end = try #require(request.firstRange(of: Array("\r\n\r\n".utf8)))
                tool.send(Array(request[..<end.lowerBound]) + Array("\r\nExpect: 100-continue\r\n\r\n".utf8))
                #expect(try tool.readAnswer().status == 100)
                tool.send(Array(request[end.upperBound...]))
                #expect(try tool.readAnswer().status == 200)
            }
            tool.send(
                Array("POST /bin HTTP/1.1\r\nContent-Length: 1001\r\nExpect: 100-continue\r\n\r\n".utf8)
            )
            #expect(try tool.readAnswer().status == 413)
        }
    }

    @Test("a tool that has half-closed its connection still gets the reply")
    func halfClose() async throws {
        let path = try await opened(delay: .milliseconds(50))
        try await BlockingWork.run {
            let tool = try Tool(path)
            tool.send(Self.request())
            tool.endSending()
            #expect(try tool.readAnswer().status == 200)
            #expect(try tool.readToEnd().isEmpty)
        }
    }

    @Test(
        "methods other than POST and GET are refused and end the connection",
        arguments: ["PUT", "OPTIONS", "DELETE"]
    )
    func otherMethods(method: String) async throws {
        let path = try await opened()
        try await BlockingWork.run {
            let tool = try Tool(path)
            tool.send(Array("\(method) /bin HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n".utf8))
            let answer = try #require(Tool.answer(in: try tool.readToEnd()))
            #expect(answer.status == 400)
            #expect(answer.exception?.message.contains("only POST") == true)
        }
    }

    @Test("a request above the limit, with or without a declared length, gets 413 and an exception")
    func tooLarge() async throws {
        var limits = AdapterLimits()
        limits.requestBytes = 100_000
        let path = try await opened(limits)
        for isChunked in [false, true] {
            let bytes = try await BlockingWork.run {
                let tool = try Tool(path)
                let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 1000000"
                tool.send(Array("POST /bin HTTP/1.1\r\nHost: x\r\n\(length)\r\n\r\n".utf8))
                if isChunked { tool.send(Array("F4240\r\n".utf8)) }
                tool.send([UInt8](repeating: 65, count: 1_000_000))
                return try tool.readToEnd()
            }
            let answer = try #require(Tool.answer(in: bytes))
            #expect(answer.status == 413)
            #expect(answer.exception?.message == "\(RemotingError.tooLarge(limit: 100_000))")
        }
        let exact = Tool.getSchema("DASampleService", filter: String(repeating: "x", count: 90_000))
        #expect(try await Tool.call(path, exact).status == 200)
    }

    @Test("a connection with half a request, or one byte at a time, is closed in bounded time")
    func slow() async throws {
        var limits = AdapterLimits()
        limits.silence = .milliseconds(300)
        let path = try await opened(limits)
        try await BlockingWork.run {
            let start = ContinuousClock.now
            for part in [0, 1, 30, 80] {
                let tool = try Tool(path)
                tool.send(Array(Self.request().prefix(part)))
                #expect(try tool.readToEnd().isEmpty)
            }
            let dripping = try Tool(path)
            var sent = 0
            while ContinuousClock.now - start < .seconds(10), sent < 60, dripping.sendByte(Self.request()[sent]) {
                sent += 1
                dripping.pause(milliseconds: 20)
            }
            #expect(sent < 60)
        }
    }

    @Test("a slow server does not count towards the tool's idle timeout")
    func slowServer() async throws {
        var limits = AdapterLimits()
        limits.silence = .milliseconds(100)
        let path = try await opened(limits, delay: .milliseconds(400))
        let answer = try await Tool.call(path, Tool.getSchema("DASampleService"))
        #expect(answer.status == 200)
    }

    @Test("bytes that are not HTTP or not a message get an error, or close the connection")
    func garbage() async throws {
        let path = try await opened()
        try await BlockingWork.run {
            for text in ["\u{0}\u{1}\u{2}\r\n\r\n", "POST\r\n\r\n", "POST /bin HTTP/9.9\r\n\r\n"] {
                let tool = try Tool(path)
                tool.send(Array(text.utf8))
                let answer = Tool.answer(in: try tool.readToEnd())
                #expect(answer == nil || answer?.status == 400, "\(text)")
            }
        }
        let answer = try await Tool.call(path, ByteBuffer(string: "garbage"))
        #expect(answer.status == 400)
        #expect(answer.exception?.className == AdapterReply.failureClass)
        for json in [#"{"id":"1","method":"DataService.GetSchema"}"#, "\r\n [{}]"] {
            let answer = try await Tool.call(path, ByteBuffer(string: json))
            #expect(answer.status == 400)
            #expect(answer.exception?.message.contains("BinMessages only") == true)
        }
    }

    @Test("the number of connections to an adapter is limited, and a closed one frees its place")
    func connections() async throws {
        var limits = AdapterLimits()
        limits.connections = 2
        let path = try await opened(limits)
        try await BlockingWork.run {
            do {
                let tools = [try Tool(path), try Tool(path)]
                for tool in tools {
                    tool.send(Self.request())
                    #expect(try tool.readAnswer().status == 200)
                }
                let third = try Tool(path)
                third.send(Self.request())
                #expect(try third.readToEnd().isEmpty)
            }
        }
        try await eventually {
            (try? await Tool.call(path, Tool.getSchema("DASampleService")))?.status == 200
        }
    }
}
