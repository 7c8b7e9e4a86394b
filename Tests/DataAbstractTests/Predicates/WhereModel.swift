// SPDX-License-Identifier: Apache-2.0

@testable import DataAbstract

/// A server that evaluates where clauses by SQL's three values, where nil is unknown.
///
/// Its collations treat more texts as equal than the language does. Unless it is exact, it also computes amounts and
/// Floats with binary numbers, keeps dates to the second, and counts UTF-16 units for `_`.
struct WhereModel {
    enum Collation: CaseIterable {
        case binary
        case nocase
        case trim
    }

    private enum Value {
        case null
        case number(ExactNumber)
        case text(String)
        case seconds(Double)
    }

    let columns: [DataColumn]
    let collation: Collation
    var isExact = false

    func truth(_ expression: WhereExpression, _ row: [DataValue]) -> Bool? {
        switch expression {
        case .binary(.and, let left, let right):
            let sides = [truth(left, row), truth(right, row)]
            return sides.contains(false) ? false : sides.contains(nil) ? nil : true
        case .binary(.or, let left, let right):
            let sides = [truth(left, row), truth(right, row)]
            return sides.contains(true) ? true : sides.contains(nil) ? nil : false
        case .binary(.equal, let left, .null): return isNull(left, row)
        case .binary(.equal, let left, .unary(.not, .null)): return !isNull(left, row)
        case .binary(.in, let left, .list(let values)):
            let results = values.map { truth(.binary(.equal, left, $0), row) }
            return results.contains(true) ? true : results.contains(nil) ? nil : false
        case .binary(.notIn, let left, let list): return truth(.binary(.in, left, list), row).map { !$0 }
        case .binary(.notLike, let left, let right): return truth(.binary(.like, left, right), row).map { !$0 }
        case .binary(let operation, let left, let right):
            let column = columns.first { .field($0.name) == left }
            return compare(value(left, row, column), operation, value(right, row, column))
        default: return nil
        }
    }

    private func isNull(_ expression: WhereExpression, _ row: [DataValue]) -> Bool {
        // NaN is no NULL, although it compares like one.
        columns.indices.contains { .field(columns[$0].name) == expression && row[$0].isNull }
    }

    private func value(_ expression: WhereExpression, _ row: [DataValue], _ column: DataColumn?) -> Value {
        switch expression {
        case .field(let name, _):
            guard let index = columns.firstIndex(where: { $0.name == name }) else { return .null }
            return value(row[index], columns[index].type)
        case .constant(let text?, let type): return constant(text, type, column?.type ?? .unknown)
        default: return .null
        }
    }

    private func value(_ value: DataValue, _ type: DataType) -> Value {
        switch value {
        case .text(let text): return .text(collated(text, type))
        case .dateTime(let days):
            let milliseconds = (days * 86_400_000).rounded()
            return .seconds(isExact ? milliseconds / 1000 : (milliseconds / 1000).rounded(.down))
        case .float(let number): return number.isNaN ? .null : .number(.binary(number))
        case .currency(let scaled) where !isExact: return .number(.binary(Double(scaled) / 10_000))
        case .decimal(let number) where !isExact: return .number(.binary(Double(number.description) ?? 0))
        default: return ExactNumber(value).map { .number($0) } ?? (value.isNull ? .null : .text("bytes"))
        }
    }

    private func constant(_ text: String, _ type: String, _ column: DataType) -> Value {
        switch type {
        case "String", "WideString", "Guid": return .text(collated(text, column))
        case "DateTime":
            return PredicateDate(text).map { .seconds(Double($0.milliseconds) / 1000 + 25_569 * 86_400) } ?? .null
        case "Boolean": return .number(ExactNumber(text == "True" ? 1 : 0))
        default:
            let double = Double(text) ?? .nan
            if column == .singleFloat { return .number(.binary(Double(Float(double)))) }
            let isBinary = type == "Float" || column == .float || !isExact && (type == "Currency" || type == "Decimal")
            guard !isBinary, let decimal = DataDecimal(text) else { return .number(.binary(double)) }
            return .number(ExactNumber(decimal))
        }
    }

    private func collated(_ text: String, _ type: DataType) -> String {
        switch collation {
        case .nocase: return text.lowercased()
        case .binary where type == .guid: return text.lowercased()
        case .binary: return text
        case .trim:
            return String(String.UnicodeScalarView(text.unicodeScalars.reversed().drop { $0 == " " }.reversed()))
        }
    }

    private func compare(_ left: Value, _ operation: WhereOperator, _ right: Value) -> Bool? {
        let order: Int
        switch (left, right) {
        case (.null, _), (_, .null): return nil
        case (.text(let left), .text(let right)):
            if operation == .like { return like(units(left)[...], units(right)[...]) }
            let (left, right) = (left.unicodeScalars.map(\.value), right.unicodeScalars.map(\.value))
            order = left.lexicographicallyPrecedes(right) ? -1 : left == right ? 0 : 1
        case (.number(let left), .number(let right)): order = left.compared(to: right)
        case (.seconds(let left), .seconds(let right)): order = left < right ? -1 : left == right ? 0 : 1
        default: return nil
        }
        switch operation {
        case .equal: return order == 0
        case .notEqual: return order != 0
        case .less: return order < 0
        case .lessOrEqual: return order <= 0
        case .greater: return order > 0
        case .greaterOrEqual: return order >= 0
        default: return nil
        }
    }

    private func units(_ text: String) -> [UInt32] {
        isExact ? text.unicodeScalars.map(\.value) : text.utf16.map { UInt32($0) }
    }

    private func like(_ text: ArraySlice<UInt32>, _ pattern: ArraySlice<UInt32>) -> Bool {
        switch pattern.first {
        case nil: text.isEmpty
        case 0x25: (0...text.count).contains { like(text.dropFirst($0), pattern.dropFirst()) }
        case 0x5F: !text.isEmpty && like(text.dropFirst(), pattern.dropFirst())
        case let first: text.first == first && like(text.dropFirst(), pattern.dropFirst())
        }
    }
}
