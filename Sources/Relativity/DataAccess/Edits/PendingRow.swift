// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// A pending change of a row, with the values of both sides.
package struct PendingRow: Hashable, Sendable {
    /// A field of a change.
    package struct Field: Hashable, Sendable {
        /// The name.
        package let name: String
        /// The type.
        package let type: DataType
        /// The value that the server has, as far as known; nil for a new row.
        package let old: DataValue?
        /// The value after the change; nil for a removed row.
        package let new: DataValue?
    }

    /// A field of the key.
    package struct KeyField: Hashable, Sendable {
        /// The name.
        package let name: String
        /// The type.
        package let type: DataType
        /// The value by which the server knows the row; of a new row its new value, which may be a temporary key.
        package let value: DataValue
    }

    /// The row.
    package let row: ChangedRow
    /// Inserted, updated or removed; unchanged if nothing is pending.
    package let state: RowState
    /// The key; empty if the table has none.
    package let key: [KeyField]
    /// The fields that the change sets to other values; of a removed row all that are not NULL.
    package let fields: [Field]
    /// The server's reason why it rejected the change; untrusted text.
    package let failure: String?
}

extension ChangeSet {
    /// Describes the pending change of a row; nil if the set has no such row.
    package func pendingRow(_ changed: ChangedRow) -> PendingRow? {
        guard let table = table(changed.table), let row = table.row(changed.row) else { return nil }
        let (fields, new) = (table.fields, row.values)
        let old = fields.map { (try? row.oldValue($0.name)) ?? .null }
        let changes = Set(row.changedFields)
        return PendingRow(
            row: changed,
            state: row.state,
            key: fields.indices.filter { fields[$0].isInPrimaryKey }
                .map { index in
                    let value = row.state == .inserted ? new[index] : old[index]
                    return .init(name: fields[index].name, type: fields[index].type, value: value)
                },
            fields: fields.indices.compactMap { index in
                let field = fields[index]
                if row.state == .removed {
                    guard !old[index].isNull else { return nil }
                    return .init(name: field.name, type: field.type, old: old[index], new: nil)
                }
                guard changes.contains(field.name) else { return nil }
                let before = row.state == .inserted ? nil : old[index]
                return .init(name: field.name, type: field.type, old: before, new: new[index])
            },
            failure: row.failure
        )
    }

    /// The pending changes, in the order in which they are sent.
    package var pendingRows: [PendingRow] { changedRows.compactMap(pendingRow) }
}

/// The outcome of the change of a row.
package enum RowOutcome: Hashable, Sendable {
    case accepted
    /// The server rejected the change, with this message; untrusted text. It stays pending.
    case rejected(String)
    /// The change was not sent, because the server's row is not the one that was read. It stays pending.
    case conflict(EditConflict)
    /// The change was sent, and there is no reply. The server may have applied it.
    case unknown
    /// The change was not sent, or not processed by the server. It stays pending.
    case pending
}

/// The outcome of an apply, row by row.
package struct EditResult: Sendable {
    /// A row with its outcome.
    package struct Row: Hashable, Sendable {
        /// The change. An accepted new row has the key that the server made, if it reported it.
        package let change: PendingRow
        /// The outcome.
        package let outcome: RowOutcome
    }

    /// The rows that were pending, in the order in which they are sent.
    package let rows: [Row]
    /// Facts, in the order in which they were found.
    package let notes: [ApplyNote]
    /// The reason why the apply ended early; nil if all calls were made.
    package let failure: ApplyFailure?

    /// Whether all changes were accepted.
    package var isComplete: Bool { failure == nil && rows.allSatisfy { $0.outcome == .accepted } }

    /// Creates the outcome of an apply.
    ///
    /// - Parameters:
    ///   - before: the pending changes before the apply.
    ///   - changes: the set after it.
    package init(_ report: ApplyReport, _ before: [PendingRow], _ changes: ChangeSet) {
        var outcomes: [ChangedRow: RowOutcome] = [:]
        for row in changes.undecidedRows { outcomes[row] = .unknown }
        for row in report.accepted { outcomes[row] = .accepted }
        for row in report.failed {
            outcomes[row] = .rejected(changes.table(row.table)?.row(row.row)?.failure ?? "")
        }
        for conflict in report.conflicts {
            outcomes[ChangedRow(conflict.table, conflict.row)] = .conflict(conflict)
        }
        rows = before.map { row in
            let outcome = outcomes[row.row] ?? .pending
            return Row(change: outcome == .accepted ? row.accepted(in: changes) : row, outcome: outcome)
        }
        (notes, failure) = (report.notes, report.failure)
    }
}

extension PendingRow {
    /// The change with the key that the server made.
    fileprivate func accepted(in changes: ChangeSet) -> PendingRow {
        guard state == .inserted, let key = changes.pendingRow(row)?.key else { return self }
        return PendingRow(row: row, state: state, key: key, fields: fields, failure: failure)
    }
}
