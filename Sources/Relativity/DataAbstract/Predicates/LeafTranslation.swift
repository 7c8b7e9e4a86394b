// SPDX-License-Identifier: Apache-2.0

/// Translates a test of one field into a where clause.
///
/// For a trusted server the clause has the same meaning. For others it is a superset: it holds for every row for which
/// the test does, under any collation, with rounded numbers and with blanks that are cut off.
struct LeafTranslation {
    struct Obstacle: Error {
        let reason: PredicatePlan.Reason

        init(_ reason: PredicatePlan.Reason) {
            self.reason = reason
        }
    }

    private let leaf: PredicateLeaf
    private let type: DataType
    private let field: WhereExpression
    private let capabilities: WhereCapabilities
    private var isTrusted: Bool { capabilities.contains(.trusted) }

    init(_ leaf: PredicateLeaf, _ capabilities: WhereCapabilities) {
        self.leaf = leaf
        type = leaf.field.type
        field = .field(leaf.field.name)
        self.capabilities = capabilities
    }

    func expression() throws(Obstacle) -> WhereExpression {
        switch leaf.test {
        case .null:
            guard isTrusted || capabilities.contains(.nullTests) else { throw Obstacle(.nullTests) }
            return .binary(.equal, field, leaf.isNegated ? .unary(.not, .null) : .null)
        case .compareField(let operation, let other, let folding):
            guard folding.isEmpty, isTrusted, let name = operation.whereName(isNegated: leaf.isNegated),
                !operation.isTextTest
            else { throw Obstacle(folding.isEmpty ? .twoFields : .folding) }
            return .binary(name, field, .field(other.name))
        case .compare(let operation, let value, let folding):
            return try comparison(operation, value, folding)
        case .isIn(let values, let folding): return try membership(of: values, folding)
        }
    }

    private func checkType(_ folding: PredicateFolding) throws(Obstacle) {
        switch type {
        case .boolean, .memo, .wideMemo, .xml, .guid, .unknown, .blob, .cursor:
            guard isTrusted, type.valueClass != .other else { throw Obstacle(.fieldType(type)) }
        case .dateTime: if !isTrusted, !capabilities.contains(.dates) { throw Obstacle(.dates) }
        default: break
        }
        guard folding.isEmpty || type == .guid else { throw Obstacle(.folding) }
        if leaf.isNegated, !isTrusted { throw Obstacle(.negation) }
    }

    private func checkCharacters(_ values: [PredicateValue]) throws(Obstacle) {
        guard leaf.field.codePage != nil, values.contains(where: { $0.text?.utf8.allSatisfy { $0 < 0x80 } == false })
        else {
            return
        }
        throw Obstacle(.codePage)
    }

    private func comparison(
        _ operation: PredicateOperator,
        _ value: PredicateValue,
        _ folding: PredicateFolding
    ) throws(Obstacle) -> WhereExpression {
        try checkType(folding)
        try checkCharacters([value])
        if operation.isTextTest, let text = value.text {
            let pattern = isTrusted ? exactPattern(operation, text) : widePattern(operation, text)
            guard let pattern else { throw Obstacle(text.utf8.allSatisfy { $0 < 0x80 } ? .pattern : .notASCII) }
            guard isTrusted || pattern.utf8.allSatisfy({ $0 < 0x80 }) else { throw Obstacle(.notASCII) }
            guard let constant = Self.writable(pattern, type) else { throw Obstacle(.fragileText) }
            return .binary(leaf.isNegated ? .notLike : .like, field, constant)
        }
        if isTrusted {
            guard let name = operation.whereName(isNegated: leaf.isNegated) else { throw Obstacle(.pattern) }
            return .binary(name, field, try exactConstant(value))
        }
        switch type.valueClass {
        case .text:
            guard !operation.isOrder else { throw Obstacle(.textOrder) }
            return .binary(.equal, field, try safeText(value))
        case .date:
            // Servers have several meanings for rows before 1899-12-30.
            guard case .date(let date) = value, date.isCertain, date.days >= 0 else { throw Obstacle(.value) }
            return range(
                operation.hasLow ? PredicatePlan.constant(date.moved(seconds: -1)) : nil,
                operation.hasHigh ? PredicatePlan.constant(date.moved(seconds: 1)) : nil
            )
        case .number: return try number(operation, value)
        case .other: throw Obstacle(.fieldType(type))
        }
    }

    private func membership(
        of values: [PredicateValue],
        _ folding: PredicateFolding
    ) throws(Obstacle) -> WhereExpression {
        try checkType(folding)
        try checkCharacters(values)
        var constants: [WhereExpression] = []
        for value in values {
            if isTrusted {
                constants.append(try exactConstant(value))
            } else if type.valueClass == .text {
                constants.append(try safeText(value))
            } else if type == .float || type == .singleFloat || type == .dateTime {
                // A single value has to be asked for as a range, which IN cannot do.
                throw Obstacle(.value)
            } else if let constant = wholeConstant(value) {
                constants.append(constant)
            }
        }
        guard !constants.isEmpty else { throw Obstacle(.value) }
        return .binary(leaf.isNegated ? .notIn : .in, field, .list(constants))
    }

