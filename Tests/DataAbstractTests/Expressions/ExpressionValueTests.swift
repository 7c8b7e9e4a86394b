// SPDX-License-Identifier: Apache-2.0

import NIOCore
import TestSupport
import Testing

@testable import DataAbstract

@Suite struct ExpressionValueTests {
    private static let columns: [DataColumn] = [
        DataColumn("Id", .integer), DataColumn("Big", .largeInt), DataColumn("Huge", .largeUInt),
        DataColumn("Price", .currency), DataColumn("Exact", .decimal), DataColumn("Size", .float),
        DataColumn("Small", .singleFloat), DataColumn("Name", .wideString), DataColumn("City", .string),
        DataColumn("Day", .dateTime), DataColumn("Paid", .boolean), DataColumn("Key", .guid), DataColumn("Data", .blob),
        DataColumn("None", .integer), DataColumn("Unknown", .float),
    ]

    private static func decimal(_ text: String) -> DataValue { DataDecimal(text).map { .decimal($0) } ?? .null }

    private static let values: [DataValue] = [
        .integer(7), .integer(.max), .unsigned(.max), .currency(scaled: 123_400), decimal("2.50"), .float(0.1),
        .float(Double(Float(0.1))), .text("Ärger 😀"), .text("Basel"), .dateTime(days: 43_831.75), .boolean(true),
        .text("0123456789ABCDEF-123456789abcdef0123"), .bytes(.init(bytes: [1])), .null, .float(.nan),
    ]

    private static func date(_ text: String) -> DataValue {
        PredicateDate(text).map { .dateTime(days: $0.days) } ?? .null
    }

    private static func value(_ text: String, as type: DataType? = nil) throws -> (value: DataValue, type: DataType) {
        let expression = try OneExpression(text, columns: columns, as: type)
        return (try expression.value(values), expression.type)
    }

