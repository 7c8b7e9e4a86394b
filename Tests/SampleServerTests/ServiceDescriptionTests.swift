// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import NIOCore
import Remoting
import SQLite
import Testing

@testable import SampleServer

@Suite struct ServiceDescriptionTests {
    @Test("both forms describe the services of the vendor and the server's own", arguments: DescriptionForm.allCases)
    func forms(form: DescriptionForm) throws {
        let (text, _) = ServiceDescription(of: .builtIn).text(in: form)
        #expect(text.hasPrefix(form == .xml ? "<?xml" : "{"))
        let file = try RODLFile(parsing: text)
        for service in ServiceCatalog.services {
            for method in service.methods {
                #expect(try file.signature(of: method.name, service: service.name) == method)
            }
        }
        for declared in ServiceCatalog.declaredStructs {
            #expect(file.structs.fields(of: declared.name) == ServiceCatalog.structs.fields(of: declared.name))
        }
        let services = try file.services()
        #expect(services.map(\.name).suffix(3) == ["LoginService", "DataService", "DASampleService"])
        let open = try #require(services.last)
        #expect(open.methods.first?.name == "Announce" && open.methods.map(\.name).contains("GetData"))
        #expect(try file.signature(of: "Announce", service: "DASampleService")?.parameters == SampleEvents.parameters)
        #expect(try file.signature(of: "LoginEx", service: "LoginService") == ServiceCatalog.loginEx)
    }

    @Test("a schema of the vendor becomes a catalog, and its own XML has the same content")
    func schemaFile() throws {
        let xml = """
            <TDASchema><Commands><Item0><Name>C</Name><Params><Item0><Name>Id</Name><DataType>datInteger</DataType>
            <ParamType>daptInputOutput</ParamType></Item0></Params><Statements><Item0><SQL>DELETE FROM B</SQL></Item0>
            </Statements></Item0></Commands><Datasets><Item0><Name>A</Name><Fields><Item0><Name>Id</Name>
            <DataType>datInteger</DataType><InPrimaryKey>True</InPrimaryKey></Item0><Item1><Name>Calc</Name>
            <Calculated>True</Calculated></Item1><Item2><Name>Odd</Name><DataType>datOdd</DataType></Item2>
            <Item3><Name>Look</Name><Lookup>True</Lookup></Item3></Fields>
            </Item0><Item1><Name>None</Name></Item1></Datasets><JoinDataTables><Item0><Name>J</Name><Fields><Item0>
            <Name>Id</Name><DataType>datInteger</DataType></Item0></Fields></Item0></JoinDataTables><RelationShips>
            <Item0><MasterDatasetName>A</MasterDatasetName><MasterFields>Id;Odd</MasterFields>
            <DetailDatasetName>J</DetailDatasetName><DetailFields>Id;Id</DetailFields></Item0></RelationShips>
            <UpdateRules><Item0><DatasetName>A</DatasetName><DoInsert>True</DoInsert></Item0></UpdateRules></TDASchema>
            """
        let catalog = ServedCatalog(schema: try DataSchema(parsing: xml), path: "/x/Shop.daSchema", database: nil)
        let served = try #require(catalog.schema("shop", of: "Shop"))
        #expect(served.source == .empty("Shop.sqlite") && catalog.usesDataDirectory)
        let schema = try DataSchema(parsing: SchemaText.schema(served, isComplete: true))
        #expect(schema.name == "Shop" && schema.tables.map(\.name) == ["A", "J"])
        let fields = schema.tables[0].fields
        #expect(fields.map(\.name) == ["Id", "Calc", "Odd", "Look"] && schema.tables[1].isReadOnly)
        #expect(fields.map(\.type) == [.integer, .wideString, .wideString, .wideString])
        #expect(fields.map(\.isCalculated) == [false, true, false, false] && fields[3].isLookup)
        #expect(served.table("A")?.fields.map(\.name) == ["Id", "Odd"])
        #expect(KeyReference.references(of: schema).map(\.masterFields) == [["Id", "Odd"]])
        #expect(schema.relationships.map(\.detailFields) == [["Id", "Id"]])
        #expect(schema.updateRules.map(\.table) == ["A"] && schema.updateRules[0].kinds == [.insert])
        #expect(schema.commands[0].parameters.map(\.direction) == [.inputOutput])
        #expect(schema.commands[0].statement == "DELETE FROM B")
        let short = try DataSchema(parsing: SchemaText.schema(served, isComplete: false))
        #expect(short.relationships.isEmpty && short.commands[0].statement == nil)
        let existing = ServedCatalog(schema: try DataSchema(parsing: xml), path: "Shop.daSchema", database: "/d.db")
        #expect(existing.domains[0].schemas[0].source == .file("/d.db"))
    }

    @Test("a schema without a database is served with empty tables, which keep their rows")
    func emptyTables() async throws {
        let tests = SampleServerTests()
        let xml = "<S><T Name='A'><Fields><F Name='Id' DataType='Integer' InPrimaryKey='1'/></Fields></T></S>"
        let catalog = ServedCatalog(schema: try DataSchema(parsing: xml), path: "S.daSchema", database: nil)
        try await tests.withServer {
            $0.catalog = catalog
        } _: { channel, folder async throws in
            let page = try await channel.get(deadline: .seconds(20), limit: 1 << 20)
            #expect(page.status == 200 && String(buffer: page.body).hasPrefix("<?xml"))
            let database = try SampleDatabase(file: folder + "/data/S.sqlite")
            #expect(try database.use { try $0.rows("SELECT count(*) FROM A") { try $0.integer(0) } } == [0])
        }
        try await tests.withServer {
            $0.descriptionForm = .json
        } _: { channel, _ async throws in
            let page = try await channel.get(deadline: .seconds(20), limit: 1 << 20)
            #expect(page.status == 200 && String(buffer: page.body).hasPrefix("{"))
        }
        try await tests.withServer(path: "/other") { channel, _ async throws in
            #expect(try await channel.get(deadline: .seconds(20), limit: 1 << 20).status == 404)
        }
    }
}
