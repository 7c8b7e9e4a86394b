// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOPosix
import TestSupport
import Testing

@testable import Registry

@Suite("Watchers that reconnect", .timeLimit(.minutes(1)))
struct ResumeTests {
    private let temporary = TemporaryDirectory()

    private func registry(_ change: (inout RegistryLimits) -> Void = { _ in }) -> EndpointRegistry {
        var limits = RegistryLimits()
        change(&limits)
        return EndpointRegistry(
            loop: MultiThreadedEventLoopGroup.singleton.next(),
            store: EndpointStore(directory: temporary.path, pool: .singleton),
            limits: limits,
            firstRevision: 1_000
        )
    }

    @Test("a watcher that names its last revision receives the changes that it missed, and then new ones")
    func resumed() async throws {
        let registry = registry()
        let start = try await first(registry.watch())
        #expect(start == .snapshot(revision: 1_000, []))
        let (one, two) = (try await add(1, to: registry), try await add(2, to: registry))

        // There was no watcher since the first one left.
        var updates = try await registry.watch(since: 1_000).makeAsyncIterator()
        let three = try await add(3, to: registry)
        #expect(try await updates.next() == .resumed(revision: 1_000))
        for (number, endpoint) in [one, two, three].enumerated() {
            #expect(try await updates.next() == .change(revision: 1_001 + UInt64(number), .added(endpoint)))
        }
        #expect(try await first(registry.watch(since: 1_003)) == .resumed(revision: 1_003))

        var ofOne = try await registry.watch(two.id, since: 1_000).makeAsyncIterator()
        #expect(try await ofOne.next() == .resumed(revision: 1_000))
        #expect(try await ofOne.next() == .change(revision: 1_002, .added(two)))
    }

    @Test("a watcher with an unknown revision receives the complete list")
    func notKnown() async throws {
        let registry = registry { $0.history = 2 }
        _ = try await first(registry.watch())
        var endpoints: [Endpoint] = []
        for number in 1...3 { endpoints.append(try await add(number, to: registry)) }
        for since in [UInt64(0), 999, 1_000, 1_004, .max] {
            #expect(
                try await first(registry.watch(since: since)) == .snapshot(revision: 1_003, EndpointList(endpoints))
            )
        }
        #expect(try await first(registry.watch(since: 1_001)) == .resumed(revision: 1_001))
    }

    @Test("changes that had no watcher for a long time are not stored")
    func forgotten() async throws {
        let registry = registry { $0.resumeTime = .zero }
        _ = try await first(registry.watch())
        try await eventually { await !registry.isRecording }
        let one = try await add(1, to: registry)
        let (revision, _) = await registry.snapshot
        #expect(revision > 1_000)
        #expect(try await first(registry.watch(since: 1_000)) == .snapshot(revision: revision, [one]))
    }

    private func add(_ number: Int, to registry: EndpointRegistry) async throws -> Endpoint {
        try await registry.add(name: "S\(number)", url: ServerURL(completing: "10.0.0.\(number)"))
    }

    private func first(_ updates: AsyncThrowingStream<RegistryUpdate, any Error>) async throws -> RegistryUpdate? {
        var updates = updates.makeAsyncIterator()
        return try await updates.next()
    }
}
