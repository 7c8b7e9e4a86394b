// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// A server of tables in memory, which finds rows by key as real servers do.
package struct ModelServer: Sendable {
    /// A table.
    package struct Table: Sendable {
        package var name: String
        package var fields: [EditableField]
        package var rows: [[DataValue]]
        /// The next value of an AutoInc field.
        package var nextKey: Int64

        package init(_ name: String, _ fields: [EditableField], _ rows: [[DataValue]], nextKey: Int64 = 1000) {
            (self.name, self.fields, self.rows, self.nextKey) = (name, fields, rows, nextKey)
        }

        package var columns: [DataColumn] { fields.map { DataColumn($0.name, $0.type) } }

        /// The rows in the form in which a client reads them.
        package func encodedRows(_ rows: [[DataValue]]? = nil) throws -> [DataRows] {
            var table = try DataTable(name: name, columns: columns)
            for row in rows ?? self.rows { try table.append(row) }
            return [table.rows]
        }

        fileprivate func key(_ row: [DataValue]) -> [DataValue] {
            fields.indices.filter { fields[$0].isInPrimaryKey }.map { row[$0] }
        }
    }

    /// The result of a change in the reply.
    package enum Answer: Sendable, CaseIterable {
        case resolved
        case failed
        case notProcessed
        /// Done, and not in the reply.
        case absent
    }

    package var tables: [Table]
    /// The relationships of the schema.
    package var relationships: [KeyReference]
    /// The results of the next changes; afterwards all are resolved.
    package var answers: [Answer] = []
    /// The number of calls of UpdateData.
    package private(set) var calls = 0

    package init(_ tables: [Table], relationships: [KeyReference] = []) {
        self.tables = tables
        self.relationships = relationships
    }

    /// Applies deltas in their order and returns the reply to UpdateData.
    package mutating func update(_ stream: DeltaStream) throws -> DeltaStream {
        calls += 1
        var reply = DeltaStream()
        // Real keys by table, field and temporary key.
        var keys: [String: [Int64: DataValue]] = [:]
        for delta in stream.deltas {
            guard let index = tables.firstIndex(where: { $0.name == delta.name }) else {
                throw RunFailure("no table \(delta.name)")
            }
            var answer = Delta(name: delta.name, fields: delta.fields, keys: delta.keys)
            for change in delta.changes {
                let wanted = answers.isEmpty ? .resolved : answers.removeFirst()
                guard wanted == .resolved || wanted == .absent else {
                    let status: DeltaChange.Status = wanted == .failed ? .failed : .pending
                    try append(change, to: &answer, new: Array(change.new), status, "rejected")
                    continue
                }
                let names = delta.fields.map(\.name)
                if let new = apply(change, names, to: index, &keys) {
                    if wanted == .resolved { try append(change, to: &answer, new: new, .resolved, "") }
                } else {
                    try append(change, to: &answer, new: Array(change.new), .failed, "no such row, or a key twice")
                }
            }
            reply.deltas.append(answer)
        }
        return reply
    }

    private func append(
        _ change: DeltaChange,
        to delta: inout Delta,
        new: [DataValue],
        _ status: DeltaChange.Status,
        _ message: String
    ) throws {
        let old = Array(change.old)
        try delta.append(
            change.kind,
            recordID: change.recordID,
            old: old,
            new: new,
            status: status,
            message: message
        )
    }

    /// Returns the new values as the server has them; nil if the change is impossible.
    private mutating func apply(
        _ change: DeltaChange,
        _ names: [String],
        to index: Int,
        _ keys: inout [String: [Int64: DataValue]]
    ) -> [DataValue]? {
        let table = tables[index]
        let columns = names.compactMap { name in table.fields.firstIndex { $0.name == name } }
        var row = [DataValue](repeating: .null, count: table.fields.count)
        let isOther = change.kind == .insert
        for (column, value) in zip(columns, isOther ? change.new : change.old) { row[column] = value }
        let place = table.rows.firstIndex { table.key($0) == table.key(row) }
        switch change.kind {
        case .delete:
            guard let place else { return nil }
            tables[index].rows.remove(at: place)
            return Array(change.new)
        case .update:
            guard let place else { return nil }
            row = table.rows[place]
            for (column, value) in zip(columns, change.new) { row[column] = value }
            replace(&row, of: table, keys)
            let taken = table.rows.firstIndex { table.key($0) == table.key(row) }
            guard taken == nil || taken == place else { return nil }
            tables[index].rows[place] = row
        case .insert:
            for (column, field) in table.fields.enumerated() where field.isAutoInc {
                guard case .integer(let temporary) = row[column], temporary < 0 else { continue }
                row[column] = .integer(tables[index].nextKey)
                keys["\(table.name).\(field.name)", default: [:]][temporary] = row[column]
                tables[index].nextKey += 1
            }
            replace(&row, of: table, keys)
            guard !table.rows.contains(where: { table.key($0) == table.key(row) }) else { return nil }
            tables[index].rows.append(row)
        }
        return columns.map { row[$0] }
    }

    private func replace(_ row: inout [DataValue], of table: Table, _ keys: [String: [Int64: DataValue]]) {
        for reference in relationships where reference.detail == table.name {
            for (field, masterField) in reference.fields {
                guard let column = table.fields.firstIndex(where: { $0.name == field }),
                    case .integer(let number) = row[column],
                    let real = keys["\(reference.master).\(masterField)"]?[number]
                else { continue }
                row[column] = real
            }
        }
    }

    /// Reads rows.
    package func read(_ request: RowRequest) throws -> RowReading {
        guard let table = tables.first(where: { $0.name == request.table }) else {
            throw RunFailure("no table \(request.table)")
        }
        let columns = request.fields.compactMap { field in table.fields.firstIndex { $0.name == field.name } }
        let rows = table.rows.filter { row in request.values.contains(columns.map { row[$0] }) }
        return RowReading(columns: table.columns, rows: try table.encodedRows(rows))
    }

    /// Runs an apply to its end. No effect fails.
    package mutating func run(
        _ set: inout ChangeSet,
        isForced: Bool = false,
        isWhole: Bool = false,
        isMerging: Bool = false
    ) throws -> ApplyReport {
        var effect = try set.beginApply(isForced: isForced, isWhole: isWhole, isMerging: isMerging)
        while true {
            switch effect {
            case .read(let requests): effect = try set.rowsRead(requests.map { try read($0) })
            case .send(let deltas): effect = try set.replied(update(deltas))
            case .finished(let report): return report
            }
        }
    }
}
