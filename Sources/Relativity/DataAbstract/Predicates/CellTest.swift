// SPDX-License-Identifier: Apache-2.0

/// A leaf of a predicate, prepared for the type of its column.
///
/// Whole numbers, amounts, dates and Booleans become an Int64, so that a comparison is a test of a range.
struct CellTest: Sendable {
    enum Kind: Sendable {
        case null
        case range(ClosedRange<Int64>)
        /// Sorted.
        case isIn([Int64])
        /// Any value except NULL fails.
        case never
        case floats(low: Double, high: Double)
        /// A comparison with any of some numbers.
        case numbers(PredicateOperator, [ExactNumber])
        case text(TextTest)
        case fields(PredicateOperator, other: Int, PredicateFolding)
    }

    let column: Int
    let type: DataType
    /// The code page of 8-bit text if a user has chosen one.
    let codePage: CodePage?
    let kind: Kind
    let isNegated: Bool
    private let field: String

    init(_ leaf: PredicateLeaf) {
        column = leaf.field.column
        type = leaf.field.type
        field = leaf.field.name
        codePage = leaf.field.codePage
        isNegated = leaf.isNegated
        switch leaf.test {
        case .null: kind = .null
        case .compareField(let operation, let other, let folding):
            kind = .fields(operation, other: other.column, folding)
        case .compare(let operation, let value, let folding): kind = Self.kind(type, operation, value, folding)
        case .isIn(let values, let folding): kind = Self.kind(type, isIn: values, folding)
        }
    }

    private static func kind(
        _ type: DataType,
        _ operation: PredicateOperator,
        _ value: PredicateValue,
        _ folding: PredicateFolding
    ) -> Kind {
        if case .text(let text) = value { return .text(TextTest(operation, text, folding)) }
        if let range = wholeRange(type, operation, value) {
            guard let low = key(max(range.low, Self.range(type).lowerBound), type),
                let high = key(min(range.high, Self.range(type).upperBound), type), low <= high
            else { return .never }
            return .range(low...high)
        }
        if let bound = float(value, type) {
            return switch operation {
            case .less: .floats(low: -.infinity, high: bound.nextDown)
            case .lessOrEqual: .floats(low: -.infinity, high: bound)
            case .greater: .floats(low: bound.nextUp, high: .infinity)
            case .greaterOrEqual: .floats(low: bound, high: .infinity)
            default: .floats(low: bound, high: bound)
            }
        }
        guard type == .decimal else { return .never }
        return .numbers(operation, ExactNumber(value).map { [$0] } ?? [])
    }

    private static func kind(_ type: DataType, isIn values: [PredicateValue], _ folding: PredicateFolding) -> Kind {
        switch type.valueClass {
        case .text: return .text(TextTest(values.compactMap(\.text), folding))
        case .other: return .never
        case .number, .date:
            if type == .decimal { return .numbers(.equal, values.compactMap { ExactNumber($0) }) }
            if type == .float || type == .singleFloat {
                return .numbers(.equal, values.compactMap { float($0, type).map { .binary($0) } })
            }
            let keys = values.compactMap { value -> Int64? in
                guard let range = wholeRange(type, .equal, value), range.low == range.high else { return nil }
                return key(range.low, type)
            }
            return .isIn(keys.sorted())
        }
    }

    /// Returns the values of a column that satisfy a comparison, for a type whose values are counted: whole numbers,
    /// amounts times 10,000, milliseconds, Booleans. Nil for other types. The result may lie outside of the type.
    static func wholeRange(
        _ type: DataType,
        _ operation: PredicateOperator,
        _ value: PredicateValue
    ) -> (low: Int128, high: Int128)? {
        let floor: Int128
        let isExact: Bool
        if case .date(let date) = value {
            (floor, isExact) = (Int128(date.milliseconds), true)
        } else {
            guard type == .currency || type == .boolean || type.wholeNumbers != nil else { return nil }
            guard let number = ExactNumber(value) else { return (1, 0) }
            (floor, isExact) = number.floor(digits: type == .currency ? 4 : 0)
        }
        let (least, greatest) = (-(Int128(1) << 112), Int128(1) << 112)
        return switch operation {
        case .less: (least, isExact ? floor - 1 : floor)
        case .lessOrEqual: (least, floor)
        case .greater: (floor + 1, greatest)
        case .greaterOrEqual: (isExact ? floor : floor + 1, greatest)
        default: isExact ? (floor, floor) : (1, 0)
        }
    }

    /// The values of a counted type.
    private static func range(_ type: DataType) -> ClosedRange<Int128> {
        type == .largeUInt ? 0...Int128(UInt64.max) : Int128(Int64.min)...Int128(Int64.max)
    }

    /// Maps a value of a counted type to an Int64, in the same order; nil if the type has no such value.
    private static func key(_ value: Int128, _ type: DataType) -> Int64? {
        type == .largeUInt ? UInt64(exactly: value).map(CellOrder.signed) : Int64(exactly: value)
    }

    /// Rounds a literal to the type of a Float field; nil for other types.
    private static func float(_ value: PredicateValue, _ type: DataType) -> Double? {
        guard type == .float || type == .singleFloat, let number = value.double else { return nil }
        guard type == .singleFloat, Float(number).isFinite else { return number }
        return Double(Float(number))
    }
}

extension CellTest {
    /// Tests a value of the column that its bytes do not decide.
    ///
    /// - Parameter other: returns the value of another column.
    /// - Throws: `unreadable`, in the first row.
    func matches(_ value: DataValue, other: (Int) -> DataValue) throws(PredicateError) -> Bool {
        if case .unreadable(let text) = value { throw unreadable(text) }
        let result: Bool?
        switch (kind, value) {
        case (.fields(let operation, let column, let folding), _):
            let other = other(column)
            if case .unreadable(let text) = other { throw unreadable(text) }
            result = FieldComparison.isTrue(operation, value, other, folding)
        case (.numbers(let operation, let numbers), _):
            result = ExactNumber(value).map { number in
                numbers.contains { operation.isTrue(forOrder: number.compared(to: $0)) }
            }
        case (.text(let test), .text(let text)): result = test.matches(text)
        default: result = nil
        }
        return result.map { $0 != isNegated } ?? false
    }

    private func unreadable(_ text: UnreadableText) -> PredicateError {
        .unreadable(UnreadableCell(.number(1), field: field, text))
    }
}

/// A comparison of two fields of a row.
enum FieldComparison {
    /// - Returns: nil if a value is NULL or not comparable.
    static func isTrue(
        _ operation: PredicateOperator,
        _ left: DataValue,
        _ right: DataValue,
        _ folding: PredicateFolding
    ) -> Bool? {
        switch (left, right) {
        case (.text(let left), .text(let right)):
            return TextTest(operation, right, folding).matches(left)
        case (.dateTime(let left), .dateTime(let right)):
            guard let left = PredicateDate.milliseconds(ofRow: left),
                let right = PredicateDate.milliseconds(ofRow: right)
            else { return nil }
            return operation.isTrue(forOrder: left < right ? -1 : left == right ? 0 : 1)
        default:
            guard let left = ExactNumber(left), let right = ExactNumber(right) else { return nil }
            return operation.isTrue(forOrder: left.compared(to: right))
        }
    }
}
