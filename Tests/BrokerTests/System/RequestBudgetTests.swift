// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
import NIOPosix
import Remoting
import SampleServer
import TestSupport
import Testing

@testable import Broker

@Suite(.endsStarted) struct RequestBudgetTests {
    private static let bytes = 8 << 20
    private let temporary = TemporaryDirectory()
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let budget: RequestBudget

    init() { budget = RequestBudget(bytes: Self.bytes, loop: loop) }

    private func isWhole() async throws -> Bool {
        try await loop.submit { [budget] in
            guard budget.take(Self.bytes) else { return false }
            budget.release(Self.bytes)
            return true
        }.get()
    }

    private func listener(_ answer: @escaping AdapterListener.Answer) async throws -> AdapterListener {
        try await AdapterListener.open(
            at: .socket(path: temporary.path(of: "s")),
            limits: AdapterLimits(),
            budget: budget,
            loop: loop,
            answer: answer
        )
    }

    @Test("a request releases its memory budget when its work has ended, before its connection closes")
    func hangUp() async throws {
        let (begun, end) = (loop.makePromise(of: Void.self), loop.makePromise(of: Void.self))
        let listener = try await listener { request, _ in
            begun.succeed()
            try? await end.futureResult.get()
            return AdapterReply(BrokerError.closed)
        }
        let path = temporary.path(of: "s")
        try await BlockingWork.run {
            let tool = try Tool(path)
            tool.send(Tool.post(Tool.getSchema()))
            try begun.futureResult.wait()
        }
        listener.close()
        for _ in 0..<20 {
            try await loop.scheduleTask(in: .milliseconds(5)) {}.futureResult.get()
            #expect(try await !isWhole())
        }
        end.succeed()
        try await eventually { try await isWhole() }
    }

    @Test("a reply is held until the tool has read it, and the next request waits for that")
    func unread() async throws {
        let (loop, path) = (loop, temporary.path(of: "s"))
        let asked = NIOLoopBoundBox.makeBoxSendingValue(0, eventLoop: loop)
        let first = loop.makePromise(of: Void.self)
        let large = BinMessage(
            header: MessageHeader(clientID: ClientID()),
            body: ByteBuffer(repeating: 7, count: Self.bytes * 3 / 8)
        )
        let listener = try await listener { _, share in
            asked.value += 1
            first.succeed()
            do { try share.take(large.byteCount) } catch { return AdapterReply(error) }
            return AdapterReply(large)
        }
        try await BlockingWork.run {
            let slow = try Tool(path)
            slow.send(Tool.post(Tool.getSchema(), keepAlive: true) + Tool.post(Tool.getSchema()))
            try first.futureResult.wait()
            let other = try Tool(path)
            other.send(Tool.post(Tool.getSchema()))
            #expect(try other.readAnswer().status == 503)
            #expect(try loop.submit { asked.value }.wait() == 2)
            for _ in 0..<2 { #expect(try slow.readAnswer().body == large.encoded()) }
            #expect(try loop.submit { asked.value }.wait() == 3)
        }
        try await eventually { try await isWhole() }
        listener.close()
    }

    @Test(
        "a socket holds no more than it leaves to the others",
        arguments: [
            (1, 0, 2, true), (1, 0, 1, false), (50, 0, 100, true), (51, 0, 100, false), (1, 49, 51, true),
            (1, 50, 50, false), (10, 20, 40, true), (11, 20, 40, false), (0, 0, 0, true),
        ]
    )
    func rule(_ bytes: Int, held: Int, free: Int, isAllowed: Bool) {
        #expect(RequestBudget.mayTake(bytes, held: held, free: free) == isAllowed)
        #expect(RequestBudget.mayTake(bytes, held: nil, free: free) == (bytes <= free))
    }

    @Test("unfinished bodies on one socket leave budget for requests on another")
    func fairness() async throws {
        let answer: AdapterListener.Answer = { request, _ in AdapterReply(BrokerError.closed) }
        let greedy = try await listener(answer)
        let path = temporary.path(of: "s")
        try await BlockingWork.run {
            let tool = try Tool(path)
            tool.send(Array("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(Self.bytes)\r\n\r\n".utf8))
            tool.send([UInt8](repeating: 7, count: Self.bytes / 2 + 1))
            #expect(try tool.readAnswer().status == 503)
        }
        greedy.close()
        try await eventually { try await isWhole() }
        let taken = try await loop.submit { [budget] in
            let (first, second, third) = (budget.share(), budget.share(), budget.share())
            func fill(_ share: RequestBudget) -> Int { (0..<100).count { _ in share.take(1 << 20) } }
            let taken = [fill(first), fill(second), fill(third)]
            for (share, count) in zip([first, second, third], taken) { share.release(count << 20) }
            return taken
        }.get()
        #expect(taken == [4, 2, 1])
        #expect(try await isWhole())
    }

    @Test("a compressed request counts with its inflated size")
    func inflated() async throws {
        var limits = AdapterLimits()
        limits.totalRequestBytes = 200_000
        let fixture = try await BrokerFixture(limits)
        let endpoint = try await fixture.sampleEndpoint()
        let path = try await fixture.open(endpoint, anonymous: true).socketPath
        for (count, status) in [(200_000, 503), (50_000, 200), (200_000, 503), (50_000, 200)] {
            let plain = Tool.getSchema("DASampleService", filter: String(repeating: " ", count: count))
            let packed = try BinMessage(decoding: plain).encoded(compressingFrom: 1)
            #expect(packed.readableBytes < 2_000)
            #expect(try await Tool.call(path, packed).status == status, "\(count)")
        }
    }
}
