// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Locks
import Logging
import NIOCore
import Registry
import Remoting
import SampleServer
import TestSupport
import Testing

@testable import Broker

/// A link between daemon and server that breaks at any point: every caller gets a reply, and nothing is left.
@Suite("A link that breaks", .timeLimit(.minutes(4)))
struct FaultInjectionTests {
    /// More than any call takes here: faults of the link last at most a third of a second.
    private static let deadline = Duration.seconds(20)

    private struct Outcome: Sendable {
        var answered = 0
        var failed = 0
        var slowest = Duration.zero

        mutating func add(_ other: Outcome) {
            answered += other.answered
            failed += other.failed
            slowest = max(slowest, other.slowest)
        }
    }

    @Test(
        "every call ends with a result or a named error, and no session or connection is left",
        arguments: (1...UInt64(Soak.count(6, soak: 40))).map { $0 }
    )
    func everyCallEnds(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let log = LeftSessions()
        let fixture = try await BrokerFixture(logger: Logger(label: "test") { _ in log })
        let server = try await fixture.sampleServer()
        let link = try await FaultyLink(
            to: try #require(server.addresses.first),
            on: fixture.loop,
            faulty: Int.random(in: 40...90, using: &random),
            seed: random.next()
        )
        let endpoint = try await fixture.endpoint(at: link.address)
        try await fixture.login(to: endpoint)
        var outcome = Outcome()
        for _ in 0..<8 {
            let seeds = (0..<4).map { _ in random.next() }
            await withTaskGroup { group in
                for seed in seeds { group.addTask { await Self.work(fixture, endpoint, seed) } }
                for await one in group { outcome.add(one) }
            }
            // Every round needs a login and a logout.
            for adapter in await fixture.broker.openAdapters { try await fixture.broker.close(adapter.id) }
        }
        #expect(outcome.slowest < Self.deadline)
        #expect(outcome.answered > 0 && outcome.failed > 0)

        link.heal()
        // A login whose reply was lost is logged out with the session that replaced it, or with the last one.
        var last: (any Error)?
        try await eventually {
            do {
                try await fixture.broker.close(try await fixture.open(endpoint).id)
                return true
            } catch {
                if "\(error)" != "\(String(describing: last))" { print("\(error)") }
                last = error
                return false
            }
        }
        await fixture.stop()
        #expect(fixture.sockets.isEmpty)
        let (logins, left) = (try fixture.calls("LoginService.LoginEx"), server.sessionCount)
        // A logout is abandoned after two seconds of broken connections, and that is logged.
        #expect(left <= log.sum, "\(logins) logins")
        #expect(log.sum <= 1 + logins / 10)
        try await eventually { link.openConnections == 0 }
        let faults = link.counts.filter { $0.key != .none }.values.reduce(0, +)
        print(
            "faulty link, seed \(seed): \(outcome.answered) answers, \(outcome.failed) named errors, slowest",
            "\(outcome.slowest); \(faults) faults, \(logins) logins, \(left) sessions left,",
            "\(log.sum) told"
        )
        await link.stop()
        await server.stop()
    }

    /// Opens an adapter, calls a few times, and closes it, most of the times.
    private static func work(_ fixture: BrokerFixture, _ endpoint: Endpoint, _ seed: UInt64) async -> Outcome {
        var random = SeededRandom(seed: seed)
        var outcome = Outcome()
        func timed(_ body: () async throws -> Bool) async {
            let start = ContinuousClock.now
            do {
                if try await body() { outcome.answered += 1 } else { outcome.failed += 1 }
            } catch is BrokerError {
                outcome.failed += 1
            } catch {
                Issue.record("\(error)")
            }
            outcome.slowest = max(outcome.slowest, ContinuousClock.now - start)
        }
        var adapter: Adapter?
        await timed {
            adapter = try await fixture.open(endpoint)
            return true
        }
        guard let adapter else { return outcome }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            await timed {
                let answer = try await Tool.call(adapter.socketPath)
                if let exception = answer.exception { return exception.className != AdapterReply.failureClass }
                return answer.status == 200
            }
        }
        if Int.random(in: 0..<4, using: &random) > 0 { try? await fixture.broker.close(adapter.id) }
        return outcome
    }
}

/// Adds up the sessions that the daemon reports as left on a server.
private struct LeftSessions: LogHandler {
    private final class Count: Sendable {
        let value = Lock(0)
    }

    private let count = Count()
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.info
    var sum: Int { count.value.withLock { $0 } }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        guard let sessions = event.metadata?["sessions"].flatMap({ Int("\($0)") }) else { return }
        count.value.withLock { $0 += sessions }
    }
}
