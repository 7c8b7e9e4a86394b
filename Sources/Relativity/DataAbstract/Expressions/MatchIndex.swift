// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The index of a table by some of its values, as it is planned: all aggregates and lookups with the same keys share it.
struct MatchPlan: Sendable {
    let table: String
    let columns: [DataColumn]
    /// The identity of the index, with the table.
    let keys: [Expression]
    let keyNodes: [ExpressionNode]
    var items: [MatchItem] = []
    /// The rows of a fixed list; nil for a table that is read.
    var fixedRows: SourceTable?
}

/// A value of each group of matched rows.
struct MatchItem: Sendable {
    enum Function: Sendable {
        /// The number of rows, or of values.
        case count
        case sum(ExpressionType)
        case average(ExpressionType)
        case min
        case max
        /// The value of the first row.
        case first
    }

    let function: Function
    /// Nil for the number of rows.
    let argument: ExpressionNode?
    /// Nil for all rows.
    let filter: ExpressionNode?
}

/// The values by which rows match. Values that are equal in a comparison are equal here.
enum MatchKey: Hashable, Sendable {
    case empty
    case one(Part)
    case many([Part])
    /// A value is NULL: nothing matches.
    case null

    init() {
        self = .empty
    }

    enum Part: Hashable, Sendable {
        case integer(Int64)
        /// Not a whole number of 64 bits. Without zeros at the end.
        case decimal(DataDecimal)
        case milliseconds(Int64)
        case text(ScalarText)

        /// Nil for NULL, and for values that are no key.
        init?(_ value: DataValue) {
            switch value {
            case .integer(let number): self = .integer(number)
            case .boolean(let flag): self = .integer(flag ? 1 : 0)
            case .text(let text): self = .text(ScalarText(text))
            case .unreadable: return nil
            case .dateTime(let days):
                guard let milliseconds = PredicateDate.milliseconds(ofRow: days) else { return nil }
                self = .milliseconds(milliseconds)
            case .currency, .decimal, .unsigned:
                guard let number = ValueConversion.decimal(value)?.shortest else { return nil }
                if number.scale == 0, let whole = number.scaled(digits: 0) {
                    self = .integer(whole)
                } else {
                    self = .decimal(number)
                }
            case .null, .float, .bytes: return nil
            }
        }
    }

    mutating func append(_ value: DataValue) {
        guard let part = Part(value) else {
            self = .null
            return
        }
        switch self {
        case .empty: self = .one(part)
        case .one(let first): self = .many([first, part])
        case .many(let parts): self = .many(parts + [part])
        case .null: break
        }
    }
}

/// A text that equals only the same Unicode scalars. Swift's texts are equal if they are canonically equivalent.
struct ScalarText: Hashable, Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ScalarText, right: ScalarText) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// The bytes that the indexes of a view may still take.
struct MatchBudget {
    /// The approximate bytes of a group, and of a value of it.
    fileprivate static let (group, value) = (96, 64)

    private let limit: Int
    private var left: Int

    init(_ limit: Int = .max) {
        (self.limit, left) = (limit, limit)
    }

    /// - Parameter bytes: negative for bytes that were freed.
    mutating func take(_ bytes: Int) throws(GrowthError) {
        guard bytes <= left else { throw .matches(limit: limit) }
        left -= bytes
    }
}

/// An index of a table's rows: the groups of rows with equal keys, and the values of their items.
struct MatchIndex: Sendable {
    private var integers: [Int64: Int32] = [:]
    private var others: [MatchKey: Int32] = [:]
    private var groupCount: Int32 = 0
    /// For each item, a value for each group.
    private var values: [[DataValue]] = []
    /// For each item, the value of a group without rows.
    private let missing: [DataValue]

    /// The rows between two checks whether the task was cancelled.
    private static let turn = 256

    /// The index of a table without rows.
    init(_ plan: MatchPlan) {
        missing = plan.items.map { Accumulator().value($0.function) }
        values = plan.items.map { _ in [] }
    }

    /// Reads the rows of a table once.
    ///
    /// - Throws: `GrowthError.matches`, `texts`, `steps`; `CancellationError`.
    init(_ plan: MatchPlan, _ table: SourceTable, _ budget: inout MatchBudget) throws {
        self.init(plan)
        var accumulators = [[Accumulator]](repeating: [], count: plan.items.count)
        var used: Set<Int> = []
        for node in plan.keyNodes { node.collectColumns(&used) }
        for item in plan.items {
            item.argument?.collectColumns(&used)
            item.filter?.collectColumns(&used)
        }
        var rows = 0
        try table.forEachRow(RowLayout(plan.columns, used: used)) { row in
            if rows % Self.turn == 0 { try Task.checkCancellation() }
            rows += 1
            try add(row, plan, &accumulators, &budget)
        }
        values = zip(plan.items, accumulators).map { item, groups in groups.map { $0.value(item.function) } }
    }

