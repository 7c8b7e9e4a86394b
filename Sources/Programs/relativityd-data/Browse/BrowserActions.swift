// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import EventLoops
import Glibc
import LocalAPI
import NIOCore
import Platform
import TableBrowser

/// Carries out the actions of a `Browser` on a server. At most one runs at a time.
final class BrowserActions {
    /// The maximum number of rows of a table without --limit.
    static let mostRows = 1_000_000

    /// The server, with one adapter for all actions, whose connections are used again.
    private struct Server: Sendable {
        let runner: JobRunner
        let adapter: RemoteDataAdapter

        var reader: TableReader {
            var options = runner.readOptions
            // The user can cancel a reading.
            options.maximumRows = .max
            return TableReader(adapter, features: runner.knownFeatures(0), options: options)
        }
    }

    private let server: Server
    private let loop: any EventLoop
    private var task: Task<Void, Never>?

    /// - Parameter loop: for the work of actions, which may block. It is not that of the connections.
    init(_ runner: JobRunner, on loop: any EventLoop) throws {
        server = Server(runner: runner, adapter: try runner.adapter())
        self.loop = loop
    }

    /// Starts an action. Its event follows.
    func start(_ action: BrowserAction, _ results: BrowserResults) {
        let work: @Sendable () async -> Void = { [server] in await Self.run(action, server, results) }
        task = Task(executorPreference: LoopExecutor(loop), operation: work)
    }

    /// Cancels the running action.
    func cancel() { task?.cancel() }

    private static func run(_ action: BrowserAction, _ server: Server, _ results: BrowserResults) async {
        do {
            results.put(try await event(of: action, server, results))
        } catch {
            results.put(.failed(action, message: error is CancellationError ? "cancelled" : DataFailure(error).message))
        }
    }

    private static func event(
        of action: BrowserAction,
        _ server: Server,
        _ results: BrowserResults
    ) async throws -> BrowserEvent {
        let runner = server.runner
        switch action {
        case .readSchema:
            do {
                let schema = try await runner.schema(server.adapter)
                return .schema(schema, tables: schema.tables.map(\.name))
            } catch let error as DataAdapterError where error.isRefusal {
                return .schema(nil, tables: runner.job.tables)
            }
        case .load(let name, let predicate, let limit):
            var query = TableQuery(name)
            query.predicate = predicate
            let editor = TableEditor(server.reader)
            let (table, isCut) = try await editor.table(query, limit: limit ?? mostRows) { count, table in
                results.put(.arriving(rows: count, table))
            }
            return .loaded(table, isCut: isCut)
        case .apply(var changes, let isForced):
            let result = try await TableEditor(server.reader).apply(&changes, isForced: isForced)
            return .applied(changes, result)
        case .check(let changes):
            return .checked(try await TableEditor(server.reader).verdicts(on: changes))
        case .export(let path, let view, let fields, let replaces):
            let rows = try await export(view, fields, to: path, replaces: replaces)
            return rows.map { .exported(path: path, rows: $0) } ?? .exists(path: path)
        case .cancel, .end: preconditionFailure("the loop does these")
        }
    }

    // MARK: Export

    /// Writes rows to a file, whose name shows the format, as for the option `--to`.
    ///
    /// - Returns: the number of rows; nil if there is a file that is not replaced.
    private static func export(
        _ view: TableViewModel,
        _ fields: [String],
        to path: String,
        replaces: Bool
    ) async throws -> Int? {
        let place = try ResultPlace(path)
        if case .descriptor = place { throw PlatformError.notRegular(path: path, .descriptor) }
        if place.isTerminal { throw DataFailure(.usage, "\(Printable(path)) is a terminal") }
        if case .file(let file) = place, !replaces, access(file, F_OK) == 0 { return nil }
        var options = FormatOptions()
        options.columns = fields.isEmpty ? nil : fields
        var output = JobOutput()
        switch NamedFormat(of: path) {
        case .database:
            let table = view.table.name
            var file: any RowConsumer = try SQLiteExport(
                to: path,
                .new(replacesExisting: true),
                options,
                tables: [table]
            )
            return try await write(view, to: &file)
        case .rows(let named): output.format = named
        case .plain, .other: output.format = .table
        }
        var file = try ResultFile(replacing: path)
        var writer = try output.writer(to: OutputSink(file.descriptor), columns: options.columns)
        let count = try await write(view, to: &writer)
        try file.complete()
        return count
    }

    private static func write(_ view: TableViewModel, to consumer: inout any RowConsumer) async throws -> Int {
        let columns = view.table.fields.map(\.column)
        try await consumer.begin(TableHead(name: view.table.name, columns: columns, rowCount: view.count, schema: nil))
        var count = 0
        try await view.forEachBatch(first: view.count) { rows in
            count += rows.count
            try await consumer.add(rows, nil)
        }
        try await consumer.finish()
        return count
    }
}

extension JobRunner {
    /// What the user has chosen on the command line.
    ///
    /// - Throws: `PredicateError`, `ColorRuleError`; `JSONShapeError` without a server.
    func browserSettings() throws -> Browser.Settings {
        let server = try server()
        var settings = Browser.Settings(server: server.name)
        settings.table = job.tables.first
        settings.isReadOnly = job.browse.isReadOnly || server.refusesChanges
        settings.hasServerList = job.browse.hasServerList
        settings.note = job.browse.note
        settings.predicate = try job.rows.predicate.map { try Expression(predicate: $0) }
        settings.order = job.rows.order.map(FieldOrder.init(parsing:))
        settings.limit = job.rows.limit.map(Int.init)
        settings.colors = try job.browse.colors.map { rule throws(ColorRuleError) in try ColorRule(parsing: rule) }
        return settings
    }
}