    private func range(_ low: WhereExpression?, _ high: WhereExpression?) -> WhereExpression {
        let lower = low.map { WhereExpression.binary(.greaterOrEqual, field, $0) }
        let upper = high.map { WhereExpression.binary(.lessOrEqual, field, $0) }
        guard let lower, let upper else { return lower ?? upper ?? .null }
        return .binary(.and, lower, upper)
    }
}

/// The translation of numbers.
extension LeafTranslation {
    private func number(
        _ operation: PredicateOperator,
        _ value: PredicateValue
    ) throws(Obstacle) -> WhereExpression {
        switch type {
        case .float, .singleFloat:
            guard let number = value.double, let low = Self.widened(number, up: false),
                let high = Self.widened(number, up: true)
            else { throw Obstacle(.value) }
            return range(
                operation.hasLow ? .constant(low, type: DataType.float.shortName) : nil,
                operation.hasHigh ? .constant(high, type: DataType.float.shortName) : nil
            )
        case .currency, .decimal: return try amount(operation, value)
        default:
            guard let whole = type.wholeNumbers, let wanted = CellTest.wholeRange(type, operation, value),
                wanted.low <= wanted.high
            else { throw Obstacle(.value) }
            // A bound that the type cannot hold would be a constant of another type.
            switch operation {
            case .less, .lessOrEqual:
                guard whole.contains(wanted.high) else { throw Obstacle(.value) }
                return .binary(.lessOrEqual, field, Self.constant(wanted.high))
            case .greater, .greaterOrEqual:
                guard whole.contains(wanted.low) else { throw Obstacle(.value) }
                return .binary(.greaterOrEqual, field, Self.constant(wanted.low))
            default:
                guard whole.contains(wanted.low) else { throw Obstacle(.value) }
                return .binary(.equal, field, Self.constant(wanted.low))
            }
        }
    }

    /// An order comparison includes the bound, because a server that computes with binary numbers may round to it.
    private func amount(
        _ operation: PredicateOperator,
        _ value: PredicateValue
    ) throws(Obstacle) -> WhereExpression {
        if operation == .equal {
            guard let constant = wholeConstant(value) else { throw Obstacle(.value) }
            return .binary(.equal, field, constant)
        }
        guard let number = ExactNumber(value) else { throw Obstacle(.value) }
        let (floor, isExact) = number.floor(digits: 4)
        guard let low = Int64(exactly: floor), let high = Int64(exactly: isExact ? floor : floor + 1) else {
            throw Obstacle(.value)
        }
        return range(
            operation.hasLow ? .constant(Self.decimal(low, digits: 4), type: type.shortName) : nil,
            operation.hasHigh ? .constant(Self.decimal(high, digits: 4), type: type.shortName) : nil
        )
    }

    /// Returns the constant of a whole number or an amount that the field can hold.
    private func wholeConstant(_ value: PredicateValue) -> WhereExpression? {
        guard let number = ExactNumber(value) else { return nil }
        if type == .currency || type == .decimal {
            let (floor, isExact) = number.floor(digits: 4)
            if isExact, let scaled = Int64(exactly: floor) {
                return .constant(Self.decimal(scaled, digits: 4), type: type.shortName)
            }
            guard type == .decimal, case .number(let decimal) = value else { return nil }
            return .constant(decimal.description, type: type.shortName)
        }
        let (floor, isExact) = number.floor(digits: 0)
        guard isExact, type.wholeNumbers?.contains(floor) == true else { return nil }
        return Self.constant(floor)
    }

    private static func constant(_ number: Int128) -> WhereExpression {
        let type: DataType =
            Int32(exactly: number) != nil ? .integer : Int64(exactly: number) != nil ? .largeInt : .largeUInt
        return .constant(number.description, type: type.shortName)
    }

    /// Writes number / 10^digits without an exponent and without trailing zeros.
    private static func decimal(_ number: Int64, digits: Int) -> String {
        let text = String(number.magnitude)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        let fraction = padded.suffix(digits).reversed().drop { $0 == "0" }.reversed()
        return (number < 0 ? "-" : "") + padded.dropLast(digits) + (fraction.isEmpty ? "" : "." + String(fraction))
    }

    /// Returns a bound a millionth away, or 1e-9 if that is more. The server may store 32 bits and may read a constant
    /// inexactly. Nil if the number would need an exponent.
    private static func widened(_ number: Double, up: Bool) -> String? {
        guard number.magnitude < 1e15 else { return nil }
        let digits = number.magnitude < 1e6 ? 9 : 0
        let scaled = digits == 9 ? number * 1e9 : number
        let margin = scaled.magnitude * 1e-6 + 1
        guard let bound = Int64(exactly: up ? (scaled + margin).rounded(.up) : (scaled - margin).rounded(.down)) else {
            return nil
        }
        return decimal(bound, digits: digits)
    }
}

