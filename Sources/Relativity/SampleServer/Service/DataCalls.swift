// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import EventLoops
import NIOPosix
import Remoting
import SQLite

/// A schema that a call may use.
struct SchemaAccess: Sendable {
    let domain: String
    let schema: String
    let mayWrite: Bool
}

/// Answers the methods of a data service.
struct DataCalls: Sendable {
    /// The methods, in lower case.
    static let methods: Set<String> = ["getschema", "gettableschema", "getcommandschema", "getdata"]

    private let schemas: OpenSchemas
    private let kind: ServerKind
    private let collation: ServerCollation
    private let pool: NIOThreadPool

    /// - Parameter pool: runs SQLite.
    init(schemas: OpenSchemas, kind: ServerKind, collation: ServerCollation, pool: NIOThreadPool) {
        self.schemas = schemas
        self.kind = kind
        self.collation = collation
        self.pool = pool
    }

    /// - Parameter method: one of `methods`.
    /// - Throws: `RemotingException`, `RemotingError`.
    func reply(to call: ServerCall, _ method: String, _ access: SchemaAccess) async throws -> [NamedValue] {
        guard let schema = schemas.schema(access.schema, of: access.domain),
            let signature = ServiceCatalog.signatures(of: method).first
        else { throw kind.exception("the schema does not exist") }
        let values = try call.parameters(signature.parameters, ServiceCatalog.structs)
        let arguments = CallArguments(values)
        return try await pool.perform {
            do {
                return try answer(method, arguments, schema, access)
            } catch {
                throw exception(for: error)
            }
        }
    }

    private func answer(
        _ method: String,
        _ arguments: CallArguments,
        _ schema: OpenSchema,
        _ access: SchemaAccess
    ) throws -> [NamedValue] {
        switch method {
        case "getdata": return [.init("Result", try data(arguments, schema))]
        case "getschema", "gettableschema", "getcommandschema":
            return [.init("Result", .utf8String(try schemaText(method, arguments, schema)))]
        default: throw QueryError("unknown method")
        }
    }

    /// Returns all of the schema, whatever the filter, because its meaning to real servers is not known.
    private func schemaText(_ method: String, _ arguments: CallArguments, _ schema: OpenSchema) throws -> String {
        guard kind.hasSchema else { throw QueryError("access to the schema is disabled") }
        switch method {
        case "gettableschema": return SchemaText.tables(try schema.tables(arguments.names(0)))
        case "getcommandschema": return SchemaText.commands(try schema.commands(arguments.names(0)))
        default: return SchemaText.schema(schema.schema, isComplete: kind.hasFullSchema)
        }
    }

    private func data(_ arguments: CallArguments, _ schema: OpenSchema) throws -> RemotingValue {
        let names = arguments.names(0).map(\.trimmed)
        guard !names.isEmpty else { return .binary(nil) }
        var requests = names.map { _ in TableRequest.all }
        if let elements = arguments.array(1) {
            guard elements.count == names.count else {
                throw QueryError("\(names.count) table names with \(elements.count) requests")
            }
            requests = try elements.map { element throws(RemotingError) in
                if case .nullStructure = element { return .all }
                return try TableRequest(element)
            }
        }
        for request in requests { try check(request) }
        let tables = try schema.tables(names)
        let reader = TableReader(kind: kind, collation: collation)
        let stream = try schema.database.use { database in
            try database.transaction(.deferred) { database in
                var stream = TableStreamWriter()
                for (table, request) in zip(tables, requests) {
                    try reader.read(table, request, from: database, into: &stream)
                }
                return try stream.finish()
            }
        }
        return .binary(stream)
    }

    /// - Throws: `QueryError` if the server does not support the request.
    private func check(_ request: TableRequest) throws(QueryError) {
        guard request.userFilter.trimmed.isEmpty else { throw QueryError("a UserFilter is not allowed") }
        switch request.query {
        case .sql: throw QueryError("DA SQL is not supported")
        case .dynamic(_, _, .some): guard kind.hasWhere else { throw QueryError("dynamic where is disabled") }
        case .dynamic, .all: break
        }
    }

    private func exception(for error: any Error) -> any Error {
        switch error {
        case let error as QueryError: kind.exception(error.message)
        case let error as SQLiteError: kind.exception("the database reports: \(error.message)")
        case let error as TableError: kind.exception(error.description)
        case let error as WhereError: kind.exception(error.description)
        default: error
        }
    }
}

/// The decoded parameters of a call.
struct CallArguments: Sendable {
    private let values: [RemotingValue]

    init(_ values: [RemotingValue]) {
        self.values = values
    }

    subscript(_ index: Int) -> RemotingValue? { values.indices.contains(index) ? values[index] : nil }

    /// Returns the elements of an array; nil if it is null.
    func array(_ index: Int) -> [RemotingValue]? {
        if case .array(let elements?) = self[index] { elements } else { nil }
    }

    /// Returns the texts of an array; none if it is null.
    func names(_ index: Int) -> [String] {
        (array(index) ?? []).compactMap { if case .utf8String(let name) = $0 { name } else { nil } }
    }

    /// Returns a text; empty if the parameter is none.
    func text(_ index: Int) -> String {
        switch self[index] {
        case .utf8String(let text), .wideString(let text): text
        default: ""
        }
    }
}
