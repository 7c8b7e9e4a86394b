// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import DataAbstract

@Suite struct PredicateParserTests {
    static func number(_ text: String) -> PredicateValue { DataDecimal(text).map { .number($0) } ?? .boolean(false) }

    private static func price(_ operation: PredicateOperator, _ number: String = "20") -> Expression {
        .comparison("Price", operation, .value(Self.number(number)))
    }

    private static func city(
        _ operation: PredicateOperator,
        _ text: String,
        _ folding: PredicateFolding = []
    ) -> Expression {
        .comparison("City", operation, .value(.text(text)), folding)
    }

    private static let trees: [(text: String, tree: Expression)] = [
        ("Price == 20", price(.equal)), ("Price = 20", price(.equal)), ("Price=20", price(.equal)),
        ("Price != 20", price(.notEqual)), ("Price <> 20", price(.notEqual)), ("Price < 20", price(.less)),
        ("Price <= 20", price(.lessOrEqual)), ("Price =< 20", price(.lessOrEqual)), ("Price > 20", price(.greater)),
        ("Price >= 20", price(.greaterOrEqual)), ("20 <= Price", price(.greaterOrEqual)),
        ("20 = Price", price(.equal)), ("Price > -1.50", price(.greater, "-1.50")),
        ("Price > +7", price(.greater, "7")), ("Price > 1.5e3", .comparison("Price", .greater, .value(.float(1500)))),
        ("City BEGINSWITH 'Ber'", city(.beginsWith, "Ber")), ("City endswith \"n\"", city(.endsWith, "n")),
        ("City CONTAINS[cd] 'é'", city(.contains, "é", [.ignoresCase, .ignoresDiacritics])),
        ("City LIKE[c] '*a?'", city(.like, "*a?", .ignoresCase)),
        ("City ==[d] 'a'", city(.equal, "a", .ignoresDiacritics)),
        ("City==[DC]'a'", city(.equal, "a", [.ignoresCase, .ignoresDiacritics])),
        ("City == 'it''s'", city(.equal, "it's")), ("City == \"say \"\"x\"\"\"", city(.equal, "say \"x\"")),
        ("City == 'C:\\Temp'", city(.equal, "C:\\Temp")), ("City == ''", city(.equal, "")),
        ("City == [c]", .comparison("City", .equal, .field("c"))), ("A <B", .comparison("A", .less, .field("B"))),
        ("[Unit Price] < [a]]b]", .comparison("Unit Price", .less, .field("a]b"))),
        ("[and] == 1", .comparison("and", .equal, .value(number("1")))),
        ("Größe == 1", .comparison("Größe", .equal, .value(number("1")))),
        ("Price IN {1, 2}", .isIn("Price", [number("1"), number("2")])),
        ("Price in (1)", .isIn("Price", [number("1")])),
        ("Price IN {}", .isIn("Price", [])), ("City IN[c] {'a'}", .isIn("City", [.text("a")], .ignoresCase)),
        ("Price NOT IN {1}", .not(.isIn("Price", [number("1")]))),
        ("Price BETWEEN {1, 2.0}", .between("Price", number("1"), number("2.0"))),
        ("Price NOT BETWEEN (1, 2)", .not(.between("Price", number("1"), number("2")))),
        ("City NOT LIKE 'a*'", .not(city(.like, "a*"))), ("City == NULL", .isNull("City")),
        ("nil = City", .isNull("City")), ("City != nil", .not(.isNull("City"))), ("City IS NULL", .isNull("City")),
        ("City is not null", .not(.isNull("City"))),
        ("Paid == YES", .comparison("Paid", .equal, .value(.boolean(true)))),
        ("TRUEPREDICATE", .constant(true)), ("NOT FALSEPREDICATE", .not(.constant(false))),
        ("Day >= 2020-01-02", .comparison("Day", .greaterOrEqual, .value(date("2020-01-02")))),
        ("Day < 2020-01-02T03:04:05.678", .comparison("Day", .less, .value(date("2020-01-02T03:04:05.678")))),
        (
            "Price > 20 AND City == 'a' OR Price < 5",
            .or([.and([price(.greater), city(.equal, "a")]), price(.less, "5")])
        ),
        ("Price>20&&City=='a'||Price<5", .or([.and([price(.greater), city(.equal, "a")]), price(.less, "5")])),
        (
            "Price > 20 AND (City == 'a' OR Price < 5)",
            .and([price(.greater), .or([city(.equal, "a"), price(.less, "5")])])
        ),
        ("NOT Price > 20 AND City == 'a'", .and([.not(price(.greater)), city(.equal, "a")])),
        ("!(Price > 20 and City == 'a')", .not(.and([price(.greater), city(.equal, "a")]))),
        (
            "(Price > 20 AND Price < 5) AND City == 'a'",
            .and([.and([price(.greater), price(.less, "5")]), city(.equal, "a")])
        ),
        (" ( ( Price > 20 ) ) ", price(.greater)),
        ("Price > 20\r\nAND\tPrice < 5", .and([price(.greater), price(.less, "5")])),
    ]