    private static let results: [(text: String, value: DataValue, type: DataType)] = [
        ("Id + 1", .integer(8), .largeInt), ("Id - 10", .integer(-3), .largeInt), ("-Id * 2", .integer(-14), .largeInt),
        ("Big + 1", .null, .largeInt), ("-Big - 2", .null, .largeInt), ("Big * 2", .null, .largeInt),
        ("Id / 2", decimal("3.5"), .decimal), ("floor(7 / 2)", decimal("3"), .decimal), ("Id / 0", .null, .decimal),
        ("1 / 3", decimal("0.3333333333333333333333333333"), .decimal),
        ("2 / 3", decimal("0.6666666666666666666666666667"), .decimal),
        ("Price + 1", .currency(scaled: 133_400), .currency), ("Id * Price", .currency(scaled: 863_800), .currency),
        ("Price * Id", .currency(scaled: 863_800), .currency), ("Price * Price", decimal("152.27560000"), .decimal),
        ("Price - 0.34", decimal("12.0000"), .decimal), ("-Price", .currency(scaled: -123_400), .currency),
        ("Exact * 1.5", decimal("3.750"), .decimal), ("Exact + Id", decimal("9.50"), .decimal),
        ("Size * 2", .float(0.2), .float), ("Size / 0", .null, .float), ("Size + 1e308 * 10", .null, .float),
        ("Unknown + 1", .null, .float), ("Unknown IS NULL", .boolean(false), .boolean),
        ("Huge + 1", decimal("18446744073709551616"), .decimal), ("None + 1", .null, .largeInt),
        ("NULL + 1", .null, .largeInt),
        ("Name + '!' + City", .text("Ärger 😀!Basel"), .wideString), ("Name + NULL", .null, .wideString),
        ("upper(Name)", .text("ÄRGER 😀"), .wideString), ("lower('ÄB')", .text("äb"), .wideString),
        ("trim('\u{a0} a b ')", .text("a b"), .wideString), ("length(Name)", .integer(7), .largeInt),
        ("substring(Name, 2, 3)", .text("rge"), .wideString), ("substring(Name, 7)", .text("😀"), .wideString),
        ("substring('abc', 0, 2)", .text("a"), .wideString), ("substring('abc', 9)", .text(""), .wideString),
        ("substring('abc', 1, -1)", .null, .wideString),
        ("substring('abc', -9223372036854775807, 5)", .text(""), .wideString),
        ("replace('aXbXX', 'X', '--')", .text("a--b----"), .wideString),
        ("replace('aaa', 'aa', 'b')", .text("ba"), .wideString),
        ("replace('ababac', 'abac', '')", .text("ab"), .wideString), ("replace('a', '', 'b')", .text("a"), .wideString),
        ("year(Day)", .integer(2020), .largeInt), ("month(Day)", .integer(1), .largeInt),
        ("day(Day)", .integer(1), .largeInt),
        ("daysBetween(Day, 2020-01-02)", .integer(1), .largeInt),
        ("daysBetween(2020-03-01, 2020-02-01)", .integer(-29), .largeInt),
        ("addDays(Day, 31)", .dateTime(days: 43_862.75), .dateTime), ("addDays(Day, 99999999999)", .null, .dateTime),
        ("date(2020, 2, 29)", date("2020-02-29"), .dateTime), ("date(2021, 2, 29)", .null, .dateTime),
        ("date('2020-02-29')", date("2020-02-29"), .dateTime), ("date('x')", .null, .dateTime),
        ("if(Id > 5, 'many', 'few')", .text("many"), .wideString), ("if(None > 5, 1, 2.5)", decimal("2.5"), .decimal),
        ("if(Paid, Price, 0)", .currency(scaled: 123_400), .currency), ("coalesce(None, Id)", .integer(7), .largeInt),
        ("coalesce(None, NULL)", .null, .largeInt), ("coalesce(None, Price)", .currency(scaled: 123_400), .currency),
        ("if(TRUE, Data, NULL)", .bytes(.init(bytes: [1])), .blob), ("Key", values[11], .guid),
        ("abs(-7)", .integer(7), .largeInt), ("abs(-Price)", .currency(scaled: 123_400), .currency),
        ("round(Price, 1)", .currency(scaled: 123_000), .currency), ("round(-2.5)", decimal("-3"), .decimal),
        ("round(2.45, 1)", decimal("2.5"), .decimal), ("floor(-2.5)", decimal("-3"), .decimal),
        ("ceiling(-2.5)", decimal("-2"), .decimal), ("round(2.675e0, 2)", .float(2.68), .float),
        ("round(1, 29)", .null, .largeInt),
        ("integer('12.5')", .integer(13), .largeInt), ("integer(Size)", .integer(0), .largeInt),
        ("integer('x')", .null, .largeInt),
        ("integer(1e30)", .null, .largeInt), ("currency(Size)", .currency(scaled: 1000), .currency),
        ("currency(1e-9)", .currency(scaled: 0), .currency), ("decimal('1e2')", decimal("100"), .decimal),
        ("decimal(Size)", decimal("0.1"), .decimal), ("float('1e2')", .float(100), .float),
        ("float('0x1p3')", .null, .float),
        ("float(Exact)", .float(2.5), .float), ("integer(Paid)", .integer(1), .largeInt),
        ("text(Price)", .text("12.34"), .wideString), ("text(Exact)", .text("2.50"), .wideString),
        ("text(5e0)", .text("5"), .wideString),
        ("text(Day)", .text("2020-01-01T18:00:00"), .wideString), ("text(Paid)", .text("true"), .wideString),
        ("Id == 7 AND Name CONTAINS[c] 'ÄRGER'", .boolean(true), .boolean),
        ("None == 1 OR Paid", .boolean(true), .boolean),
        ("None == 1 AND Paid", .null, .boolean), ("NOT None == 1", .null, .boolean),
        ("None == 1 AND FALSE", .boolean(false), .boolean),
        ("None == 1 OR FALSE", .null, .boolean), ("Id IN {7, None}", .boolean(true), .boolean),
        (
            "if(Id IN {1, if(None > 5, 1, length(Name))}, substring(City + '!', 2 + 4), upper(coalesce(NULL, Name)))",
            .text("!"), .wideString
        ),
        ("Size == 0.1", .boolean(true), .boolean), ("Small == 0.1", .boolean(true), .boolean),
        ("Size IN {0.1}", .boolean(true), .boolean),
        ("Day >= '2020-01-01'", .boolean(true), .boolean), ("Paid == 1", .boolean(true), .boolean),
        ("Key == '{0123456789abcdef-123456789ABCDEF0123}'", .boolean(true), .boolean),
        ("Key IN ('a', '0123456789abcdef-123456789abcdef0123')", .boolean(true), .boolean),
        ("Id IN {1, None}", .null, .boolean), ("Id NOT IN {1, 2}", .boolean(true), .boolean),
        ("Id IN {}", .boolean(false), .boolean),
        ("Id BETWEEN {None, 5}", .boolean(false), .boolean), ("Id BETWEEN {7, 7.0}", .boolean(true), .boolean),
        ("Name != 'é'", .boolean(true), .boolean), ("'e\u{301}' == 'é'", .boolean(false), .boolean),
        ("City < Name", .boolean(true), .boolean),
        ("Unknown == Unknown", .null, .boolean), ("None IS NULL", .boolean(true), .boolean),
        ("'a' + City BEGINSWITH 'aB'", .boolean(true), .boolean),
    ]

