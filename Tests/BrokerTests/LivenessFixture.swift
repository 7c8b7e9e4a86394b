// SPDX-License-Identifier: Apache-2.0

import Endpoints
import EventLoops
import Logging
import NIOCore
import NIOPosix
import Registry
import TestSupport
import Testing

@testable import Broker

/// A broker's fixture with a prober that has short intervals.
final class LivenessFixture: Sendable {
    let base: BrokerFixture
    let monitor: LivenessMonitor
    private let running: Task<Void, Never>

    /// - Parameter isOn: whether it probes automatically.
    init(isOn: Bool = true) async throws {
        base = try await BrokerFixture()
        monitor = LivenessMonitor(
            connector: base.connector,
            store: base.store,
            states: ReachabilityStore(directory: base.temporary.path(of: "state"), pool: .singleton),
            limits: ProbeLimits(isOn: isOn, interval: .milliseconds(300), intervalInUse: .milliseconds(200)),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        running = Task(executorPreference: LoopExecutor(base.loop)) { [monitor] in await monitor.run() }
        TestEnds.current?.add { [self] in await stop() }
    }

    func stop() async {
        running.cancel()
        await running.value
        await monitor.finish()
        await base.stop()
    }

    /// Announces a server at this port of loopback.
    func announce(port: UInt16) async throws -> Endpoint {
        await base.announce(as: "here.local", port: port)
        return try await base.registry.find("announced")
    }

    func state(of endpoint: Endpoint) async -> EndpointState? { await base.registry.endpoint(endpoint.id)?.state }

    /// Waits long enough for any due probe.
    func severalIntervals() async throws {
        let end = ContinuousClock.now + .seconds(3)
        try await eventually { ContinuousClock.now > end }
    }
}
