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
            ServedField("Day", .dateTime), ServedField("Since", .dateTime, dates: .text), ServedField("Code", .guid),
        ]
    )

    private func compile(_ expression: WhereExpression) throws -> SQLText {
        try ExpressionText(sources: [(nil, Self.table)], parameters: [:], collation: .binary).condition(expression)
    }

    /// What no random query has: dates as text, guids in braces, a null constant and an empty list.
    private static let cases: [(WhereExpression, String, [SQLiteValue])] = [
        (
            .binary(.greater, .field("Since"), .constant("2020-01-02T03:04:05", type: "DateTime")),
            #"("Since" > ?)"#, ["2020-01-02 03:04:05"]
        ),
        (
            .binary(.equal, .field("Code"), .constant("{AB}", type: "Guid")), #"("Code" COLLATE NOCASE = ?)"#,
            ["AB"]
        ),
        (.binary(.equal, .field("Name"), .constant(nil, type: "String")), #"("Name" COLLATE BINARY = ?)"#, [nil]),
        (.binary(.notIn, .field("Id"), .list([])), #"("the id" NOT IN ())"#, []),
    ]

    @Test("expressions become SQL with quoted names and bound values", arguments: cases)
    func translation(expression: WhereExpression, text: String, values: [SQLiteValue]) throws {
        let compiled = try compile(expression)
        #expect(compiled.text == text)
        #expect(compiled.values == values)
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
