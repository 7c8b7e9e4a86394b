// SPDX-License-Identifier: Apache-2.0

/// A predicate prepared for tables with certain columns. It can be applied to any number of rows.
///
/// Cells are tested in the bytes of the stream, most of them without decoding (`RawTest`).
public struct CompiledPredicate: Sendable {
    /// A test, and the index of the next one for either result, or a verdict.
    private struct Step: Sendable {
        let test: RawTest
        /// The index in `slots` of the position of the cell.
        let slot: Int
        let onTrue: Int
        let onFalse: Int
    }

    private static let accepted = -1
    private static let rejected = -2

    private var steps: [Step] = []
    /// The tests of the steps, for cells that `RawTest` leaves undecided.
    private var tests: [CellTest] = []
    /// The literals of the steps.
    private var literals: [UInt8] = []
    private var first = Self.accepted
    private let columns: [DataColumn]
    private let layout: RowLayout

    /// Prepares a predicate. Fields are found by their exact names, otherwise ignoring the case of ASCII letters. A field
    /// of an unknown type can only be tested for NULL.
    ///
    /// - Throws: `unknownField`, `ambiguousField`, `mismatch`, `unmappable`.
    public init(_ predicate: Expression, fields: [DataColumn]) throws(PredicateError) {
        let normal = try NormalPredicate(predicate, fields)
        var used: Set<Int> = []
        normal.collectColumns(&used)
        columns = fields
        layout = RowLayout(fields, used: used)
        first = append(normal, onTrue: Self.accepted, onFalse: Self.rejected)
    }

    /// Appends the steps of a condition, the last part first, because each step needs the indexes of the next ones.
    ///
    /// - Returns: the index of the first step.
    private mutating func append(_ condition: NormalPredicate, onTrue: Int, onFalse: Int) -> Int {
        switch condition {
        case .constant(let value): return value ? onTrue : onFalse
        case .leaf(let leaf):
            let test = CellTest(leaf)
            let raw = RawTest(test, &literals)
            tests.append(test)
            steps.append(Step(test: raw, slot: layout.slot(test.column), onTrue: onTrue, onFalse: onFalse))
            return steps.count - 1
        case .all(let parts):
            return parts.reversed().reduce(onTrue) { append($1, onTrue: $0, onFalse: onFalse) }
        case .any(let parts):
            return parts.reversed().reduce(onFalse) { append($1, onTrue: onTrue, onFalse: $0) }
        }
    }

    /// Whether a row of values satisfies the predicate. Values that do not fit the columns satisfy none.
    ///
    /// - Parameter values: one for each column, of the column's type.
    /// - Throws: `unreadable`.
    public func matches(_ values: [DataValue]) throws(PredicateError) -> Bool {
        var rows = DataRows(columns)
        guard (try? rows.append(values, columns)) != nil else { return false }
        return try !indices(in: rows).isEmpty
    }

    /// Returns the indexes of the rows that satisfy the predicate, in order.
    ///
    /// - Throws: `unreadable` with the number of the row.
    /// - Precondition: the rows have columns of the types that the predicate was prepared for.
    public func indices(in rows: DataRows) throws(PredicateError) -> [Int] {
        precondition(rows.types == layout.types, "columns of other types")
        return try rows.withCells { bytes, starts in
            steps.withUnsafeBufferPointer { steps in
                literals.withUnsafeBytes { literals in
                    withUnsafeTemporaryAllocation(of: Int.self, capacity: layout.slotCount) { slots in
                        let memory = Memory(bytes: bytes, steps: steps, literals: literals, slots: slots)
                        return Result { () throws(PredicateError) in try indices(in: memory, starts) }
                    }
                }
            }
        }
        .get()
    }

    private func indices(in memory: Memory, _ starts: [UInt32]) throws(PredicateError) -> [Int] {
        var found: [Int] = []
        for index in starts.indices {
            do throws(PredicateError) {
                if try matches(memory, Int(starts[index])) { found.append(index) }
            } catch {
                throw error.inRow(.number(index + 1))
            }
        }
        return found
    }

    /// The memory that a test of a row reads. Access through the arrays would count references for each row.
    private struct Memory {
        let bytes: UnsafeRawBufferPointer
        let steps: UnsafeBufferPointer<Step>
        let literals: UnsafeRawBufferPointer
        let slots: UnsafeMutableBufferPointer<Int>
    }

    @inline(__always)
    private func matches(_ memory: Memory, _ row: Int) throws(PredicateError) -> Bool {
        layout.find(memory.bytes, row, memory.slots)
        var next = first
        while next >= 0 {
            let step = memory.steps[next]
            let position = memory.slots[step.slot]
            var isTrue = step.test.matches(memory.bytes, position, memory.literals)
            if isTrue == nil { isTrue = try matchesValue(next, memory.bytes, memory.slots) }
            next = isTrue == true ? step.onTrue : step.onFalse
        }
        return next == Self.accepted
    }

    /// Tests a cell that is not NULL by its value.
    @inline(never)
    private func matchesValue(
        _ step: Int,
        _ bytes: UnsafeRawBufferPointer,
        _ slots: UnsafeMutableBufferPointer<Int>
    ) throws(PredicateError) -> Bool {
        let test = tests[step]
        let position = slots[steps[step].slot]
        if case .text(let text) = test.kind, test.codePage == nil, let form = test.type.form {
            let start = form.width == nil ? position + 4 : position
            let count = form.width ?? RowLayout.count(bytes, position)
            return text.matches(bytes, start..<(start + count), form) != test.isNegated
        }
        return try test.matches(value(bytes, position, test.type)) { column in
            value(bytes, slots[layout.slot(column)], layout.types[column])
        }
    }

    private func value(_ bytes: UnsafeRawBufferPointer, _ position: Int, _ type: DataType) -> DataValue {
        position == RowLayout.nullPosition ? .null : CellReader.value(bytes, at: position, type, layout.codePage)
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
