// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

extension TableReader {
    /// Counts the rows of a query. Its fields and its order are ignored.
    ///
    /// DA SQL counts a whole table. Otherwise the rows are read with one column, of the primary key if it is known.
    ///
    /// - Parameter pending: changes that the rows shall have.
    /// - Returns: the number in `rowsKept`.
    package func count(_ query: TableQuery, pending: PendingOverlay? = nil) async throws -> ReadRecord {
        var reason = pending == nil ? reasonToCountHere(query) : .notInStatement
        if reason == nil {
            do {
                return try await countBySQL(query)
            } catch let error as DataAdapterError where error.isRefusal {
                reason = .refused
            }
        }
        let note = ReadNote(table: query.table, step: .count, reason: reason ?? .refused)
        if options.serverOnly { throw ReadError.notOnServer(note) }
        return try await countHere(query, pending, note)
    }

    /// Returns the plan with which `count` begins. Sends at most a request for the columns.
    package func countPlan(_ query: TableQuery) async throws -> ReadPlan {
        guard reasonToCountHere(query) != nil else {
            return ReadPlan(sending: Self.countRequest(query.table), limit: nil)
        }
        let head = try await head(of: query.table, parameters: query.parameters)
        return try await plan(Self.keys(of: query, head), columns: head.columns)
    }

    private func reasonToCountHere(_ query: TableQuery) -> ReadReason? {
        if options.isLocal { return .isLocal }
        guard query.predicate == nil, query.whereClause == nil, query.parameters.isEmpty else { return .notInStatement }
        return features.lacks(.daSQL) ? .lacks(.daSQL) : nil
    }

    private static func countRequest(_ table: String) -> TableRequest {
        let name = table.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        return TableRequest(table, .sql("SELECT COUNT(*) AS N FROM \"\(name)\""))
    }

    /// A query for one column of the same rows.
    private static func keys(of query: TableQuery, _ head: TableHead) -> TableQuery {
        var query = query
        let keys = zip(head.columns, head.schema?.fields ?? []).filter { $1.isInPrimaryKey }.map(\.0.name)
        query.fields = (keys.first ?? head.columns.first?.name).map { [$0] } ?? []
        query.order = []
        return query
    }

    private func countBySQL(_ query: TableQuery) async throws -> ReadRecord {
        let request = Self.countRequest(query.table)
        var record = ReadRecord(request, notes: [])
        for try await event in try await adapter.data([request], limits: limits) {
            guard case .rows(let rows) = event, let row = rows.first, row.count > 0 else { continue }
            record.rowsRead += rows.count
            switch row[0] {
            case .integer(let count): record.rowsKept = Int(count)
            case .unsigned(let count): record.rowsKept = Int(clamping: count)
            default: break
            }
        }
        guard record.rowsRead == 1 else { throw ReadError.missingTable(query.table) }
        return record
    }

    private func countHere(
        _ query: TableQuery,
        _ pending: PendingOverlay?,
        _ note: ReadNote
    ) async throws -> ReadRecord {
        let head = try await head(of: query.table, parameters: query.parameters)
        var counter = RowCounter(limit: options.maximumRows)
        let keys = Self.keys(of: query, head)
        let record = try await read(keys, columns: head.columns, pending: pending, into: &counter)
        var result = ReadRecord(record.request, notes: [note] + record.notes)
        (result.rowsRead, result.rowsKept) = (record.rowsRead, record.rowsKept)
        return result
    }
}

/// Ignores rows within a limit.
private struct RowCounter: RowConsumer {
    let limit: Int
    private var table = ""
    private var count = 0

    init(limit: Int) {
        self.limit = limit
    }

    mutating func begin(_ table: TableHead) throws { self.table = table.name }

    mutating func add(_ rows: DataRows, _ indices: [Int]?) throws {
        count += indices?.count ?? rows.count
        guard count <= limit else { throw ReadError.tooManyRows(table: table, limit: limit) }
    }

    mutating func finish() {}
}
