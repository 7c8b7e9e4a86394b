// SPDX-License-Identifier: Apache-2.0

extension Expression {
    /// Parses an expression, such as `Price * 1.19` (docs/expressions.md).
    ///
    /// - Throws: `syntax`, `tooMany`.
    public init(parsing text: String, limits: ExpressionLimits = .standard) throws(ExpressionError) {
        do throws(PredicateError) {
            self = try ExpressionParser.parse(text, isPredicate: false, limits)
        } catch {
            throw ExpressionError(error)
        }
    }

    /// Parses a predicate, such as `Price >= 20 AND City BEGINSWITH[c] 'port'` (docs/predicates.md).
    ///
    /// - Throws: `syntax`, `tooMany`.
    public init(predicate text: String, limits: ExpressionLimits = .predicate) throws(PredicateError) {
        self = try ExpressionParser.parse(text, isPredicate: true, limits)
    }
}

/// Parses by recursive descent. In an expression everything that adds a level to the tree is counted, because the tree is
/// evaluated by recursion.
private struct ExpressionParser {
    private var lexer: ExpressionLexer
    private var token = ExpressionToken.end
    /// The offset of the current token.
    private var start = 0
    /// The column of the current token.
    private var column = 1
    /// Whether only fields are tested: their operands are fields and literals.
    private let isPredicate: Bool
    private let limits: ExpressionLimits
    private var depth = 0
    /// The aggregate that is parsed.
    private var matching: Matching?

    private struct Matching {
        var table: String?
    }

    static func parse(
        _ text: String,
        isPredicate: Bool,
        _ limits: ExpressionLimits
    ) throws(PredicateError) -> Expression {
        guard text.utf8.count <= limits.bytes else {
            let start = text.utf8.prefix(limits.bytes + 1).count { $0 & 0xC0 != 0x80 }
            throw .tooMany("bytes", limit: limits.bytes, column: start)
        }
        var parser = ExpressionParser(
            lexer: ExpressionLexer(text, hasArithmetic: !isPredicate),
            isPredicate: isPredicate,
            limits: limits
        )
        try parser.advance()
        let expression = try parser.disjunction()
        guard parser.token == .end else { throw parser.unexpected("\(parser.operators) or the end") }
        return expression
    }

    private mutating func advance() throws(PredicateError) {
        let previous = start
        (token, start) = try lexer.next()
        column += lexer.scalars(in: previous..<start)
    }

    private mutating func take(_ expected: ExpressionToken) throws(PredicateError) -> Bool {
        guard token == expected else { return false }
        try advance()
        return true
    }

    private mutating func expect(_ expected: ExpressionToken, _ text: String) throws(PredicateError) {
        guard try take(expected) else { throw unexpected(text) }
    }

    private func unexpected(_ expected: String) -> PredicateError {
        .syntax(reason: "expected \(expected)\(token == .end ? ", found the end" : "")", column: column)
    }

    /// What may follow a condition, or a value.
    private var operators: String { isPredicate ? "AND, OR" : "an operator" }

    private var isNull: Bool { token == .keyword(.null) || token == .keyword(.nil) }

    private mutating func enter() throws(PredicateError) {
        guard depth < limits.depth else { throw .tooMany("levels", limit: limits.depth, column: column) }
        depth += 1
    }

