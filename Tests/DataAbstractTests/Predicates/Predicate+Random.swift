// SPDX-License-Identifier: Apache-2.0

import NIOCore
import TestSupport

@testable import DataAbstract

extension Expression {
    /// The columns that random predicates name.
    static let randomColumns: [DataColumn] = [
        DataColumn("Id", .integer), DataColumn("Big", .largeInt), DataColumn("Huge", .largeUInt),
        DataColumn("Price", .currency), DataColumn("Exact", .decimal), DataColumn("Size", .float),
        DataColumn("Small", .singleFloat), DataColumn("Name", .wideString), DataColumn("City", .string),
        DataColumn("Code", .fixedChar), DataColumn("Day", .dateTime), DataColumn("Paid", .boolean),
        DataColumn("Unit Price", .word), DataColumn("Key", .guid), DataColumn("Note", .memo), DataColumn("Data", .blob),
    ]

    private static let texts = [
        "", "a", "A", "ab", "aB", "b ", " b", "ä", "Ä", "a\u{308}", "ß", "ss", "SS", "é€😀", "%", "a_b", "it's", "x]y",
        "a b",
    ]
    private static let numbers = [
        "0", "1", "-1", "2", "1.5", "0.1", "12.34", "-7.0", "99.99995", "9007199254740993", "18446744073709551615",
        "0.00001", "100000",
    ]
    private static let patterns = ["*", "a*", "*b", "?", "a?", "*a*", "a*b", "\\*", "* b", "ab", "ä*", "%?", "b *"]

    static func randomText(_ random: inout SeededRandom) -> String { texts.randomElement(using: &random) ?? "" }

    static func randomNumber(_ random: inout SeededRandom) -> DataDecimal? {
        DataDecimal(numbers.randomElement(using: &random) ?? "0")
    }

    /// Returns a predicate on `randomColumns` that fits their types.
    static func random(_ random: inout SeededRandom, depth: Int) -> Expression {
        guard depth > 0, Int.random(in: 0..<3, using: &random) > 0 else { return leaf(&random) }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return .not(Self.random(&random, depth: depth - 1))
        case 1:
            return .and((0..<Int.random(in: 2...3, using: &random)).map { _ in Self.random(&random, depth: depth - 1) })
        default:
            return .or((0..<Int.random(in: 2...3, using: &random)).map { _ in Self.random(&random, depth: depth - 1) })
        }
    }

    private static func leaf(_ random: inout SeededRandom) -> Expression {
        let column = randomColumns[Int.random(in: randomColumns.indices, using: &random)]
        if column.type.valueClass == .other || Int.random(in: 0..<10, using: &random) == 0 {
            return .isNull(column.name)
        }
        let folding = PredicateFolding(
            rawValue: .random(in: 0..<8, using: &random) < 5 ? 0 : .random(in: 0..<4, using: &random)
        )
        let value = value(column.type, &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            let count = Int.random(in: 0...4, using: &random)
            return .isIn(column.name, (0..<count).map { _ in Self.value(column.type, &random) }, folding)
        case 1: return .between(column.name, value, Self.value(column.type, &random))
        case 2:
            let others = randomColumns.filter { $0.type.valueClass == column.type.valueClass }
            let other = others.randomElement(using: &random) ?? column
            return .comparison(column.name, order(&random), .field(other.name), folding)
        case 3...5 where column.type.valueClass == .text:
            let tests: [PredicateOperator] = [.beginsWith, .endsWith, .contains, .like]
            let test = tests.randomElement(using: &random) ?? .like
            let text = test == .like ? patterns.randomElement(using: &random) ?? "" : randomText(&random)
            return .comparison(column.name, test, .value(.text(text)), folding)
        default: return .comparison(column.name, order(&random), .value(value), folding)
        }
    }

    private static func order(_ random: inout SeededRandom) -> PredicateOperator {
        let orders: [PredicateOperator] = [.equal, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
        return orders.randomElement(using: &random) ?? .equal
    }

    private static func value(_ type: DataType, _ random: inout SeededRandom) -> PredicateValue {
        switch type.valueClass {
        case .text: return .text(randomText(&random))
        case .date:
            let date = PredicateDate(days: Double(Int.random(in: 43_800...43_804, using: &random)))
            return .date(date)
        case .number, .other:
            switch Int.random(in: 0..<8, using: &random) {
            case 0: return .boolean(.random(using: &random))
            case 1: return .float([0.1, 1.5, 1e20, -2, 9_007_199_254_740_992].randomElement(using: &random) ?? 0)
            default: return randomNumber(&random).map { .number($0) } ?? .boolean(true)
            }
        }
    }

    /// Returns a value of a column that random predicates are likely to distinguish.
    static func cell(_ type: DataType, _ random: inout SeededRandom) -> DataValue {
        if Int.random(in: 0..<5, using: &random) == 0 { return .null }
        let number = randomNumber(&random)
        let double = Double(number?.description ?? "0") ?? 0
        switch type.valueClass {
        case .text where type == .guid:
            return .text(
                ["0123456789ABCDEF0123456789abcdef0123", "0123456789abcdef0123456789abcdef0123"].randomElement(
                    using: &random
                ) ?? ""
            )
        case .text:
            let text = randomText(&random)
            return .text(type == .wideString || text.unicodeScalars.allSatisfy { $0.value <= 0xFF } ? text : "a")
        case .date: return .dateTime(days: Double(Int.random(in: 87_600...87_608, using: &random)) / 2)
        case .other: return .bytes(.init(bytes: [1, 2]))
        case .number: break
        }
        switch type {
        case .boolean: return .boolean(.random(using: &random))
        case .float: return Int.random(in: 0..<9, using: &random) == 0 ? .float(.nan) : .float(double)
        case .singleFloat: return .float(Double(Float(double)))
        case .currency:
            return .currency(
                scaled: [0, 1, 10_000, -10_000, 15_000, 123_400, 1_000_000].randomElement(using: &random) ?? 0
            )
        case .decimal: return number.map { .decimal($0) } ?? .null
        case .largeUInt: return .unsigned([0, 1, 2, .max, 9_007_199_254_740_993].randomElement(using: &random) ?? 0)
        case .largeInt: return .integer([0, 1, -1, 2, 9_007_199_254_740_993].randomElement(using: &random) ?? 0)
        case .word: return .integer([0, 1, 2].randomElement(using: &random) ?? 0)
        default: return .integer([0, 1, -1, 2, 100_000].randomElement(using: &random) ?? 0)
        }
    }

    /// Returns a table of random rows with `randomColumns`.
    static func randomTable(_ random: inout SeededRandom, rows: Int) throws -> DataTable {
        var table = try DataTable(name: "T", columns: randomColumns)
        for _ in 0..<rows { try table.append(randomColumns.map { cell($0.type, &random) }) }
        return table
    }
}
