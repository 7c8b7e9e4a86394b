// SPDX-License-Identifier: Apache-2.0

extension Expression {
    /// Parses an expression, such as `Price * 1.19` (docs/expressions.md).
    ///
    /// - Throws: `syntax`, `tooMany`.
    public init(parsing text: String, limits: ExpressionLimits = .standard) throws(ExpressionError) {
        guard text.utf8.count <= limits.bytes else {
            let start = text.utf8.prefix(limits.bytes + 1).count { $0 & 0xC0 != 0x80 }
            throw .tooMany("bytes", limit: limits.bytes, column: start)
        }
        var parser = try ExpressionParser(text, limits: limits)
        self = try parser.expression()
    }
}

/// Parses by recursive descent. Everything that adds a level to the tree is counted, because the tree is evaluated by
/// recursion.
struct ExpressionParser {
    private var lexer: PredicateLexer
    private var token = PredicateToken.end
    /// The offset of the current token.
    private var start = 0
    /// The column of the current token.
    private var column = 1
    private let limits: ExpressionLimits
    private var depth = 0
    /// The aggregate that is parsed.
    private var matching: Matching?

    private struct Matching {
        var table: String?
    }

    init(_ text: String, limits: ExpressionLimits) throws(ExpressionError) {
        lexer = PredicateLexer(text, hasArithmetic: true)
        self.limits = limits
        try advance()
    }

    mutating func expression() throws(ExpressionError) -> Expression {
        let expression = try disjunction()
        guard token == .end else { throw unexpected("an operator or the end") }
        return expression
    }

    private mutating func advance() throws(ExpressionError) {
        let previous = start
        do throws(PredicateError) {
            (token, start) = try lexer.next()
        } catch {
            throw ExpressionError(error)
        }
        column += lexer.scalars(in: previous..<start)
    }

    private mutating func take(_ expected: PredicateToken) throws(ExpressionError) -> Bool {
        guard token == expected else { return false }
        try advance()
        return true
    }

    private mutating func expect(_ expected: PredicateToken, _ text: String) throws(ExpressionError) {
        guard try take(expected) else { throw unexpected(text) }
    }

    private func unexpected(_ expected: String) -> ExpressionError {
        .syntax(reason: "expected \(expected)\(token == .end ? ", found the end" : "")", column: column)
    }

    private mutating func enter() throws(ExpressionError) {
        guard depth < limits.depth else { throw .tooMany("levels", limit: limits.depth, column: column) }
        depth += 1
    }

