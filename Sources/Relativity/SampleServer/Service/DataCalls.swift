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
    /// The user name of the session; nil without one.
    var user: String?

    /// The macros of the session, by name in lower case. The names are our own choice, because those of real servers
    /// are not known.
    var macros: [String: String] {
        guard let user else { return [:] }
        return ["session_user": user, "session_domain": domain, "session_schema": schema]
    }
}

/// Answers the methods of a data service.
struct DataCalls: Sendable {
    /// The methods, in lower case.
    static let methods: Set<String> = [
        "getschema", "gettableschema", "getcommandschema", "getdata", "updatedata", "executecommand",
        "executecommandex", "sqlgetdata", "sqlgetdataex", "sqlexecutecommand", "sqlexecutecommandex",
        "getdatasetscripts", register, unregister,
    ]
    /// The methods that only change the session; the caller does that with the table that they name.
    static let register = "registerfordatachangenotification"
    static let unregister = "unregisterfordatachangenotification"

    private let schemas: OpenSchemas
    private let kind: ServerKind
    private let collation: ServerCollation
    private let updates: UpdateRule
    private let rowSearch: RowSearch
    private let allowsUserFilter: Bool
    private let pool: NIOThreadPool

    /// - Parameter pool: runs SQLite.
    init(schemas: OpenSchemas, options: SampleOptions, pool: NIOThreadPool) {
        self.schemas = schemas
        kind = options.kind
        collation = options.collation
        updates = options.updates
        rowSearch = options.rowSearch
        allowsUserFilter = options.allowsUserFilter
        self.pool = pool
    }

