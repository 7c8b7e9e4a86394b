// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite("Registry against its model")
struct RegistryModelTests {
    private static let shares = 0..<4
    private static let share = Soak.count(20_000, soak: 100_000) / shares.count

    @Test(
        "after every step of a random sequence the list is the model's, and the fold of all changes",
        arguments: shares
    )
    func sequences(part: Int) throws {
        var steps = 0
        var changes = 0
        for number in 0..<Self.share {
            let seed = part * Self.share + number
            var run = RandomRun(seed: UInt64(seed))
            let length = 1 + seed % 10
            for step in 0..<length {
                if let problem = try run.step() {
                    Issue.record("sequence \(seed), step \(step): \(problem)")
                    return
                }
            }
            steps += length
            changes += run.changes
        }
        print("registry model, part \(part): \(Self.share) sequences, \(steps) steps, \(changes) changes")
        #expect(changes > steps / 4)
    }
}
