// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Remoting
import SQLite
import Testing

@testable import SampleServer

@Suite struct DASQLTests {
    private static let schema = ServedSchema(
        name: "S",
        source: .file("unused"),
        tables: [
            ServedTable(
                "Orders",
                source: "the orders",
                [
                    ServedField("Id", .autoInc, column: "id", isInPrimaryKey: true), ServedField("Client", .integer),
                    ServedField("Amount", .currency, column: "am\"ount"), ServedField("Date", .dateTime),
                ]
            ),
            ServedTable("Clients", [ServedField("Id", .autoInc), ServedField("Name", .wideString)]),
        ]
    )

    private func compile(_ statement: String, most: Int? = nil) throws -> (text: SQLText, columns: [ServedField]) {
        try DASQLText(
            DASQLParser.parse(statement),
            schema: Self.schema,
            parameters: ["p0": .integer(7), "p1": .text("x"), "d": .text("1899-12-31")],
            collation: .binary
        ).statement(most: most)
    }

    private static let cases: [(String, String, [SQLiteValue], [DataType])] = [
        (
            "select * from orders",
            #"""
            SELECT "orders"."id", "orders"."Client", "orders"."am""ount", "orders"."Date" FROM \#
            "the orders" AS "orders"
            """#,
            [], [.autoInc, .integer, .currency, .dateTime]
        ),
        (
            "SELECT o.Id FROM Orders AS o WHERE o.Amount >= 1.5 AND Client = :p0",
            #"SELECT "o"."id" FROM "the orders" AS "o" WHERE (("o"."am""ount" >= ?) AND ("o"."Client" = ?))"#,
            [15_000, 7], [.autoInc]
        ),
        (
            """
            SELECT c.[Name], COUNT(*) AS N, SUM(o."Amount") Total FROM Clients c LEFT OUTER \
            JOIN Orders o ON o.Client = c.Id GROUP BY c.Name HAVING COUNT(*) > 1 ORDER BY 2 \
            DESC, Total
            """,
            #"""
            SELECT "c"."Name", count(*), sum("o"."am""ount") FROM "Clients" AS "c" LEFT JOIN \#
            "the orders" AS "o" ON ("o"."Client" = "c"."Id") GROUP BY "c"."Name" COLLATE BINARY \#
            HAVING (count(*) > ?) ORDER BY count(*) DESC, sum("o"."am""ount")
            """#,
            [1], [.wideString, .largeInt, .currency]
        ),
        (
            "SELECT AVG(Amount) FROM Orders WHERE Date BETWEEN '1899-12-31' AND :d",
            #"""
            SELECT avg(("Orders"."am""ount" / 10000.0)) FROM "the orders" AS "Orders" WHERE \#
            ("Orders"."Date" BETWEEN ? AND ?)
            """#,
            [.real(1), .real(1)], [.float]
        ),
        (
            """
            SELECT DISTINCT TOP 3 Name FROM Clients WHERE NOT Name LIKE 'a%' OR Name IN ('b', \
            :p1) OR Name IS NOT NULL
            """,
            #"""
            SELECT DISTINCT "Clients"."Name" FROM "Clients" AS "Clients" WHERE ((NOT \#
            ("Clients"."Name" LIKE ?)) OR ("Clients"."Name" COLLATE BINARY IN (?, ?)) OR \#
            ("Clients"."Name" IS NOT NULL)) LIMIT ?
            """#,
            ["a%", "b", "x", 2], [.wideString]
        ),
        (
            "SELECT Amount * 2 AS Twice FROM Orders WHERE 5 < Amount AND Amount > Client",
            #"""
            SELECT (("Orders"."am""ount" / 10000.0) * ?) FROM "the orders" AS "Orders" WHERE \#
            ((? < "Orders"."am""ount") AND (("Orders"."am""ount" / 10000.0) > \#
            "Orders"."Client"))
            """#,
            [2, 50_000], [.float]
        ),
        (
            "SELECT COUNT(DISTINCT c.Name) FROM Clients c, Orders o WHERE c.Name = 'it''s' AND o.Amount < -1",
            #"""
            SELECT count(DISTINCT "c"."Name") FROM "Clients" AS "c" CROSS JOIN "the orders" AS \#
            "o" WHERE (("c"."Name" COLLATE BINARY = ?) AND ("o"."am""ount" < (- ?)))
            """#,
            ["it's", 10_000], [.largeInt]
        ),
    ]

    @Test("statements get the names of the database and bound values", arguments: cases)
    func translation(statement: String, text: String, values: [SQLiteValue], types: [DataType]) throws {
        let compiled = try compile(statement, most: values.last == 2 && statement.contains("TOP") ? 2 : nil)
        #expect(compiled.text.text == text)
        #expect(compiled.text.values.count == values.count)
        for (left, right) in zip(compiled.text.values, values) { #expect(Self.isSame(left, right)) }
        #expect(compiled.columns.map(\.type) == types)
    }

    private static func isSame(_ left: SQLiteValue, _ right: SQLiteValue) -> Bool {
        switch (left, right) {
        case (.integer(let left), .real(let right)), (.real(let right), .integer(let left)): Double(left) == right
        default: left == right
        }
    }

    @Test(
        "everything else is refused",
        arguments: [
            "", "DELETE FROM Orders", "SELECT 1", "SELECT Id FROM Orders; DROP TABLE Clients", "SELECT Id FROM None",
            "SELECT None FROM Orders", "SELECT Id FROM Orders, Clients",
            "SELECT Id FROM Orders UNION SELECT Id FROM Orders",
            "SELECT Id FROM (SELECT Id FROM Orders)", "SELECT Id FROM Orders WHERE Id IN (SELECT Id FROM Clients)",
            "SELECT load_extension('x') FROM Orders", "SELECT Id FROM Orders WHERE", "SELECT 'x FROM Orders",
            "SELECT Id FROM -- Orders", "SELECT Id FROM Orders o JOIN Clients o ON 1 = 1", "SELECT x.* FROM Orders",
            "SELECT Id FROM Orders ORDER BY 2", "SELECT Id FROM Orders WHERE Id = :none",
            "SELECT Id FROM Orders WHERE Id = 'x'",
            "SELECT Id FROM Orders LIMIT 1", "SELECT Id FROM sqlite_schema", "SELECT Id FROM Orders WHERE Date = 'x'",
            "SELECT \(String(repeating: "(", count: 40))Id\(String(repeating: ")", count: 40)) FROM Orders",
        ]
    )
    func refusals(statement: String) {
        #expect(throws: QueryError.self) { try compile(statement) }
    }

    @Test("two minus signs begin a comment, which ends with the line, as in the vendor's examples")
    func comments() throws {
        let plain = try compile("SELECT Id FROM Orders WHERE Id = 1")
        for statement in [
            "-- it's all\nSELECT Id FROM Orders WHERE Id = 1", "SELECT Id FROM Orders WHERE Id = 1 -- 'x",
            "SELECT Id--, Client\r\nFROM Orders WHERE Id =--\n1", "SELECT Id FROM Orders WHERE Id = 1--",
        ] {
            #expect(try compile(statement).text.text == plain.text.text)
        }
        #expect(try compile("SELECT Id FROM Orders WHERE Id = 1 - -1").text.text.contains("(? - (- ?))"))
    }

    @Test("a statement that is too large, or whose SQL would be, is refused")
    func sizes() {
        for statement in [
            String(repeating: "x", count: 70_000),
            "SELECT \(String(repeating: "Id + ", count: 1_001))Id FROM Orders",
            "SELECT Id FROM Orders WHERE \(String(repeating: "Id = 1 OR Id > 2 AND ", count: 501))Id = 1",
            "SELECT Id FROM Orders a\(String(repeating: ", Orders", count: 64))",
            "SELECT Id FROM Orders a\((0..<64).map { ", Orders o\($0)" }.joined())",
            "SELECT * \(String(repeating: ", *", count: 600)) FROM Orders",
            "SELECT Id FROM Orders ORDER BY 1\(String(repeating: ", 1", count: 2_000))",
            "SELECT COUNT(*) FROM Orders GROUP BY Id\(String(repeating: ", Id", count: 2_000))",
            """
            SELECT \(String(repeating: "Id + ", count: 900))Id AS s FROM Orders
            ORDER BY 1\(String(repeating: ", 1", count: 200))
            """,
            "SELECT Id FROM Orders \"\(String(repeating: "a", count: 257))\"",
        ] {
            #expect(throws: QueryError.self) { try compile(statement) }
        }
    }

    @Test("the largest expressions can be compiled by SQLite, on the stack of a worker thread")
    func large() async throws {
        let statements = [
            "SELECT \(String(repeating: "Id + ", count: 990))Id FROM Clients",
            "SELECT Id FROM Clients WHERE \(String(repeating: "Id = 1 OR ", count: 990))Id = 1",
            "SELECT Id FROM Clients WHERE Id IN (1\(String(repeating: ",1", count: 30_000)))",
            """
            SELECT \(String(repeating: "Id, ", count: 1_999))Id FROM Clients
            ORDER BY 1\(String(repeating: ", 1", count: 1_999))
            """,
        ]
        let database = try SQLiteDatabase(.memory, .create)
        try database.execute("CREATE TABLE Clients (Id INTEGER, Name TEXT)")
        for statement in statements {
            let compiled = try compile(statement)
            var prepared = try database.prepare(compiled.text.text)
            try prepared.bind(compiled.text.values)
            #expect(try !prepared.step())
        }
    }

    @Test("a chain of one operator needs no parentheses; another operator does")
    func chains() throws {
        let text = try compile("SELECT Id - 1 - (2 - Id) * 3 FROM Clients").text.text
        let id = #""Clients"."Id""#
        #expect(text == #"SELECT (\#(id) - ? - ((? - \#(id)) * ?)) FROM "Clients" AS "Clients""#)
    }

    @Test("a text may begin and end with a combining mark")
    func combiningMarks() throws {
        let values = try compile("SELECT Id FROM Clients WHERE Name IN ('\u{301}a', 'b\u{301}', '\u{301}')").text.values
        #expect(values == [.text("\u{301}a"), .text("b\u{301}"), .text("\u{301}")])
    }

    @Test("a quote in a name is doubled, also before a combining mark")
    func quotes() {
        #expect(SQLText.quoted("a\"b") == "\"a\"\"b\"")
        #expect(Array(SQLText.quoted("\"\u{301} OR 1").utf8) == Array("\"\"\"\u{301} OR 1\"".utf8))
    }

    @Test("nested comparisons are translated in linear time")
    func nesting() throws {
        let condition = (0..<28).reduce("Id = 1") { text, _ in "(\(text)) = Id" }
        #expect(try compile("SELECT Id FROM Orders WHERE \(condition)").text.values == [1])
    }
}
