// SPDX-License-Identifier: Apache-2.0

extension Expression {
    /// Calls for this expression and each one in it, from left to right.
    private func forEach(_ body: (Expression) -> Void) {
        body(self)
        switch node {
        case .value, .null, .constant, .field, .matchedField: break
        case .negative(let inner), .isNull(let inner), .not(let inner): inner.forEach(body)
        case .arithmetic(_, let left, let right), .comparison(_, let left, let right, _):
            for part in [left, right] { part.forEach(body) }
        case .isIn(let left, let list, _):
            for part in [left] + list { part.forEach(body) }
        case .between(let value, let low, let high):
            for part in [value, low, high] { part.forEach(body) }
        case .and(let parts), .or(let parts), .call(_, let parts):
            for part in parts { part.forEach(body) }
        case .aggregate(let aggregate):
            aggregate.argument?.forEach(body)
            aggregate.condition?.forEach(body)
        }
    }

    private func collect<Part>(_ part: (Node) -> Part?) -> [Part] {
        var found: [Part] = []
        forEach { if let part = part($0.node) { found.append(part) } }
        return found
    }

    /// The names of the fields of the row, from left to right, as written.
    package var fieldNames: [String] {
        collect { if case .field(let name) = $0 { name } else { nil } }
    }

    /// The names of the fields of the matched row.
    var matchedFieldNames: [String] {
        collect { if case .matchedField(let name) = $0 { name } else { nil } }
    }

    var aggregates: [AggregateExpression] {
        collect { if case .aggregate(let aggregate) = $0 { aggregate } else { nil } }
    }

    /// Whether a part of a condition reads fields of the row, and of the matched row.
    var reads: (row: Bool, matched: Bool) { (!fieldNames.isEmpty, !matchedFieldNames.isEmpty) }

    /// The parts of a condition that all have to be true.
    var conjuncts: [Expression] {
        guard case .and(let parts) = node else { return [self] }
        return parts.flatMap(\.conjuncts)
    }
}
