// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import TestSupport
import Testing

@Suite struct DataSchemaTests {
    private static let xml = """
        <?xml version="1.0" encoding="utf-8"?>
        <Schema>
        <Name>Simple</Name>
        <DataTables>
        <SchemaDataTable>
        <Name>Deps</Name><IsPublic>True</IsPublic><IsReadOnly>False</IsReadOnly>
        <Fields><SchemaField><Name>DepId</Name><DataType>datAutoInc</DataType><LogChanges>True</LogChanges>\
        <InPrimaryKey>True</InPrimaryKey><Required>True</Required><ReadOnly>False</ReadOnly><DefaultValue/>\
        </SchemaField><SchemaField><Name>DepName</Name><DataType>datWideString</DataType><LogChanges>False\
        </LogChanges><InPrimaryKey>False</InPrimaryKey><Required>False</Required><ReadOnly>True</ReadOnly>\
        <DefaultValue>a &amp; b</DefaultValue><Size>50</Size></SchemaField></Fields>
        </SchemaDataTable>
        </DataTables>
        <Commands>
        <SchemaCommand>
        <Name>CountUsers</Name>
        <Parameters><Parameter><Name>Role</Name><DataType>datWideString</DataType><ParamType>Input</ParamType>\
        </Parameter><Parameter><Name>Count</Name><DataType>datInteger</DataType><ParamType>Output</ParamType>\
        </Parameter></Parameters>
        </SchemaCommand>
        </Commands>
        <Relationships>
        <SchemaRelationship><MasterDataTableName>Deps</MasterDataTableName><MasterFields>DepId; Other</MasterFields>\
        <DetailDataTableName>Users</DetailDataTableName><DetailFields>Dep,O</DetailFields></SchemaRelationship>
        </Relationships>
        </Schema>
        """

    @Test("a schema has its tables with fields, commands with parameters, and relationships")
    func complete() throws {
        let schema = try DataSchema(parsing: Self.xml)
        #expect(schema.name == "Simple" && schema.tables.map(\.name) == ["Deps"])
        let table = try #require(schema.table("deps"))
        #expect(!table.isReadOnly && table.parameters.isEmpty)
        let (key, name) = (table.fields[0], table.fields[1])
        #expect(table.key == [key])
        #expect(key.name == "DepId" && key.type == .autoInc && key.isRequired && !key.isReadOnly && key.logsChanges)
        #expect(key.defaultValue == nil && key.size == 0)
        #expect(name.name == "DepName" && name.type == .wideString && name.isReadOnly && !name.isRequired)
        #expect(!name.logsChanges && name.defaultValue == "a & b" && name.size == 50)
        let command = try #require(schema.command("CountUsers"))
        #expect(command.parameters.map(\.name) == ["Role", "Count"])
        #expect(command.parameters.map(\.direction) == [.input, .output])
        #expect(command.parameters.map(\.isInput) == [true, false])
        #expect(schema.relationships.count == 1)
        #expect(schema.relationships[0].masterFields == ["DepId", "Other"])
        #expect(schema.relationships[0].detail == "Users" && schema.relationships[0].detailFields == ["Dep", "O"])
    }

    @Test("elements of other servers are understood: other names, other case, attributes, elements between")
    func lenient() throws {
        let xml = """
            <?xml version="1.0"?><TABLES><DataTables><Table Name="A"><statements><S><Name>x</Name><Fields2/></S>
            </statements><Params><P Name="q" DataType="String" Direction="InOut" Value="1"/></Params>
            <fields><F Name="i" DataType="Integer" InPrimaryKey="true"/>
            <F><NAME>odd</NAME><DataType>datOther</DataType></F></fields></Table>
            <Table><Name>Empty</Name><Fields/></Table></DataTables>
            <commands><C><Name>do</Name><Parameters><P><Name>r</Name><ParamType>daptResult</ParamType></P></Parameters>
            </C></commands></TABLES>
            """
        let schema = try DataSchema(parsing: xml)
        #expect(schema.tables.map(\.name) == ["A", "Empty"])
        #expect(schema.tables[0].fields.map(\.name) == ["i", "odd"])
        #expect(schema.tables[0].fields.map(\.type) == [.integer, .unknown])
        #expect(schema.tables[0].key.map(\.name) == ["i"])
        #expect(schema.tables[0].parameters.map(\.direction) == [.inputOutput])
        #expect(schema.tables[0].parameters[0].value == "1" && schema.tables[0].parameters[0].type == .string)
        #expect(schema.tables[1].fields.isEmpty)
        #expect(schema.commands[0].parameters[0].direction == .result)
    }

