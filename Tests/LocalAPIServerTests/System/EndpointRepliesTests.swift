// SPDX-License-Identifier: Apache-2.0

import Endpoints
import EventLoops
import JSON
import LocalAPI
import Locks
import NIOCore
import NIOPosix
import Registry
import TestSupport
import Testing

@testable import LocalAPIServer
@testable import VarlinkService

@Suite("Replies that contain endpoints")
struct EndpointRepliesTests {
    private let temporary = TemporaryDirectory()
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    @Test("the list equals that of the general encoder, also after a change, and for any names")
    func list() async throws {
        let (registry, replies) = make()
        var random = SeededRandom(seed: 41)
        for _ in 0..<8 {
            let source = SightingStream()
            for _ in 0..<25 { source.yield(.sighted(try Self.sighting(using: &random))) }
            source.finish()
            await registry.consume(source, from: .avahi)
            for _ in 0..<2 {
                let snapshot = await registry.snapshot
                let expected: JSONObject = [
                    "parameters": [
                        "revision": .integer(Int64(snapshot.revision)),
                        "endpoints": .array(snapshot.endpoints.map { .object(RegistryAPI.Endpoint($0).json) }),
                    ]
                ]
                #expect(await replies.list().text == expected.text)
            }
        }
        #expect(await registry.endpointCount > 100)
    }

    @Test("the list is serialized once for all requests before the next change")
    func kept() async throws {
        let (registry, replies) = make(patience: .hours(1))
        _ = try await registry.add(name: "one", url: ServerURL(completing: "10.0.0.1"))
        let first = await replies.list()
        #expect(await replies.list().isSame(as: first))
        _ = try await registry.add(name: "two", url: ServerURL(completing: "10.0.0.2"))
        let second = await replies.list()
        #expect(!second.isSame(as: first) && second.text.contains("two"))
        #expect(replies.isListKept)
    }

    @Test("the text of a long list is made in several turns of the loop", arguments: [false, true])
    func turns(isWatch: Bool) async throws {
        let (registry, replies) = make()
        var random = SeededRandom(seed: 42)
        let source = SightingStream()
        for _ in 0..<8_000 { source.yield(.sighted(try Self.sighting(using: &random))) }
        source.finish()
        await registry.consume(source, from: .avahi)
        let count = await registry.endpointCount
        try #require(count > 5_000)
        let update = try #require(try await registry.watch().first { _ in true })
        let taken = await withTaskExecutorPreference(LoopExecutor(loop)) {
            let turns = LoopTurns(loop)
            defer { turns.stop() }
            _ = isWatch ? await replies.reply(to: update) : await replies.list()
            return turns.count
        }
        #expect(taken >= count / 500)
    }

    @Test("the text is released when requests have stopped")
    func letGo() async throws {
        let (_, replies) = make(patience: .milliseconds(1))
        let first = await replies.list()
        try await eventually { !replies.isListKept }
        #expect(await replies.list().text == first.text)
    }

    @Test("a change is serialized once for all watchers")
    func change() async throws {
        let (registry, replies) = make()
        var updates = try await registry.watch().makeAsyncIterator()
        let snapshot = await replies.reply(to: try #require(try await updates.next()))
        #expect(snapshot.text == #"{"parameters":{"kind":"snapshot","revision":0,"endpoints":[]},"continues":true}"#)
        let endpoint = try await registry.add(name: "\"quoted\" é", url: ServerURL(completing: "10.0.0.1"))
        let update = try #require(try await updates.next())
        let reply = await replies.reply(to: update)
        #expect(await replies.reply(to: update).isSame(as: reply))
        let expected: JSONObject = [
            "parameters": ["kind": "added", "revision": 1, "endpoint": .object(RegistryAPI.Endpoint(endpoint).json)],
            "continues": true,
        ]
        #expect(reply.text == expected.text)
    }

    private func make(patience: TimeAmount = .seconds(2)) -> (EndpointRegistry, EndpointReplies) {
        let registry = EndpointRegistry(loop: loop, store: EndpointStore(directory: temporary.path, pool: .singleton))
        return (registry, EndpointReplies(registry: registry, loop: loop, patience: patience))
    }

    private static func sighting(using random: inout SeededRandom) throws -> Sighting {
        func bytes(atMost count: Int) -> [UInt8] {
            let plain: [UInt8] = Array("aZ09-._ \"\\{}[],:\u{0}\u{1B}\n\u{7F}".utf8) + [0x80, 0xC3, 0xA9, 0xFF]
            return (0..<Int.random(in: 0...count, using: &random)).map { _ in plain.randomElement(using: &random) ?? 0 }
        }
        let isIPv4 = Bool.random(using: &random)
        let address = try #require(IPAddress(bytes: [10, 0, 0, 1] + (isIPv4 ? [] : Array(repeating: 7, count: 12))))
        return Sighting(
            key: Sighting.Key(
                instance: ServiceInstance(
                    nameBytes: bytes(atMost: 40),
                    type: "_Relativity_DataService_rosdk._tcp",
                    domain: String(decoding: bytes(atMost: 8), as: UTF8.self)
                ),
                interface: 2,
                family: address.family
            ),
            interfaceName: "eth0",
            host: String(decoding: bytes(atMost: 30), as: UTF8.self),
            port: UInt16.random(in: 1...9_999, using: &random),
            address: address,
            txt: (0..<Int.random(in: 0...3, using: &random)).map { _ in bytes(atMost: 60) },
            isLocal: false
        )
    }
}

/// Counts the turns of a loop.
private final class LoopTurns: Sendable {
    private let turns = Lock((count: 0, isStopped: false))

    init(_ loop: any EventLoop) { take(loop) }

    var count: Int { turns.withLock(\.count) }

    func stop() { turns.withLock { $0.isStopped = true } }

    private func take(_ loop: any EventLoop) {
        loop.execute {
            let isStopped = self.turns.withLock { turns in
                turns.count += 1
                return turns.isStopped
            }
            if !isStopped { self.take(loop) }
        }
    }
}

extension ReadyReply {
    /// The text without its NUL.
    fileprivate var text: String { String(buffer: frame.getSlice(at: 0, length: frame.readableBytes - 1) ?? frame) }

    fileprivate func isSame(as other: ReadyReply) -> Bool {
        frame.withUnsafeReadableBytes { one in other.frame.withUnsafeReadableBytes { one.baseAddress == $0.baseAddress }
        }
    }
}