    @Test("a value has the type of its expression", arguments: results.indices)
    func value(index: Int) throws {
        let expected = Self.results[index]
        let found = try Self.value(expected.text)
        #expect(found.value == expected.value && found.type == expected.type, "\(expected.text): \(found)")
    }

    @Test(
        "a value is converted to the given type, or is NULL if it does not fit",
        arguments: [
            ("Id", .currency, .currency(scaled: 70_000)), ("1 / 3", .currency, .currency(scaled: 3333)),
            ("Size", .decimal, decimal("0.1")), ("Big", .integer, .null), ("2.5", .integer, .integer(3)),
            ("Huge", .largeUInt, .unsigned(.max)), ("-1", .largeUInt, .null), ("-1", .byte, .null),
            ("0.1", .singleFloat, .float(Double(Float(0.1)))), ("1e39", .singleFloat, .null),
            ("Name", .memo, values[7]),
            ("NULL", .dateTime, .null), ("Paid", .boolean, .boolean(true)),
        ] as [(String, DataType, DataValue)]
    )
    func given(text: String, type: DataType, expected: DataValue) throws {
        let found = try Self.value(text, as: type)
        #expect(found.value == expected && found.type == type, "\(text): \(found.value)")
    }

    @Test(
        "an error of types names the column of the text",
        arguments: [
            ("1 + Nothing", 5), ("'a' + 1", 5), ("Name * 2", 6), ("-Name", 1), ("1 + Paid", 3), ("Name < 5", 6),
            ("Id IN {1, 'x'}", 11), ("Id BETWEEN {1, Name}", 16), ("upper(Id)", 7), ("if(Id, 1, 2)", 4),
            ("if(Paid, 1, 'x')", 13), ("coalesce(Id, Day)", 14), ("NOT Id", 5), ("Paid AND Id", 10),
            ("round(Id, 1.5)", 11),
            ("date(2020, 1)", 1), ("Id LIKE 'x'", 4), ("Data == Data", 6), ("text(Data)", 6), ("year('2020-01-01')", 6),
            ("sum(Details.Price)", 1), ("Day > 'x'", 5),
        ]
    )
    func errors(text: String, column: Int) {
        let error = #expect(throws: ExpressionError.self) { try Self.value(text) }
        #expect(error?.column == column, "\(text): \(error?.description ?? "")")
    }

