// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import Platform

/// Reads tables of one server. If the server refuses a request, a simpler one follows, and the rest is done here.
///
/// All methods throw `ReadError`, `PredicateError`, `DataAdapterError`, `TableError`, `WhereError`, `GrowthError`,
/// `CancellationError`,
/// `PlatformError` of the temporary file, and the errors of the consumer.
package struct TableReader: Sendable {
    /// The connection.
    package let adapter: RemoteDataAdapter
    /// The known features of the server.
    package var features: ServerFeatures
    /// The user's rules.
    package var options: ReadOptions
    /// The directory for the temporary file of a sort that does not fit into memory.
    package var temporaryDirectory: String
    /// The bytes of rows that are sorted in memory; more are sorted in the temporary file. Of a statement that runs here,
    /// as many bytes of its tables are in memory.
    package var sortMemory = 32 << 20
    /// The limits of replies. A row with extra fields, and one that a statement makes here, has the same limit.
    package var limits = TableLimits.streaming

    /// Creates a reader.
    package init(
        _ adapter: RemoteDataAdapter,
        features: ServerFeatures = ServerFeatures(),
        options: ReadOptions = ReadOptions()
    ) {
        self.adapter = adapter
        self.features = features
        self.options = options
        temporaryDirectory = TemporaryFiles.directory
    }

    /// Returns the head of a table: its columns and its schema. Reads no rows, and works without access to the schema
    /// of the service.
    package func head(of table: String, parameters: [DataParameter] = []) async throws -> TableHead {
        let request = TableRequest(table, rowLimit: 0, parameters: parameters)
        var found: TableHead?
        reply: for try await event in try await adapter.data([request], limits: limits) {
            switch event {
            case .table(let head): found = head
            // The server ignores the limit. Otherwise the reply is read to its end, which names the table.
            case .rows: break reply
            }
        }
        guard let found else { throw ReadError.missingTable(table) }
        return found
    }

    /// Whether a table has rows. A server may ignore the limit of the request, so the reply is not read further than to
    /// the first row.
    func hasRows(_ table: String) async throws -> Bool {
        for try await event in try await adapter.data([TableRequest(table, rowLimit: 1)], limits: limits) {
            if case .rows(let rows) = event, !rows.isEmpty { return true }
        }
        return false
    }

    /// Returns the plan for a query, as `read` begins with it. Sends at most a request for the columns.
    package func plan(_ query: TableQuery, columns: [DataColumn]? = nil) async throws -> ReadPlan {
        try ReadPlan(query, features: features, columns: try await known(columns, query), options: options)
    }

    private func known(_ columns: [DataColumn]?, _ query: TableQuery) async throws -> [DataColumn] {
        if let columns { return columns }
        guard ReadPlan.needsColumns(query) else { return [] }
        return try await head(of: query.table, parameters: query.parameters).columns
    }

    /// Reads a table into a consumer, which is not finished, so that more tables may follow.
    ///
    /// The consumer receives the columns of the result only. The number of rows in its head is exact unless rows are
    /// filtered here; then it is an upper bound.
    ///
    /// - Parameters:
    ///   - columns: all columns of the table, if they are known.
    ///   - pending: changes that the rows shall have.
    package func read(
        _ query: TableQuery,
        columns: [DataColumn]? = nil,
        pending: PendingOverlay? = nil,
        into consumer: inout some RowConsumer
    ) async throws -> ReadRecord {
        var run = try await begin(query, columns: try await known(columns, query), pending: pending)
        return try await run.read(into: &consumer)
    }

    /// Reads all rows of several tables in one call, which servers answer in one transaction. The consumer is not
    /// finished.
    ///
    /// - Returns: the number of rows of each table.
    package func read(whole tables: [String], into consumer: inout some RowConsumer) async throws -> [Int] {
        let reply = try await adapter.data(tables.map { TableRequest($0) }, limits: limits)
        var counts: [Int] = []
        for try await event in reply {
            switch event {
            case .table(let head):
                counts.append(0)
                try await consumer.begin(head)
            case .rows(let rows):
                counts[counts.count - 1] += rows.count
                try await consumer.add(rows, nil)
            }
            consumer.received(reply.progress)
        }
        guard counts.count == tables.count else { throw ReadError.missingTable(tables[counts.count]) }
        return counts
    }

    /// Sends the request for a query, or the next simpler one.
    func begin(
        _ query: TableQuery,
        columns: [DataColumn],
        page: PageRule? = nil,
        pending: PendingOverlay? = nil
    ) async throws -> ReadRun {
        var refused: Set<ReadStep> = []
        var refusal: (any Error)?
        while true {
            let plan = try ReadPlan(
                query,
                features: features,
                columns: columns,
                options: options,
                refused: refused,
                page: page,
                pending: pending
            )
            let reply: TableReply
            do {
                reply = try await adapter.data([plan.request], limits: limits)
            } catch let error as DataAdapterError where error.isRefusal {
                guard let step = Self.simplified(plan, query, columns) else { throw refusal ?? error }
                refusal = refusal ?? error
                refused.insert(step)
                continue
            }
            let merge = pending.map { PendingMerge($0, query.predicate) }
            return ReadRun(plan, reply, key: page == nil ? nil : query.order.first?.field, merge: merge, self)
        }
    }

    /// Returns the step that the next request leaves out; nil if the server has refused a plain request, or if the user
    /// named a field that does not exist: the words of the server explain that best.
    private static func simplified(_ plan: ReadPlan, _ query: TableQuery, _ columns: [DataColumn]) -> ReadStep? {
        guard case .dynamic(let selection) = plan.request.selection, query.whereClause == nil else { return nil }
        let names = FieldNames(query.table, columns)
        let used = query.fields + query.order.map(\.field)
        guard used.allSatisfy({ (try? names.index(of: $0)) != nil }) else { return nil }
        if selection.condition != nil { return .filter }
        if !selection.fields.isEmpty { return .select }
        return selection.order == nil ? nil : .sort
    }
}

