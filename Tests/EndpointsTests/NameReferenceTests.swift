// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@Suite("Text that stands for a name")
struct NameReferenceTests {
    @Test("the whole name goes before names that it begins, and several beginnings are all returned once")
    func matches() {
        let names = ["clerk", "clerk@shop", "chief", "shop10", "clerk@shop"]
        let cases: [(String, [String])] = [
            ("clerk", ["clerk"]), ("clerk@", ["clerk@shop"]), ("c", ["clerk", "clerk@shop", "chief"]),
            ("ch", ["chief"]), ("shop1", []), ("shop", ["shop10"]), ("shop10", ["shop10"]), ("Clerk", []), ("", []),
            ("hief", []),
        ]
        for (text, expected) in cases { #expect(NameReference(text).matches(in: names) == expected, "\(text)") }
    }

    @Test("letters are compared by their bytes")
    func bytes() {
        #expect(NameReference("Bü").begins("Büro 7") && !NameReference("Bu\u{308}").begins("Büro 7"))
        #expect(!NameReference("Büro 7").begins("Büro 7"))
    }
}
