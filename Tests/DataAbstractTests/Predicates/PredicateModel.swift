// SPDX-License-Identifier: Apache-2.0

@testable import DataAbstract

/// A simple evaluation of a syntax tree by SQL's three values, where nil is unknown.
struct PredicateModel {
    private let columns: [DataColumn]

    init(_ columns: [DataColumn]) {
        self.columns = columns
    }

    func truth(_ predicate: Expression, _ row: [DataValue]) -> Bool? {
        switch predicate.node {
        case .constant(let value): return value
        case .isNull(let field): return row[index(field)].isNull
        case .not(let inner): return truth(inner, row).map { !$0 }
        case .and(let parts): return Self.all(parts.map { truth($0, row) })
        case .or(let parts): return Self.all(parts.map { truth($0, row).map { !$0 } }).map { !$0 }
        case .between(let field, let low, let high):
            return Self.all([
                truth(Expression(.comparison(.greaterOrEqual, field, low)), row),
                truth(Expression(.comparison(.lessOrEqual, field, high)), row),
            ])
        case .isIn(let field, let values, let folding):
            guard isKnown(row[index(field)]) else { return nil }
            return values.contains { truth(Expression(.comparison(.equal, field, $0, folding)), row) == true }
        case .comparison(let operation, let field, let operand, let folding):
            let column = index(field)
            guard isKnown(row[column]) else { return nil }
            guard case .value(let literal) = operand.node else {
                let other = index(operand)
                guard isKnown(row[other]) else { return nil }
                return compare(row[column], operation, row[other], fold(folding, columns[column], columns[other]))
            }
            return compare(
                row[column],
                operation,
                cell(literal, columns[column].type),
                fold(folding, columns[column])
            )
        default: return nil
        }
    }

    private static func all(_ values: [Bool?]) -> Bool? {
        values.contains(false) ? false : values.contains(nil) ? nil : true
    }

    private func index(_ field: Expression) -> Int {
        guard case .field(let name) = field.node else { return 0 }
        return columns.firstIndex { $0.name == name } ?? 0
    }

    private func isKnown(_ value: DataValue) -> Bool {
        switch value {
        case .null: false
        case .float(let number): !number.isNaN
        default: true
        }
    }

    private func fold(_ folding: PredicateFolding, _ columns: DataColumn...) -> PredicateFolding {
        columns.contains { $0.type == .guid } ? folding.union(.ignoresCase) : folding
    }

    /// Converts a literal to a value of the class of a column.
    private func cell(_ value: PredicateValue, _ type: DataType) -> DataValue {
        switch value {
        case .text(let text): return .text(text)
        case .date(let date): return .dateTime(days: Double(date.milliseconds) / 86_400_000 + 25_569)
        case .boolean(let flag): return .boolean(flag)
        case .number(let number):
            let double = Double(number.description) ?? 0
            return type == .float
                ? .float(double) : type == .singleFloat ? .float(Double(Float(double))) : .decimal(number)
        case .float(let number): return .float(type == .singleFloat ? Double(Float(number)) : number)
        }
    }

    private func compare(
        _ left: DataValue,
        _ operation: PredicateOperator,
        _ right: DataValue,
        _ folding: PredicateFolding
    ) -> Bool {
        switch (left, right) {
        case (.text(let left), .text(let right)):
            let text = Self.folded(left, folding)
            let other = Self.folded(right, folding)
            switch operation {
            case .beginsWith: return text.starts(with: other)
            case .endsWith: return text.reversed().starts(with: other.reversed())
            case .contains: return (0...text.count).contains { text[$0...].starts(with: other) }
            case .like: return Self.like(text[...], Self.folded(right, folding)[...])
            default:
                return operation.isTrue(forOrder: text.lexicographicallyPrecedes(other) ? -1 : text == other ? 0 : 1)
            }
        case (.dateTime(let left), .dateTime(let right)):
            let (left, right) = ((left * 86_400_000).rounded(), (right * 86_400_000).rounded())
            return operation.isTrue(forOrder: left < right ? -1 : left == right ? 0 : 1)
        default:
            guard let left = ExactNumber(left), let right = ExactNumber(right) else { return false }
            return operation.isTrue(forOrder: left.compared(to: right))
        }
    }

    private static func folded(_ text: String, _ folding: PredicateFolding) -> [UInt32] {
        let scalars = text.unicodeScalars.map(\.value)
        return FoldingTable.table(for: folding)?.folded(scalars) ?? scalars
    }

    /// Compares with a pattern by trying everything.
    private static func like(_ text: ArraySlice<UInt32>, _ pattern: ArraySlice<UInt32>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        switch Character(Unicode.Scalar(first) ?? "x") {
        case "*": return (0...text.count).contains { like(text.dropFirst($0), rest) }
        case "?": return !text.isEmpty && like(text.dropFirst(), rest)
        case "\\" where rest.first.map { [0x2A, 0x3F, 0x5C].contains($0) } == true:
            return text.first == rest.first && like(text.dropFirst(), rest.dropFirst())
        default: return text.first == first && like(text.dropFirst(), rest)
        }
    }
}
