// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("The table of verbs that other tests use")
struct VerbTableTests {
    @Test("it has exactly the verbs of relctl")
    func complete() async throws {
        let known = VerbUse.all.map(\.verb) + VerbUse.others.keys
        #expect(Set(known).count == known.count)
        let leaves = try await VerbTree.leaves().filter { VerbUse.longForm(of: $0) == nil }
        #expect(leaves.count > 50)
        #expect(Set(leaves).subtracting(known).isEmpty)
        // A view for terminals has its own tests.
        #expect(Set(known).subtracting(leaves).isSubset(of: ["top"]))
    }
}
