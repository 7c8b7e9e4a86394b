// SPDX-License-Identifier: Apache-2.0

/// A predicate prepared for tables with certain columns. It can be applied to any number of rows.
///
/// Cells are tested in the bytes of the stream. Only order comparisons, LIKE, IN, `[c]` and `[d]` decode text, into
/// memory that is kept from row to row.
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
    private static let nullPosition = -1

    private var steps: [Step] = []
    private var first = Self.accepted
    private let types: [DataType]
    /// For each column up to the last one that is tested: its form, and its slot or -1.
    private let layout: [(form: CellForm?, slot: Int)]
    private let slotCount: Int

    /// Prepares a predicate. Fields are found by their exact names, otherwise ignoring the case of ASCII letters.
    ///
    /// - Throws: `unknownField`, `ambiguousField`, `mismatch`.
    public init(_ predicate: Predicate, fields: PredicateFields) throws(PredicateError) {
        let normal = try NormalPredicate(predicate, fields)
        types = fields.columns.map(\.type)
        var used: Set<Int> = []
        normal.collectColumns(&used)
        let slots = used.sorted()
        slotCount = slots.count
        var layout: [(form: CellForm?, slot: Int)] = []
        for column in 0..<(slots.last.map { $0 + 1 } ?? 0) {
            layout.append((types[column].form, slots.firstIndex(of: column) ?? -1))
        }
        self.layout = layout
        first = append(normal, onTrue: Self.accepted, onFalse: Self.rejected)
    }

    /// Appends the steps of a condition, the last part first, because each step needs the indexes of the next ones.
    ///
    /// - Returns: the index of the first step.
    private mutating func append(_ condition: NormalPredicate, onTrue: Int, onFalse: Int) -> Int {
        switch condition {
        case .constant(let value): return value ? onTrue : onFalse
        case .leaf(let leaf):
            let slot = layout[leaf.field.column].slot
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
        precondition(values.count == types.count, "as many values as columns")
        var scratch: [UInt32] = []
        var next = first
        while next >= 0 {
            let step = steps[next]
            let isTrue = step.test.matches(values[step.test.column], other: { values[$0] }, &scratch)
            next = isTrue ? step.onTrue : step.onFalse
        }
        return next == Self.accepted
    }

    /// Whether a row satisfies the predicate.
    ///
    /// - Precondition: the row has columns of the types that the predicate was prepared for.
    public func matches(_ row: DataRow) -> Bool {
        precondition(row.types == types, "columns of other types")
        var scratch: [UInt32] = []
        return row.withCells { bytes, start, setMeansNull in
            withUnsafeTemporaryAllocation(of: Int.self, capacity: slotCount) { slots in
                matches(bytes, start, setMeansNull, slots, &scratch)
            }
        }
    }

    /// Returns the indexes of the rows that satisfy the predicate, in order.
    ///
    /// - Precondition: the rows have columns of the types that the predicate was prepared for.
    public func indices(in rows: DataRows) -> [Int] {
        precondition(rows.types == types, "columns of other types")
        var scratch: [UInt32] = []
        var result: [Int] = []
        rows.withCells { bytes, starts in
            withUnsafeTemporaryAllocation(of: Int.self, capacity: slotCount) { slots in
                for index in starts.indices where matches(bytes, Int(starts[index]), true, slots, &scratch) {
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
        _ slots: UnsafeMutableBufferPointer<Int>,
        _ scratch: inout [UInt32]
    ) -> Bool {
        var position = row + CellReader.maskBytes(types.count)
        for column in layout.indices {
            let isNull = (bytes[row + column >> 3] >> UInt8(column & 7) & 1 == 1) == setMeansNull
            let (form, slot) = layout[column]
            if slot >= 0 { slots[slot] = isNull ? Self.nullPosition : position }
            if !isNull, let form { position = Self.content(bytes, position, form).upperBound }
        }
        var next = first
        while next >= 0 {
            let step = steps[next]
            let isTrue = matches(step, bytes, slots, &scratch)
            next = isTrue ? step.onTrue : step.onFalse
        }
        return next == Self.accepted
    }

    private func matches(
        _ step: Step,
        _ bytes: UnsafeRawBufferPointer,
        _ slots: UnsafeMutableBufferPointer<Int>,
        _ scratch: inout [UInt32]
    ) -> Bool {
        let position = slots[step.slot]
        switch step.test.kind {
        case .null: return (position == Self.nullPosition) != step.test.isNegated
        case .fields(_, let column, _):
            let left = value(bytes, position, step.test.type)
            let other = value(bytes, slots[layout[column].slot], types[column])
            return step.test.matches(left, other: { _ in other }, &scratch)
        default:
            guard position != Self.nullPosition, let form = step.test.type.form else { return false }
            return step.test.matches(bytes, Self.content(bytes, position, form), form, &scratch)
        }
    }

    private func value(_ bytes: UnsafeRawBufferPointer, _ position: Int, _ type: DataType) -> DataValue {
        position == Self.nullPosition ? .null : CellReader.value(bytes, at: position, type)
    }

    /// Returns the range of a cell's bytes without their count.
    private static func content(_ bytes: UnsafeRawBufferPointer, _ position: Int, _ form: CellForm) -> Range<Int> {
        switch form {
        case .oneByte: return position..<(position + 1)
        case .twoBytes: return position..<(position + 2)
        case .fourBytes: return position..<(position + 4)
        case .eightBytes: return position..<(position + 8)
        case .decimal: return position..<(position + 16)
        case .guid: return position..<(position + DataRow.guidBytes)
        case .counted, .wide:
            let count = Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int32.self))
            return (position + 4)..<(position + 4 + Int(count))
        }
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
