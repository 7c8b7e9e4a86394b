// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import SampleServer
import TestSupport
import Testing

/// Random predicates on the values that a table has.
private struct PredicateMaker {
    let columns: [DataColumn]
    let rows: [[DataValue]]
    var random: SeededRandom

    mutating func predicate(depth: Int) -> Expression {
        guard depth > 0, Int.random(in: 0..<3, using: &random) > 0 else { return leaf() }
        let parts = (0..<Int.random(in: 2...3, using: &random)).map { _ in predicate(depth: depth - 1) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .not(parts[0])
        case 1: return .or(parts)
        default: return .and(parts)
        }
    }

    private mutating func leaf() -> Expression {
        let index = Int.random(in: columns.indices, using: &random)
        let column = columns[index]
        guard let value = value(index), Int.random(in: 0..<12, using: &random) > 0 else { return .isNull(column.name) }
        let folding = PredicateFolding(rawValue: Int.random(in: 0..<5, using: &random) == 0 ? 1 : 0)
        switch Int.random(in: 0..<7, using: &random) {
        case 0:
            let values = (0..<3).compactMap { _ in self.value(index) }
            return .isIn(column.name, values, folding)
        case 1: return .between(column.name, value, self.value(index) ?? value)
        case 2...4:
            guard case .text(let text) = value, column.type != .guid else { break }
            let tests: [PredicateOperator] = [.beginsWith, .endsWith, .contains, .like]
            let test = tests.randomElement(using: &random) ?? .like
            let part = part(of: text)
            return .comparison(column.name, test, .value(.text(test == .like ? "*\(part)?*" : part)), folding)
        default: break
        }
        let operators: [PredicateOperator] = [
            .equal, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
        ]
        let operation = operators.randomElement(using: &random) ?? .equal
        return .comparison(column.name, operation, .value(value), folding)
    }

    private mutating func part(of text: String) -> String {
        let characters = Array(text)
        guard !characters.isEmpty else { return text }
        let start = Int.random(in: characters.indices, using: &random)
        return String(characters[start..<min(characters.count, start + 3)])
    }

    /// Returns a value of a column, or one that is near it or that some collations take for it.
    private mutating func value(_ column: Int) -> PredicateValue? {
        let cell = rows.isEmpty ? .null : rows[Int.random(in: rows.indices, using: &random)][column]
        let change = Int.random(in: 0..<8, using: &random)
        switch cell {
        case .null, .bytes, .unreadable, .unsigned: return nil
        case .integer(let number):
            return DataDecimal(change == 0 ? "\(number).5" : "\(change == 1 ? number + 1 : number)").map { .number($0) }
        case .currency(let scaled): return .float(Double(scaled + (change == 0 ? 1 : 0)) / 10_000)
        case .decimal(let number): return .number(number)
        case .float(let number): return .float(change == 0 ? number.nextUp : number)
        case .boolean(let flag): return .boolean(flag)
        case .dateTime(let days): return .date(PredicateDate(days: change == 0 ? days + 0.5 : days))
        case .text(let text):
            switch change {
            case 0: return .text(text.uppercased())
            case 1: return .text(text.lowercased())
            case 2: return .text(text + " ")
            default: return .text(text)
            }
        }
    }
}

@Suite("Predicates on servers")
struct RemotePredicateTests {
    private static let servers = ServerKind.allCases.flatMap { kind in
        ServerCollation.allCases.map { (kind, $0) }
    }

    @Test("a predicate selects the same rows at the server and here", arguments: servers)
    func property(_ kind: ServerKind, _ collation: ServerCollation) async throws {
        try await withSampleService(kind, collation) { adapter in
            var proven = ServerFeatures()
            proven[.dates] = FeatureFinding(true, .probed)
            proven[.nullTests] = FeatureFinding(true, .probed)
            for (number, name) in ["Clients", "Orders", "OrderDetails", "Products", "PriceList", "Customers"]
                .enumerated()
            {
                let table = try await adapter.table(TableRequest(name))
                var maker = PredicateMaker(
                    columns: table.columns,
                    rows: table.rows.map(Array.init),
                    random: SeededRandom(seed: UInt64(number))
                )
                for _ in 0..<Soak.count(4, soak: 300) {
                    var query = TableQuery(name)
                    let predicate = maker.predicate(depth: 3)
                    query.predicate = predicate
                    let compiled = try CompiledPredicate(predicate, fields: table.columns)
                    let expected = Set(try compiled.indices(in: table.rows).map { "\(Array(table.rows[$0]))" })
                    for features in [ServerFeatures(), proven] {
                        var rows = CollectedRows()
                        let record = try await TableReader(adapter, features: features)
                            .read(query, columns: table.columns, into: &rows)
                        #expect(Set(rows.texts) == expected, "\(name) \(kind) \(collation): \(predicate)")
                        #expect(record.rowsKept == rows.rows.count && rows.rows.count == expected.count)
                    }
                }
            }
        }
    }
}
