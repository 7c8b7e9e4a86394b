// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import EventLoops
import LocalAPI
import NIOCore
import Varlink
import VarlinkService

/// The interface `org.relativityd.Data`.
struct DataService: DataAPIServer {
    /// The maximum time without a byte of a reply.
    static let idleTimeout = Duration.seconds(60)
    // All calls together must stay below MemoryMax= of the unit. SQLite uses the first one twice: for pages and to sort.
    private static let sortMemory = 4 << 20
    /// The maximum bytes of a value. As JSON it may be six times as long.
    private static let valueBytes = 8 << 20

    /// The bytes of rows of other tables that one call keeps in memory for extra fields.
    private static let lookupMemory = 32 << 20

    let adapters: CallerAdapters
    let sets: PendingSets
    let kept: KeptReader
    let known = KnownFeatures()
    let loop: any EventLoop
    /// Runs what blocks: statements in SQLite, and kept tables.
    let statements: PoolExecutor

    func isSafe(_ method: String) -> Bool {
        switch DataAPI.Method(rawValue: "\(DataAPI.name).\(method)") {
        case .listTables, .getSchema, .read, .readTables, .query, .count, .watch, .listCommands, .listPending,
            .getPending, .checkPending, .listKept, .readKept:
            true
        case nil, .open, .call, .runCommand, .edit, .apply, .retryPending, .settlePending, .dropPending: false
        }
    }

    /// Connects to the data service of a call.
    ///
    /// - Parameters:
    ///   - tables: the tables that the call reads, to name one that the server does not have.
    ///   - keepsRows: whether the call prepares or sends changes, which must stay with one database.
    /// - Throws: errors of the interface; those of the daemon, unchanged.
    func connected<Result>(
        to server: DataAPI.Server,
        _ call: VarlinkCall,
        reading tables: [String] = [],
        keepsRows: Bool = false,
        _ body: (inout ServerConnection) async throws -> Result
    ) async throws -> Result {
        let (opened, service) = try await adapter(for: server, call)
        guard !keepsRows || !opened.otherDatabase else {
            throw DataError.unsupported(
                message: "the server can only be used at an address that is not agreed to have the same database",
                feature: "changes"
            )
        }
        return try await DataFailure.translating {
            let codePage = try opened.codePage.map { name in
                guard let page = CodePage.named(name) else {
                    throw DataError.unsupported(
                        message: "the endpoint has the code page '\(Printable(name))', which is not known",
                        feature: "code page"
                    )
                }
                return page
            }
            let remote = try RemoteDataAdapter(
                socketPath: opened.socketPath,
                service: service,
                codePage: codePage ?? .assumed(),
                loop: loop,
                idleTimeout: Self.idleTimeout
            )
            let key = KnownFeatures.key(of: opened, service)
            var reader = TableReader(
                remote,
                features: known.features(for: key, isReadOnly: opened.readOnly || opened.otherDatabase)
            )
            reader.sortMemory = Self.sortMemory
            reader.limits.cell = Self.valueBytes
            var connection = ServerConnection(
                reader: reader,
                place: PendingFilePlace(endpoint: opened.endpoint, service: service),
                notes: opened.otherDatabase ? [.otherDatabase] : [],
                known: known,
                key: key
            )
            do {
                let result = try await body(&connection)
                await remote.close()
                return result
            } catch {
                let unknown = await Self.unknownTable(error, tables, remote)
                await remote.close()
                throw unknown ?? error
            }
        }
    }

    /// After a refusal, the failure for a table that the schema does not have; nil if it has them all.
    private static func unknownTable(
        _ error: any Error,
        _ tables: [String],
        _ adapter: RemoteDataAdapter
    ) async -> DataFailure? {
        guard let error = error as? DataAdapterError, error.isRefusal, !tables.isEmpty,
            let text = try? await adapter.schema(), let schema = try? DataSchema(parsing: text),
            !schema.tables.isEmpty, let name = tables.first(where: { schema.table($0) == nil })
        else { return nil }
        return DataFailure(noTable: name, schema)
    }

    /// Opens the adapter of a call, or finds the open one.
    ///
    /// - Returns: the adapter, and the name of the data service.
    /// - Throws: `VarlinkError`, also of the daemon; `DataError.tooManyAdapters`, `.daemonUnavailable`.
    private func adapter(
        for server: DataAPI.Server,
        _ call: VarlinkCall
    ) async throws -> (opened: AdaptersAPI.OpenReply, service: String) {
        guard server.service == nil || server.schema == nil else {
            throw VarlinkError.invalidParameter("server.schema")
        }
        let opened = try await adapters.adapter(for: server, of: call).opened
        let usual = opened.dataService
        return (opened, server.service ?? server.schema.map { "\(usual).\($0)" } ?? usual)
    }

    func open(_ call: TypedCall<DataAPI.OpenCall>) async throws {
        let (opened, service) = try await adapter(for: call.parameters.server, call.untyped)
        call.reply(
            .init(
                endpoint: opened.endpoint,
                endpointName: opened.endpointName,
                service: service,
                readOnly: opened.readOnly
            )
        )
    }

