// SPDX-License-Identifier: Apache-2.0

extension Predicate {
    /// Parses a predicate, such as `Price >= 20 AND City BEGINSWITH[c] 'port'` (docs/predicates.md).
    ///
    /// - Throws: `syntax`, `tooMany`.
    public init(parsing text: String, limits: PredicateLimits = .standard) throws(PredicateError) {
        guard text.utf8.count <= limits.bytes else {
            let start = text.utf8.prefix(limits.bytes + 1).count { $0 & 0xC0 != 0x80 }
            throw .tooMany("bytes", limit: limits.bytes, column: start)
        }
        var parser = try PredicateParser(text, limits: limits)
        self = try parser.predicate()
    }
}

/// Parses by recursive descent. Only parentheses and NOT recurse, so that their number limits the depth.
struct PredicateParser {
    private var lexer: PredicateLexer
    private var token = PredicateToken.end
    /// The offset of the current token.
    private var start = 0
    private let limits: PredicateLimits
    private var depth = 0

    private enum Operand {
        case field(String)
        case value(PredicateValue)
        case null
    }

    init(_ text: String, limits: PredicateLimits) throws(PredicateError) {
        lexer = PredicateLexer(text)
        self.limits = limits
        try advance()
    }

    mutating func predicate() throws(PredicateError) -> Predicate {
        let predicate = try disjunction()
        guard token == .end else { throw unexpected("AND, OR or the end") }
        return predicate
    }

    private mutating func advance() throws(PredicateError) {
        (token, start) = try lexer.next()
    }

    private mutating func take(_ expected: PredicateToken) throws(PredicateError) -> Bool {
        guard token == expected else { return false }
        try advance()
        return true
    }

    private func unexpected(_ expected: String) -> PredicateError {
        let found = token == .end ? ", found the end" : ""
        return lexer.failure("expected \(expected)\(found)", at: start)
    }

    private mutating func enter() throws(PredicateError) {
        guard depth < limits.depth else {
            throw .tooMany("levels", limit: limits.depth, column: lexer.column(of: start))
        }
        depth += 1
    }

    private mutating func disjunction() throws(PredicateError) -> Predicate {
        var parts = [try conjunction()]
        while try take(.keyword(.or)) { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private mutating func conjunction() throws(PredicateError) -> Predicate {
        var parts = [try negation()]
        while try take(.keyword(.and)) { parts.append(try negation()) }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    private mutating func negation() throws(PredicateError) -> Predicate {
        switch token {
        case .keyword(.not):
            try enter()
            try advance()
            let inner = try negation()
            depth -= 1
            return .not(inner)
        case .open:
            try enter()
            try advance()
            let inner = try disjunction()
            guard token == .close else { throw unexpected("AND, OR or ')'") }
            try advance()
            depth -= 1
            return inner
        case .keyword(.truePredicate):
            try advance()
            return .constant(true)
        case .keyword(.falsePredicate):
            try advance()
            return .constant(false)
        default: return try comparison()
        }
    }

    private mutating func comparison() throws(PredicateError) -> Predicate {
        let leftStart = start
        let left = try operand("a field")
        switch token {
        case .comparison(let operation):
            try advance()
            return try comparison(left, operation, from: leftStart)
        case .keyword(.isWord):
            let field = try field(left, at: leftStart)
            try advance()
            let isNegated = try take(.keyword(.not))
            guard token == .keyword(.null) || token == .keyword(.nil) else { throw unexpected("NULL") }
            try advance()
            return isNegated ? .not(.isNull(field)) : .isNull(field)
        case .keyword(.not):
            let field = try field(left, at: leftStart)
            try advance()
            return .not(try wordComparison(field))
        case .keyword(.isIn), .keyword(.between), .keyword(.beginsWith), .keyword(.endsWith), .keyword(.contains),
            .keyword(.like):
            return try wordComparison(try field(left, at: leftStart))
        default: throw unexpected("a comparison")
        }
    }

    /// Parses `IN`, `BETWEEN` or a test of text, from the operator on.
    private mutating func wordComparison(_ field: String) throws(PredicateError) -> Predicate {
        guard case .keyword(let keyword) = token else { throw unexpected("IN, BETWEEN or a test of text") }
        switch keyword {
        case .isIn:
            try advance()
            let folding = try folding()
            return .isIn(field, try list(), folding)
        case .between:
            try advance()
            let listStart = start
            let bounds = try list()
            guard bounds.count == 2 else { throw lexer.failure("expected two values", at: listStart) }
            return .between(field, bounds[0], bounds[1])
        default:
            guard let test = keyword.textTest else { throw unexpected("IN, BETWEEN or a test of text") }
            try advance()
            let folding = try folding()
            let rightStart = start
            switch try operand("a text") {
            case .field(let other): return .comparison(field, test, .field(other), folding)
            case .value(let value): return .comparison(field, test, .value(value), folding)
            case .null: throw lexer.failure("expected a text, not NULL", at: rightStart)
            }
        }
    }

    private mutating func comparison(
        _ left: Operand,
        _ operation: PredicateOperator,
        from leftStart: Int
    ) throws(PredicateError) -> Predicate {
        let folding = try folding()
        let rightStart = start
        let right = try operand("a value or a field")
        switch (left, right) {
        case (.field(let field), .field(let other)): return .comparison(field, operation, .field(other), folding)
        case (.field(let field), .value(let value)): return .comparison(field, operation, .value(value), folding)
        case (.value(let value), .field(let field)):
            return .comparison(field, operation.flipped ?? operation, .value(value), folding)
        case (.field(let field), .null), (.null, .field(let field)):
            switch operation {
            case .equal: return .isNull(field)
            case .notEqual: return .not(.isNull(field))
            default:
                let nullStart = if case .null = left { leftStart } else { rightStart }
                throw lexer.failure("NULL has no order: expected == or !=", at: nullStart)
            }
        default: throw lexer.failure("a comparison without a field", at: leftStart)
        }
    }

    private func field(_ operand: Operand, at offset: Int) throws(PredicateError) -> String {
        guard case .field(let name) = operand else { throw lexer.failure("expected a field", at: offset) }
        return name
    }

    private mutating func operand(_ expected: String) throws(PredicateError) -> Operand {
        let operand: Operand
        switch token {
        case .word(let name), .field(let name): operand = .field(name)
        case .value(let value): operand = .value(value)
        case .keyword(.null), .keyword(.nil): operand = .null
        default: throw unexpected(expected)
        }
        try advance()
        return operand
    }

    private mutating func folding() throws(PredicateError) -> PredicateFolding {
        guard case .folding(let folding) = token else { return [] }
        try advance()
        return folding
    }

    /// Parses `{a, b}` or `(a, b)`, possibly empty.
    private mutating func list() throws(PredicateError) -> [PredicateValue] {
        guard token == .openBrace || token == .open else { throw unexpected("a list in braces") }
        let end: PredicateToken = token == .open ? .close : .closeBrace
        try advance()
        var values: [PredicateValue] = []
        if try take(end) { return values }
        while true {
            guard case .value(let value) = token else {
                let isNull = token == .keyword(.null) || token == .keyword(.nil)
                throw isNull ? lexer.failure("NULL in a list: use IS NULL", at: start) : unexpected("a value")
            }
            values.append(value)
            try advance()
            if try take(end) { return values }
            guard try take(.comma) else { throw unexpected(end == .close ? "',' or ')'" : "',' or '}'") }
        }
    }
}
