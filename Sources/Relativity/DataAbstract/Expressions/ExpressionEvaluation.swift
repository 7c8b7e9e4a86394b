// SPDX-License-Identifier: Apache-2.0

/// Computes the values of one row. A value that cannot be computed is NULL. After a bound was reached, which `overflow`
/// records, no value of the row counts.
struct ExpressionEvaluation {
    /// The bytes of all texts that may be made for a row.
    private static let textLimit = 1 << 24
    /// The steps that comparisons of texts may take for a row.
    private static let stepLimit = 1 << 27

    var row: CellRow
    let indexes: [MatchIndex]
    /// The bound that was reached; nil if none was.
    private(set) var overflow: GrowthError?
    private var textBytes = 0
    private var steps = 0

    init(_ row: CellRow, _ indexes: [MatchIndex]) {
        self.row = row
        self.indexes = indexes
    }

    mutating func value(_ node: ExpressionNode) -> DataValue {
        switch node {
        case .constant(let value): return value
        case .column(let column):
            let value = row.value(column)
            // To read a text takes time too. A text is made of what is shown: only a lookup field has the cell itself.
            switch value {
            case .text(let text): return takeSteps(text, 1) ? value : .null
            case .unreadable(let text): return takeSteps(text.text, 1) ? .text(text.text) : .null
            default: return value
            }
        case .convert(let type, let inner): return text(ValueConversion.convert(value(inner), to: type))
        case .fit(let type, let inner): return text(ValueConversion.fit(value(inner), to: type))
        case .negative(let inner): return Self.negative(value(inner))
        case .arithmetic(let operation, let left, let right):
            return Arithmetic.value(operation, value(left), value(right))
        case .currencyTimes(let left, let right):
            guard case .currency(let amount) = value(left), case .integer(let count) = value(right) else {
                return .null
            }
            let (product, overflow) = amount.multipliedReportingOverflow(by: count)
            return overflow ? .null : .currency(scaled: product)
        case .join(let left, let right):
            guard case .text(let left) = value(left), case .text(let right) = value(right),
                charge(left.utf8.count + right.utf8.count)
            else { return .null }
            return .text(left + right)
        case .comparedGuid(let inner): return ValueConversion.comparedGuid(value(inner))
        case .match(let index, let item, let keys):
            var key = MatchKey()
            for part in keys { key.append(value(part)) }
            return indexes[index].value(item, key)
        case .call(let function, let arguments): return call(function, arguments)
        default: return isTrue(node).map { .boolean($0) } ?? .null
        }
    }

    /// The result of a condition; nil for NULL.
    mutating func isTrue(_ node: ExpressionNode) -> Bool? {
        switch node {
        case .comparison(let operation, let left, let right, let folding):
            return compare(operation, value(left), value(right), folding)
        case .textTest(let test, let inner, let steps):
            guard case .text(let text) = value(inner), takeSteps(text, steps) else { return nil }
            return test.matches(text)
        case .isNull(let inner): return value(inner).isNull
        case .isIn(let left, let list, let folding):
            let left = value(left)
            return joined(list, until: true) { $0.compare(.equal, left, $0.value($1), folding) }
        case .between(let inner, let low, let high):
            let value = value(inner)
            let isAbove = compare(.greaterOrEqual, value, self.value(low), [])
            if isAbove == false { return false }
            let isBelow = compare(.lessOrEqual, value, self.value(high), [])
            return isBelow == false ? false : isAbove == nil ? nil : isBelow
        case .not(let inner): return isTrue(inner).map { !$0 }
        case .and(let parts): return joined(parts, until: false) { $0.isTrue($1) }
        case .or(let parts): return joined(parts, until: true) { $0.isTrue($1) }
        default:
            guard case .boolean(let result) = value(node) else { return nil }
            return result
        }
    }

    /// The result of the first test that decides; NULL if one is NULL and none decides.
    private mutating func joined(
        _ parts: [ExpressionNode],
        until decisive: Bool,
        _ test: (inout ExpressionEvaluation, ExpressionNode) -> Bool?
    ) -> Bool? {
        var result: Bool? = !decisive
        for part in parts {
            switch test(&self, part) {
            case decisive: return decisive
            case nil: result = nil
            default: break
            }
        }
        return result
    }

