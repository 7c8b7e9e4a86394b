// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DataAbstract

@Suite struct FoldingTableTests {
    @Test(
        "folding a folded text changes nothing",
        arguments: [PredicateFolding.ignoresCase, .ignoresDiacritics, [.ignoresCase, .ignoresDiacritics]]
    )
    func idempotent(folding: PredicateFolding) throws {
        let table = try #require(FoldingTable.table(for: folding))
        var changed = 0
        for scalar in UInt32(0)..<0x11_0000 {
            let once = table.folded([scalar])
            guard once != [scalar] else { continue }
            changed += 1
            #expect(table.folded(once) == once, "\(scalar)")
        }
        #expect(changed > 1_000)
    }
}
