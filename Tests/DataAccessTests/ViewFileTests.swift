// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Testing

@testable import DataAccess

@Suite("Files of extra fields") struct ViewFileTests {
    private static let text = """
        references = ["OrderDetails.Order=Orders.Id"]
        [[field]]
        table = "Orders"
        name = "ClientName"
        of = ["Client", "Branch"]
        in = "Clients"
        keys = ["Id", "Branch"]
        shown = "Name"
        missing = "nobody"
        [[field]]
        table = "ORDERS"
        name = "State"
        of = "Status"
        list = { 1 = "new", 2 = "shipped" }
        [[field]]
        table = "Orders"
        name = "Sum"
        type = "Currency"
        expression = "sum(OrderDetails.Total)"
        [[field]]
        table = "Clients"
        name = "Shout"
        expression = "upper(Name)"
        """

    @Test("the fields of each table are read, with lists, keys of several fields and references")
    func parsed() throws {
        let file = try ViewFile(parsing: Self.text)
        let orders = file.view(of: "orders")
        let list = [LookupEntry(.text("1"), "new"), LookupEntry(.text("2"), "shipped")]
        #expect(
            orders.lookups == [
                LookupField(
                    "ClientName",
                    ["Client", "Branch"],
                    in: .table("Clients", keys: ["Id", "Branch"], result: "Name"),
                    missing: "nobody"
                ), LookupField("State", ["Status"], in: .list(list)),
            ]
        )
        #expect(orders.calculated.map(\.name) == ["Sum"] && orders.calculated[0].type == .currency)
        #expect(orders.references == [KeyReference("OrderDetails", ["Order"], to: "Orders", ["Id"])])
        #expect(file.view(of: "Clients").calculated.count == 1 && file.view(of: "Clients").lookups.isEmpty)
        #expect(file.view(of: "Other").fieldNames.isEmpty)
    }

    @Test(
        "an error names the key",
        arguments: [
            ("", "[[fields]]", ViewFileError.unknownKey("fields")),
            ("", "field = 1", .value(key: "field")), ("", "references = [\"x\"]", .value(key: "references")),
            ("name = \"X\"", "", .value(key: "field[0].table")),
            ("table = \"T\"\nname = \"X\"\nof = \"A\"", "", .value(key: "field[0].in")),
            ("table = \"T\"\nname = \"X\"\nof = \"A\"\nlist = { a = 1 }", "", .value(key: "field[0].list.a")),
            (
                "table = \"T\"\nname = \"X\"\nof = \"A\"\nin = \"B\"\nlist = { a = \"1\" }", "",
                .unknownKey("field[0].in")
            ), ("table = \"T\"\nexpression = \"1\"", "", .value(key: "field[0].name")),
            ("table = \"T\"\nname = \"X\"\nexpression = \"1\"\nof = \"A\"", "", .unknownKey("field[0].of")),
            (
                "table = \"T\"\nname = \"X\"\nexpression = \"1\"\ntype = \"Money\"", "", .value(key: "field[0].type")
            ),
        ] as [(String, String, ViewFileError)]
    )
    func refused(_ field: String, _ root: String, _ error: ViewFileError) {
        let text = field.isEmpty ? root : "[[field]]\n\(field)\n"
        #expect(throws: error) { try ViewFile(parsing: text) }
    }

    @Test("an invalid expression and a text that is no TOML have a place")
    func places() throws {
        do {
            _ = try ViewFile(parsing: "[[field]]\ntable = \"T\"\nname = \"X\"\nexpression = \"1 +\"")
            Issue.record("the expression is incomplete")
        } catch {
            guard case .expression("field[0].expression", let inner) = error else { return #expect(Bool(false)) }
            #expect(inner.column > 1)
        }
        do {
            _ = try ViewFile(parsing: "a = 1\nb = ")
            Issue.record("a value is missing")
        } catch {
            guard case .syntax(_, 2, _) = error else { return #expect(Bool(false), "\(error)") }
        }
    }
}
