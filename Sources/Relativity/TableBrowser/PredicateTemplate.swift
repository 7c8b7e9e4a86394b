// SPDX-License-Identifier: Apache-2.0

internal import DataAbstract
import Platform

/// A kind of test that a row of the predicate editor can be.
enum PredicateTemplate: Hashable, Sendable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, between
    case contains, beginsWith, endsWith, like
    case isTrue, isFalse, isNull, isNotNull

    /// The kinds for fields of a type.
    static func templates(for type: DataType) -> [PredicateTemplate] {
        switch type {
        case _ where type.isText:
            [.equal, .notEqual, .contains, .beginsWith, .endsWith, .like, .isNull, .isNotNull]
        case .boolean: [.isTrue, .isFalse, .isNull, .isNotNull]
        case .unknown, .blob, .cursor: [.isNull, .isNotNull]
        default:
            [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .isNull, .isNotNull]
        }
    }

    /// The words on the screen.
    var title: String {
        switch self {
        case .equal: "="
        case .notEqual: "!="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .between: "is between"
        case .contains: "contains"
        case .beginsWith: "begins with"
        case .endsWith: "ends with"
        case .like: "is like"
        case .isTrue: "is true"
        case .isFalse: "is false"
        case .isNull: "is NULL"
        case .isNotNull: "is not NULL"
        }
    }

    /// The number of values after the field.
    var valueCount: Int {
        switch self {
        case .isTrue, .isFalse, .isNull, .isNotNull: 0
        case .between: 2
        default: 1
        }
    }

    /// The operator with one value; nil for other kinds.
    var comparison: PredicateOperator? {
        switch self {
        case .equal: .equal
        case .notEqual: .notEqual
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        case .contains: .contains
        case .beginsWith: .beginsWith
        case .endsWith: .endsWith
        case .like: .like
        case .between, .isTrue, .isFalse, .isNull, .isNotNull: nil
        }
    }

    init?(_ comparison: PredicateOperator) {
        guard let template = Self.allCases.first(where: { $0.comparison == comparison }) else { return nil }
        self = template
    }
}

/// A test of a field in the form of a template.
struct PredicateRow: Hashable, Sendable {
    /// The number of NOT in front.
    var negations = 0
    /// The name of the field as it is written.
    var field: String
    var template: PredicateTemplate
    /// As many as the template has.
    var values: [PredicateValue]
    var folding: PredicateFolding = []

    init(_ field: String, _ template: PredicateTemplate, _ values: [PredicateValue]) {
        (self.field, self.template, self.values) = (field, template, values)
    }

    /// Nil if the part has another form, or does not fit the fields.
    init?(_ part: Expression, _ fields: [EditableField]) {
        let (template, operands): (PredicateTemplate, [Expression])
        var folding: PredicateFolding = []
        switch part.positive.node {
        case .isNull(let field): (template, operands) = (part.negations > 0 ? .isNotNull : .isNull, [field])
        case .between(let field, let low, let high): (template, operands) = (.between, [field, low, high])
        case .comparison(.equal, let field, let value, _) where value.literal == .boolean(true):
            (template, operands) = (.isTrue, [field])
        case .comparison(.equal, let field, let value, _) where value.literal == .boolean(false):
            (template, operands) = (.isFalse, [field])
        case .comparison(let comparison, let field, let value, let option):
            guard let known = PredicateTemplate(comparison) else { return nil }
            (template, operands, folding) = (known, [field, value], option)
        default: return nil
        }
        let values = operands.dropFirst().compactMap(\.literal)
        guard let name = operands[0].fieldName, values.count == template.valueCount else { return nil }
        self.init(name, template, values)
        self.folding = folding
        negations = part.negations - (template == .isNotNull ? 1 : 0)
        guard let field = fields.named(field), PredicateTemplate.templates(for: field.type).contains(template),
            values.allSatisfy({ field.literal(parsing: $0.typed, for: template) == $0 }), predicate == part
        else { return nil }
    }

    /// The test as a predicate.
    var predicate: Expression {
        let test: Expression =
            switch template {
            case .isNull: .isNull(field)
            case .isNotNull: .not(.isNull(field))
            case .isTrue, .isFalse: .comparison(field, .equal, .value(.boolean(template == .isTrue)))
            case .between: .between(field, values[0], values[1])
            default: .comparison(field, template.comparison ?? .equal, .value(values[0]), folding)
            }
        return test.negated(times: negations)
    }
}

extension DataType {
    /// Whether the values are texts, of which a predicate can test a part.
    var isText: Bool {
        switch self {
        case .string, .memo, .fixedChar, .wideString, .wideMemo, .fixedWideChar, .xml, .guid: true
        default: false
        }
    }
}

extension [EditableField] {
    /// Finds a field by its name (`NameMatch`); nil if several match.
    func named(_ name: String) -> EditableField? {
        NameMatch(name, in: lazy.map(\.name)).index.map { self[$0] }
    }
}

extension PredicateValue {
    /// The text that a user types for the literal.
    var typed: String { if case .text(let text) = self { text } else { description } }
}

extension EditableField {
    /// Parses a typed literal; nil if it is no value of the field. A part of a text can be anything.
    func literal(parsing text: String, for template: PredicateTemplate) -> PredicateValue? {
        if type.isText {
            let isWhole = template == .equal || template == .notEqual
            return type != .guid || !isWhole || value(parsing: text) != nil ? .text(text) : nil
        }
        let word = String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        guard value(parsing: word) != nil else { return nil }
        if type == .dateTime { return PredicateDate(word).map { .date($0) } }
        return DataDecimal(word).map { .number($0) } ?? Double(word).map { .float($0) }
    }

    /// A description of the values that `literal` parses: a sentence fragment.
    var expectedLiteral: String {
        switch type {
        case .dateTime: "expected a date such as 2020-01-31 or 2020-01-31T12:00"
        case .currency: "expected an amount such as 12.50"
        case .float, .singleFloat, .decimal: "expected a number such as 12.5"
        case .guid: "expected a Guid of 32 digits and 4 hyphens"
        default: "expected a whole number in the range of \(type.shortName)"
        }
    }
}
