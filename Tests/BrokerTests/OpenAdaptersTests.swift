// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import Testing

@testable import Broker

@Suite struct OpenAdaptersTests {
    private func adapter(_ id: String, _ lifetime: AdapterLifetime = .held, created: Int64 = 0) -> OpenAdapter {
        let adapter = Adapter(
            id: id,
            address: .socket(path: "/run/\(id).sock"),
            login: nil,
            target: nil,
            lifetime: lifetime,
            hasOwnSession: false,
            peer: nil,
            created: created
        )
        let listener = AdapterListener(
            address: adapter.address,
            channel: EmbeddedChannel(),
            connections: AdapterConnections(limit: 1, loop: EmbeddedEventLoop())
        )
        return OpenAdapter(adapter, listener: listener, lease: nil, loop: EmbeddedEventLoop())
    }

    @Test("adapters that are being opened count towards the limit")
    func limit() throws {
        var adapters = OpenAdapters(limit: 2)
        adapters.insert(adapter("a"))
        try adapters.beginOpening()
        #expect(throws: BrokerError.tooManyAdapters(limit: 2)) { try adapters.beginOpening() }
        adapters.endOpening()
        try adapters.beginOpening()
        adapters.endOpening()
        adapters.insert(adapter("b"))
        #expect(throws: BrokerError.tooManyAdapters(limit: 2)) { try adapters.beginOpening() }
        #expect(adapters.remove("a")?.adapter.id == "a")
        #expect(adapters.remove("a") == nil)
        try adapters.beginOpening()
    }

    @Test("none is opened after the stop")
    func stop() {
        var adapters = OpenAdapters(limit: 2)
        adapters.stop()
        #expect(adapters.isStopping)
        #expect(throws: BrokerError.closed) { try adapters.beginOpening() }
    }

    @Test("the list begins with the oldest")
    func order() {
        var adapters = OpenAdapters(limit: 3)
        adapters.insert(adapter("b", created: 2))
        adapters.insert(adapter("c", created: 1))
        adapters.insert(adapter("a", created: 2))
        #expect(adapters.adapters.map(\.id) == ["c", "a", "b"])
        #expect(adapters.grants.isEmpty)
    }

    @Test("a new timer cancels the one before")
    func timers() {
        var adapters = OpenAdapters(limit: 1)
        adapters.insert(adapter("a"))
        let first = EmbeddedEventLoop().scheduleTask(in: .seconds(1)) {}
        adapters.setTimer(first, of: "a")
        adapters.setTimer(nil, of: "a")
        #expect(throws: EventLoopError.cancelled) { try first.futureResult.wait() }
        #expect(adapters["a"]?.timer == nil)
    }

    @Test(
        "a timer closes an adapter whose time is over, or releases the session of one that stays",
        arguments: [
            (AdapterLifetime.held, 1_000, nil),
            (.atMost(.seconds(10)), 5, .wait),
            (.atMost(.seconds(10)), 10, .close),
            (.permanent, 1_000, nil),
            (.granted(.seconds(10)), 5, .wait),
            (.granted(.seconds(10)), 10, .close),
        ] as [(AdapterLifetime, Int64, OpenAdapter.TimerStep?)]
    )
    func timerSteps(_ lifetime: AdapterLifetime, seconds: Int64, step: OpenAdapter.TimerStep?) {
        let open = adapter("a", lifetime)
        #expect(open.timerStep(idle: .seconds(60), at: open.opened + .seconds(seconds)) == step)
    }
}

@Suite struct AdapterWatchersTests {
    private let event = AdapterEvent.opened(
        Adapter(
            id: "a",
            address: .socket(path: "/run/a.sock"),
            login: nil,
            target: nil,
            lifetime: .held,
            hasOwnSession: false,
            peer: nil,
            created: 0
        )
    )

    @Test("a watcher that is 256 events behind is removed, and its stream ends after these")
    func slow() async throws {
        var watchers = AdapterWatchers()
        let events = try watchers.add { _ in }
        for _ in 0..<256 { watchers.send(event) }
        #expect(watchers.count == 1)
        watchers.send(event)
        #expect(watchers.count == 0)
        var count = 0
        for await _ in events { count += 1 }
        #expect(count == 256)
    }

    @Test("there are at most 64")
    func limit() throws {
        var watchers = AdapterWatchers()
        let streams = try (1...64).map { _ in try watchers.add { _ in } }
        #expect(throws: BrokerError.tooManyWatchers(limit: 64)) { try watchers.add { _ in } }
        watchers.remove(1)
        _ = try watchers.add { _ in }
        #expect(streams.count == watchers.count)
    }
}
