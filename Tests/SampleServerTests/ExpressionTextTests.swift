// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Remoting
import SQLite
import Testing

@testable import SampleServer

@Suite struct ExpressionTextTests {
    private static let table = ServedTable(
        "T",
        [
            ServedField("Id", .integer, column: "the id"), ServedField("Name", .wideString),
            ServedField("Price", .currency), ServedField("Total", .currency), ServedField("Rate", .float),
            ServedField("On", .boolean), ServedField("Day", .dateTime), ServedField("Since", .dateTime, dates: .text),
            ServedField("Exact", .decimal), ServedField("Code", .guid),
        ]
    )

    private func compile(_ expression: WhereExpression, _ collation: ServerCollation = .binary) throws -> SQLText {
        try ExpressionText(sources: [(nil, Self.table)], parameters: ["p": .integer(7)], collation: collation)
            .condition(expression)
    }

    private static let cases: [(WhereExpression, String, [SQLiteValue])] = [
        (.binary(.equal, .field("ID"), .constant("5", type: "Integer")), #"("the id" = ?)"#, [5]),
        (
            .binary(.equal, .field("T.Name", table: "t"), .constant("x' OR 1", type: "String")),
            #"("Name" COLLATE BINARY = ?)"#, ["x' OR 1"]
        ),
        (.binary(.like, .field("Name"), .constant("a%", type: "String")), #"("Name" LIKE ?)"#, ["a%"]),
        (.binary(.less, .field("Price"), .constant("1.5", type: "Currency")), #"("Price" < ?)"#, [15_000]),
        (.binary(.less, .constant("1.5", type: "Float"), .field("Price")), #"(? < "Price")"#, [15_000]),
        (.binary(.equal, .field("Price"), .field("Total")), #"("Price" = "Total")"#, []),
        (.binary(.equal, .field("Price"), .field("Rate")), #"(("Price" / 10000.0) = "Rate")"#, []),
        (
            .binary(
                .greater,
                .binary(.multiply, .field("Price"), .constant("2", type: "Integer")),
                .field("Total")
            ),
            #"((("Price" / 10000.0) * ?) > ("Total" / 10000.0))"#, [2]
        ),
        (.binary(.equal, .field("On"), .constant("True", type: "Boolean")), #"("On" = ?)"#, [1]),
        (
            .binary(.greater, .field("Day"), .constant("1899-12-31", type: "DateTime")), #"("Day" > ?)"#,
            [.real(1)]
        ),
        (
            .binary(.greater, .field("Since"), .constant("2020-01-02T03:04:05", type: "DateTime")),
            #"("Since" > ?)"#, ["2020-01-02 03:04:05"]
        ),
        (
            .binary(.equal, .field("Exact"), .constant("1.50", type: "Decimal")),
            #"(CAST("Exact" AS REAL) = ?)"#, [1.5]
        ),
        (
            .binary(.equal, .field("Code"), .constant("{AB}", type: "Guid")), #"("Code" COLLATE NOCASE = ?)"#,
            ["AB"]
        ),
        (.binary(.equal, .field("Name"), .null), #"("Name" IS NULL)"#, []),
        (
            .binary(.equal, .field("Name"), .unary(WhereOperator(rawValue: "Not"), .null)), #"("Name" IS NOT NULL)"#,
            []
        ),
        (.binary(.equal, .field("Name"), .constant(nil, type: "String")), #"("Name" COLLATE BINARY = ?)"#, [nil]),
        (
            .binary(.in, .field("Id"), .list([.constant("1", type: "Integer"), .parameter("P", type: "Integer")])),
            #"("the id" IN (?, ?))"#, [1, 7]
        ),
        (.binary(.notIn, .field("Id"), .list([])), #"("the id" NOT IN ())"#, []),
        (
            .between(.field("Id"), .constant("1", type: "Integer"), .constant("3", type: "Integer")),
            #"("the id" BETWEEN ? AND ?)"#, [1, 3]
        ),
        (
            .binary(
                .or,
                .unary(WhereOperator(rawValue: "Not"), .binary(.equal, .field("Id"), .constant("1", type: "Integer"))),
                .field("On")
            ),
            #"((NOT ("the id" = ?)) OR "On")"#, [1]
        ),
    ]

    @Test("expressions become SQL with quoted names and bound values", arguments: cases)
    func translation(expression: WhereExpression, text: String, values: [SQLiteValue]) throws {
        let compiled = try compile(expression)
        #expect(compiled.text == text)
        #expect(compiled.values == values)
    }

    @Test(
        "a collation applies to texts",
        arguments: [(ServerCollation.nocase, "NOCASE"), (.trim, "RTRIM"), (.binary, "BINARY")]
    )
    func collation(rule: ServerCollation, name: String) throws {
        let text = WhereExpression.binary(.equal, .constant("a", type: "String"), .field("Name"))
        #expect(try compile(text, rule).text == #"(? = "Name" COLLATE \#(name))"#)
        let number = WhereExpression.binary(.equal, .field("Id"), .constant("1", type: "Integer"))
        #expect(try compile(number, rule).text == #"("the id" = ?)"#)
    }

    @Test("nested And and nested Or become one level, on either side")
    func chains() throws {
        let leaf = WhereExpression.binary(.equal, .field("Id"), .constant("1", type: "Integer"))
        let deep = (0..<30).reduce(leaf) { deep, _ in .binary(.and, .binary(.and, leaf, deep), leaf) }
        let single = #"("the id" = ?)"#
        #expect(try compile(deep).text == "(" + Array(repeating: single, count: 61).joined(separator: " AND ") + ")")
        let mixed = WhereExpression.binary(.or, .binary(.and, leaf, leaf), .binary(.or, leaf, leaf))
        #expect(try compile(mixed).text == "((\(single) AND \(single)) OR \(single) OR \(single))")
    }

    @Test(
        "an expression that has no translation is an error",
        arguments: [
            WhereExpression.null, .macro("m"), .list([]), .field("None"),
            .binary(.equal, .field("Id", table: "Other"), .constant("1", type: "Integer")),
            .binary(.equal, .field("Id"), .constant("x", type: "Integer")),
            .binary(.equal, .field("Day"), .constant("yesterday", type: "DateTime")),
            .binary(.in, .field("Id"), .constant("1", type: "Integer")),
            .binary(.equal, .field("Id"), .parameter("unknown", type: "Integer")),
            .binary(WhereOperator(rawValue: "Shift"), .field("Id"), .field("Id")), .unary(nil, .field("Id")),
        ]
    )
    func errors(expression: WhereExpression) {
        #expect(throws: QueryError.self) { try compile(expression) }
    }
}
