// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Testing

@testable import DataAccess

@Suite("Extra fields as text") struct ViewTextTests {
    private static func view(
        _ lookup: String? = nil,
        calc: String? = nil,
        ref: String? = nil
    ) throws(ViewTextError) -> TableView {
        try TableView(
            "Orders",
            lookups: lookup.map { [$0] } ?? [],
            calculated: calc.map { [$0] } ?? [],
            references: ref.map { [$0] } ?? []
        )
    }

    @Test("lookups, calculated fields and references are parsed")
    func parsed() throws {
        let plain = LookupField("Client name", ["Client"], in: .table("My.Clients", keys: ["Id"], result: "Name"))
        #expect(try Self.view("Client name=Client:My.Clients.Id:Name").lookups == [plain])
        let two = LookupField("X", ["A", "B"], in: .table("T", keys: ["C", "D"], result: "E"), missing: "none: yet")
        #expect(try Self.view("X=A,B:T.C,D:E:none: yet").lookups == [two])
        #expect(try Self.view("X=A,B:T.C,D:E:").lookups.first?.missing == "")
        let sum = try Expression(parsing: "a == b")
        #expect(try Self.view(calc: "Same=a == b").calculated == [CalculatedField("Same", sum)])
        #expect(try Self.view(calc: "T:currency=1").calculated.first?.type == .currency)
        #expect(
            try Self.view(ref: "D.Order=Orders.Id").references == [KeyReference("D", ["Order"], to: "Orders", ["Id"])]
        )
    }

    @Test(
        "other texts are refused",
        arguments: [
            "", "X", "=A:T.K:S", "X=A", "X=A:T:S", "X=A:.K:S", "X=A:T.K:", "X=A:T.K", "X=A,B:T.K:S", "X=A,:T.K,L:S",
            "X=:T.:S",
        ]
    )
    func lookups(_ text: String) {
        #expect(throws: ViewTextError.form(text)) { try Self.view(text) }
    }

    @Test("an expression or a type that does not exist is refused with its place")
    func calculated() throws {
        for text in ["", "X", "=1", ":Integer=1", "X:a:b=1"] {
            #expect(throws: ViewTextError.form(text)) { try Self.view(calc: text) }
        }
        #expect(throws: ViewTextError.type("Money")) { try Self.view(calc: "X:Money=1") }
        #expect(throws: ViewTextError.type("Unknown")) { try Self.view(calc: "X:Unknown=1") }
        #expect(throws: ViewTextError.form("D=O")) { try Self.view(ref: "D=O") }
        do {
            _ = try Self.view(calc: "X=1 +")
            Issue.record("the expression is incomplete")
        } catch {
            guard case .expression("X", let inner) = error else { return #expect(Bool(false), "\(error)") }
            #expect(inner.column > 1)
        }
    }
}