    @Test(
        "a type that cannot be converted to is refused",
        arguments: [("Name", .integer), ("Id", .dateTime), ("Day", .wideString), ("Id", .boolean)]
            as [(String, DataType)]
    )
    func refusedType(text: String, type: DataType) {
        #expect(throws: ExpressionError.self) { try Self.value(text, as: type) }
    }

    @Test("the texts of a row are limited together; beyond that is an error")
    func textLimit() throws {
        let tripled = (0..<6).reduce("Name") { text, _ in "replace(\(text), '😀', '😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀')" }
        #expect(throws: GrowthError.texts(limit: 1 << 24)) { try Self.value(tripled) }
        #expect(try Self.value("replace(Name, '😀', '😀😀')").value == .text("Ärger 😀😀"))
        let slow =
            "replace('\(String(repeating: "a", count: 30_000))', '\(String(repeating: "a", count: 15_000))b', '')"
        guard case .text(let text) = try Self.value(slow).value else {
            throw ExpressionError.unknownTable(UnknownName("", among: []), column: 1)
        }
        #expect(text.utf8.count == 30_000)
    }

    @Test("a row takes a bounded number of steps; more are an error")
    func stepLimit() throws {
        let columns = [DataColumn("Memo", .wideMemo), DataColumn("Other", .wideMemo), DataColumn("Least", .largeInt)]
        func value(_ text: String, _ values: [DataValue]) throws -> DataValue {
            try OneExpression(text, columns: columns).value(values)
        }
        let long: [DataValue] = [
            .text(String(repeating: "a", count: 1 << 20)), .text(String(repeating: "a", count: 1 << 15) + "b"),
            .integer(.min),
        ]
        for text in [
            "Memo CONTAINS Other", "Memo LIKE Other", "Memo CONTAINS[c] '\(String(repeating: "a", count: 2_000))b'",
        ] {
            #expect(throws: GrowthError.steps(limit: 1 << 27), "\(text)") { try value(text, long) }
        }
        let short: [DataValue] = [.null, .text(String(repeating: "a", count: 1 << 13)), .null]
        #expect(try value("Other LIKE Other", short) == .boolean(true))
        #expect(throws: GrowthError.steps(limit: 1 << 27)) {
            try value("Other LIKE Other AND Other LIKE Other", short)
        }
        // To read a text takes steps too.
        let tests = (0..<129).map { _ in "Memo IS NULL" }
        #expect(throws: GrowthError.steps(limit: 1 << 27)) {
            try value(
                "(\(tests[..<65].joined(separator: " OR "))) OR (\(tests[65...].joined(separator: " OR ")))",
                long
            )
        }
        #expect(
            try value("length(Memo)", [.text(String(repeating: "a", count: 12 << 20)), .null, .null])
                == .integer(12 << 20)
        )
        #expect(try value("Memo CONTAINS 'ab' OR Memo < Other", long) == .boolean(true))
        #expect(
            try value(
                "substring(Memo, Least, 0) + substring(Other, Least) + substring('ab', 2, 9223372036854775807)",
                long
            )
                == .text(
                    String(repeating: "a", count: 1 << 15) + "bb"
                )
        )
    }

    @Test(
        "the deepest expressions are evaluated",
        arguments: [
            { String(repeating: "(1 + ", count: $0) + "Id" + String(repeating: ")", count: $0) },
            { String(repeating: "if(Id IS NULL, 1, ", count: $0) + "Id" + String(repeating: ")", count: $0) },
            { String(repeating: "NOT ", count: $0) + "Paid" }, { "Id" + String(repeating: " + Id", count: $0) },
            {
                String(repeating: "(TRUE AND (FALSE OR Id IN {", count: $0 / 3) + "Id"
                    + String(repeating: "}))", count: $0 / 3)
            },
        ] as [@Sendable (Int) -> String]
    )
    func depth(text: @Sendable (Int) -> String) throws {
        let text = text(60)
        #expect(try Self.value(text).value != .null, "\(text)")
    }
}
