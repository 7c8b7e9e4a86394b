// SPDX-License-Identifier: Apache-2.0

import RandomRuns
import TestSupport
import Testing

/// `make system` runs more rounds of each in `random-probe`.
@Suite("Applies that are interrupted, or meet another writer")
struct ApplyFaultTests {
    @Test("over a connection that breaks, a change has the outcome that is reported, or the verdict is true")
    func everyByte() async throws { print(try await ApplyRuns.everyByte(step: 191)) }

    @Test("so have the changes of larger applies")
    func random() async throws { print(try await ApplyRuns.random(40)) }

    @Test("two writers overwrite nothing in silence")
    func writers() async throws { print(try await WriterRuns.rounds(20)) }

    @Test("a later process finds the changes of a process that was killed")
    func killed() async throws {
        print(try await EditorRuns.killed(10, program: Products.path(of: "random-probe")))
    }
}