/// The translation of text.
extension LeafTranslation {
    /// Returns a constant for a text that arrives unchanged everywhere.
    private func safeText(_ value: PredicateValue) throws(Obstacle) -> WhereExpression {
        guard let text = value.text else { throw Obstacle(.value) }
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw Obstacle(.notASCII) }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), text.utf8.first != 0x20,
            text.utf8.last != 0x20
        else { throw Obstacle(.fragileText) }
        return .constant(text, type: Self.textType(type))
    }

    private static func textType(_ type: DataType) -> String {
        switch type {
        case .wideString, .wideMemo, .fixedWideChar, .xml: DataType.wideString.shortName
        case .guid: type.shortName
        default: DataType.string.shortName
        }
    }

    /// A character that XML cannot represent makes a constant unwritable.
    private static func writable(_ text: String, _ type: DataType) -> WhereExpression? {
        let constant = WhereExpression.constant(text, type: textType(type))
        return (try? DynamicWhere.xml(constant, limits: WhereLimits(bytes: .max))) == nil ? nil : constant
    }

    /// Returns the pattern of the server's LIKE with the same meaning; nil if it would have to quote a wildcard, because
    /// no way of quoting is documented.
    private func exactPattern(_ operation: PredicateOperator, _ text: String) -> String? {
        var pattern = String.UnicodeScalarView()
        for element in Self.elements(operation, text) {
            switch element {
            case .anyText: pattern.append("%")
            case .any: pattern.append("_")
            default:
                guard let scalar = element.scalar, !Self.isSpecial(scalar) else { return nil }
                pattern.append(scalar)
            }
        }
        return String(pattern)
    }

    /// Returns a pattern that matches at least the same texts: `?`, special characters and blanks next to a wildcard or
    /// at an end become `%`. Nil if it would match every text.
    ///
    /// A server may count other units than scalars for `?`, and may have cut blanks off the end of its values.
    private func widePattern(_ operation: PredicateOperator, _ text: String) -> String? {
        var runs: [[Unicode.Scalar]] = [[]]
        for element in Self.elements(operation, text) {
            if let scalar = element.scalar, !Self.isSpecial(scalar) {
                runs[runs.count - 1].append(scalar)
            } else if runs.count == 1 || !runs[runs.count - 1].isEmpty {
                runs.append([])
            }
        }
        guard runs.contains(where: { run in run.contains { $0 != " " } }) else { return nil }
        var pattern = String.UnicodeScalarView()
        for (index, run) in runs.enumerated() {
            let start = run.drop { $0 == " " }
            let trimmed = Array(start.reversed().drop { $0 == " " }.reversed())
            if index > 0 || start.count < run.count, pattern.last != "%" { pattern.append("%") }
            pattern.append(contentsOf: trimmed)
        }
        let isFixed = type == .fixedChar || type == .fixedWideChar
        let last = runs[runs.count - 1]
        if (last.last == " " || isFixed) && pattern.last != "%" { pattern.append("%") }
        return String(pattern)
    }

    /// The operator as a pattern.
    private static func elements(_ operation: PredicateOperator, _ text: String) -> [ScalarPattern.Element] {
        guard operation != .like else { return ScalarPattern(text).elements }
        let scalars = text.unicodeScalars.map { ScalarPattern.Element.scalar($0.value) }
        let before: [ScalarPattern.Element] = operation == .beginsWith ? [] : [.anyText]
        let after: [ScalarPattern.Element] = operation == .endsWith ? [] : [.anyText]
        return before + scalars + after
    }

    /// Whether a character has a meaning in the LIKE of some database.
    private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
        "%_[]^\\*?#!{}".unicodeScalars.contains(scalar) || scalar.value < 0x20 || scalar.value == 0x7F
    }

    /// Returns the constant for a trusted server.
    private func exactConstant(_ value: PredicateValue) throws(Obstacle) -> WhereExpression {
        switch value {
        case .text(let text):
            guard let constant = Self.writable(text, type) else { throw Obstacle(.fragileText) }
            return constant
        case .date(let date):
            guard date.isCertain else { throw Obstacle(.value) }
            return .constant(date.description, type: type.shortName)
        case .boolean(let flag):
            if type == .boolean { return .constant(flag ? "True" : "False", type: type.shortName) }
            return .constant(flag ? "1" : "0", type: DataType.integer.shortName)
        case .number(let number):
            if type == .float || type == .singleFloat { return .constant(number.description, type: "Float") }
            if let constant = wholeConstant(value) { return constant }
            return .constant(number.description, type: DataType.decimal.shortName)
        case .float(let number):
            if let constant = wholeConstant(value) { return constant }
            guard number.isFinite else { throw Obstacle(.value) }
            return .constant(number.description, type: DataType.float.shortName)
        }
    }
}

extension PredicateOperator {
    /// Whether values must not be less than the operand.
    fileprivate var hasLow: Bool { self == .equal || self == .greater || self == .greaterOrEqual }
    /// Whether values must not be greater than the operand.
    fileprivate var hasHigh: Bool { self == .equal || self == .less || self == .lessOrEqual }

    fileprivate func whereName(isNegated: Bool) -> WhereOperator? {
        switch self {
        case .equal: isNegated ? .notEqual : .equal
        case .notEqual: .notEqual
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        case .beginsWith, .endsWith, .contains, .like: nil
        }
    }
}
