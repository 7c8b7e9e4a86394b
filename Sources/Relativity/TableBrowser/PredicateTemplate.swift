// SPDX-License-Identifier: Apache-2.0

internal import DataAbstract
import Platform

/// A kind of test that a row of the predicate editor can be.
enum PredicateTemplate: Hashable, Sendable {
    /// An operator with one value.
    case comparison(PredicateOperator)
    case between, isTrue, isFalse, isNull, isNotNull

    private static let texts: [PredicateOperator] = [.equal, .notEqual, .contains, .beginsWith, .endsWith, .like]
    private static let orders: [PredicateOperator] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]

    /// The kinds for fields of a type.
    static func templates(for type: DataType) -> [PredicateTemplate] {
        switch type {
        case _ where type.isText: texts.map { .comparison($0) } + [.isNull, .isNotNull]
        case .boolean: [.isTrue, .isFalse, .isNull, .isNotNull]
        case .unknown, .blob, .cursor: [.isNull, .isNotNull]
        default: orders.map { .comparison($0) } + [.between, .isNull, .isNotNull]
        }
    }

    /// The words on the screen.
    var title: String {
        switch self {
        case .comparison(.equal): "="
        case .comparison(.contains): "contains"
        case .comparison(.beginsWith): "begins with"
        case .comparison(.endsWith): "ends with"
        case .comparison(.like): "is like"
        case .comparison(let order): order.rawValue
        case .between: "is between"
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
        case .comparison: 1
        case .between: 2
        }
    }

    /// Whether a whole value is tested, such as the key of a row.
    var isEquality: Bool { self == .comparison(.equal) || self == .comparison(.notEqual) }
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
            (template, operands, folding) = (.comparison(comparison), [field, value], option)
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
            case .comparison(let comparison): .comparison(field, comparison, .value(values[0]), folding)
            }
        return test.negated(times: negations)
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
            return type != .guid || !template.isEquality || value(parsing: text) != nil ? .text(text) : nil
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