    private mutating func disjunction() throws(PredicateError) -> Expression {
        let column = column
        var parts = [try conjunction()]
        while try take(.keyword(.or)) { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : Expression(.or(parts), column: column)
    }

    private mutating func conjunction() throws(PredicateError) -> Expression {
        let column = column
        var parts = [try negation()]
        while try take(.keyword(.and)) { parts.append(try negation()) }
        return parts.count == 1 ? parts[0] : Expression(.and(parts), column: column)
    }

    private mutating func negation() throws(PredicateError) -> Expression {
        switch token {
        case .keyword(.not):
            let column = column
            try enter()
            try advance()
            let inner = try negation()
            depth -= 1
            return Expression(.not(inner), column: column)
        case .open where isPredicate: return try parentheses()
        case .keyword(.truePredicate) where isPredicate, .keyword(.falsePredicate) where isPredicate:
            return try constant()
        default: return try comparison()
        }
    }

    /// Parses `(condition)` or `(expression)`.
    private mutating func parentheses() throws(PredicateError) -> Expression {
        try enter()
        try advance()
        let inner = try disjunction()
        try expect(.close, "\(operators) or ')'")
        depth -= 1
        return inner
    }

    private mutating func constant() throws(PredicateError) -> Expression {
        let constant = Expression(.constant(token == .keyword(.truePredicate)), column: column)
        try advance()
        return constant
    }

    private mutating func comparison() throws(PredicateError) -> Expression {
        let left = try side("a field")
        let column = column
        switch token {
        case .comparison(let operation):
            try advance()
            let folding = try folding()
            let right = try side("a value or a field")
            let node = Expression.Node.comparison(operation, left, right, folding)
            return Expression(isPredicate ? try fieldFirst(node) : node, column: column)
        case .keyword(.isWord):
            try checkField(left)
            try advance()
            let isNegated = try take(.keyword(.not))
            guard isNull else { throw unexpected("NULL") }
            try advance()
            let test = Expression(.isNull(left), column: column)
            return isNegated ? Expression(.not(test), column: column) : test
        case .keyword(.not):
            try checkField(left)
            try advance()
            return Expression(.not(try wordComparison(left)), column: column)
        case .keyword(.isIn), .keyword(.between), .keyword(.beginsWith), .keyword(.endsWith), .keyword(.contains),
            .keyword(.like):
            try checkField(left)
            return try wordComparison(left)
        default:
            guard !isPredicate else { throw unexpected("a comparison") }
            return left
        }
    }

    /// A side of a comparison.
    private mutating func side(_ expected: String) throws(PredicateError) -> Expression {
        isPredicate ? try operand(expected) : try sum()
    }

    /// In a predicate, only fields are tested.
    private func checkField(_ left: Expression) throws(PredicateError) {
        guard !isPredicate || left.fieldName != nil else {
            throw .syntax(reason: "expected a field", column: left.column)
        }
    }

    /// Writes a comparison of a predicate as one of a field with a literal or another field: `20 < Price` is `Price > 20`,
    /// and `City == NULL` is `City IS NULL`.
    private func fieldFirst(_ node: Expression.Node) throws(PredicateError) -> Expression.Node {
        guard case .comparison(let operation, let left, let right, let folding) = node else { return node }
        let isFlipped = left.fieldName == nil
        let (field, other) = isFlipped ? (right, left) : (left, right)
        guard field.fieldName != nil else {
            throw .syntax(reason: "a comparison without a field", column: left.column)
        }
        guard case .null = other.node else {
            return .comparison(isFlipped ? operation.flipped ?? operation : operation, field, other, folding)
        }
        switch operation {
        case .equal: return .isNull(field)
        case .notEqual: return .not(Expression(.isNull(field)))
        default: throw .syntax(reason: "NULL has no order: expected == or !=", column: other.column)
        }
    }

    /// Parses `IN`, `BETWEEN` or a test of text, from the operator on.
    private mutating func wordComparison(_ left: Expression) throws(PredicateError) -> Expression {
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
            let right = try side("a text")
            if isPredicate, case .null = right.node {
                throw .syntax(reason: "expected a text, not NULL", column: right.column)
            }
            if test == .like, case .text(let pattern)? = right.literal, let reason = LikePattern.mistake(in: pattern) {
                throw .syntax(reason: reason, column: right.column)
            }
            return Expression(.comparison(test, left, right, folding), column: column)
        }
    }

    private mutating func folding() throws(PredicateError) -> PredicateFolding {
        guard case .folding(let folding) = token else { return [] }
        try advance()
        return folding
    }

    /// Parses `{a, b}` or `(a, b)`, possibly empty.
    private mutating func list() throws(PredicateError) -> [Expression] {
        guard token == .openBrace || token == .open else { throw unexpected("a list in braces") }
        return try items(until: token == .open ? .close : .closeBrace)
    }

    /// Parses the items between brackets, from the opening one on.
    private mutating func items(until end: ExpressionToken) throws(PredicateError) -> [Expression] {
        // The literals of a predicate are no level.
        if !isPredicate { try enter() }
        try advance()
        var items: [Expression] = []
        if try !take(end) {
            repeat { items.append(try item()) } while try take(.comma)
            try expect(end, end == .close ? "',' or ')'" : "',' or '}'")
        }
        if !isPredicate { depth -= 1 }
        return items
    }

    private mutating func item() throws(PredicateError) -> Expression {
        guard isPredicate else { return try disjunction() }
        if isNull { throw .syntax(reason: "NULL in a list: use IS NULL", column: column) }
        guard case .value = token else { throw unexpected("a value") }
        return try operand("a value")
    }

    private mutating func sum() throws(PredicateError) -> Expression {
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

    private mutating func product() throws(PredicateError) -> Expression {
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

    private mutating func signed() throws(PredicateError) -> Expression {
        guard token == .arithmetic(.subtract) else { return try operand("a value") }
        let column = column
        try enter()
        try advance()
        let inner = try signed()
        depth -= 1
        return Expression(.negative(inner), column: column)
    }

    private mutating func operand(_ expected: String) throws(PredicateError) -> Expression {
        let column = column
        switch token {
        case .value(let value):
            try advance()
            return Expression(.value(value), column: column)
        case _ where isNull:
            try advance()
            return Expression(.null, column: column)
        case .field(let name):
            try advance()
            return try field(name, at: column)
        case .word(let name):
            try advance()
            return token == .open && !isPredicate ? try call(name, at: column) : try field(name, at: column)
        case .open where !isPredicate: return try parentheses()
        case .keyword(.truePredicate) where !isPredicate, .keyword(.falsePredicate) where !isPredicate:
            return try constant()
        default: throw unexpected(expected)
        }
    }

    /// Parses `Field` or `Table.Field`, from the token after the first name on.
    private mutating func field(_ name: String, at column: Int) throws(PredicateError) -> Expression {
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
    private mutating func match(_ name: String, at column: Int, _ matching: Matching) throws(PredicateError) {
        guard let table = matching.table else {
            self.matching = Matching(table: name)
            return
        }
        guard table.utf8.elementsEqual(name.utf8) else {
            throw .syntax(reason: "an aggregate has one table: expected '\(table)'", column: column)
        }
    }

    /// Parses the arguments of a function, from `(` on.
    private mutating func call(_ name: String, at column: Int) throws(PredicateError) -> Expression {
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
    ) throws(PredicateError) -> Expression {
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
