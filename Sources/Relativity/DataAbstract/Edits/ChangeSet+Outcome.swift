// SPDX-License-Identifier: Apache-2.0

/// A change of unknown outcome, compared with the rows that the server has now.
public struct OutcomeVerdict: Hashable, Sendable {
    /// The probable outcome.
    public enum Verdict: UInt8, Sendable, CaseIterable {
        /// The server's row has the new values, or the removed row does not exist. Of a new row without a key there is
        /// a row with its values, which another client may have inserted too.
        case applied
        /// The server's row has the old values, or there is no such new row.
        case notApplied
        /// The server's row has other values.
        case unclear
    }

    /// The change.
    public let row: ChangedRow
    /// The probable outcome.
    public let verdict: Verdict
    /// The server's rows that match the change, with one value for each field. Fields that deltas do not include are
    /// NULL.
    public let matches: [[DataValue]]
}

/// An apply whose outcome is unknown. Nothing is sent again before the user has decided, because a server would insert
/// a row twice.
extension ChangeSet {
    /// The rows of the call whose outcome is unknown.
    public var undecidedRows: [ChangedRow] {
        if case .unknownOutcome(let rows) = phase { rows } else { [] }
    }

    /// The rows to read to find out what the server did: a request for each undecided row, except for rows of which
    /// nothing is known but keys that the server assigns.
    public var outcomeRequests: [RowRequest] { undecidedRows.compactMap(outcomeRequest) }

    /// Compares undecided rows with those that were read, one reading for each request. A reading may have more rows
    /// than the request asks for.
    ///
    /// - Returns: a verdict for each undecided row; nil if the readings do not belong to the requests, or lack fields of
    ///   the table.
    public func verdicts(_ readings: [RowReading]) -> [OutcomeVerdict]? {
        var rest = readings[...]
        var verdicts: [OutcomeVerdict] = []
        for row in undecidedRows {
            guard let table = table(row.table), let request = outcomeRequest(for: row) else {
                verdicts.append(OutcomeVerdict(row: row, verdict: .unclear, matches: []))
                continue
            }
            guard let reading = rest.popFirst(), let found = table.logged(reading) else { return nil }
            let matches = table.rows(found, matching: request)
            let verdict = table.verdict(on: row.row, matches, temporary: temporaryColumns(of: row))
            verdicts.append(OutcomeVerdict(row: row, verdict: verdict, matches: matches))
        }
        return rest.isEmpty ? verdicts : nil
    }

    private func outcomeRequest(for row: ChangedRow) -> RowRequest? {
        table(row.table)?.outcomeRequest(for: row.row, temporary: temporaryColumns(of: row))
    }

    /// The columns of a row whose values only this client knows.
    private func temporaryColumns(of row: ChangedRow) -> Set<Int> {
        guard let table = table(row.table), let values = table.kept[row.row]?.new else { return [] }
        let own = values.indices.filter { table.fields[$0].isAutoInc && table.isTemporaryKey(values[$0]) }
        return Set(own + temporaryReferences(of: row.row, in: table).map(\.column))
    }

    /// Makes all undecided changes pending again, so that the next apply sends them.
    public mutating func retry() {
        if case .unknownOutcome = phase { phase = .idle }
    }

    /// Regards undecided changes as applied. Refresh their tables to read keys and values that the server made.
    public mutating func settle(_ rows: [ChangedRow]) {
        decide(rows) { $0.accept($1) }
    }

    /// Drops undecided changes. Refresh their tables, because the server may have applied them.
    public mutating func drop(_ rows: [ChangedRow]) {
        decide(rows) { $0.drop($1) }
    }

    private mutating func decide(_ rows: [ChangedRow], _ body: (inout EditableTable, RowID) -> Void) {
        guard case .unknownOutcome(let undecided) = phase else { return }
        var rest = Set(undecided)
        for row in rows {
            guard let index = index(of: row.table), rest.remove(row) != nil else { continue }
            body(&tables[index], row.row)
        }
        leaveUndecided(undecided.filter(rest.contains))
    }

