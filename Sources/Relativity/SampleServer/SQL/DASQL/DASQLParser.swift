// SPDX-License-Identifier: Apache-2.0

/// Parses the subset of DA SQL that the sample server answers: one SELECT with joins, groups and orders. Subqueries,
/// unions and statements that change rows are refused.
struct DASQLParser {
    /// The maximum nesting of expressions.
    private static let deepest = 32
    /// The maximum number of operators between two operands. Each makes the tree of an expression one level deeper.
    private static let mostOperators = 1_000
    /// The maximum number of tables: the limit of a join in SQLite.
    private static let mostSources = 64
    /// The maximum length of a name in bytes, because a statement can repeat the alias of a table for each field.
    private static let longestName = 256
    /// Words that end an expression, so that they cannot be an alias without quotes.
    private static let reserved: Set<String> = [
        "SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "BY", "AS", "ON", "JOIN", "INNER", "LEFT", "OUTER",
        "CROSS", "AND", "OR", "NOT", "IN", "IS", "LIKE", "BETWEEN", "NULL", "ASC", "DESC", "UNION", "DISTINCT", "TOP",
    ]
    static let functions: Set<String> = ["COUNT", "SUM", "MIN", "MAX", "AVG", "UPPER", "LOWER", "LENGTH", "ABS"]

    private let tokens: [DASQLToken]
    private var index = 0
    private var depth = 0
    private var operators = 0

    /// Parses a statement.
    ///
    /// - Throws: `QueryError`.
    static func parse(_ statement: String) throws(QueryError) -> DASQLQuery {
        var parser = DASQLParser(tokens: try DASQLToken.scan(statement))
        return try parser.query()
    }

    private init(tokens: [DASQLToken]) {
        self.tokens = tokens
    }

    private var next: DASQLToken? { index < tokens.count ? tokens[index] : nil }

    private func failure(_ expected: String) -> QueryError {
        let found =
            switch next {
            case nil: "the end"
            case .word(let text), .quoted(let text), .text(let text), .number(let text), .parameter(let text),
                .symbol(let text):
                "'\(text)'"
            }
        return QueryError("DA SQL: \(expected) expected instead of \(found)")
    }

    private mutating func take(_ keyword: String) -> Bool {
        guard case .word(let word) = next, word.uppercased() == keyword else { return false }
        index += 1
        return true
    }

    private mutating func take(symbol: String) -> Bool {
        guard next == .symbol(symbol) else { return false }
        index += 1
        return true
    }

    private mutating func expect(_ keyword: String) throws(QueryError) {
        guard take(keyword) else { throw failure(keyword) }
    }

    private mutating func expect(symbol: String) throws(QueryError) {
        guard take(symbol: symbol) else { throw failure("'\(symbol)'") }
    }

    private mutating func name() throws(QueryError) -> String {
        let found: String
        switch next {
        case .quoted(let name): found = name
        case .word(let name) where !Self.reserved.contains(name.uppercased()): found = name
        default: throw failure("a name")
        }
        guard found.utf8.count <= Self.longestName else {
            throw QueryError("DA SQL: a name of more than \(Self.longestName) bytes")
        }
        index += 1
        return found
    }

    private mutating func alias() throws(QueryError) -> String? {
        if take("AS") { return try name() }
        switch next {
        case .quoted: return try name()
        case .word(let word) where !Self.reserved.contains(word.uppercased()): return try name()
        default: return nil
        }
    }

    private mutating func query() throws(QueryError) -> DASQLQuery {
        var query = DASQLQuery()
        try expect("SELECT")
        query.isDistinct = take("DISTINCT")
        if take("TOP") {
            guard case .number(let digits) = next, let top = Int(digits) else { throw failure("a number") }
            index += 1
            query.top = top
        }
        repeat { query.items.append(try item()) } while take(symbol: ",")
        try expect("FROM")
        query.sources = [try source(.cross, hasCondition: false)]
        while let join = try join() {
            guard query.sources.count < Self.mostSources else {
                throw QueryError("DA SQL: more than \(Self.mostSources) tables")
            }
            query.sources.append(try source(join, hasCondition: join != .cross))
        }
        if take("WHERE") { query.condition = try expression() }
        if take("GROUP") {
            try expect("BY")
            repeat { query.groups.append(try expression()) } while take(symbol: ",")
        }
        if take("HAVING") { query.having = try expression() }
        if take("ORDER") {
            try expect("BY")
            repeat { query.orders.append(try order()) } while take(symbol: ",")
        }
        guard next == nil else { throw failure("the end") }
        return query
    }

    private mutating func order() throws(QueryError) -> DASQLQuery.Order {
        let expression = try expression()
        if take("DESC") { return .init(expression: expression, isDescending: true) }
        _ = take("ASC")
        return .init(expression: expression, isDescending: false)
    }

    private mutating func item() throws(QueryError) -> DASQLQuery.Item {
        if take(symbol: "*") { return .all(of: nil) }
        let start = index
        if let name = try? name(), take(symbol: "."), take(symbol: "*") { return .all(of: name) }
        index = start
        return .expression(try expression(), name: try alias())
    }

