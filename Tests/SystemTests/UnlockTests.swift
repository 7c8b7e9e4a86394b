// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite("Unlocking beside other work", .timeLimit(.minutes(2)))
struct UnlockTests {
    @Test("the API answers on while a passphrase is tried, and a second attempt is told that one is going on")
    func duringUnlock() async throws {
        let deployment = Deployment()
        let daemon = try await deployment.startDaemon()
        try await deployment.initialiseVault()
        try await deployment.success("vault", "lock")
        let quiet = try await Self.roundTrips(300, deployment.socket)

        async let wrong = deployment.relctl("vault", "unlock", "--passphrase-stdin", input: "wrong one\n")
        let busy = try await Self.roundTrips(300, deployment.socket)
        #expect(try await wrong.status == 7)
        print("round trip, p99 of 300: quiet \(quiet), beside an unlock \(busy)")
        #expect(busy < .milliseconds(50))
        try await daemon.end()
    }

    @Test("of ten attempts at once one is made at a time; each wrong one makes the next wait longer")
    func oneAtATime() async throws {
        let deployment = Deployment()
        let daemon = try await deployment.startDaemon()
        try await deployment.initialiseVault()
        try await deployment.success("vault", "lock")
        let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    try await deployment.relctl("vault", "unlock", "--passphrase-stdin", input: "wrong one\n").status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.allSatisfy { $0 == 7 || $0 == 9 } && statuses.contains(9), "\(statuses)")
        let failures = statuses.count { $0 == 7 }
        for attempt in failures..<failures + 3 {
            let started = ContinuousClock.now
            #expect(
                try await deployment.relctl("vault", "unlock", "--passphrase-stdin", input: "wrong one\n").status == 7
            )
            #expect(ContinuousClock.now - started >= .milliseconds(100 * attempt))
        }
        let right = Deployment.passphrase + "\n"
        #expect(try await deployment.relctl("vault", "unlock", "--passphrase-stdin", input: right).status == 0)
        try await daemon.end()
    }

    /// The time that 99 of 100 calls stay within.
    private static func roundTrips(_ count: Int, _ socket: String) async throws -> Duration {
        try await BlockingWork.run {
            let stream = try UnixStream(path: socket)
            var durations: [Duration] = []
            for _ in 0..<count {
                let started = ContinuousClock.now
                stream.send(Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0])
                #expect(try stream.receiveFrame().last == 0)
                durations.append(ContinuousClock.now - started)
            }
            return durations.sorted()[count * 99 / 100]
        }
    }
}
