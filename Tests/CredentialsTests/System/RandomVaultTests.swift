// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Random vaults")
struct RandomVaultTests {
    private static let round = 500

    private struct Outcome: Sendable {
        let bytes: [UInt8]
        let kind: KeyProviderKind
        let secret: [UInt8]
        let ours: String
    }

    @Test("both readers agree on thousands of vaults, and on a damaged copy of each")
    func agreement() async throws {
        guard let reader = try await IndependentReader.ifAvailable() else { return }
        let total = Soak.count(1_000, soak: 10_000)
        let scrypt = ScryptCache()
        var faults: [String: Int] = [:]
        var disagreements = 0
        for start in stride(from: 1, through: total, by: Self.round) {
            let outcomes = try await Cores.map(start..<(start + Self.round)) { seed in
                try Self.outcomes(seed: UInt64(seed), scrypt)
            }.flatMap { $0 }
            var batch = ReaderBatch()
            for outcome in outcomes { batch.add(outcome.bytes, kind: outcome.kind, secret: outcome.secret) }
            let theirs = try await batch.outcomes(of: reader)
            #expect(theirs.count == 2 * Self.round)
            for (index, (outcome, other)) in zip(outcomes, theirs).enumerated() {
                let seed = start + index / 2
                let isDamaged = !index.isMultiple(of: 2)
                if outcome.ours != other {
                    disagreements += 1
                    Issue.record("seed \(seed)\(isDamaged ? ", damaged" : ""): '\(outcome.ours)', Python '\(other)'")
                }
                if isDamaged {
                    faults[outcome.ours.hasPrefix("ok") ? "ok" : outcome.ours, default: 0] += 1
                } else {
                    #expect(outcome.ours.hasPrefix("ok "), "seed \(seed)")
                }
            }
        }
        let summary = faults.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print("random vaults: \(total) read by both, as many damaged: \(summary); \(disagreements) disagreements")
        #expect(faults.count >= 10, "the damage reaches every part")
    }

    private static func outcomes(seed: UInt64, _ scrypt: ScryptCache) throws -> [Outcome] {
        let arena = try SecretArena()
        let vault = try RandomVault(seed: seed, arena: arena, scrypt: scrypt)
        var random = SeededRandom(seed: ~seed)
        return try [vault.bytes, try RandomDamage.damaged(vault, &random, in: arena)].map { bytes in
            let ours = try VaultReading.outcome(of: bytes, kind: vault.kind, secret: vault.secret, in: arena)
            return Outcome(bytes: bytes, kind: vault.kind, secret: vault.secret, ours: ours)
        }
    }
}