    private mutating func disjunction() throws(ExpressionError) -> Expression {
        let column = column
        var parts = [try conjunction()]
        while try take(.keyword(.or)) { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : Expression(.or(parts), column: column)
    }

    private mutating func conjunction() throws(ExpressionError) -> Expression {
        let column = column
        var parts = [try negation()]
        while try take(.keyword(.and)) { parts.append(try negation()) }
        return parts.count == 1 ? parts[0] : Expression(.and(parts), column: column)
    }

    private mutating func negation() throws(ExpressionError) -> Expression {
        guard token == .keyword(.not) else { return try comparison() }
        let column = column
        try enter()
        try advance()
        let inner = try negation()
        depth -= 1
        return Expression(.not(inner), column: column)
    }

    private mutating func comparison() throws(ExpressionError) -> Expression {
        let left = try sum()
        let column = column
        switch token {
        case .comparison(let operation):
            try advance()
            let folding = try folding()
            return Expression(.comparison(operation, left, try sum(), folding), column: column)
        case .keyword(.isWord):
            try advance()
            let isNegated = try take(.keyword(.not))
            guard token == .keyword(.null) || token == .keyword(.nil) else { throw unexpected("NULL") }
            try advance()
            let test = Expression(.isNull(left), column: column)
            return isNegated ? Expression(.not(test), column: column) : test
        case .keyword(.not):
            try advance()
            return Expression(.not(try wordComparison(left)), column: column)
        case .keyword(.isIn), .keyword(.between), .keyword(.beginsWith), .keyword(.endsWith), .keyword(.contains),
            .keyword(.like):
            return try wordComparison(left)
        default: return left
        }
    }

    /// Parses `IN`, `BETWEEN` or a test of text, from the operator on.
    private mutating func wordComparison(_ left: Expression) throws(ExpressionError) -> Expression {
        guard case .keyword(let keyword) = token else { throw unexpected("IN, BETWEEN or a test of text") }
        let column = column
        switch keyword {
        case .isIn:
            try advance()
            let folding = try folding()
            return Expression(.isIn(left, try list(), folding), column: column)
        case .between:
            try advance()
            let listColumn = self.column
            let bounds = try list()
            guard bounds.count == 2 else { throw .syntax(reason: "expected two values", column: listColumn) }
            return Expression(.between(left, bounds[0], bounds[1]), column: column)
        default:
            guard let test = keyword.textTest else { throw unexpected("IN, BETWEEN or a test of text") }
            try advance()
            let folding = try folding()
            return Expression(.comparison(test, left, try sum(), folding), column: column)
        }
    }

    private mutating func folding() throws(ExpressionError) -> PredicateFolding {
        guard case .folding(let folding) = token else { return [] }
        try advance()
        return folding
    }

    /// Parses `{a, b}` or `(a, b)`, possibly empty.
    private mutating func list() throws(ExpressionError) -> [Expression] {
        guard token == .openBrace || token == .open else { throw unexpected("a list in braces") }
        return try items(until: token == .open ? .close : .closeBrace)
    }

    /// Parses expressions between brackets, from the opening one on.
    private mutating func items(until end: PredicateToken) throws(ExpressionError) -> [Expression] {
        try enter()
        try advance()
        var items: [Expression] = []
        if try !take(end) {
            repeat { items.append(try disjunction()) } while try take(.comma)
            try expect(end, end == .close ? "',' or ')'" : "',' or '}'")
        }
        depth -= 1
        return items
    }

    private mutating func sum() throws(ExpressionError) -> Expression {
        var result = try product()
        let outer = depth
        while case .arithmetic(let operation) = token, operation == .add || operation == .subtract {
            let column = column
            try enter()
            try advance()
            result = Expression(.arithmetic(operation, result, try product()), column: column)
        }
        depth = outer
        return result
    }

    private mutating func product() throws(ExpressionError) -> Expression {
        var result = try signed()
        let outer = depth
        while case .arithmetic(let operation) = token, operation == .multiply || operation == .divide {
            let column = column
            try enter()
            try advance()
            result = Expression(.arithmetic(operation, result, try signed()), column: column)
        }
        depth = outer
        return result
    }

    private mutating func signed() throws(ExpressionError) -> Expression {
        guard token == .arithmetic(.subtract) else { return try operand() }
        let column = column
        try enter()
        try advance()
        let inner = try signed()
        depth -= 1
        return Expression(.negative(inner), column: column)
    }

    private mutating func operand() throws(ExpressionError) -> Expression {
        let column = column
        switch token {
        case .value(let value):
            try advance()
            return Expression(.value(value), column: column)
        case .keyword(.null), .keyword(.nil):
            try advance()
            return Expression(.null, column: column)
        case .open:
            try enter()
            try advance()
            let inner = try disjunction()
            try expect(.close, "an operator or ')'")
            depth -= 1
            return inner
        case .field(let name):
            try advance()
            return try field(name, at: column)
        case .word(let name):
            try advance()
            return token == .open ? try call(name, at: column) : try field(name, at: column)
        default: throw unexpected("a value")
        }
    }

    /// Parses `Field` or `Table.Field`, from the token after the first name on.
    private mutating func field(_ name: String, at column: Int) throws(ExpressionError) -> Expression {
        guard try take(.dot) else { return Expression(.field(name), column: column) }
        guard let matching else {
            throw .syntax(reason: "a field of another table can only be in an aggregate", column: column)
        }
        try match(name, at: column, matching)
        switch token {
        case .word(let field), .field(let field):
            try advance()
            return Expression(.matchedField(field), column: column)
        default: throw unexpected("a field")
        }
    }

    /// Records the table of an aggregate.
    private mutating func match(_ name: String, at column: Int, _ matching: Matching) throws(ExpressionError) {
        guard let table = matching.table else {
            self.matching = Matching(table: name)
            return
        }
        guard table.utf8.elementsEqual(name.utf8) else {
            throw .syntax(reason: "an aggregate has one table: expected '\(table)'", column: column)
        }
    }

    /// Parses the arguments of a function, from `(` on.
    private mutating func call(_ name: String, at column: Int) throws(ExpressionError) -> Expression {
        if let function = AggregateFunction(word: name) { return try aggregate(function, at: column) }
        guard let function = ExpressionFunction(word: name) else {
            throw .syntax(reason: "no function '\(name)'", column: column)
        }
        let arguments = try items(until: .close)
        guard function.argumentCounts.contains(arguments.count) else {
            throw .syntax(reason: "wrong number of arguments of \(function.rawValue)", column: column)
        }
        return Expression(.call(function, arguments), column: column)
    }

    /// Parses `(Table where condition)` or `(expression where condition)`; the condition is optional.
    private mutating func aggregate(
        _ function: AggregateFunction,
        at column: Int
    ) throws(ExpressionError) -> Expression {
        guard matching == nil else { throw .syntax(reason: "an aggregate in an aggregate", column: column) }
        try enter()
        try advance()
        matching = Matching()
        let argumentColumn = self.column
        var argument: Expression? = try disjunction()
        if function == .count, case .field(let name)? = argument?.node {
            matching = Matching(table: name)
            argument = nil
        }
        var condition: Expression?
        if case .word(let word) = token, word.lowercased() == "where" {
            try advance()
            condition = try disjunction()
        }
        try expect(.close, condition == nil ? "an operator, WHERE or ')'" : "an operator or ')'")
        guard let table = matching?.table else {
            throw .syntax(reason: "expected a field of another table, such as Details.Price", column: argumentColumn)
        }
        matching = nil
        depth -= 1
        return Expression(.aggregate(AggregateExpression(function, table, argument, where: condition)), column: column)
    }
}