/// The execution of one plan.
struct ReadRun {
    /// The bytes of a reply that are read after the last row of the result, because only the end of a reply names its table.
    private static let smallRest = 1 << 20

    let plan: ReadPlan
    private let reply: TableReply
    /// The field whose last value is recorded; nil for none.
    private let key: String?
    private let temporaryDirectory: String
    private let sortMemory: Int
    private let temporaryBytes: Int
    private let rowLimit: Int
    private(set) var record: ReadRecord
    /// Whether the reply was read to its end.
    private(set) var isComplete = false
    /// The value of `key` in the last row of the result, or in the last row read if the limit was not reached.
    private(set) var lastKey: DataValue?
    private var keyColumn: Int?
    private var predicate: CompiledPredicate?
    /// The columns of the primary key, for errors.
    private var keyColumns: [(column: DataColumn, index: Int)] = []
    /// The columns of the reply that the consumer receives; nil for all.
    private var selected: [Int]?
    private var sorter: RowSorter?
    private var merge: PendingMerge?

    init(
        _ plan: ReadPlan,
        _ reply: TableReply,
        key: String? = nil,
        merge: PendingMerge? = nil,
        _ reader: TableReader
    ) {
        self.plan = plan
        self.reply = reply
        self.key = key
        self.merge = merge
        temporaryDirectory = reader.temporaryDirectory
        sortMemory = reader.sortMemory
        temporaryBytes = reader.options.temporaryBytes
        rowLimit = reader.limits.row
        record = ReadRecord(plan.request, notes: plan.notes)
    }

    mutating func read(into consumer: inout some RowConsumer) async throws -> ReadRecord {
        var (hasBegun, isFull) = (false, false)
        for try await event in reply {
            switch event {
            case .rows where isFull: continue
            case .table(let head):
                guard !hasBegun else { throw ReadError.missingTable(plan.request.table) }
                hasBegun = true
                try await consumer.begin(try prepare(head))
            case .rows(let rows): try await add(rows, to: &consumer)
            }
            consumer.received(reply.progress)
            guard sorter == nil, let limit = plan.limit, hasBegun, record.rowsKept >= limit else { continue }
            isFull = true
            guard endsSoon else { return record }
        }
        guard hasBegun else { throw ReadError.missingTable(plan.request.table) }
        isComplete = !isFull
        if !isFull, let rows = try merge?.rows() { try await add(merged: rows, to: &consumer) }
        while let rows = try sorter?.next() { try await give(rows, nil, to: &consumer) }
        return record
    }

