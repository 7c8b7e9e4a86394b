// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Platform
import TestSupport
import Testing

@testable import DataAccess

@Suite("Statements for the local database")
struct LocalStatementTests {
    private static let tables: [NameKey: [DataColumn]] = [
        "ev": [
            DataColumn("id", .integer), DataColumn("at", .dateTime), DataColumn("n", .wideString),
            DataColumn("price", .currency), DataColumn("x y", .dateTime),
        ],
        "d": [DataColumn("at", .dateTime), DataColumn("day", .string), DataColumn("price", .decimal)],
    ]

    private func rewritten(
        _ statement: String,
        _ parameters: [NameKey: DataValue] = [:],
        _ tables: [NameKey: [DataColumn]] = tables
    ) throws -> String {
        var rewriter = StatementRewriter(LocalStatement(statement, tables: tables, parameters: parameters)) {
            $1 == "price" ? AmountDecimals($0 == "ev" ? 4 : 2) : nil
        }
        return try rewriter.text()
    }

    @Test(
        "a date next to a DateTime gets the form of the database",
        arguments: [
            ("at = '2024-01-01'", "at = '2024-01-01T00:00:00'"), ("'2024-01-01'<=e.AT", "'2024-01-01T00:00:00'<=e.AT"),
            ("at <> '2024-01-01 08:00'", "at <> '2024-01-01T08:00:00'"), ("at IS NOT '2024-01-01'", nil),
            ("\"x y\" >= '2024-01-01T08:00:00.5'", "\"x y\" >= '2024-01-01T08:00:00.500'"),
            ("max(at) > '2024-01-01'", "max(at) > '2024-01-01T00:00:00'"), ("(at) > '2024-01-01'", nil),
            (
                "at BETWEEN '2024-01-01' AND '2024-01-02' AND n = 'x'",
                "at BETWEEN '2024-01-01T00:00:00' AND '2024-01-02T00:00:00' AND n = 'x'"
            ),
            (
                "at not between '2024-01-01' and '2024-01-02 00:00' or at='2024-01-03'",
                "at not between '2024-01-01T00:00:00' and '2024-01-02T00:00:00' or at='2024-01-03T00:00:00'"
            ),
            ("'2024-01-01' between at and [x y]", "'2024-01-01T00:00:00' between at and [x y]"),
            ("ev.at in ('2024-01-01', '2024-01-02')", "ev.at in ('2024-01-01T00:00:00', '2024-01-02T00:00:00')"),
            ("at NOT IN ('2024-01-01')", nil), ("at = ('2024-01-01')", nil), ("at == \"2024-01-01\"", nil),
            ("n = 'a' and '2024-01-01' = at", "n = 'a' and '2024-01-01T00:00:00' = at"),
            ("at = '1753-01-01?-53688.25'", "at = '1753-01-01?-53688.25'"), ("at > '0001-01-01'", nil),
        ] as [(String, String?)]
    )
    func dates(condition: String, expected: String?) throws {
        let start = "select id from Ev e where "
        let found = try rewritten(start + condition)
        guard let expected else {
            #expect(found != start + condition && found.contains("T00:00:00'") && !found.contains("01'"))
            return
        }
        #expect(found == start + expected)
    }

    @Test(
        "a date next to a text stays, and a text that is no date in any form",
        arguments: [
            "n = '2024-01-01'", "d.day in ('2024-01-01')", "date(at) = '2024-01-01'",
            "substr(at, 1, 10) = '2024-01-01'",
            "n LIKE '2024-01-01'", "at >= '2024'", "at = '2024-02-30'", "date(at) = date('now') and id > 5",
            "at >= strftime('%Y-%m', 'now')", "at < strftime('%FT%T', 'now')", "julianday(at) > 5", "date(at) >= :p",
            "coalesce(n, at) = date(at)", "date(at) = (select max(date(at)) from Ev)", "date('now') is not null",
            "at = '2024-01-01T00:00:00'", "at || '2024-01-01' = n", "n || '2024-01-01T00:00:00' = at",
            "'2024-01-01' = '2024-01-01 00:00'", "upper(n) = '2024-01-01'", "at = x'32'",
        ]
    )
    func texts(condition: String) throws {
        let statement = "select count(*) from Ev, D where \(condition) -- '2024-01-01'"
        #expect(try rewritten(statement) == statement)
    }

