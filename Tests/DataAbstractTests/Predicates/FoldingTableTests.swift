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

    @Test("letters have the images of Unicode's tables")
    func letters() {
        let table = FoldingTable.ignoringBoth
        func folded(_ text: String, _ table: FoldingTable) -> String {
            String(
                String.UnicodeScalarView(table.folded(text.unicodeScalars.map(\.value)).compactMap(Unicode.Scalar.init))
            )
        }
        #expect(folded("ÀÉîõÜ", table) == "aeiou")
        #expect(folded("Straße ﬁ", .ignoringCase) == "strasse fi")
        #expect(folded("ΆΈΉ ώ", table) == "αεη ω")
        #expect(folded("한글 日本 \u{1F600}", table).unicodeScalars.elementsEqual("한글 日本 \u{1F600}".unicodeScalars))
        #expect(folded("a\u{300}\u{301}b", .ignoringDiacritics) == "ab")
        #expect(FoldingTable.table(for: []) == nil)
    }
}
