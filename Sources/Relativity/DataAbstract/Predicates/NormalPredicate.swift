// SPDX-License-Identifier: Apache-2.0

/// A predicate whose fields are resolved, whose literals fit them, and whose negations are at the leaves.
///
/// Without negation of AND and OR, "true" of SQL's three values is all that counts: a leaf that is not true, because it
/// is false or because of NULL, makes a row fail in the same way.
indirect enum NormalPredicate: Hashable, Sendable {
    case constant(Bool)
    case leaf(PredicateLeaf)
    case all([NormalPredicate])
    case any([NormalPredicate])

    /// - Throws: `syntax` if the expression is no predicate; `unknownField`, `ambiguousField`, `mismatch`, `unmappable`.
    init(_ predicate: Expression, _ fields: [DataColumn], isNegated: Bool = false) throws(PredicateError) {
        switch predicate.node {
        case .constant(let value): self = .constant(value != isNegated)
        case .not(let inner): try self.init(inner, fields, isNegated: !isNegated)
        case .and(let parts): try self.init(parts, fields, isNegated: isNegated, isConjunction: !isNegated)
        case .or(let parts): try self.init(parts, fields, isNegated: isNegated, isConjunction: isNegated)
        case .between(let left, let low, let high):
            let field = try fields.resolve(left)
            let (least, greatest) = (try low.fitted(to: field), try high.fitted(to: field))
            let folding = field.folding([])
            let lower = PredicateLeaf.Test.compare(isNegated ? .less : .greaterOrEqual, least, folding)
            let upper = PredicateLeaf.Test.compare(isNegated ? .greater : .lessOrEqual, greatest, folding)
            let parts = [lower, upper].map { NormalPredicate.leaf(PredicateLeaf(field: field, test: $0)) }
            self = isNegated ? .any(parts) : .all(parts)
        case .isNull(let left):
            self = .leaf(PredicateLeaf(field: try fields.resolve(left), test: .null, isNegated: isNegated))
        case .isIn(let left, let values, let folding):
            let field = try fields.resolve(left)
            var fitted: [PredicateValue] = []
            for value in values { fitted.append(try value.fitted(to: field)) }
            if field.type.valueClass == .other { throw field.mismatch("can only be tested for NULL") }
            let test = PredicateLeaf.Test.isIn(fitted, field.folding(folding))
            self = .leaf(PredicateLeaf(field: field, test: test, isNegated: isNegated))
        case .comparison(let operation, let left, let right, let folding):
            let field = try fields.resolve(left)
            self = .leaf(try PredicateLeaf(field, operation, right, folding, fields, isNegated: isNegated))
        case .value, .null, .field, .matchedField, .negative, .arithmetic, .call, .aggregate:
            throw predicate.isNoPredicate
        }
    }

    /// Joins parts, without those that decide nothing.
    private init(
        _ parts: [Expression],
        _ fields: [DataColumn],
        isNegated: Bool,
        isConjunction: Bool
    ) throws(PredicateError) {
        var joined: [NormalPredicate] = []
        var isDecided = false
        for part in parts {
            let normal = try NormalPredicate(part, fields, isNegated: isNegated)
            guard case .constant(let value) = normal else {
                joined.append(normal)
                continue
            }
            isDecided = isDecided || value != isConjunction
        }
        if isDecided || joined.isEmpty {
            self = .constant(isDecided != isConjunction)
        } else if joined.count == 1 {
            self = joined[0]
        } else {
            self = isConjunction ? .all(joined) : .any(joined)
        }
    }

    /// The same condition as a syntax tree.
    var predicate: Expression {
        switch self {
        case .constant(let value): .constant(value)
        case .leaf(let leaf): leaf.predicate
        case .all(let parts): .and(parts.map(\.predicate))
        case .any(let parts): .or(parts.map(\.predicate))
        }
    }
}

/// A test of one field.
struct PredicateLeaf: Hashable, Sendable {
    enum Test: Hashable, Sendable {
        case null
        /// The operator is never `notEqual`, which is `equal` with `isNegated`.
        case compare(PredicateOperator, PredicateValue, PredicateFolding)
        case compareField(PredicateOperator, PredicateField, PredicateFolding)
        case isIn([PredicateValue], PredicateFolding)
    }

    let field: PredicateField
    let test: Test
    /// Whether the test must be false. It must still not involve NULL. Order comparisons are never negated.
    var isNegated = false

    init(field: PredicateField, test: Test, isNegated: Bool = false) {
        self.field = field
        self.test = test
        self.isNegated = isNegated
    }