    private mutating func compare(
        _ operation: PredicateOperator,
        _ left: DataValue,
        _ right: DataValue,
        _ folding: PredicateFolding
    ) -> Bool? {
        switch (left, right) {
        case (.null, _), (_, .null): return nil
        case (.integer(let left), .integer(let right)):
            return operation.isTrue(forOrder: left < right ? -1 : left == right ? 0 : 1)
        case (.text(let text), .text(let other)):
            guard takeSteps(text, ExpressionSteps.steps(operation, other)), takeSteps(other, 1) else { return nil }
            return FieldComparison.isTrue(operation, left, right, folding)
        default: return FieldComparison.isTrue(operation, left, right, folding)
        }
    }

    /// Whether a text may be compared with so many steps for each byte.
    private mutating func takeSteps(_ text: String, _ stepsEach: Int) -> Bool {
        let (count, overflow) = text.utf8.count.multipliedReportingOverflow(by: stepsEach)
        guard !overflow, count <= Self.stepLimit - steps else {
            self.overflow = self.overflow ?? .steps(limit: Self.stepLimit)
            return false
        }
        steps += count
        return true
    }

    private static func negative(_ value: DataValue) -> DataValue {
        switch value {
        case .integer(let number): number == .min ? .null : .integer(-number)
        case .currency(let scaled): scaled == .min ? .null : .currency(scaled: -scaled)
        case .decimal(let number): .decimal(number.negated)
        case .float(let number): number.isFinite ? .float(-number) : .null
        default: .null
        }
    }

    /// Whether the text may be made.
    private mutating func charge(_ bytes: Int) -> Bool {
        guard bytes <= Self.textLimit - textBytes else {
            overflow = overflow ?? .texts(limit: Self.textLimit)
            return false
        }
        textBytes += bytes
        return true
    }

    /// Counts a text that was made.
    private mutating func text(_ value: DataValue) -> DataValue {
        guard case .text(let text) = value else { return value }
        return charge(text.utf8.count) ? value : .null
    }

    private mutating func call(_ function: ExpressionFunction, _ arguments: [ExpressionNode]) -> DataValue {
        switch function {
        case .if: return value(arguments[isTrue(arguments[0]) == true ? 1 : 2])
        case .coalesce:
            for argument in arguments {
                let value = value(argument)
                if !value.isNull { return value }
            }
            return .null
        default: break
        }
        var values: [DataValue] = []
        for argument in arguments {
            let value = value(argument)
            guard !value.isNull else { return .null }
            values.append(value)
        }
        switch (function, values[0]) {
        case (_, .text(let text)):
            // Each function reads its text, and all but `replace` at most treble its size.
            guard charge(text.utf8.count) else { return .null }
            guard let result = TextFunctions.value(function, text, values, limit: Self.textLimit - textBytes) else {
                _ = charge(.max)
                return .null
            }
            return self.text(result)
        case (.year, .dateTime(let days)): return Self.part(of: days) { $0.year }
        case (.month, .dateTime(let days)): return Self.part(of: days) { $0.month }
        case (.day, .dateTime(let days)): return Self.part(of: days) { $0.day }
        case (.daysBetween, .dateTime(let from)):
            guard case .dateTime(let to) = values[1] else { return .null }
            let (first, last) = (PredicateDate(days: from), PredicateDate(days: to))
            return first.isCertain && last.isCertain ? .integer(last.dayNumber - first.dayNumber) : .null
        case (.addDays, .dateTime(let days)):
            guard case .integer(let count) = values[1], count.magnitude < 1 << 32, PredicateDate(days: days).isCertain,
                PredicateDate(days: days + Double(count)).isCertain
            else { return .null }
            return .dateTime(days: days + Double(count))
        case (.date, .integer(let year)):
            guard case .integer(let month) = values[1], case .integer(let day) = values[2] else { return .null }
            return PredicateDate(year: year, month: month, day: day).map { .dateTime(days: $0.days) } ?? .null
        case (.abs, _): return Self.isNegative(values[0]) ? Self.negative(values[0]) : values[0]
        case (.round, _):
            guard values.count == 2 else { return Arithmetic.rounded(values[0], 0, .nearest) }
            guard case .integer(let digits) = values[1] else { return .null }
            return Arithmetic.rounded(values[0], digits, .nearest)
        case (.floor, _): return Arithmetic.rounded(values[0], 0, .down)
        case (.ceiling, _): return Arithmetic.rounded(values[0], 0, .up)
        default: return .null
        }
    }

