// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import DataAbstract

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

    private static let file = """
        <TDASchema>
        <Commands><Item0><Name>Close</Name>
        <Params><Item0><Name>Id</Name><DataType>datInteger</DataType><ParamType>daptInput</ParamType><Value>5</Value>
        </Item0><Item1><Name>Text</Name><DataType>datWideString</DataType><ParamType>daptOutput</ParamType>
        <Size>50</Size></Item1><Item2><Name>R</Name><ParamType>daptResult</ParamType></Item2>
        <Item3><Name>IO</Name><ParamType>daptInputOutput</ParamType></Item3></Params>
        <Statements><Item0><Name></Name><SQL><![CDATA[DELETE FROM A WHERE Id < :Id]]></SQL></Item0>
        <Item1><SQL>other</SQL></Item1></Statements></Item0></Commands>
        <Datasets><Item0><Name>A</Name><ReadOnly>True</ReadOnly>
        <Params><Item0><Name>City</Name><DataType>datString</DataType><Size>20</Size></Item0></Params>
        <Fields><Item0><Name>Id</Name><DataType>datInteger</DataType><DisplayLabel>Number</DisplayLabel></Item0>
        <Item1><Name>Sum</Name><DataType>datDecimal</DataType><DecimalPrecision>12</DecimalPrecision>
        <DecimalScale>3</DecimalScale><Calculated>True</Calculated></Item1>
        <Item2><Name>Look</Name><DataType>datString</DataType><Lookup>True</Lookup></Item2>
        <Item3><Name>Made</Name><DataType>datString</DataType><ServerCalculated>True</ServerCalculated>
        <DisplayLabel>Made</DisplayLabel></Item3></Fields>
        </Item0></Datasets>
        <JoinDataTables><Item0><Name>J</Name><Fields><Item0><Name>Id</Name></Item0></Fields></Item0></JoinDataTables>
        <RelationShips><Item0><Name>FK</Name><MasterDatasetName>A</MasterDatasetName><MasterFields>Id</MasterFields>
        <DetailDatasetName>B</DetailDatasetName><DetailFields>AId</DetailFields></Item0>
        <Item1><MasterDatasetName>A</MasterDatasetName></Item1></RelationShips>
        <UnionDataTables><Item0><Name>U</Name><Fields><Item0><Name>Id</Name></Item0></Fields>
        <SourceTables><Item0><Name>A</Name><ColumnMappings><Item0><TableField>Id</TableField></Item0></ColumnMappings>
        </Item0></SourceTables></Item0></UnionDataTables>
        <UpdateRules><Item0><DoUpdate>False</DoUpdate><DoInsert>True</DoInsert><DoDelete>True</DoDelete>
        <DatasetName>A</DatasetName></Item0></UpdateRules>
        </TDASchema>
        """

    @Test("a file of the vendor has its relationships, parameters, rules, and kinds of tables and fields")
    func vendorFile() throws {
        let schema = try DataSchema(parsing: Self.file)
        #expect(
            schema.relationships == [
                SchemaRelationship(master: "A", masterFields: ["Id"], detail: "B", detailFields: ["AId"])
            ]
        )
        #expect(
            KeyReference.references(of: schema) == [
                KeyReference("B", ["AId"], to: "A", ["Id"], isKnownToServer: true)
            ]
        )
        #expect(schema.tables.map(\.name) == ["A", "J", "U"] && schema.tables.map(\.kind) == [.table, .join, .union])
        #expect(schema.tables.map(\.isReadOnly) == [true, false, false])
        let table = schema.tables[0]
        #expect(table.parameters.map(\.name) == ["City"] && table.parameters[0].size == 20)
        #expect(table.fields.map(\.displayLabel) == ["Number", nil, nil, nil])
        #expect(table.fields.map(\.isCalculated) == [false, true, false, false])
        #expect(table.fields.map(\.isLookup) == [false, false, true, false])
        #expect(table.fields.map(\.isServerCalculated) == [false, false, false, true])
        #expect(table.fields[1].precision == 12 && table.fields[1].scale == 3)
        let command = try #require(schema.command("close"))
        #expect(command.parameters.map(\.direction.word) == ["in", "out", "result", "inout"])
        #expect(command.parameters[0].value == "5" && command.statement == "DELETE FROM A WHERE Id < :Id")
        #expect(schema.updateRules == [SchemaUpdateRule("A", [.insert, .delete])])
    }

    @Test("a file is read in the encoding that it declares")
    func encodings() throws {
        let text = "<?xml version='1.0' encoding='windows-1252'?><S><T Name='Gr\u{F6}\u{DF}e'><Fields/></T></S>"
        let narrow = text.unicodeScalars.map { UInt8($0.value) }
        #expect(try DataSchema(file: narrow).tables.map(\.name) == ["Größe"])
        let wide = text.replacing("windows-1252", with: "utf-16").utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try DataSchema(file: wide).tables.map(\.name) == ["Größe"])
        let reason = "the encoding 'ebcdic' is not supported"
        #expect(throws: SchemaError.malformed(reason: reason, line: 1)) {
            try DataSchema(file: Array(text.replacing("windows-1252", with: "ebcdic").utf8))
        }
        #expect(throws: SchemaError.tooMany("bytes", limit: 10)) {
            try DataSchema(file: narrow, limits: SchemaLimits(bytes: 10))
        }
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