    private static func date(_ text: String) -> PredicateValue {
        PredicateDate(text).map { .date($0) } ?? .boolean(false)
    }

    @Test("the parser makes the tree of each form, and the printed tree parses to itself", arguments: trees.indices)
    func parsesAndPrints(index: Int) throws {
        let (text, tree) = Self.trees[index]
        #expect(try Expression(predicate: text) == tree, "\(text)")
        #expect(try Expression(predicate: tree.description) == tree, "\(tree)")
    }

    @Test(
        "an error names the column of the text",
        arguments: [
            ("", 1), ("   ", 4), ("Price", 6), ("Price >", 8), ("Price > >", 9), ("Price 20", 7), ("== 20", 1),
            ("Price == 20 City", 13), ("(Price == 20", 13), ("Price == 20)", 12), ("City == 'a", 9), ("[a == 1", 1),
            ("[] == 1", 1), ("Größe == 'a' ?", 14), ("Price == 1.", 12), ("Price == 1e", 12), ("Price == -", 10),
            ("Price == 1x", 11), ("Price == 1e999", 10), ("Price IN 1", 10), ("Price IN {1,}", 13),
            ("Price IN {1 2}", 13),
            ("Price IN {1)", 12), ("Price IN {NULL}", 11), ("Price BETWEEN {1}", 15), ("Price BETWEEN {1, 2, 3}", 15),
            ("City LIKE 'B%'", 11), ("City LIKE[c] 'a_b'", 14), ("City NOT LIKE '%'", 15), ("City LIKE 'a\\%'", 11),
            ("1 == 1", 1), ("NULL == NULL", 1), ("City < NULL", 8), ("NULL < City", 1), ("City LIKE NULL", 11),
            ("'a' CONTAINS City", 1), ("1 IS NULL", 1), ("City IS 1", 9), ("City NOT == 1", 10), ("Price == [cd]x", 14),
            ("Day == 2020-02-30", 8), ("Day == 1899-12-29T12:00", 8), ("Day == 1899-12-29?1", 8),
            ("Day == 2020-01-01T25:00", 8), ("City ==[x] 'a'", 12),
            ("NOT", 4), ("AND Price == 1", 1), ("Price == 1 AND", 15), ("Price # 1", 7),
            ("Price == 1 & Price == 2", 12),
        ]
    )
    func columns(text: String, column: Int) {
        do throws(PredicateError) {
            Issue.record("\(text): \(try Expression(predicate: text))")
        } catch {
            #expect(error.column == column, "\(text): \(error)")
        }
    }

