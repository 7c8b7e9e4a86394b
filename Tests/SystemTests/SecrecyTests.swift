// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite(
    "Secrets stay in the daemon",
    .enabled(if: Requirement.allMet([.root, .program(Sources.python)]), "needs root and scripts/python-env.sh"),
    .timeLimit(.minutes(3))
)
struct SecrecyTests {
    @Test("after a day's work no password, passphrase or ClientID is anywhere except on the wire to the server")
    func canaries() async throws {
        let day = ScriptedDay()
        try await day.run(ScriptedDay.steps)

        // The secrets are found where they belong, which proves that the search works.
        let wire = try await SecretSearch(canaries: day.secrets).run(in: [day.wire])
        for sent in [day.password, day.refusedPassword, day.editedPassword] {
            #expect(wire.hits.contains { $0.contains(" \(sent.name)/plain ") })
        }
        let traffic = try await SecretSearch(canaries: day.secrets).run(in: [day.secretTraffic])
        for typed in day.typed + [try #require(day.recoveryCode)] {
            #expect(traffic.hits.contains { $0.contains(" \(typed.name)/plain ") }, "\(typed.name)")
        }

        let sessions = Self.clientIDs(in: TextFile.bytes(of: day.wire))
        #expect(sessions.count >= 5)
        let search = SecretSearch(canaries: day.secrets + sessions)
        let outcome = try await search.run(in: [day.deployment.home.path])
        #expect(outcome.hits.isEmpty, "\(outcome.hits)")

        // The search covered the right processes and files.
        let processes = TextFile.text(of: day.processes)
        for verb in ["vault\0init", "login\0add", "vault\0unlock", "vault\0rotate-key", "relativityd\0--log-level"] {
            #expect(processes.contains(verb), "the sampler has seen \(verb.replacing("\0", with: " "))")
        }
        let log = TextFile.text(of: day.deployment.daemonLog)
        #expect(log.contains("adapter opened"))
        #expect(!log.contains("Backtrace") && !log.contains("crashed"), "nor does Swift's runtime report it")
        #expect(day.deployment.home.names(in: "cores").isEmpty, "a crash leaves no core file")
        #expect(day.deployment.home.names(in: "data/relativityd").contains("vault.rcv"))
        #expect(Set(day.deployment.home.names(in: "state/relativityd")).isSuperset(of: ["anchor", "audit.jsonl"]))
        #expect(day.memoryHits.isEmpty, "\(day.memoryHits)")
        #expect(day.searchedMemory.bytes > 10 << 20)
        #expect(day.memoryHitsInUse.contains { $0.contains(" password/plain ") }, "while it is sent, it is found")
        print(
            "\(day.searchedMemory.bytes) bytes in \(day.searchedMemory.places) regions of the daemon's memory searched after "
                + "locks: \(day.memoryHits.count) hits"
        )
        print(
            "\(ScriptedDay.steps.count) steps, \(search.canaries.count) secrets in \(search.canaries[0].forms.count) forms, "
                + "\(outcome.searchedBytes) bytes of output, traffic, files and names in \(outcome.places) places searched: "
                + "\(outcome.hits.count) hits"
        )
    }

    /// The sessions on the wire: the 16 bytes from offset 12 of every BinMessage (docs/wire.md).
    private static func clientIDs(in sent: [UInt8]) -> [Canary] {
        let signature = Array("RO107".utf8)
        let found = sent.indices.filter { sent[$0] == signature[0] && sent[$0...].starts(with: signature) }.map {
            Array(sent[$0...].dropFirst(12).prefix(16))
        }
        return Set(found.filter { $0.count == 16 }).enumerated().map {
            Canary("session\($0.offset)", bytes: $0.element)
        }
    }
}
