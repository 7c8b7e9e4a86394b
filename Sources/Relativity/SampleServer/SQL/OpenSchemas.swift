// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import SQLite

/// The schemas of a catalog with their open databases.
struct OpenSchemas: Sendable {
    private let schemas: [[String]: OpenSchema]

    /// Opens the databases, each once, and reads the tables of schemas that describe none. Blocks.
    ///
    /// - Throws: `SampleServerError.database`.
    init(_ options: SampleOptions) throws {
        var databases: [ServedSchema.Source: SampleDatabase] = [:]
        var schemas: [[String]: OpenSchema] = [:]
        for domain in options.catalog.domains {
            for schema in domain.schemas {
                do {
                    let database = try databases[schema.source] ?? Self.open(schema, options)
                    databases[schema.source] = database
                    schemas[Self.key(schema.name, domain.name)] = try OpenSchema(schema, database)
                } catch {
                    let path = if case .file(let path) = schema.source { path } else { options.path(of: schema.source) }
                    throw SampleServerError.database(path: path, reason: "\(error)")
                }
            }
        }
        self.schemas = schemas
    }

    /// Returns a schema, or nil if there is none with these names.
    func schema(_ name: String, of domain: String) -> OpenSchema? { schemas[Self.key(name, domain)] }

    private static func key(_ schema: String, _ domain: String) -> [String] {
        [domain.lowercased(), schema.lowercased()]
    }

    private static func open(_ schema: ServedSchema, _ options: SampleOptions) throws -> SampleDatabase {
        let path = options.path(of: schema.source)
        return switch schema.source {
        case .sample(let set):
            try SampleDatabase(path: path, sample: set, load: options.load, collation: options.collation)
        case .file(let original):
            try SampleDatabase(
                file: path,
                copyOf: options.copiesFiles ? original : nil,
                collation: options.collation,
                isDurable: options.isDurable
            )
        case .empty: try SampleDatabase(path: path, tables: schema.tables ?? [], collation: options.collation)
        }
    }
}

/// A schema with its database.
struct OpenSchema: Sendable {
    /// Its tables are never nil.
    let schema: ServedSchema
    let database: SampleDatabase

    init(_ schema: ServedSchema, _ database: SampleDatabase) throws {
        var schema = schema
        if schema.tables == nil {
            let (tables, relationships) = try database.use { database in
                let tables = try DatabaseTables.read(database)
                return (tables, try DatabaseTables.relationships(of: tables, database))
            }
            schema.tables = tables
            if schema.relationships.isEmpty { schema.relationships = relationships }
        }
        self.schema = schema
        self.database = database
    }

    /// Returns tables by name.
    ///
    /// - Throws: `QueryError` for an unknown one.
    func tables(_ names: [String]) throws(QueryError) -> [ServedTable] {
        try names.map { name throws(QueryError) in try schema.existingTable(name) }
    }

    /// Returns commands by name.
    ///
    /// - Throws: `QueryError` for an unknown one.
    func commands(_ names: [String]) throws(QueryError) -> [ServedCommand] {
        try names.map { name throws(QueryError) in
            guard let command = schema.command(name) else { throw QueryError("the command '\(name)' does not exist") }
            return command
        }
    }
}
