// SPDX-License-Identifier: Apache-2.0

import DataAbstract

/// Makes pending changes in the rows of a reply: hides the rows that they change or remove, and has those that they change
/// or add.
struct PendingMerge {
    private let overlay: PendingOverlay
    private let predicate: Expression?
    private var columns: [DataColumn] = []
    private var condition: CompiledPredicate?
    /// The places of the fields of the key in the reply.
    private var key: [Int] = []
    /// The places of the columns of the reply in the changed rows.
    private var places: [Int] = []

    /// - Parameter predicate: the condition for rows; nil for all.
    init(_ overlay: PendingOverlay, _ predicate: Expression?) {
        (self.overlay, self.predicate) = (overlay, predicate)
    }

    /// Takes the columns of the reply.
    ///
    /// - Throws: `ReadError.unknownField`, `.ambiguousField`; `PredicateError`.
    mutating func prepare(_ columns: [DataColumn], _ names: FieldNames) throws {
        self.columns = columns
        key = try overlay.keyNames.map(names.required)
        places = try columns.map { column in
            guard let place = overlay.names.firstIndex(of: column.name) else { throw names.unknown(column.name) }
            return place
        }
        condition = try predicate.map { try CompiledPredicate($0, fields: columns) }
    }

    /// The rows that the changes leave as they are.
    ///
    /// - Parameter indices: those that satisfy the condition; nil for all.
    /// - Returns: nil for all.
    func visible(_ indices: [Int]?, of rows: DataRows) -> [Int]? {
        guard overlay.hidesRows else { return indices }
        return (indices ?? Array(rows.indices)).filter { index in
            let row = rows[index]
            return !overlay.hides(key.map { row[$0] })
        }
    }

    /// The changed and the new rows that satisfy the condition; nil if there are none.
    func rows() throws -> DataRows? {
        var builder = DataRowsBuilder(columns)
        for row in overlay.rows {
            let values = places.map { row[$0] }
            if try condition?.matches(values) ?? true { try builder.append(values) }
        }
        return builder.count == 0 ? nil : builder.take()
    }
}
