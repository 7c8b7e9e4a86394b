// SPDX-License-Identifier: Apache-2.0

import Discovery
import Locks
import TestSupport
import Testing

/// A counter on Avahi's thread.
private actor Counter {
    private let loop: AvahiLoop
    private var count = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(on loop: AvahiLoop) { self.loop = loop }

    @discardableResult
    func add() -> Int {
        count += 1
        return count
    }
}

@Suite("Avahi's thread without Avahi")
struct AvahiLoopTests {
    @Test("jobs of an actor from many tasks all run")
    func manyJobs() async throws {
        let loop = try AvahiLoop()
        defer { loop.stop() }
        let counter = Counter(on: loop)
        await withDiscardingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<2_000 { await counter.add() } }
            }
        }
        #expect(await counter.add() == 16_001)
    }

    @Test("closures run in order, on the thread that the actor is isolated to")
    func closures() async throws {
        let loop = try AvahiLoop()
        defer { loop.stop() }
        let counter = Counter(on: loop)
        let counts = AsyncStream<Int> { continuation in
            for index in 1...100 {
                loop.execute {
                    continuation.yield(counter.assumeIsolated { $0.add() })
                    if index == 100 { continuation.finish() }
                }
            }
        }
        var seen: [Int] = []
        for await count in counts { seen.append(count) }
        #expect(seen == Array(1...100))
    }

    @Test("on other threads the isolation check returns false")
    func isolation() async throws {
        let loop = try AvahiLoop()
        defer { loop.stop() }
        #expect(loop.isIsolatingCurrentContext() == false)
        let answers = AsyncStream<Bool?> { continuation in
            loop.execute {
                continuation.yield(loop.isIsolatingCurrentContext())
                continuation.finish()
            }
        }
        for await answer in answers { #expect(answer == true) }
    }

    @Test("stop runs the queued work, and returns although the thread is busy")
    func stop() async throws {
        let loop = try AvahiLoop()
        let gate = Lock(())
        let ran = AsyncStream<String> { continuation in
            gate.withLock { _ in
                loop.execute {
                    gate.withLock { _ in _ = continuation.yield("blocked") }
                }
                loop.execute {
                    continuation.yield("queued")
                    continuation.finish()
                }
                loop.stop()
            }
        }
        var seen: [String] = []
        for await name in ran { seen.append(name) }
        #expect(seen == ["blocked", "queued"])
    }

    @Test("a stopped loop is released when its last user is gone")
    func letGo() async throws {
        weak var released: AvahiLoop?
        do {
            let loop = try AvahiLoop()
            released = loop
            loop.stop()
        }
        try await eventually { released == nil }
    }
}
