// SPDX-License-Identifier: Apache-2.0

/// Writes a query as a statement in DA SQL, and collects its values as parameters.
struct QueryWriter {
    /// The maximum nesting of expressions.
    private static let depthLimit = 200

    private(set) var text = ""
    private(set) var parameters: [DataParameter] = []
    private var depth = 0

    mutating func write(_ query: DataQuery) throws(DataQueryError) {
        text += query.isDistinct ? "SELECT DISTINCT " : "SELECT "
        if query.columns.isEmpty { text += "*" }
        try writeList(query.columns) { writer, column throws(DataQueryError) in
            try writer.write(column.expression)
            guard let name = column.name else { return }
            writer.text += " AS "
            try writer.write(name: name)
        }
        text += " FROM "
        try write(query.source)
        for join in query.joins {
            text += join.isOuter ? " LEFT OUTER JOIN " : " INNER JOIN "
            try write(join.source)
            text += " ON "
            try write(join.condition.expression)
        }
        if let condition = query.condition {
            text += " WHERE "
            try write(condition.expression)
        }
        if !query.groups.isEmpty { text += " GROUP BY " }
        try writeList(query.groups) { writer, value throws(DataQueryError) in try writer.write(value.expression) }
        if let condition = query.having {
            text += " HAVING "
            try write(condition.expression)
        }
        if !query.orders.isEmpty { text += " ORDER BY " }
        try writeList(query.orders) { writer, order throws(DataQueryError) in
            try writer.write(order.value.expression)
            if order.isDescending { writer.text += " DESC" }
        }
    }

    private mutating func writeList<Element>(
        _ elements: [Element],
        _ write: (inout QueryWriter, Element) throws(DataQueryError) -> Void
    ) throws(DataQueryError) {
        for (index, element) in elements.enumerated() {
            if index > 0 { text += ", " }
            try write(&self, element)
        }
    }

    private mutating func write(_ source: QuerySource) throws(DataQueryError) {
        try write(name: source.table)
        guard source.alias != source.table else { return }
        text += " AS "
        try write(name: source.alias)
    }

    private mutating func write(name: String) throws(DataQueryError) {
        guard !name.isEmpty, !name.utf8.contains(0) else { throw .emptyName }
        text += "\""
        for scalar in name.unicodeScalars {
            text.unicodeScalars.append(scalar)
            if scalar == "\"" { text += "\"" }
        }
        text += "\""
    }

    /// - Parameter precedence: that of the operator around the expression. A weaker expression gets parentheses.
    private mutating func write(_ expression: QueryExpression, within precedence: Int = 0) throws(DataQueryError) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw .tooDeep(limit: Self.depthLimit) }
        let isInner = Self.precedence(expression) < precedence
        if isInner { text += "(" }
        switch expression {
        case .field(let source, let name):
            try write(name: source)
            text += "."
            try write(name: name)
        case .literal(let value):
            let name = "p\(parameters.count)"
            parameters.append(DataParameter(name, value))
            text += ":\(name)"
        case .operation(let symbol, _, _):
            // A chain such as a AND b AND c is written without recursion, so that it may be long.
            var operands: [QueryExpression] = []
            var first = expression
            while case .operation(symbol, let left, let right) = first, symbol.precedence != 4 || operands.isEmpty {
                operands.append(right)
                first = left
            }
            // A comparison is not an operand of another one.
            try write(first, within: symbol.precedence == 4 ? 5 : symbol.precedence)
            for operand in operands.reversed() {
                text += " \(symbol.rawValue) "
                try write(operand, within: symbol.precedence + 1)
            }
        case .function(let name, let isDistinct, let argument):
            text += name + (isDistinct ? "(DISTINCT " : "(")
            if let argument { try write(argument) } else { text += "*" }
            text += ")"
        case .not(let operand):
            text += "NOT "
            try write(operand, within: 7)
        case .isNull(let operand, let isNegated):
            try write(operand, within: 5)
            text += isNegated ? " IS NOT NULL" : " IS NULL"
        case .isIn(_, let values) where values.isEmpty: text += "1 = 0"
        case .isIn(let operand, let values):
            try write(operand, within: 5)
            text += " IN ("
            try writeList(values) { writer, value throws(DataQueryError) in try writer.write(value, within: 5) }
            text += ")"
        case .between(let operand, let low, let high):
            try write(operand, within: 5)
            text += " BETWEEN "
            try write(low, within: 5)
            text += " AND "
            try write(high, within: 5)
        }
        if isInner { text += ")" }
    }

    private static func precedence(_ expression: QueryExpression) -> Int {
        switch expression {
        case .field, .literal, .function: 8
        case .operation(let symbol, _, _): symbol.precedence
        case .not: 3
        case .isNull, .isIn, .between: 4
        }
    }
}
