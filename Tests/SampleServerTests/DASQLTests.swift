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

    private func compile(_ statement: String) throws -> SQLText {
        try DASQLText(DASQLParser.parse(statement), schema: Self.schema, parameters: [:], collation: .binary)
            .statement(most: nil).text
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
            var prepared = try database.prepare(compiled.text)
            try prepared.bind(compiled.values)
            #expect(try !prepared.step())
        }
    }

    @Test("nested comparisons are translated in linear time")
    func nesting() throws {
        let condition = (0..<28).reduce("Id = 1") { text, _ in "(\(text)) = Id" }
        #expect(try compile("SELECT Id FROM Orders WHERE \(condition)").values == [1])
    }
}
