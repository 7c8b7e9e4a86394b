// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import LocalAPI

/// Reads one table: asks the server for what it can do, and does the rest here.
struct TableReading {
    let remote: RemoteDataAdapter

    /// Sends the rows of a query.
    ///
    /// - Returns: the steps that were done here.
    func read(_ query: TableQuery, into replies: inout RowReplies) async throws -> [ReadNote] {
        let columns = ReadPlan.needsColumns(query) ? try await self.columns(of: query) : []
        let plan = try ReadPlan(query, features: ServerFeatures(), columns: columns)
        guard plan.localOrder.isEmpty else {
            throw DataAPI.UnsupportedError(message: "the server sorts by one field only", feature: "sort")
        }
        replies.columns = plan.output
        var left = plan.limit ?? .max
        var residual: CompiledPredicate?
        for try await event in try await remote.data([plan.request]) {
            switch event {
            case .table(let head):
                residual = try plan.residual.map {
                    try CompiledPredicate($0, fields: PredicateFields(head.columns))
                }
                try await replies.begin(head)
            case .rows(let rows):
                let indices = Array((residual?.indices(in: rows) ?? Array(rows.indices)).prefix(left))
                left -= indices.count
                try await replies.add(rows, indices.count == rows.count ? nil : indices)
            }
            if left == 0 { break }
        }
        return plan.notes
    }

    private func columns(of query: TableQuery) async throws -> [DataColumn] {
        try await remote.table(TableRequest(query.table, rowLimit: 0, parameters: query.parameters)).columns
    }
}
