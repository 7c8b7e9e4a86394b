// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import TestSupport

extension Expression {
    /// The fields that random predicates name, and one that they do not.
    static let randomFields = [
        EditableField("Id", .integer), EditableField("Price", .currency), EditableField("Size", .float),
        EditableField("Name", .wideString), EditableField("Unit Price", .word), EditableField("Day", .dateTime),
        EditableField("Paid", .boolean), EditableField("Key", .guid), EditableField("Data", .blob),
    ]

    /// Returns a predicate that fits the fields, with forms that have no template, and with groups of any size.
    static func random(_ random: inout SeededRandom, depth: Int) -> Expression {
        guard depth > 0, Int.random(in: 0..<3, using: &random) > 0 else { return leaf(&random) }
        let kind = Int.random(in: 0..<3, using: &random)
        if kind == 0 { return .not(Self.random(&random, depth: depth - 1)) }
        let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in Self.random(&random, depth: depth - 1) }
        return kind == 1 ? .and(parts) : .or(parts)
    }

    private static func leaf(_ random: inout SeededRandom) -> Expression {
        let orders: [PredicateOperator] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
        let texts: [PredicateOperator] = [.equal, .less, .contains, .beginsWith, .endsWith, .like]
        let order = Expression.value(number(&random))
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .constant(.random(using: &random))
        case 1: return .isNull(randomFields.randomElement(using: &random)?.name ?? "Id")
        case 2: return .isIn("Id", [number(&random), number(&random)])
        case 3: return .between("Price", number(&random), number(&random))
        case 4: return .comparison("Paid", .equal, .value(.boolean(.random(using: &random))))
        case 5: return .comparison("Day", orders.randomElement(using: &random) ?? .equal, .value(.text("2020-01-31")))
        case 6:
            let date = PredicateDate(days: Double(Int.random(in: 1...80_000, using: &random)) / 2)
            return .comparison("Day", .less, .value(.date(date)))
        case 7: return .comparison("Id", .less, .field("price"))
        case 8...9:
            let folding = PredicateFolding(rawValue: .random(in: 0..<4, using: &random))
            let text = ["", "it's", " a ", "é漢", "e\u{301}", "a\nb", "*?"].randomElement(using: &random) ?? ""
            let name = ["Name", "name", "Key"].randomElement(using: &random) ?? "Name"
            return .comparison(name, texts.randomElement(using: &random) ?? .equal, .value(.text(text)), folding)
        default:
            let name = ["Id", "Price", "Size", "Unit Price"].randomElement(using: &random) ?? "Id"
            return .comparison(name, orders.randomElement(using: &random) ?? .equal, order)
        }
    }

    private static func number(_ random: inout SeededRandom) -> PredicateValue {
        let numbers = ["0", "1", "-7", "2.50", "99999999999999999999", "0.00001"]
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .float([0.1, -2, 1e20].randomElement(using: &random) ?? 0)
        case 1: return .boolean(.random(using: &random))
        default: return DataDecimal(numbers.randomElement(using: &random) ?? "0").map { .number($0) } ?? .boolean(true)
        }
    }

    /// Returns values of `randomFields` that random predicates are likely to distinguish.
    static func randomRow(_ random: inout SeededRandom) -> [DataValue] {
        let values: [DataValue] = [
            .integer(.random(in: -1...2, using: &random)),
            .currency(scaled: .random(in: -1...3, using: &random) * 10_000),
            .float([0.1, -2, 2.5].randomElement(using: &random) ?? 0),
            .text(["", "it's", " a ", "É漢"].randomElement(using: &random) ?? ""),
            .integer(.random(in: 0...2, using: &random)), .dateTime(days: .random(in: 1...80_000, using: &random)),
            .boolean(.random(using: &random)), .text("0123456789ABCDEF0123456789abcdef0123"), .null,
        ]
        return values.map { Int.random(in: 0..<6, using: &random) == 0 ? .null : $0 }
    }
}
