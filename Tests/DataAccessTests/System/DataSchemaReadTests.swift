// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Remoting
import SampleServer
import Testing

@Suite struct DataSchemaReadTests {
    @Test("the schemas of the sample server agree with the tables", arguments: ["Simple", "PCTrade"])
    func schema(name: String) async throws {
        try await withSampleService(schema: name) { adapter in
            let schema = try DataSchema(parsing: try await adapter.schema())
            #expect(schema.name == name && !schema.tables.isEmpty && !schema.commands.isEmpty)
            let requests = schema.tables.map { TableRequest($0.name, rowLimit: 0) }
            for (table, described) in zip(try await adapter.tables(requests), schema.tables) {
                #expect(described.fields.map(\.name) == table.columns.map(\.name))
                #expect(described.fields.map(\.type) == table.columns.map(\.type))
                #expect(described.fields.map(\.size) == table.columns.map { Int($0.size) })
                let fields = try #require(table.schema).fields.map { SchemaField($0) }
                #expect(described.fields.map(\.isInPrimaryKey) == fields.map(\.isInPrimaryKey))
                #expect(described.fields.map(\.isRequired) == fields.map(\.isRequired))
                #expect(described.fields.map(\.defaultValue) == fields.map(\.defaultValue))
            }
            let first = try #require(schema.tables.first)
            #expect(try DataSchema(parsing: try await adapter.tableSchema([first.name])).tables == [first])
            let commands = try DataSchema(parsing: try await adapter.commandSchema(schema.commands.map(\.name)))
            // The statements are in the whole schema only.
            #expect(commands.commands.map(\.name) == schema.commands.map(\.name))
            #expect(commands.commands.map(\.parameters) == schema.commands.map(\.parameters))
            #expect(commands.commands.allSatisfy { $0.statement == nil })
            let scripts = try await adapter.call(ServiceCatalog.scripts, [.utf8String(first.name)])
            #expect("\(scripts)".contains("<\(first.name) "))
        }
    }
}