    // MARK: Schema

    func listTables(_ call: TypedCall<DataAPI.ListTablesCall>) async throws {
        let schema = try await schema(of: call.parameters.server, call.untyped)
        call.reply(.init(tables: schema.tables.map(\.name)))
    }

    func getSchema(_ call: TypedCall<DataAPI.GetSchemaCall>) async throws {
        let schema = try await schema(of: call.parameters.server, call.untyped)
        guard let name = call.parameters.table else {
            return call.reply(.init(tables: schema.tables.map { DataAPI.Table($0) }))
        }
        guard let table = schema.table(name) else {
            throw DataError.tableUnknown(message: "no table '\(Printable(name))' in the schema", table: name)
        }
        call.reply(.init(tables: [DataAPI.Table(table)]))
    }

    func listCommands(_ call: TypedCall<DataAPI.ListCommandsCall>) async throws {
        let schema = try await schema(of: call.parameters.server, call.untyped)
        call.reply(
            .init(
                commands: schema.commands.map { command in
                    DataAPI.Command(name: command.name, parameters: command.parameters.filter(\.isInput).map(\.name))
                }
            )
        )
    }

    private func schema(of server: DataAPI.Server, _ call: VarlinkCall) async throws -> DataSchema {
        try await connected(to: server, call) { connection in
            try DataSchema(parsing: try await connection.reader.adapter.schema())
        }
    }

    // MARK: Rows

    func read(_ call: TypedCall<DataAPI.ReadCall>) async throws {
        try Self.checkRows(call.untyped)
        let parameters = call.parameters
        let rule = try Self.rule(parameters.decimal)
        let keepsRows = parameters.pending != nil
        try await connected(
            to: parameters.server,
            call.untyped,
            reading: [parameters.table],
            keepsRows: keepsRows
        ) { connection in
            var query = TableQuery(parameters.table)
            query.fields = parameters.fields ?? []
            query.predicate = try parameters.where.map { try Expression(predicate: $0) }
            query.order = (parameters.order ?? []).map(FieldOrder.init(parsing:))
            query.limit = try Self.limit(parameters.limit)
            query.parameters = try (parameters.parameters ?? []).map { try DataParameter($0) }
            let pending = try await pendingChanges(parameters, connection)
            let (record, count): (ReadRecord, Int64)
            if call.untyped.wantsUpgrade {
                let fields = await Self.declaredFields(parameters, connection.reader)
                let replies = ArrowReplies(call.untyped, ArrowDecimals(rule, fields: fields))
                (record, count) = try await read(query, parameters, connection.reader, pending, replies)
            } else {
                let replies = RowReplies(call.untyped, numbersAsText: parameters.numbersAsText)
                (record, count) = try await read(query, parameters, connection.reader, pending, replies)
            }
            call.reply(.init(count: count, notes: connection.notes(and: record.notes), evaluated: .init(record)))
            await connection.learn(from: record.notes)
        }
    }

    private func read(
        _ query: TableQuery,
        _ parameters: DataAPI.ReadCall,
        _ reader: TableReader,
        _ pending: PendingOverlay?,
        _ replies: some CallRows
    ) async throws -> (ReadRecord, Int64) {
        guard let view = try TableView(parameters) else {
            return try await replies.send { try await reader.read(query, pending: pending, into: &$0) }
        }
        let fields = try await reader.extraFields(view, of: query, maximumBytes: Self.lookupMemory)
        return try await replies.send { rows in
            var extended = ExtraFieldRows(rows, fields)
            defer { rows = extended.consumer }
            return try await reader.read(fields.query, pending: pending, into: &extended)
        }
    }

    /// - Throws: `expectedMore` unless the caller takes several replies, or a stream.
    static func checkRows(_ call: VarlinkCall) throws(VarlinkError) {
        guard call.wantsMore || call.wantsUpgrade else { throw .expectedMore }
    }

    static func rule(_ decimal: String?) throws(VarlinkError) -> ArrowDecimals.Rule {
        guard let decimal else { return .declared }
        guard let rule = ArrowDecimals.Rule(parsing: decimal) else { throw .invalidParameter("decimal") }
        return rule
    }

    /// The fields of the table in the schema of the service; empty if they are not needed, or not shown.
    private static func declaredFields(_ parameters: DataAPI.ReadCall, _ reader: TableReader) async -> [SchemaField] {
        guard parameters.decimal == nil, let text = try? await reader.adapter.schema() else { return [] }
        return (try? DataSchema(parsing: text))?.table(parameters.table)?.fields ?? []
    }

    func readTables(_ call: TypedCall<DataAPI.ReadTablesCall>) async throws {
        guard call.untyped.wantsMore else { throw VarlinkError.expectedMore }
        let parameters = call.parameters
        guard !parameters.tables.isEmpty else { throw VarlinkError.invalidParameter("tables") }
        try await connected(to: parameters.server, call.untyped, reading: parameters.tables) { connection in
            var replies = RowReplies(call.untyped, numbersAsText: parameters.numbersAsText, namesTables: true)
            _ = try await connection.reader.read(whole: parameters.tables, into: &replies)
            let notes = connection.notes.map { DataAPI.Note($0) }
            call.reply(.init(count: replies.count, notes: notes.isEmpty ? nil : notes))
        }
    }

