// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import NIOCore
import NIOSSL
import Platform
import Registry
import Remoting
import TestSupport
import Testing

@testable import Broker

/// A LAN with an attacker. Whatever the attacker announces, answers and takes over, it gets no byte of a login and no
/// session.
@Suite("A rogue LAN", .timeLimit(.minutes(10)))
struct RogueLANTests {
    private static let runs = Soak.count(200, soak: 1_000)
    private static let atOnce = 12
    private static let seed: UInt64 = 20_817

    private struct Outcome: Sendable {
        var findings: [String] = []
        var rogueBytes = 0
        var rogueConnections = 0
        var honestLogins = 0
        var took = Duration.zero
    }

    @Test("no byte of a login or a session reaches the rogue, in random runs of every scenario")
    func everyScenario() async throws {
        let temporary = TemporaryDirectory()
        let certificates = try await RogueWorld.Certificates(in: temporary)
        let start = ContinuousClock.now
        var outcomes: [String: [Outcome]] = [:]
        var random = SeededRandom(seed: Self.seed)
        let seeds = (0..<Self.runs).map { _ in random.next() }
        try await withThrowingTaskGroup(of: (RogueScenario, Outcome).self) { group in
            // Most of a run is waiting, so a few run simultaneously.
            for (index, seed) in seeds.enumerated() {
                if index >= Self.atOnce, let (scenario, outcome) = try await group.next() {
                    outcomes[scenario.name, default: []].append(outcome)
                }
                let scenario = RogueScenario.all[index % RogueScenario.all.count]
                group.addTask { (scenario, try await Self.run(scenario, index, seed, certificates)) }
            }
            for try await (scenario, outcome) in group { outcomes[scenario.name, default: []].append(outcome) }
        }
        Self.report(outcomes, ContinuousClock.now - start)
        #expect(RogueScenario.all.count >= 20 && outcomes.count == RogueScenario.all.count)
        // Without attacks and use of the honest server, the test would prove nothing.
        let all = outcomes.values.flatMap { $0 }
        #expect(all.reduce(0) { $0 + $1.rogueBytes } > 1_000)
        #expect(all.count { $0.honestLogins > 0 } > all.count / 2)
    }

    private static func run(
        _ scenario: RogueScenario,
        _ index: Int,
        _ seed: UInt64,
        _ certificates: RogueWorld.Certificates
    ) async throws -> Outcome {
        let start = ContinuousClock.now
        var random = SeededRandom(seed: seed)
        let world = try await RogueWorld(scenario, index: index, certificates: certificates, random: &random)
        if Int.random(in: 0..<5, using: &random) > 0 { await world.perform(.open, random.next()) }
        await world.play(Int.random(in: 0...2, using: &random), &random)
        let corruptsFirst = Bool.random(using: &random)
        if corruptsFirst { world.corrupt(&random) }
        try await world.lead(&random)
        if !corruptsFirst { world.corrupt(&random) }
        await world.play(Int.random(in: 2...5, using: &random), &random)
        let last = await world.wish()
        let state = await world.fixture.registry.endpoint(world.endpointID)?.state
        await world.stop()

        var outcome = Outcome(findings: world.findings(), took: ContinuousClock.now - start)
        outcome.rogueBytes = world.rogues.reduce(0) { $0 + $1.bytes.count }
        outcome.rogueConnections = world.rogues.reduce(0) { $0 + $1.connections }
        outcome.honestLogins = world.honest?.count("LoginEx") ?? 0
        let run = "run \(index) of \(scenario.name), strength \(world.strength), seed \(seed)"
        #expect(outcome.findings.isEmpty, "\(run)")
        #expect(!scenario.isUntouched || outcome.rogueConnections == 0, "\(run)")
        if world.isHonestServerGone {
            #expect(last != nil, "\(run)")
            if case .identityConflict = last as? BrokerError { #expect(state == .conflict, "\(run)") }
        }
        if world.strength == .address {
            // One login for each attempt, which a kept connection may double, and three that the server required.
            #expect(outcome.honestLogins <= 2 * (world.wishes + 3), "\(run)")
        }
        return outcome
    }

    private static func report(_ outcomes: [String: [Outcome]], _ time: Duration) {
        let all = outcomes.values.flatMap { $0 }
        for scenario in RogueScenario.all {
            let runs = outcomes[scenario.name] ?? []
            let bytes = runs.reduce(0) { $0 + $1.rogueBytes }
            let connections = runs.reduce(0) { $0 + $1.rogueConnections }
            print(
                "rogue LAN: \(scenario.name): \(runs.count) runs, \(connections) connections, \(bytes) bytes to the rogue"
            )
        }
        let slowest = all.map(\.took).max() ?? .zero
        print(
            "rogue LAN: \(all.count) runs of \(outcomes.count) scenarios in \(time), the slowest \(slowest):",
            "\(all.reduce(0) { $0 + $1.findings.count }) parts of a credential at the rogue,",
            "\(all.reduce(0) { $0 + $1.honestLogins }) logins at the honest server"
        )
    }
}

extension RogueWorld {
    /// Performs some actions, sequentially or simultaneously.
    fileprivate func play(_ count: Int, _ random: inout SeededRandom) async {
        let acts = (0..<count).map { _ in (Act.allCases.randomElement(using: &random) ?? .open, random.next()) }
        guard Bool.random(using: &random) else {
            for (act, seed) in acts { await perform(act, seed) }
            return
        }
        await withTaskGroup { group in
            for (act, seed) in acts { group.addTask { await self.perform(act, seed) } }
        }
    }
}
