// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Platform

@Suite("Names that select others")
struct NameMatchTests {
    @Test("an equal name is selected, otherwise the only one that differs in the case of ASCII letters")
    func match() {
        let names = ["Id", "ID", "Name", "É", "e\u{301}"]
        for (name, match) in [
            ("Id", NameMatch.found(0)), ("ID", .found(1)), ("id", .ambiguous), ("NAME", .found(2)), ("Nam", .unknown),
            ("é", .unknown), ("É", .found(3)), ("\u{E9}", .unknown), ("", .unknown),
        ] {
            #expect(NameMatch(name, in: names) == match, "\(name)")
        }
        #expect(NameMatch("a", in: ["A", "a", "A"]) == .found(1) && NameMatch("x", in: []) == .unknown)
    }

    @Test("names have one key if they are similar, and only then")
    func keys() {
        let names = ["Id", "ID", "id", "É", "é", "e\u{301}", "E\u{301}", "\u{E9}", "K", "\u{212A}", "k", ""]
        for left in names {
            for right in names {
                #expect(
                    (NameKey(left) == NameKey(right)) == NameMatch.isSimilar(left, right),
                    "\(left.unicodeScalars) \(right.unicodeScalars)"
                )
            }
        }
        #expect(NameKey("ID") == "id" && NameKey("É") != "é")
    }

    @Test("the nearest name has few edits, regardless of case")
    func nearest() {
        let names = ["Id", "Name", "Nome", "DepartmentName", "at"]
        for (name, nearest) in [
            ("Nmae", "Name"), ("name", "Name"), ("Nam", "Name"), ("Ada", nil), ("depratmentname", "DepartmentName"),
            ("Ident", nil), ("i", nil), ("", nil), ("Name", "Nome"), (String(repeating: "x", count: 65), nil),
        ] {
            #expect(NearestName.find(name, among: names) == nearest, "\(name)")
        }
    }
}