    @Test("the schema of a table in a stream has the same fields")
    func entry() {
        let entry = SchemaEntry(field: "Id", .autoInc, isInPrimaryKey: true, isRequired: true, logsChanges: false)
        let field = SchemaField(entry)
        #expect(field.name == "Id" && field.type == .autoInc && field.isInPrimaryKey && field.isRequired)
        #expect(!field.logsChanges && !field.isReadOnly && field.defaultValue == nil)
    }

    @Test("a document that is cut or declares a document type is rejected")
    func malformed() throws {
        for length in stride(from: 0, to: Self.xml.count - 1, by: 41) {
            #expect(throws: SchemaError.self) { try DataSchema(parsing: String(Self.xml.prefix(length))) }
        }
        let bomb = "<!DOCTYPE x [<!ENTITY a \"b\">]><Schema>&a;</Schema>"
        #expect(throws: SchemaError.malformed(reason: "a document type, which is not allowed", line: 1)) {
            try DataSchema(parsing: bomb)
        }
    }

    @Test("damaged documents are rejected or read", arguments: 0..<60)
    func damaged(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        var bytes = Array(Self.xml.utf8)
        for _ in 0..<3 {
            let index = Int.random(in: bytes.indices, using: &numbers)
            bytes[index] = [UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "/"), 0, 0xFF][Int(seed % 5)]
        }
        _ = try? DataSchema(parsing: String(decoding: bytes, as: UTF8.self))
    }

    @Test("bytes, elements and levels are limited")
    func limits() {
        let elements = 34
        let bytes = Self.xml.utf8.count
        #expect(throws: Never.self) {
            try DataSchema(parsing: Self.xml, limits: SchemaLimits(bytes: bytes, elements: 60, depth: 6))
        }
        let cases: [(SchemaLimits, SchemaError)] = [
            (SchemaLimits(bytes: bytes - 1), .tooMany("bytes", limit: bytes - 1)),
            (SchemaLimits(elements: elements), .tooMany("elements", limit: elements)),
            (SchemaLimits(depth: 4), .tooMany("levels", limit: 4)),
        ]
        for (limits, error) in cases {
            #expect(throws: error) { try DataSchema(parsing: Self.xml, limits: limits) }
        }
        // The names of a relationship's fields count too.
        let names = String(repeating: "a,", count: 100)
        let relationship = "<Relationships><R MasterDataTableName=\"a\" DetailDataTableName=\"b\""
        for (count, isRead) in [(203, false), (206, true)] {
            let xml = "<S>\(relationship) MasterFields=\"\(names)\" DetailFields=\"\(names)\"/></Relationships></S>"
            let schema = try? DataSchema(parsing: xml, limits: SchemaLimits(elements: count + 1))
            #expect(schema?.relationships.first?.detailFields.count == (isRead ? 100 : nil))
        }
        // An attribute counts as an element.
        let attributes = "<Schema a=\"\" b=\"\" c=\"\"/>"
        #expect(throws: Never.self) { try DataSchema(parsing: attributes, limits: SchemaLimits(elements: 4)) }
        #expect(throws: SchemaError.tooMany("elements", limit: 3)) {
            try DataSchema(parsing: attributes, limits: SchemaLimits(elements: 3))
        }
    }
}
