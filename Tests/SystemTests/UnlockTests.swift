// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestSupport
import Testing

@Suite("Unlocking next to other work", .timeLimit(.minutes(2)))
struct UnlockTests {
    private final class Flag: Sendable {
        let isUp = Atomic(false)
    }

    @Test("the API responds while a passphrase is tried, and a second attempt gets an error")
    func duringUnlock() async throws {
        let deployment = try await Deployment.running()
        try await deployment.initialiseVault()
        try await deployment.success("vault", "lock")
        let end = Flag()
        async let roundTrip = Self.longestRoundTrip(until: end, deployment.socket)
        let started = ContinuousClock.now
        let wrong = try await deployment.relctl("vault", "unlock", "--passphrase-stdin", input: "wrong one\n")
        let took = ContinuousClock.now - started
        end.isUp.store(true, ordering: .relaxed)
        let longest = try await roundTrip
        #expect(wrong.status == 7)
        print("longest round trip \(longest), beside an unlock of \(took)")
        // Most of an unlock is scrypt, so a call that waited for it would take most of the time too.
        #expect(longest < took / 2)
    }

    private static func longestRoundTrip(until end: Flag, _ socket: String) async throws -> Duration {
        try await BlockingWork.run {
            let stream = try UnixStream(path: socket)
            var longest = Duration.zero
            repeat {
                let started = ContinuousClock.now
                stream.send(Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0])
                #expect(try stream.receiveFrame().last == 0)
                longest = max(longest, ContinuousClock.now - started)
            } while !end.isUp.load(ordering: .relaxed)
            return longest
        }
    }
}