    /// - Parameter method: one of `methods`.
    /// - Throws: `RemotingException`, `RemotingError`.
    func reply(to call: ServerCall, _ method: String, _ access: SchemaAccess) async throws -> DataReply {
        guard let schema = schemas.schema(access.schema, of: access.domain),
            let signature = ServiceCatalog.signatures(of: method).first
        else { throw kind.exception("the schema does not exist") }
        let arguments = CallArguments(try call.parameters(signature.parameters, ServiceCatalog.structs))
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
    ) throws -> DataReply {
        switch method {
        case "getdata": return DataReply(result: try data(arguments, schema, access.macros))
        case "getschema", "gettableschema", "getcommandschema":
            return DataReply(result: .utf8String(try schemaText(method, arguments, schema)))
        case "getdatasetscripts":
            let names = CommaText.split(arguments.text(0))
            return DataReply(result: .utf8String(SchemaText.scripts(try schema.tables(names))))
        case Self.register, Self.unregister:
            return DataReply([], table: try schema.tables([arguments.text(0)]).first?.name)
        case "updatedata": return try update(arguments, schema, access)
        case "executecommand", "executecommandex": return try execute(method, arguments, schema, access)
        default: return try runSQL(method, arguments, schema, access)
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

    /// Answers GetData. Blocks.
    ///
    /// - Parameter macros: the values of macros, by name in lower case.
    func data(
        _ arguments: CallArguments,
        _ schema: OpenSchema,
        _ macros: [String: String] = [:]
    ) throws -> RemotingValue {
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
        let reader = TableReader(schema: schema.schema, kind: kind, collation: collation, macros: macros)
        let stream = try schema.database.use { database in
            try database.transaction(.deferred) { database in
                var stream = TableStreamWriter()
                for (name, request) in zip(names, requests) {
                    try reader.read(name, request, from: database, into: &stream)
                }
                return try (consume stream).finish()
            }
        }
        return .binary(stream)
    }

    /// - Throws: `QueryError` if the server does not support the request.
    private func check(_ request: TableRequest) throws(QueryError) {
        let hasFilter = !request.userFilter.trimmed.isEmpty
        guard allowsUserFilter || !hasFilter else { throw QueryError("a UserFilter is not allowed") }
        switch request.query {
        case .sql where hasFilter: throw QueryError("DA SQL takes no UserFilter")
        case .sql: guard kind.hasDASQL else { throw QueryError("DA SQL is not supported") }
        case .dynamic(_, _, .some): guard kind.hasWhere else { throw QueryError("dynamic where is disabled") }
        case .dynamic, .all: break
        }
    }

    private func update(_ arguments: CallArguments, _ schema: OpenSchema, _ access: SchemaAccess) throws -> DataReply {
        guard access.mayWrite else { throw QueryError("the account may not change rows") }
        guard case .binary(let bytes?) = arguments[0] else { throw QueryError("there is no delta") }
        let deltas = try DeltaStream(decoding: bytes)
        let applied = try schema.database.use { database in
            var runner = DeltaRunner(schema: schema.schema, rule: updates, search: rowSearch)
            return try runner.apply(deltas, database)
        }
        let changes = try applied.deltas.compactMap { delta in
            try TableChange(resolvedPartOf: delta, schema: access.schema, domain: access.domain)
        }
        return DataReply([.init("Result", .binary(try applied.encoded()))], changes: changes)
    }

    private func execute(
        _ method: String,
        _ arguments: CallArguments,
        _ schema: OpenSchema,
        _ access: SchemaAccess
    ) throws -> DataReply {
        guard kind.hasCommands else { throw QueryError("commands are disabled") }
        guard access.mayWrite else { throw QueryError("the account may not execute commands") }
        guard let command = try schema.commands([arguments.text(0)]).first else { return DataReply([]) }
        let values = TableRequest.parameters(arguments[1])
        let result = try schema.database.use { database in try CommandRunner.run(command, values, database) }
        var reply = [NamedValue("Result", .integer(Int32(clamping: result.changed)))]
        if method == "executecommandex" {
            reply.append(NamedValue("aOutputParameters", .array(result.outputs)))
        }
        return DataReply(reply, changes: result.changed > 0 ? try changes(of: result.tables, schema, access) : [])
    }

    /// Returns the changes of tables whose rows are not known.
    private func changes(
        of sources: Set<String>,
        _ schema: OpenSchema,
        _ access: SchemaAccess
    ) throws(TableError) -> [TableChange] {
        let tables = (schema.schema.tables ?? []).filter { table in sources.contains { $0.isSame(as: table.source) } }
        return try tables.map { table throws(TableError) in
            try TableChange(of: table.name, schema: access.schema, domain: access.domain)
        }
    }

    private func runSQL(
        _ method: String,
        _ arguments: CallArguments,
        _ schema: OpenSchema,
        _ access: SchemaAccess
    ) throws -> DataReply {
        guard kind.hasCommands else { throw QueryError("SQL texts are disabled") }
        let text = arguments.text(0)
        let runner = SQLRunner(schema: schema.schema, mayWrite: access.mayWrite, collation: collation)
        guard method.hasPrefix("sqlget") else {
            guard arguments.text(1).trimmed.isEmpty else { throw QueryError("a statement takes no dynamic where") }
            let result = try schema.database.use { try runner.execute(text, $0) }
            return DataReply(
                [NamedValue("Result", .integer(Int32(clamping: result.changed)))],
                changes: result.changed > 0 ? try changes(of: result.tables, schema, access) : []
            )
        }
        guard !text.trimmed.isEmpty else { return DataReply(result: .binary(nil)) }
        let bytes = try schema.database.use { database in
            try database.transaction(.deferred) { database in
                var stream = TableStreamWriter()
                try runner.query(
                    text,
                    includesSchema: arguments[1] == .boolean(true),
                    most: arguments.number(2).flatMap { $0 < 0 ? nil : $0 },
                    condition: arguments.text(3),
                    from: database,
                    into: &stream
                )
                return try (consume stream).finish()
            }
        }
        return DataReply(result: .binary(bytes))
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

/// The reply to a call, and its effects on sessions.
struct DataReply: Sendable {
    let values: [NamedValue]
    /// The table of a call that begins or ends notifications.
    let table: String?
    /// The changes that sessions are notified of.
    let changes: [TableChange]

    init(_ values: [NamedValue], table: String? = nil, changes: [TableChange] = []) {
        self.values = values
        self.table = table
        self.changes = changes
    }

    init(result: RemotingValue) {
        self.init([NamedValue("Result", result)])
    }
}
