// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Testing

@testable import SampleServer

/// The model of what is served, without a database.
@Suite struct CatalogTests {
    @Test("made-up rows fit their fields, and do not change", arguments: SampleSet.allCases)
    func rows(set: SampleSet) throws {
        for table in set.tables {
            for row in 1...table.rows {
                let values = table.row(row)
                #expect(values.count == table.table.fields.count, "\(table.table.name)")
                #expect(values == table.row(row))
                for (value, field) in zip(values, table.table.fields) {
                    #expect(!value.isNull || !field.isRequired, "\(table.table.name).\(field.name)")
                    let stored = try #require(FieldCodec.stored(value, in: field))
                    #expect(FieldCodec.value(stored, as: field.type, dates: field.dates) == value)
                }
            }
        }
    }

    private static let file = """
        [open_service]
        name = "Open"
        domain = "Shop"
        schema = "Main"

        [[account]]
        user = "reader"
        password = "x"
        right = [{ domain = "Shop", schema = "Main", read_only = true }]

        [[domain]]
        name = "Shop"

        [[domain.schema]]
        name = "Main"
        database = "shop.sqlite"

        [[domain.schema.table]]
        name = "Customers"
        source = "customer"
        script = "1;"

        [[domain.schema.table.field]]
        name = "Id"
        column = "id"
        type = "AutoInc"
        key = true
        required = true

        [[domain.schema.table.field]]
        name = "Since"
        type = "datDateTime"
        dates = "text"

        [[domain.schema.update_rule]]
        table = "Customers"
        changes = ["insert", "delete"]

        [[domain.schema.command]]
        name = "Clear"
        statement = "DELETE FROM customer WHERE id = :Id"
        parameter = [{ name = "Id", type = "Integer" }]
        """

    @Test("a file describes domains, tables, commands, accounts and the open service")
    func catalogFile() throws {
        let catalog = try CatalogFile.parse(Self.file, folder: "/data")
        let schema = try #require(catalog.schema("Main", of: "Shop"))
        #expect(schema.source == .file("/data/shop.sqlite"))
        let table = try #require(schema.table("Customers"))
        #expect(table.source == "customer" && table.script == "1;")
        #expect(
            table.fields == [
                ServedField("Id", .autoInc, column: "id", isInPrimaryKey: true, isRequired: true),
                ServedField("Since", .dateTime, dates: .text),
            ]
        )
        #expect(schema.commands.map(\.parameters) == [[.init("Id", .integer)]])
        #expect(schema.updateRules == [SchemaUpdateRule("Customers", [.insert, .delete])])
        let text = SchemaText.schema(schema, isComplete: true)
        let rule = "<DatasetName>Customers</DatasetName><DoUpdate>False</DoUpdate><DoInsert>True</DoInsert>"
        #expect(text.contains(rule + "<DoDelete>True</DoDelete>"))
        #expect(!SchemaText.schema(schema, isComplete: false).contains("UpdateRule"))
        #expect(catalog.openService == OpenService(name: "Open", domain: "Shop", schema: "Main"))
        #expect(catalog.accounts[0].right(to: "Main", of: "Shop")?.mayWrite == false)
        #expect(!catalog.usesDataDirectory)
    }

    @Test(
        "an invalid file is an error that names the place",
        arguments: [
            ("domain = ", "line 1"), ("", "domain is missing"), ("x = 1", "x is not a key"),
            ("[[domain]]\nname = 'D'", "domain[0].schema is missing"),
            ("[[domain]]\nname = 'D'\n[[domain.schema]]\ndatabase = 'x'", "domain[0].schema[0].name is missing"),
            (file.replacing("AutoInc", with: "Auto"), "domain[0].schema[0].table[0].field[0].type is not a type"),
            (file.replacing("key = true", with: "key = 1"), ".field[0].key is neither true nor false"),
            (file.replacing("schema = \"Main\"\n\n", with: "schema = \"M\"\n\n"), "open_service names a schema"),
            (file.replacing("\"text\"", with: "\"iso\""), ".field[1].dates is neither"),
            (file.replacing("\"insert\"", with: "\"remove\""), ".update_rule[0].changes has a word"),
            (file.replacing("table = \"C", with: "table = \"K"), "update_rule names the table Kustomers"),
        ]
    )
    func invalidFile(text: String, expected: String) throws {
        let error = try #require(throws: CatalogError.self) { try CatalogFile.parse(text, folder: "/") }
        #expect(error.description.contains(expected), "\(error)")
    }

    @Test("texts in a schema are escaped, and no white space is between its fields")
    func schemaText() {
        let table = ServedTable("A<B", script: "x]]>y", [ServedField("F", .integer), ServedField("G&", .wideString)])
        let text = SchemaText.tables([table])
        #expect(text.contains("<Name>A&lt;B</Name>"))
        #expect(text.contains("</SchemaField><SchemaField><Name>G&amp;</Name>"))
        #expect(SchemaText.scripts([table]).contains("<![CDATA[x]]]]><![CDATA[>y]]>"))
    }
}
