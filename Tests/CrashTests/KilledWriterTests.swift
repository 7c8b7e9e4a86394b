// SPDX-License-Identifier: Apache-2.0

import EventLoops
import Glibc
import NIOPosix
import TestSupport
import Testing

@Suite("Writers that are killed at any moment", .timeLimit(.minutes(60)))
struct KilledWriterTests {
    private static let seed: UInt64 = 4
    private static let longestMicroseconds = 20_000

    @Test("a confirmed save is never lost, and no file is ever incomplete")
    func killed() async throws {
        let fixture = ProbeFixture()
        _ = try await fixture.created(logins: ["one", "two"])
        let kills = Soak.count(200, soak: 10_000)
        var random = SeededRandom(seed: Self.seed)
        var unconfirmed = 0
        var left = 0
        for round in 0..<kills {
            let probe = try ProbeSession(fixture.command)
            guard case .ok = await probe.send("open"), case .ok(let first) = await probe.send("churn x") else {
                throw ProbeFixture.Unexpected()
            }
            let pause = Duration.microseconds(Int.random(in: 0..<Self.longestMicroseconds, using: &random))
            try await MultiThreadedEventLoopGroup.singleton.next().sleep(for: pause)
            probe.child.signal(SIGKILL)
            var confirmed = try #require(UInt64(first))
            while case .ok(let generation) = await probe.next() { confirmed = try #require(UInt64(generation)) }
            #expect(probe.end() == -SIGKILL)

            left += fixture.temporaryNames.count
            #expect(fixture.temporaryNames.count <= 1)
            let sight = try await fixture.open()
            let generation = try #require(sight.generation)
            #expect(generation == confirmed || generation == confirmed + 1, "round \(round)")
            if generation != confirmed { unconfirmed += 1 }
            // The first confirmed save added the login, and each later one reversed the one before.
            let isThere = (generation - (UInt64(first) ?? 0)).isMultiple(of: 2)
            #expect(sight.logins == (isThere ? ["one", "two", "x"] : ["one", "two"]), "round \(round)")
            #expect(fixture.temporaryNames.isEmpty)
        }
        print(
            "\(kills) kills (seed \(Self.seed)): \(unconfirmed) saved and not confirmed, \(left) temporary files left"
        )
    }
}
