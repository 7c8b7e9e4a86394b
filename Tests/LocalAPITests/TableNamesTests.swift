// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Testing

@Suite("Names of tables for completion")
struct TableNamesTests {
    private static func adapter(_ name: String, _ service: String = "DataService") -> JobAdapter {
        JobAdapter(socket: "", service: service, name: name, identity: "id-\(name)")
    }

    @Test("tables are those of the endpoint and of the schema in the command line")
    func tables() throws {
        var names = TableNames()
        names.set([.init("Clients", fields: ["Id", "Name"]), .init("Orders")], of: Self.adapter("office"))
        names.set(
            ["Orders", "Users"].map { .init($0, fields: ["Id"]) },
            of: Self.adapter("office", "DataService.Simple")
        )
        names.set([.init("Other")], of: Self.adapter("shop"))
        names = TableNames(parsing: Array(names.json.text.utf8))
        #expect(names.tables(for: ["relctl", "table", "get", "office"]) == ["Clients", "Orders", "Users"])
        #expect(names.tables(for: ["relctl", "table", "get", "id-shop", ""]) == ["Other"])
        #expect(names.tables(for: ["--schema", "Simple", "office"]) == ["Orders", "Users"])
        #expect(names.tables(for: ["relctl", "off"]) == [])
        #expect(names.fields(for: ["relctl", "table", "get", "office", "Clients", "--select", ""]) == ["Id", "Name"])
        #expect(names.fields(for: ["office"]) == [] && names.fields(for: ["shop", "Clients"]) == [])
        names.set([.init("New")], of: Self.adapter("office"))
        #expect(names.tables(for: ["office"]) == ["Orders", "Users", "New"])
    }

    @Test("the list is bounded, and a damaged file is empty")
    func bounds() {
        var names = TableNames()
        let long = String(repeating: "x", count: TableNames.longestName + 1)
        let tables = (0..<TableNames.mostTables + 9).map { "\($0)" }
        for number in 0..<TableNames.mostServices + 2 {
            names.set(([long] + tables).map { .init($0) }, of: Self.adapter("\(number)"))
        }
        #expect(names.tables(for: ["1"]) == [] && names.tables(for: ["2"]) == Array(tables.dropLast(9)))
        names.set([.init("t")], of: Self.adapter(long))
        #expect(names.tables(for: [long]) == [])
        #expect(names.json.text.utf8.count < TableNames.maximumBytes)
        let wide = tables.map { TableNames.Table($0, fields: (0..<200).map { "a rather long name of a field \($0)" }) }
        names.set(wide, of: Self.adapter("1"))
        names.set([.init("t", fields: ["a", long])], of: Self.adapter("2"))
        #expect(names.fields(for: ["2", "t"]) == ["a"] && names.tables(for: ["1"]) == Array(tables.dropLast(9)))
        #expect(names.json.text.utf8.count < TableNames.maximumBytes)
        #expect(TableNames(parsing: Array(names.json.text.utf8)) == names)
        for text in ["", "{}", #"{"services":[{}]}"#, String(repeating: " ", count: TableNames.maximumBytes + 1)] {
            #expect(TableNames(parsing: Array(text.utf8)) == TableNames())
        }
    }
}