    @Test(
        "a date whose comparison is not known is refused with the form to write",
        arguments: [
            "select * from Ev where coalesce(at, n) = '2024-01-01'", "select max(at) m from Ev having m = '2024-01-01'",
            "select case at when '2024-01-01' then 1 end from Ev", "select '2024-01-01' union select at from Ev",
            "select * from Ev where (at, n) = ('2024-01-01', 'x')",
            "with d(at) as (select date(at) from Ev) select * from d where at > '2024-01-01'",
            "select * from Ev where at = 'x' || n and n || at < '2024-01-01'",
            "select at from (select date(at) at from Ev) where at>'2024-01-01'",
            "select coalesce(at, '2024-01-01') from Ev", "select * from Ev where at in (select '2024-01-01')",
            "select * from Ev where at in (values ('2024-01-01'))",
            "select at from Ev where iif(n = 'x', at, n) between '2024-01-01' and '2024-01-02'",
        ]
    )
    func refused(statement: String) {
        #expect(throws: StatementError.unclearDate("'2024-01-01'", form: "2024-01-01T00:00:00")) {
            try rewritten(statement)
        }
    }

    @Test("a name of the result that is also one of a column hides it in another statement only")
    func aliases() throws {
        for (statement, expected) in [
            ("select date(at) as at from Ev where at = '2024-01-01'", "at = '2024-01-01T00:00:00'"),
            ("select case when id = 1 then n end at from Ev where at > '2024-01-01'", "at > '2024-01-01T00:00:00'"),
            ("select n, sum(price) as price from Ev group by n", "sum(CAST(round(price * 10000) AS INTEGER))"),
        ] { #expect(try rewritten(statement).contains(expected), "\(statement)") }
        #expect(throws: StatementError.unclearDecimals("sum(price)")) {
            try rewritten("select sum(price) from (select n || '' as price from ev)")
        }
    }

    @Test("a function of times next to a DateTime gets the form of the database")
    func madeTimes() throws {
        func form(_ call: String) -> String { "replace(strftime('%Y-%m-%dT%H:%M:%f', \(call)), '.000', '')" }
        let calls = [
            "date('2024-01-01')", "datetime(at, '+1 day')", "current_timestamp", "strftime('%Y-%m-01', 'now')",
            "STRFTIME('%F %T', n)",
        ]
        for call in calls {
            let places = [("at >= ", ""), ("at between '2024' and ", ""), ("at in (", ")"), ("", " < max(at)")]
            for (before, after) in places {
                let start = "select id from Ev where id = 1 and " + before
                #expect(try rewritten(start + call + after) == start + form(call) + after)
            }
        }
        let inner = "select id from Ev where at > date((select max(at) from D where at < '2024-01-01'))"
        #expect(try rewritten(inner).contains("at < '2024-01-01T00:00:00'))), '.000'"))
    }

    @Test(
        "what is no date is refused next to a DateTime",
        arguments: [
            "5", "'2024-01-01Z'", "'x'", "1.5", ":p", "time('now')", "julianday('now')", "strftime('%Y-%j', 'now')",
        ]
    )
    func noDates(text: String) {
        for condition in ["at = \(text)", "at in (\(text), n)", "\(text) < at"] {
            #expect(throws: StatementError.noDate(text)) {
                try rewritten("select id from Ev where \(condition)", ["p": .integer(1)])
            }
        }
    }

    @Test("a time of a function is refused if its comparison is not known")
    func unclearTimes() {
        for statement in [
            "select * from Ev where coalesce(at, n) >= date('now')",
            "with d(x) as (select at from Ev) select * from d where x = date('now')",
        ] {
            #expect(throws: StatementError.unclearTime("date('now')")) { try rewritten(statement) }
        }
    }

    @Test("without a DateTime nothing is refused")
    func withoutDates() throws {
        let statement = "select coalesce(n, '2024-01-01') from Ev where n || n = '2024-01-01' group by id"
        #expect(try rewritten(statement) == statement)
    }

    @Test("the text of a parameter is a date too")
    func parameters() throws {
        let text: [NameKey: DataValue] = ["p": .text("2024-01-01")]
        #expect(
            try rewritten("select id from Ev where at > :P and n = @p and $p <= at", text)
                == "select id from Ev where at > '2024-01-01T00:00:00' and n = @p and '2024-01-01T00:00:00' <= at"
        )
        #expect(throws: StatementError.unclearDate(":p", form: "2024-01-01T00:00:00")) {
            try rewritten("select id from Ev where ifnull(at, n) = :p", text)
        }
    }

    private static let amounts: [NameKey: [DataColumn]] = ["ev": tables["ev"] ?? []]

    @Test("calculations without amounts stay")
    func calculations() throws {
        for statement in [
            "select sum(id), id * 2 + 1, count(*) from ev where price > 0", "select price, max(price), - price from ev",
            "select sum(price > 2), CAST(price AS REAL) * id, sum(CAST(price AS REAL)) from ev",
            "select round(price, 1) * 2 from ev", "select sum(n) from (select count(*) n from ev) where id * id",
            "select id -- price * 2\nfrom ev",
        ] {
            #expect(try rewritten(statement, [:], Self.amounts) == statement)
        }
        let condition = "select id from ev where price = (143151 / 100.0) and price < (- (5 / 10.0))"
        let text = "select id from ev where price = '1431.510' and price < (- 0.5)"
        #expect(try rewritten(text, [:], Self.amounts) == condition)
    }

    @Test("a calculation whose decimals are not known is refused")
    func unclearDecimals() {
        for expression in [
            "price * coalesce(id, n)", "sum(case when id = 1 then price else n end)", "price % 2", "price * 2 || n",
            "avg(total)", "sum(n2) + 1", "price + (select 1)", "length(n) * price", "coalesce(price, n) + 1",
        ] {
            #expect(throws: StatementError.self, "\(expression)") {
                try rewritten("select \(expression), price as total from ev", [:], Self.amounts)
            }
        }
        let mixed = Self.amounts.merging(["t": [DataColumn("price", .wideString)]]) { $1 }
        #expect(throws: StatementError.self, "an amount in one table, a text in the other") {
            try rewritten("select price * 2 from ev, t", [:], mixed)
        }
    }

    @Test("a time that is no certain one is compared by = and IN only")
    func uncertainTimes() throws {
        let time = "'1753-01-01?-53688.25'"
        for condition in ["at = \(time)", "\(time) <> at", "at in (\(time))", "at is not \(time)", "n < \(time)"] {
            #expect(try rewritten("select id from Ev where \(condition)").hasSuffix(condition))
        }
        for condition in ["at < \(time)", "\(time) >= at", "at between \(time) and '2024-01-01T00:00:00'"] {
            #expect(throws: StatementError.orderedTime(time)) { try rewritten("select id from Ev where \(condition)") }
        }
        #expect(throws: StatementError.orderedTime(":p")) {
            try rewritten("select id from Ev where at <= :p", ["p": .dateTime(days: -0.25)])
        }
    }

    @Test("a number of more than 15 digits is refused next to amounts")
    func digits() throws {
        for number in ["1234567890.1234567", "0.1234567890123456", "12345678901234567", "1.234567890123456e5"] {
            #expect(throws: StatementError.tooManyDigits(number)) {
                try rewritten("select id from ev where price < \(number)")
            }
            #expect(try rewritten("select id from ev where id < \(number)").hasSuffix(number))
        }
        let number = "12345678901234567"
        for condition in ["price > 0 and id < \(number)", "price > 0 and id = -\(number)"] {
            #expect(try rewritten("select id from ev where \(condition)").hasSuffix(number))
        }
        #expect(throws: StatementError.tooManyDigits("12345678901234567.89")) {
            try rewritten("select id from ev where price = '12345678901234567.89'")
        }
        #expect(try rewritten("select id from ev where price < 0.000001").hasSuffix("(1 / 1000000.0)"))
        for number in ["100000000000000000000", "123456789012345", "1.5e300"] {
            #expect(try rewritten("select id from ev where price < \(number)").hasSuffix(number))
        }
    }

    @Test("any text is rewritten or refused")
    func any() {
        let pieces = [
            "at", "n", "(", ")", ",", "'2024-01-01'", "=", "<", "between", "and", "in", "not", "is", "select", ".",
            ":p",
            "as", "'", "sum", "price", "1e", "\"", "[", "--", "/*", "min", "x", ";", "case", "when",
        ]
        var numbers = SeededRandom(seed: 7)
        for _ in 0..<20_000 {
            let statement = (0..<Int.random(in: 1...12, using: &numbers))
                .map { _ in pieces.randomElement(using: &numbers) ?? "" }.joined(separator: " ")
            _ = try? rewritten(statement, ["p": .text("2024-01-01")])
        }
    }
}