    @Test("the wildcards of SQL are named with those of this language; with one of these they are plain characters")
    func wildcards() throws {
        for (pattern, sign) in [("B%", "'%'"), ("a_", "'_'"), ("_%", "'%'")] {
            let reason =
                "\(sign) is no wildcard of LIKE: use * for any text and ? for one character, or == for the exact text"
            #expect(throws: PredicateError.syntax(reason: reason, column: 8)) {
                try Expression(predicate: "a LIKE '\(pattern)'")
            }
        }
        for pattern in ["100%*", "a_?", "ab"] {
            #expect(throws: Never.self) { try Expression(predicate: "a LIKE '\(pattern)'") }
        }
    }

    @Test("length and depth are limited")
    func limits() throws {
        let limits = ExpressionLimits(bytes: 20, depth: 2)
        #expect(
            try Expression(predicate: "NOT NOT a == 1", limits: limits) == .not(.not(Expression(predicate: "a == 1")))
        )
        #expect(throws: PredicateError.tooMany("levels", limit: 2, column: 9)) {
            try Expression(predicate: "NOT NOT (a == 1)", limits: limits)
        }
        #expect(throws: PredicateError.tooMany("bytes", limit: 20, column: 14)) {
            try Expression(predicate: "a == 'éééééééééééééé'", limits: ExpressionLimits(bytes: 20))
        }
        let deep = String(repeating: "(", count: 60_000)
        #expect(throws: PredicateError.tooMany("levels", limit: 64, column: 65)) { try Expression(predicate: deep) }
        let wide = (0..<4_000).map { "a == \($0)" }.joined(separator: " OR ")
        #expect(try Expression(predicate: wide).description == wide)
    }

    @Test("any text is parsed or rejected, and a parsed one prints to a text of the same tree", arguments: 0..<400)
    func mutations(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        let pieces = [
            "a", "[b c]", "==", "!=", "<", "'x'", "\"y", "'", "[c]", "[", "]", "(", ")", "{", "}", ",", "AND", "OR",
            "NOT", "!",
            "IN", "BETWEEN", "LIKE", "CONTAINS[cd]", "NULL", "IS", "1", "-2.50", "1e5", "2020-01-02", "é", "\u{301}",
            "\0", " ",
            "TRUE", "TRUEPREDICATE",
        ]
        for _ in 0..<50 {
            let tree = Expression.random(&numbers, depth: 3)
            #expect(try Expression(predicate: tree.description) == tree, "\(tree)")
            let count = Int.random(in: 0...8, using: &numbers)
            let text = (0..<count).map { _ in pieces.randomElement(using: &numbers) ?? "" }.joined(separator: " ")
            guard let parsed = try? Expression(predicate: text) else { continue }
            #expect(try Expression(predicate: parsed.description) == parsed, "\(text)")
        }
    }

    @Test("a date is printed as it is written, and a day that does not exist is none")
    func dates() throws {
        for text in [
            "1899-12-30T00:00:00", "2020-02-29T00:00:00", "9999-12-31T23:59:59", "2020-01-02T03:04:05.070",
            "1950-01-01T00:00:00.001", "0001-01-01T00:00:00", "1753-01-01T00:00:00", "1753-01-01?-53688.25",
            "9999-99-99?inf",
        ] {
            #expect(PredicateDate(text)?.description == text)
        }
        for text in ["0001-01-01", "2020-01-02T03:04:05.070", "1753-01-01?-53688.25", "1899-12-30?-1e-10"] {
            let predicate = try Expression(predicate: "Day == \(text)")
            #expect(predicate.description == "Day == \(text)")
        }
        #expect(PredicateDate("2020-01-02 03:04") == PredicateDate("2020-01-02T03:04:00"))
        for text in [
            "", "2020-02-30", "2021-02-29", "2020-01-02T", "2020-01-02T03:04:05Z", "2020-01-02x03:04", "20200102",
            "10000-01-01", "1753-01-01T06:00:00", "0000-12-31", "1753-01-02?-53688.25", "1753-01-01?-53688",
            "1753-01-01?-53688.250", "2020-01-02?43832.5", "?", "?nan",
        ] {
            #expect(PredicateDate(text) == nil, "\(text)")
        }
        #expect(PredicateDate(days: -0.0) == PredicateDate(days: 1e-12))
        for days in [-1.5, -0.1, -693_594, 3e6, -1e300, .infinity, -53_688.123456789] {
            let date = PredicateDate(days: days)
            #expect(!date.isCertain && PredicateDate("\(date)")?.days.bitPattern == days.bitPattern)
        }
    }
}