    /// Whether little follows the rows of the result: the server was asked for these rows only, or has little left to
    /// send.
    private var endsSoon: Bool {
        let progress = reply.progress
        return plan.request.rowLimit != nil
            || progress.bytesExpected.map { $0 - progress.bytesReceived <= Self.smallRest } ?? false
    }

    private mutating func prepare(_ head: TableHead) throws -> TableHead {
        let names = FieldNames(plan.request.table, head.columns)
        predicate = try plan.residual.map { try CompiledPredicate($0, fields: head.columns) }
        try merge?.prepare(head.columns, names)
        keyColumn = try key.map(names.required)
        let order = try plan.localOrder.map { SortColumn(try names.required($0.field), isDescending: $0.isDescending) }
        if !order.isEmpty {
            sorter = RowSorter(
                head.columns,
                by: order,
                limit: plan.limit,
                memory: sortMemory,
                temporary: temporaryBytes,
                directory: temporaryDirectory
            )
        }
        if plan.limit == nil || sorter != nil { try check(rowCount: head.rowCount) }
        let selected = try plan.output?.map(names.required) ?? Array(head.columns.indices)
        let isWhole = selected == Array(head.columns.indices)
        self.selected = isWhole ? nil : selected
        let entries = head.schema.flatMap { $0.fields.count == head.columns.count ? $0.fields : nil }
        keyColumns = head.keyColumns
        let schema = try entries.map { entries in try TableSchema(fields: selected.map { entries[$0] }) }
        return TableHead(
            name: head.name,
            columns: selected.map { head.columns[$0] },
            rowCount: min(head.rowCount, plan.limit ?? .max),
            schema: isWhole ? head.schema : schema
        )
    }

    private mutating func add(_ rows: DataRows, to consumer: inout some RowConsumer) async throws {
        record.rowsRead += rows.count
        try check(rowCount: record.rowsRead)
        let found = try selection(of: rows)
        let indices = merge?.visible(found, of: rows) ?? found
        try await add(merged: rows, indices, to: &consumer)
    }

    private mutating func add(
        merged rows: DataRows,
        _ indices: [Int]? = nil,
        to consumer: inout some RowConsumer
    ) async throws {
        if let sorter {
            try sorter.add(rows, indices)
        } else {
            try await give(rows, indices, to: &consumer)
        }
    }

    /// The rows that satisfy the predicate; nil for all.
    private func selection(of rows: DataRows) throws(PredicateError) -> [Int]? {
        do throws(PredicateError) {
            return try predicate?.indices(in: rows)
        } catch {
            guard case .unreadable(let cell) = error, case .number(let number) = cell.row else { throw error }
            guard !keyColumns.isEmpty else { throw error.inRow(.number(record.rowsRead - rows.count + number)) }
            let values = keyColumns.map { rows[number - 1][$0.index] }
            throw error.inRow(UnreadableCell.Row(keyColumns.map(\.column), values))
        }
    }

    private mutating func give(
        _ rows: DataRows,
        _ indices: [Int]?,
        to consumer: inout some RowConsumer
    ) async throws {
        var indices = indices
        let count = indices?.count ?? rows.count
        let free = (plan.limit ?? .max) - record.rowsKept
        if count > free { indices = Array((indices ?? Array(rows.indices)).prefix(free)) }
        record.rowsKept += min(count, free)
        if let keyColumn, let last = count >= free ? indices?.last ?? rows.indices.last : rows.indices.last {
            lastKey = rows[last][keyColumn]
        }
        if indices?.isEmpty == true || rows.isEmpty { return }
        try await consumer.add(rows, indices, selecting: selected, rowLimit: rowLimit)
    }

    private func check(rowCount: Int) throws(ReadError) {
        guard let limit = plan.maximumRows, rowCount > limit else { return }
        throw .tooManyRows(table: plan.request.table, limit: limit)
    }
}

extension TableHead {
    /// The columns of the primary key, with their places; empty without a schema.
    var keyColumns: [(column: DataColumn, index: Int)] {
        guard let fields = schema?.fields, fields.count == columns.count else { return [] }
        return columns.indices.filter { fields[$0].isInPrimaryKey }.map { (columns[$0], $0) }
    }
}