    func query(_ call: TypedCall<DataAPI.QueryCall>) async throws {
        try Self.checkRows(call.untyped)
        let parameters = call.parameters
        let tables = StatementNames.unaliased(in: parameters.sql)
        let rule = try Self.rule(parameters.decimal)
        try await connected(to: parameters.server, call.untyped, reading: tables) { connection in
            let (note, count): (ReadNote?, Int64)
            if call.untyped.wantsUpgrade {
                let replies = ArrowReplies(call.untyped, ArrowDecimals(rule))
                (note, count) = try await run(parameters, connection.reader, replies)
            } else {
                let replies = RowReplies(call.untyped, numbersAsText: parameters.numbersAsText)
                (note, count) = try await run(parameters, connection.reader, replies)
            }
            let (notes, steps) = (note.map { [$0] } ?? [], [ReadStep.sql.rawValue])
            call.reply(
                .init(
                    count: count,
                    notes: connection.notes(and: notes),
                    evaluated: .init(server: note == nil ? steps : [], here: note == nil ? [] : steps)
                )
            )
            await connection.learn(from: notes)
        }
    }

    private func run(
        _ parameters: DataAPI.QueryCall,
        _ reader: TableReader,
        _ replies: some CallRows
    ) async throws -> (ReadNote?, Int64) {
        let values = try (parameters.parameters ?? []).map { try DataParameter($0) }
        let limit = try Self.limit(parameters.limit)
        return try await replies.send { [statements] rows in
            try await withTaskExecutorPreference(statements) {
                try await reader.run(statement: parameters.sql, parameters: values, limit: limit, into: &rows).note
            }
        }
    }

    func count(_ call: TypedCall<DataAPI.CountCall>) async throws {
        let parameters = call.parameters
        try await connected(to: parameters.server, call.untyped, reading: [parameters.table]) { connection in
            var query = TableQuery(parameters.table)
            query.predicate = try parameters.where.map { try Expression(predicate: $0) }
            let record = try await connection.reader.count(query)
            call.reply(
                .init(
                    count: Int64(record.rowsKept),
                    notes: connection.notes(and: record.notes),
                    evaluated: DataAPI.Evaluated(record)
                )
            )
            await connection.learn(from: record.notes)
        }
    }

    func watch(_ call: TypedCall<DataAPI.WatchCall>) async throws {
        guard call.untyped.wantsMore else { throw VarlinkError.expectedMore }
        let parameters = call.parameters
        let every = parameters.everySeconds ?? 60
        guard (1...86_400).contains(every) else { throw VarlinkError.invalidParameter("everySeconds") }
        try await connected(to: parameters.server, call.untyped) { connection in
            var query = TableQuery(parameters.table)
            query.fields = parameters.fields ?? []
            query.predicate = try parameters.where.map { try Expression(predicate: $0) }
            var replies = WatchReplies(
                call.untyped,
                key: parameters.key,
                numbersAsText: parameters.numbersAsText ?? false,
                notes: connection.notes
            )
            while true {
                let start = ContinuousClock.now
                try await replies.start()
                do {
                    let record = try await connection.reader.read(query, into: &replies)
                    try await replies.finish()
                    await connection.learn(from: record.notes)
                } catch {
                    try await loop.sleep(for: try await replies.failed(error))
                    continue
                }
                try await loop.sleep(for: max(.zero, start + .seconds(every) - .now))
            }
        }
    }

    static func limit(_ limit: Int64?) throws(VarlinkError) -> Int? {
        guard let limit else { return nil }
        guard limit >= 0 else { throw .invalidParameter("limit") }
        return Int(limit)
    }
}

/// The connection of a call to a data service.
struct ServerConnection {
    /// The reader of the service's tables.
    private(set) var reader: TableReader
    /// The place of pending sets for this service.
    let place: PendingFilePlace
    /// The notes of every read on this connection.
    let notes: [ReadNote]
    fileprivate let known: KnownFeatures
    fileprivate let key: FeatureKey

    /// These notes, and those of one read.
    func notes(and more: [ReadNote]) -> [DataAPI.Note] { (notes + more).map { DataAPI.Note($0) } }

    /// Keeps what the notes of a read show of the server, for the rest of this call and for others.
    mutating func learn(from notes: [ReadNote]) async { await known.learn(from: notes, &reader, for: key) }
}

extension DataAPI.Table {
    fileprivate init(_ table: SchemaTable) {
        self.init(
            name: table.name,
            fields: table.fields.map { field in
                DataAPI.Field(
                    name: field.name,
                    type: field.type.shortName,
                    key: field.isInPrimaryKey,
                    required: field.isRequired
                )
            }
        )
    }
}