    /// Returns the value of an item for the rows with a key.
    func value(_ item: Int, _ key: MatchKey) -> DataValue {
        group(key).map { values[item][Int($0)] } ?? missing[item]
    }

    private func group(_ key: MatchKey) -> Int32? {
        switch key {
        case .one(.integer(let number)): integers[number]
        case .null: nil
        default: others[key]
        }
    }

    private mutating func add(
        _ row: CellRow,
        _ plan: MatchPlan,
        _ accumulators: inout [[Accumulator]],
        _ budget: inout MatchBudget
    ) throws(GrowthError) {
        var evaluation = ExpressionEvaluation(row, [])
        var key = MatchKey()
        var keyBytes = 0
        for node in plan.keyNodes {
            let value = evaluation.value(node)
            keyBytes += value.textBytes
            key.append(value)
        }
        if let overflow = evaluation.overflow { throw overflow }
        guard key != .null else { return }
        let group: Int32
        if let known = self.group(key) {
            group = known
        } else {
            try budget.take(MatchBudget.group + keyBytes + plan.items.count * MatchBudget.value)
            group = groupCount
            groupCount += 1
            if case .one(.integer(let number)) = key { integers[number] = group } else { others[key] = group }
            for item in accumulators.indices { accumulators[item].append(Accumulator()) }
        }
        for index in plan.items.indices {
            let item = plan.items[index]
            if let filter = item.filter, evaluation.isTrue(filter) != true { continue }
            let value: DataValue =
                switch item.argument {
                case .column(let column)?: row.value(column)
                case let argument?: evaluation.value(argument)
                case nil: .boolean(true)
                }
            let before = accumulators[index][Int(group)].textBytes
            accumulators[index][Int(group)].add(value, item.function)
            let growth = accumulators[index][Int(group)].textBytes - before
            if growth != 0 { try budget.take(growth) }
        }
        if let overflow = evaluation.overflow { throw overflow }
    }
}

extension DataValue {
    /// The bytes of a text or of bytes; 0 for other values.
    fileprivate var textBytes: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .unreadable(let text): text.text.utf8.count
        case .bytes(let bytes): bytes.readableBytes
        default: 0
        }
    }
}

/// The values of a group that were read so far.
private struct Accumulator {
    private var count: Int64 = 0
    private var whole: Int128 = 0
    private var held = DataValue.null
    private var hasOverflown = false

    /// The bytes of a text or of bytes that are held.
    var textBytes: Int { held.textBytes }

    mutating func add(_ value: DataValue, _ function: MatchItem.Function) {
        switch function {
        case .first:
            if count == 0 { held = value }
            count += 1
        case .count: count += value.isNull ? 0 : 1
        case .sum, .average: addToSum(value)
        case .min: replace(with: value, if: .less)
        case .max: replace(with: value, if: .greater)
        }
    }

    private mutating func addToSum(_ value: DataValue) {
        switch (value, held) {
        case (.integer(let number), _), (.currency(let number), _): whole += Int128(number)
        case (.decimal(let number), .decimal(let sum)):
            let next = sum.adding(number)
            hasOverflown = hasOverflown || next == nil
            held = .decimal(next ?? sum)
        case (.float(let number), .float(let sum)) where number.isFinite: held = .float(sum + number)
        case (.decimal, _): held = value
        case (.float(let number), _) where number.isFinite: held = value
        default: return
        }
        count += 1
    }

    private mutating func replace(with value: DataValue, if operation: PredicateOperator) {
        // A Float that is not a number is skipped.
        if value.isNull { return }
        guard count > 0 else {
            guard FieldComparison.isTrue(.equal, value, value, []) == true else { return }
            held = value
            count = 1
            return
        }
        if FieldComparison.isTrue(operation, value, held, []) == true { held = value }
    }

    func value(_ function: MatchItem.Function) -> DataValue {
        switch function {
        case .count: return .integer(count)
        case .first, .min, .max: return held
        case .sum(let type):
            guard count > 0, !hasOverflown else { return .null }
            switch type {
            case .integer: return Int64(exactly: whole).map { .integer($0) } ?? .null
            case .currency: return Int64(exactly: whole).map { .currency(scaled: $0) } ?? .null
            case .float: return ValueConversion.convert(held, to: .float)
            default: return held
            }
        case .average(let type):
            guard count > 0, !hasOverflown else { return .null }
            if type == .float, let sum = ValueConversion.float(held) { return .float(sum / Double(count)) }
            let scale = type == .currency ? 4 : 0
            let sum =
                type == .decimal
                ? ValueConversion.decimal(held)
                : DataDecimal(magnitude: whole.magnitude, scale: scale, isNegative: whole < 0)
            return sum?.divided(by: DataDecimal(count)).map { .decimal($0) } ?? .null
        }
    }
}