    private mutating func join() throws(QueryError) -> DASQLQuery.Source.Join? {
        if take(symbol: ",") { return .cross }
        if take("JOIN") { return .inner }
        let join: DASQLQuery.Source.Join
        if take("INNER") {
            join = .inner
        } else if take("LEFT") {
            _ = take("OUTER")
            join = .left
        } else if take("CROSS") {
            join = .cross
        } else {
            return nil
        }
        try expect("JOIN")
        return join
    }

    private mutating func source(
        _ join: DASQLQuery.Source.Join,
        hasCondition: Bool
    ) throws(QueryError) -> DASQLQuery.Source {
        let table = try name()
        let alias = try alias() ?? table
        guard hasCondition else { return .init(table: table, alias: alias, join: join, condition: nil) }
        try expect("ON")
        return .init(table: table, alias: alias, join: join, condition: try expression())
    }

    // Expressions, from the weakest operator to the strongest.

    private mutating func operation(
        _ symbol: String,
        _ left: DASQLExpression,
        _ right: DASQLExpression
    ) throws(QueryError) -> DASQLExpression {
        operators += 1
        guard operators <= Self.mostOperators else {
            throw QueryError("a DA SQL statement of more than \(Self.mostOperators) operators")
        }
        return .operation(symbol, left, right)
    }

    private mutating func expression() throws(QueryError) -> DASQLExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw QueryError("a DA SQL statement of more than \(Self.deepest) levels") }
        var left = try conjunction()
        while take("OR") { left = try operation("OR", left, try conjunction()) }
        return left
    }

    private mutating func conjunction() throws(QueryError) -> DASQLExpression {
        var left = try negation()
        while take("AND") { left = try operation("AND", left, try negation()) }
        return left
    }

    private mutating func negation() throws(QueryError) -> DASQLExpression {
        var count = 0
        while take("NOT") { count += 1 }
        let operand = try comparison()
        return count % 2 == 1 ? .not(operand) : count > 0 ? .not(.not(operand)) : operand
    }

    private mutating func comparison() throws(QueryError) -> DASQLExpression {
        let left = try sum()
        if take("IS") {
            let isNegated = take("NOT")
            try expect("NULL")
            return .isNull(left, isNegated: isNegated)
        }
        let isNegated = take("NOT")
        if take("LIKE") {
            let like = DASQLExpression.operation("LIKE", left, try sum())
            return isNegated ? .not(like) : like
        }
        if take("IN") {
            try expect(symbol: "(")
            var elements: [DASQLExpression] = []
            repeat { elements.append(try sum()) } while take(symbol: ",")
            try expect(symbol: ")")
            return .membership(left, elements, isNegated: isNegated)
        }
        if take("BETWEEN") {
            let low = try sum()
            try expect("AND")
            return .between(left, low, try sum(), isNegated: isNegated)
        }
        guard !isNegated else { throw failure("LIKE, IN or BETWEEN") }
        for symbol in ["=", "<>", "!=", "<=", ">=", "<", ">"] where take(symbol: symbol) {
            return .operation(symbol == "!=" ? "<>" : symbol, left, try sum())
        }
        return left
    }

    private mutating func sum() throws(QueryError) -> DASQLExpression {
        var left = try product()
        while let symbol = ["+", "-", "||"].first(where: { next == .symbol($0) }) {
            index += 1
            left = try operation(symbol, left, try product())
        }
        return left
    }

    private mutating func product() throws(QueryError) -> DASQLExpression {
        var left = try unary()
        while let symbol = ["*", "/", "%"].first(where: { next == .symbol($0) }) {
            index += 1
            left = try operation(symbol, left, try unary())
        }
        return left
    }

    private mutating func unary() throws(QueryError) -> DASQLExpression {
        guard take(symbol: "-") else { return try primary() }
        return .minus(try primary())
    }

    private mutating func primary() throws(QueryError) -> DASQLExpression {
        switch next {
        case .text(let text):
            index += 1
            return .text(text)
        case .number(let number):
            index += 1
            return .number(number)
        case .parameter(let name):
            index += 1
            return .parameter(name)
        case .symbol("("):
            index += 1
            let inner = try expression()
            try expect(symbol: ")")
            return inner
        default: break
        }
        if take("NULL") { return .null }
        if take("TRUE") { return .boolean(true) }
        if take("FALSE") { return .boolean(false) }
        if case .word(let word) = next, index + 1 < tokens.count, tokens[index + 1] == .symbol("(") {
            return try function(word)
        }
        let first = try name()
        guard take(symbol: ".") else { return .field(source: nil, name: first) }
        return .field(source: first, name: try name())
    }

    private mutating func function(_ word: String) throws(QueryError) -> DASQLExpression {
        let name = word.uppercased()
        guard Self.functions.contains(name) else { throw QueryError("DA SQL: the function '\(word)' is not supported") }
        index += 2
        let isDistinct = take("DISTINCT")
        if name == "COUNT", !isDistinct, take(symbol: "*") {
            try expect(symbol: ")")
            return .function(name, isDistinct: false, [])
        }
        let argument = try expression()
        try expect(symbol: ")")
        return .function(name, isDistinct: isDistinct, [argument])
    }
}