    /// Decides the changes that are no longer pending, because a refresh has found them made.
    mutating func decideMerged() {
        guard case .unknownOutcome(let undecided) = phase else { return }
        leaveUndecided(undecided.filter { table($0.table)?.kept[$0.row]?.isPending == true })
    }

    private mutating func leaveUndecided(_ rows: [ChangedRow]) {
        phase = rows.isEmpty ? .idle : .unknownOutcome(rows)
    }
}

extension EditableTable {
    /// Asks for the row of a change by its key. A new row whose key is not known is found by its values. Nil if there
    /// is no value to ask for.
    fileprivate func outcomeRequest(for id: RowID, temporary: Set<Int>) -> RowRequest? {
        guard let row = kept[id], row.isPending else { return nil }
        guard row.state == .inserted, layout.key.isEmpty || !temporary.isDisjoint(with: layout.key) else {
            let values = [row.old, row.new].map { row in layout.key.map { row[$0] } }
            return request(layout.key, layout.key(of: row.old) == layout.key(of: row.new) ? [values[0]] : values)
        }
        let columns = layout.logged.filter { column in
            fields[column].type.isExact && layout.isSettable[column] && !temporary.contains(column)
                && !row.new[column].isNull
        }
        return columns.isEmpty ? nil : request(columns, [columns.map { row.new[$0] }])
    }

    /// Servers may compare texts without regard to case, so the rows are compared again.
    fileprivate func rows(_ rows: [[DataValue]], matching request: RowRequest) -> [[DataValue]] {
        let columns = request.fields.compactMap { try? layout.column($0.name) }
        return rows.filter { row in
            request.values.contains { values in
                zip(columns, values).allSatisfy { layout.isSame($0, row[$0], $1) }
            }
        }
    }

    private func request(_ columns: [Int], _ values: [[DataValue]]) -> RowRequest {
        RowRequest(table: name, fields: columns.map { fields[$0].column }, values: values)
    }

    fileprivate func verdict(
        on id: RowID,
        _ matches: [[DataValue]],
        temporary: Set<Int>
    ) -> OutcomeVerdict.Verdict {
        guard let row = kept[id] else { return .unclear }
        switch row.state {
        case .inserted:
            if matches.isEmpty { return .notApplied }
            // Read-only fields have values that the server made, as may those that are NULL here.
            let columns = layout.logged.filter { column in
                layout.isSettable[column] && !temporary.contains(column) && !row.new[column].isNull
            }
            let isSame = matches.contains { match in
                columns.allSatisfy { layout.isSame($0, match[$0], row.new[$0]) }
            }
            return isSame ? .applied : .unclear
        case .removed:
            guard let match = matches.first else { return .applied }
            return layout.isSame(match, row.old) ? .notApplied : .unclear
        case .unchanged, .updated:
            if matches.contains(where: { layout.isSame($0, row.old) }) { return .notApplied }
            let columns = layout.logged.filter { layout.isSettable[$0] }
            let isApplied = matches.contains { match in
                columns.allSatisfy { layout.isSame($0, match[$0], row.new[$0]) }
            }
            return isApplied ? .applied : .unclear
        }
    }

    /// Regards a pending change as applied, with the values that it has here.
    mutating func accept(_ id: RowID) {
        guard var row = kept[id], row.isPending else { return }
        if row.state == .removed {
            row.isGone = true
        } else {
            (row.state, row.old, row.failure, row.isMissing) = (.unchanged, row.new, nil, false)
        }
        keep(row, at: id)
    }
}

extension DataType {
    /// Whether a server compares values of the type without rounding, and permits it.
    fileprivate var isExact: Bool {
        switch self {
        case .string, .fixedChar, .wideString, .fixedWideChar, .guid, .boolean, .autoInc, .integer, .largeInt,
            .largeAutoInc, .byte, .shortInt, .word, .smallInt, .cardinal, .largeUInt, .currency, .decimal:
            true
        case .unknown, .float, .singleFloat, .dateTime, .memo, .wideMemo, .blob, .xml, .cursor: false
        }
    }
}
