// SPDX-License-Identifier: Apache-2.0

import Platform

/// New rows of one table, as a delta with the form and the rules of `EditableTable`, which are not held as values.
///
/// The number of a row counts from 0.
package struct NewRows: Sendable {
    /// The outcome of a row.
    package enum Outcome: Hashable, Sendable {
        case accepted
        /// With the server's reason; untrusted text.
        case rejected(String)
        case notProcessed
    }

    private let layout: TableLayout
    private let automatic: [Int]
    private var keys: Set<RowKey> = []
    private var nextTemporaryKey: Int64 = -1
    /// The delta.
    package private(set) var delta: Delta

    /// Starts without rows.
    package init(of table: EditableTable) {
        layout = table.layout
        automatic = table.fields.indices.filter { table.fields[$0].isAutoInc }
        delta = table.emptyDelta
    }

    /// The number of rows.
    package var count: Int { delta.changes.count }

    /// Appends a row. Other fields have their default or NULL, or a temporary key.
    ///
    /// - Parameter values: each column once.
    /// - Returns: false if the row needs an `EditableTable`: another new row has its key or may have it, or the delta is too
    ///   long.
    /// - Throws: `unfit`, `tooLong`, `readOnly`, `required`.
    package mutating func append(_ values: [(column: Int, value: DataValue)]) throws(EditError) -> Bool {
        var row = layout.initialValues
        for column in automatic {
            row[column] = .integer(nextTemporaryKey)
            nextTemporaryKey -= 1
        }
        try layout.assign(values, to: &row)
        try layout.checkRequired(row)
        guard hasOwnKey(row, values) else { return false }
        let logged = layout.logged.count == row.count ? row : layout.logged.map { row[$0] }
        return (try? delta.insert(recordID: Int32(truncatingIfNeeded: count), logged)) != nil
    }

    /// The outcome of each row after a reply to UpdateData. A row that the reply does not mention is accepted.
    package func outcomes(_ reply: DeltaStream) -> [Outcome] {
        var outcomes = [Outcome](repeating: .accepted, count: count)
        let answer = reply.deltas.first { NameMatch.isSimilar($0.name, delta.name) }
        for change in answer?.changes ?? DeltaChanges([]) where outcomes.indices.contains(Int(change.recordID)) {
            switch change.status {
            case .resolved: outcomes[Int(change.recordID)] = .accepted
            case .failed: outcomes[Int(change.recordID)] = .rejected(change.message)
            case .pending: outcomes[Int(change.recordID)] = .notProcessed
            }
        }
        return outcomes
    }

    private mutating func hasOwnKey(_ row: [DataValue], _ values: [(column: Int, value: DataValue)]) -> Bool {
        for (column, value) in values where automatic.contains(column) {
            // It may be the temporary key of another row.
            if case .integer(let number) = value, number < 0 { return false }
        }
        let isTemporary = layout.key.contains { key in
            automatic.contains(key) && !values.contains { $0.column == key }
        }
        guard !isTemporary, let key = layout.key(of: row) else { return true }
        return keys.insert(key).inserted
    }
}