    private static func part(
        of days: Double,
        _ part: ((year: Int64, month: Int64, day: Int64)) -> Int64
    ) -> DataValue {
        PredicateDate(days: days).fields.map { .integer(part($0)) } ?? .null
    }

    private static func isNegative(_ value: DataValue) -> Bool {
        switch value {
        case .integer(let number): number < 0
        case .currency(let scaled): scaled < 0
        case .decimal(let number): number.isNegative
        case .float(let number): number < 0
        default: false
        }
    }
}

/// The cost of comparisons of texts.
enum ExpressionSteps {
    /// Returns the comparisons for each byte of a text, at most. A search may begin at each character.
    static func steps(_ operation: PredicateOperator, _ other: String) -> Int {
        operation == .contains || operation == .like ? max(other.utf8.count, 1) : 1
    }
}

/// Operations on numbers of one type.
enum Arithmetic {
    @inline(__always)
    static func value(
        _ operation: ArithmeticOperator,
        _ left: DataValue,
        _ right: DataValue
    ) -> DataValue {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): whole(operation, left, right).map { .integer($0) } ?? .null
        case (.currency(let left), .currency(let right)):
            whole(operation, left, right).map { .currency(scaled: $0) } ?? .null
        case (.decimal(let left), .decimal(let right)):
            switch operation {
            case .add: left.adding(right).map { .decimal($0) } ?? .null
            case .subtract: left.adding(right.negated).map { .decimal($0) } ?? .null
            case .multiply: left.multiplied(by: right).map { .decimal($0) } ?? .null
            case .divide: left.divided(by: right).map { .decimal($0) } ?? .null
            }
        case (.float(let left), .float(let right)): float(operation, left, right)
        default: .null
        }
    }

    @inline(__always)
    private static func whole(_ operation: ArithmeticOperator, _ left: Int64, _ right: Int64) -> Int64? {
        let (result, overflow) =
            switch operation {
            case .add: left.addingReportingOverflow(right)
            case .subtract: left.subtractingReportingOverflow(right)
            case .multiply: left.multipliedReportingOverflow(by: right)
            case .divide: left.dividedReportingOverflow(by: right)
            }
        return overflow ? nil : result
    }

    private static func float(_ operation: ArithmeticOperator, _ left: Double, _ right: Double) -> DataValue {
        let result =
            switch operation {
            case .add: left + right
            case .subtract: left - right
            case .multiply: left * right
            case .divide: left / right
            }
        return result.isFinite ? .float(result) : .null
    }

    /// - Parameter digits: 0 to 28; NULL otherwise.
    static func rounded(_ value: DataValue, _ digits: Int64, _ rule: DecimalRounding) -> DataValue {
        guard 0...28 ~= digits else { return .null }
        switch value {
        case .integer: return value
        case .decimal(let number): return number.rounded(digits: Int(digits), rule).map { .decimal($0) } ?? .null
        case .currency(let scaled):
            let rounded = DataDecimal(scaled, scale: 4).rounded(digits: Int(digits), rule)
            return rounded?.scaled(digits: 4).map { .currency(scaled: $0) } ?? .null
        case .float(let number):
            guard number.isFinite else { return .null }
            // A number beyond the decimals has no digits after the point.
            guard let decimal = DataDecimal(number) else { return value }
            return decimal.rounded(digits: Int(digits), rule).map { .float($0.double) } ?? .null
        default: return .null
        }
    }
}
