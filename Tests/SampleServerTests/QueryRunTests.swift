// SPDX-License-Identifier: Apache-2.0

import RandomRuns
import Testing

@Suite struct QueryRunTests {
    /// `RandomRunTests` tries more of them, in an optimised program.
    @Test("random DA SQL, conditions and sorting select the same rows as SQL that the test writes, and as here")
    func queries() async throws {
        print(try await QueryRuns.queries(400))
    }

    @Test("random DA SQL with damage is refused, or becomes SQL that SQLite can parse")
    func damaged() throws {
        print(try QueryRuns.damaged(400))
    }
}
