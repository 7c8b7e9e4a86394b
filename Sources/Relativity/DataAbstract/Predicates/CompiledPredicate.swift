// SPDX-License-Identifier: Apache-2.0

/// A predicate prepared for tables with certain columns. It can be applied to any number of rows.
///
/// Cells are tested in the bytes of the stream. Only order comparisons, LIKE, IN, `[c]` and `[d]` decode text.
public struct CompiledPredicate: Sendable {
    /// A test, and the index of the next one for either result, or a verdict.
    private struct Step: Sendable {
        let test: CellTest
        /// The index in `slots` of the position of the cell.
        let slot: Int
        let onTrue: Int
        let onFalse: Int
    }

    private static let accepted = -1
    private static let rejected = -2

    private var steps: [Step] = []
    private var first = Self.accepted
    private let layout: RowLayout

    /// Prepares a predicate. Fields are found by their exact names, otherwise ignoring the case of ASCII letters.
    ///
    /// - Throws: `unknownField`, `ambiguousField`, `mismatch`.
    public init(_ predicate: Predicate, fields: PredicateFields) throws(PredicateError) {
        let normal = try NormalPredicate(predicate, fields)
        var used: Set<Int> = []
        normal.collectColumns(&used)
        layout = RowLayout(fields.columns.map(\.type), used: used)
        first = append(normal, onTrue: Self.accepted, onFalse: Self.rejected)
    }

    /// Appends the steps of a condition, the last part first, because each step needs the indexes of the next ones.
    ///
    /// - Returns: the index of the first step.
    private mutating func append(_ condition: NormalPredicate, onTrue: Int, onFalse: Int) -> Int {
        switch condition {
        case .constant(let value): return value ? onTrue : onFalse
        case .leaf(let leaf):
            let slot = layout.slot(leaf.field.column)
            steps.append(Step(test: CellTest(leaf), slot: slot, onTrue: onTrue, onFalse: onFalse))
            return steps.count - 1
        case .all(let parts):
            return parts.reversed().reduce(onTrue) { append($1, onTrue: $0, onFalse: onFalse) }
        case .any(let parts):
            return parts.reversed().reduce(onFalse) { append($1, onTrue: onTrue, onFalse: $0) }
        }
    }

    /// Whether a row of values satisfies the predicate.
    ///
    /// - Parameter values: one for each column, of the column's type. A value of another type is treated as NULL.
    /// - Precondition: there are as many values as columns.
    public func matches(_ values: [DataValue]) -> Bool {
        precondition(values.count == layout.types.count, "as many values as columns")
        var next = first
        while next >= 0 {
            let step = steps[next]
            let isTrue = step.test.matches(values[step.test.column], other: { values[$0] })
            next = isTrue ? step.onTrue : step.onFalse
        }
        return next == Self.accepted
    }

    /// Whether a row satisfies the predicate.
    ///
    /// - Precondition: the row has columns of the types that the predicate was prepared for.
    public func matches(_ row: DataRow) -> Bool {
        precondition(row.types == layout.types, "columns of other types")
        return row.withCells { bytes, start, setMeansNull in
            withUnsafeTemporaryAllocation(of: Int.self, capacity: layout.slotCount) { slots in
                matches(bytes, start, setMeansNull, slots)
            }
        }
    }

    /// Returns the indexes of the rows that satisfy the predicate, in order.
    ///
    /// - Precondition: the rows have columns of the types that the predicate was prepared for.
    public func indices(in rows: DataRows) -> [Int] {
        precondition(rows.types == layout.types, "columns of other types")
        var result: [Int] = []
        rows.withCells { bytes, starts in
            withUnsafeTemporaryAllocation(of: Int.self, capacity: layout.slotCount) { slots in
                for index in starts.indices where matches(bytes, Int(starts[index]), true, slots) {
                    result.append(index)
                }
            }
        }
        return result
    }

    private func matches(
        _ bytes: UnsafeRawBufferPointer,
        _ row: Int,
        _ setMeansNull: Bool,
        _ slots: UnsafeMutableBufferPointer<Int>
    ) -> Bool {
        layout.find(bytes, row, setMeansNull, slots)
        return steps.withUnsafeBufferPointer { steps in
            var next = first
            while next >= 0 {
                next = matches(steps[next], bytes, slots) ? steps[next].onTrue : steps[next].onFalse
            }
            return next == Self.accepted
        }
    }

    private func matches(
        _ step: Step,
        _ bytes: UnsafeRawBufferPointer,
        _ slots: UnsafeMutableBufferPointer<Int>
    ) -> Bool {
        let position = slots[step.slot]
        switch step.test.kind {
        case .null: return (position == RowLayout.nullPosition) != step.test.isNegated
        case .fields(_, let column, _):
            let left = value(bytes, position, step.test.type)
            let other = value(bytes, slots[layout.slot(column)], layout.types[column])
            return step.test.matches(left, other: { _ in other })
        default:
            guard position != RowLayout.nullPosition, let form = step.test.type.form else { return false }
            guard let width = form.width else {
                let start = position + 4
                return step.test.matches(bytes, start..<(start + RowLayout.count(bytes, position)), form)
            }
            return step.test.matches(bytes, position..<(position + width), form)
        }
    }

    private func value(_ bytes: UnsafeRawBufferPointer, _ position: Int, _ type: DataType) -> DataValue {
        position == RowLayout.nullPosition ? .null : CellReader.value(bytes, at: position, type)
    }
}

extension NormalPredicate {
    fileprivate func collectColumns(_ columns: inout Set<Int>) {
        switch self {
        case .constant: break
        case .leaf(let leaf):
            columns.insert(leaf.field.column)
            if case .compareField(_, let other, _) = leaf.test { columns.insert(other.column) }
        case .all(let parts), .any(let parts):
            for part in parts { part.collectColumns(&columns) }
        }
    }
}