    init(
        _ field: PredicateField,
        _ operation: PredicateOperator,
        _ operand: Expression,
        _ folding: PredicateFolding,
        _ fields: [DataColumn],
        isNegated: Bool
    ) throws(PredicateError) {
        self.field = field
        if operation.isTextTest, field.type.valueClass != .text {
            throw field.mismatch("is no text, so that \(operation.rawValue) does not apply")
        }
        var (operation, isNegated) = (operation, isNegated)
        if operation == .notEqual { (operation, isNegated) = (.equal, !isNegated) }
        if isNegated, let opposite = operation.opposite { (operation, isNegated) = (opposite, false) }
        self.isNegated = isNegated
        guard let name = operand.fieldName else {
            let fitted = operation == .like ? try operand.pattern(for: field) : try operand.fitted(to: field)
            test = .compare(operation, fitted, field.folding(folding))
            return
        }
        let other: PredicateField
        do throws(PredicateError) {
            other = try fields.resolve(name)
        } catch {
            if case .unknownField = error { throw .unquoted(name) }
            throw error
        }
        guard other.type.valueClass == field.type.valueClass, field.type.valueClass != .other else {
            throw field.mismatch("cannot be compared with field '\(other.name)' (\(other.type.shortName))")
        }
        let both = other.type == .guid ? other.folding(folding) : field.folding(folding)
        test = .compareField(operation, other, both)
    }

    var predicate: Expression {
        let name = field.name
        switch test {
        case .null: return isNegated ? .not(.isNull(name)) : .isNull(name)
        case .isIn(let values, let folding):
            return isNegated ? .not(.isIn(name, values, folding)) : .isIn(name, values, folding)
        case .compare(let operation, let value, let folding):
            return compared(operation, .value(value), folding)
        case .compareField(let operation, let other, let folding):
            return compared(operation, .field(other.name), folding)
        }
    }

    private func compared(
        _ operation: PredicateOperator,
        _ operand: Expression,
        _ folding: PredicateFolding
    ) -> Expression {
        guard isNegated else { return .comparison(field.name, operation, operand, folding) }
        guard operation == .equal else { return .not(.comparison(field.name, operation, operand, folding)) }
        return .comparison(field.name, .notEqual, operand, folding)
    }
}

extension PredicateField {
    func mismatch(_ reason: String) -> PredicateError {
        .mismatch(field: name, type: type, reason: reason)
    }

    /// - Throws: `unmappable` if the code page of the field does not have a character.
    fileprivate func checkCharacters(_ text: String) throws(PredicateError) {
        guard let codePage else { return }
        do throws(UnmappableCharacter) {
            _ = try codePage.bytes(text)
        } catch {
            throw .unmappable(field: name, error)
        }
    }

    /// The folding for this field. The case of a Guid never counts.
    func folding(_ folding: PredicateFolding) -> PredicateFolding {
        switch type.valueClass {
        case .text: type == .guid ? folding.union(.ignoresCase) : folding
        default: []
        }
    }
}

extension PredicateValue {
    /// Converts the literal to the class of a field: text to a date, a Guid in braces to one without.
    ///
    /// - Throws: `mismatch`, `unmappable`.
    func fitted(to field: PredicateField) throws(PredicateError) -> PredicateValue {
        switch (field.type.valueClass, self) {
        case (.number, .number), (.number, .float), (.number, .boolean), (.date, .date): return self
        case (.text, .text(let text)):
            try field.checkCharacters(text)
            guard field.type == .guid, text.utf8.count == 38, text.utf8.first == UInt8(ascii: "{"),
                text.utf8.last == UInt8(ascii: "}")
            else { return self }
            return .text(String(text.dropFirst().dropLast()))
        case (.date, .text(let text)):
            guard let date = PredicateDate(text) else {
                throw field.mismatch("needs \(DataType.dateTime.expectedForm)")
            }
            return .date(date)
        case (.other, _): throw field.mismatch("can only be tested for NULL")
        case (.text, _): throw field.mismatch("is text: put the value in quotes")
        case (.number, _): throw field.mismatch("is a number: expected a number without quotes")
        case (.date, _): throw field.mismatch("needs \(DataType.dateTime.expectedForm)")
        }
    }
}

extension Expression {
    fileprivate var isNoPredicate: PredicateError {
        .syntax(reason: "expected a test of a field by literals or by another field", column: column)
    }

    /// - Throws: `syntax` if this is no literal; `mismatch`, `unmappable`.
    fileprivate func fitted(to field: PredicateField) throws(PredicateError) -> PredicateValue {
        guard let literal else { throw isNoPredicate }
        return try literal.fitted(to: field)
    }

    /// Like `fitted`, for a pattern, which remains as it is.
    fileprivate func pattern(for field: PredicateField) throws(PredicateError) -> PredicateValue {
        guard case .text(let text)? = literal else { return try fitted(to: field) }
        try field.checkCharacters(text)
        return .text(text)
    }
}

extension [DataColumn] {
    /// - Throws: `syntax` if the expression is no field; `unknownField`, `ambiguousField`.
    fileprivate func resolve(_ expression: Expression) throws(PredicateError) -> PredicateField {
        guard let name = expression.fieldName else { throw expression.isNoPredicate }
        return try resolve(name)
    }
}
