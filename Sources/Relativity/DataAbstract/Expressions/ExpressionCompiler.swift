// SPDX-License-Identifier: Apache-2.0

/// Checks the types of expressions on the same row, and plans the indexes that they share.
struct ExpressionCompiler {
    /// An expression whose types fit.
    struct Typed {
        var node: ExpressionNode
        var type: ExpressionType
        /// The type of the column, if the expression is a field.
        var column: DataType?

        init(_ node: ExpressionNode, _ type: ExpressionType, column: DataType? = nil) {
            self.node = node
            self.type = type
            self.column = column
        }

        var constant: DataValue? {
            if case .constant(let value) = node { value } else { nil }
        }
    }

    private(set) var scope: ExpressionScope
    var plans: [MatchPlan] = []

    init(_ scope: ExpressionScope) {
        self.scope = scope
    }

    /// Adds a column to the row.
    mutating func add(_ column: DataColumn) { scope.columns.append(column) }

    /// Returns the node for a column of the given or the inferred type.
    mutating func compile(
        _ expression: Expression,
        as type: DataType?
    ) throws(ExpressionError) -> (node: ExpressionNode, type: DataType) {
        let typed = try check(expression, nil)
        guard let type else { return (typed.node, typed.type.dataType) }
        let target = ExpressionType(type)
        let fits =
            target == typed.type || typed.type == .null || target.isNumber && typed.type.isNumber
            || target.isText && typed.type.isText
        guard fits else {
            throw mismatch("\(typed.type.name) is no \(type.shortName)", expression)
        }
        return (.fit(type, typed.node), type)
    }

    func mismatch(_ reason: String, _ expression: Expression) -> ExpressionError {
        .mismatch(reason: reason, column: expression.column)
    }

    /// - Parameter matched: the table of the aggregate; nil outside of one.
    mutating func check(_ expression: Expression, _ matched: MatchedTable?) throws(ExpressionError) -> Typed {
        switch expression.node {
        case .value(let value): return Self.literal(value)
        case .null: return Typed(.constant(.null), .null)
        case .constant(let value): return Typed(.constant(.boolean(value)), .boolean)
        case .field(let name):
            guard matched == nil else {
                throw mismatch(
                    "'\(name)' is a field of the row itself: expected a field of the matched rows",
                    expression
                )
            }
            return try field(name, scope.columns, nil, expression)
        case .matchedField(let name):
            guard let matched else { throw mismatch("a field of another table outside of an aggregate", expression) }
            return try field(name, matched.columns, matched.name, expression)
        case .negative(let inner):
            let inner = try check(inner, matched)
            guard inner.type.isNumber || inner.type == .null else {
                throw mismatch("'-' does not apply to \(inner.type.name)", expression)
            }
            return Typed(.negative(inner.node), inner.type)
        case .arithmetic(let operation, let left, let right):
            return try arithmetic(operation, try check(left, matched), try check(right, matched), expression)
        case .comparison(let operation, let left, let right, let folding):
            let node = try comparison(
                operation,
                try check(left, matched),
                try check(right, matched),
                folding,
                expression
            )
            return Typed(node, .boolean)
        case .isNull(let inner): return Typed(.isNull(try check(inner, matched).node), .boolean)
        case .isIn(let left, let list, let folding):
            let parts = try comparable([left] + list, matched)
            return Typed(.isIn(parts[0], Array(parts.dropFirst()), folding), .boolean)
        case .between(let value, let low, let high):
            let parts = try comparable([value, low, high], matched)
            return Typed(.between(parts[0], parts[1], parts[2]), .boolean)
        case .not(let inner): return Typed(.not(try condition(inner, matched)), .boolean)
        case .and(let parts): return Typed(.and(try conditions(parts, matched)), .boolean)
        case .or(let parts): return Typed(.or(try conditions(parts, matched)), .boolean)
        case .call(let function, let arguments):
            var typed: [Typed] = []
            for argument in arguments { typed.append(try check(argument, matched)) }
            return try call(function, typed, expression, arguments)
        case .aggregate(let aggregate):
            guard matched == nil else { throw mismatch("an aggregate in an aggregate", expression) }
            return try self.aggregate(aggregate, expression)
        }
    }

    private func field(
        _ name: String,
        _ fields: [DataColumn],
        _ table: String?,
        _ expression: Expression
    ) throws(ExpressionError) -> Typed {
        do throws(PredicateError) {
            let field = try fields.resolve(name)
            let type = ExpressionType(field.type)
            let column = ExpressionNode.column(field.column)
            // The only number of a row that no type of expressions holds.
            return Typed(field.type == .largeUInt ? .convert(.decimal, column) : column, type, column: field.type)
        } catch {
            throw ExpressionError(error, table: table, column: expression.column)
        }
    }

    private static func literal(_ value: PredicateValue) -> Typed {
        switch value {
        case .number(let number):
            guard number.scale == 0, let whole = number.scaled(digits: 0) else {
                return Typed(.constant(.decimal(number)), .decimal)
            }
            return Typed(.constant(.integer(whole)), .integer)
        case .float(let number): return Typed(.constant(.float(number)), .float)
        case .text(let text): return Typed(.constant(.text(text)), .text)
        case .date(let date): return Typed(.constant(.dateTime(days: date.days)), .date)
        case .boolean(let flag): return Typed(.constant(.boolean(flag)), .boolean)
        }
    }

    mutating func condition(
        _ expression: Expression,
        _ matched: MatchedTable?
    ) throws(ExpressionError) -> ExpressionNode {
        let typed = try check(expression, matched)
        guard typed.type == .boolean || typed.type == .null else {
            throw mismatch("expected a condition, not \(typed.type.name)", expression)
        }
        return typed.node
    }

    private mutating func conditions(
        _ parts: [Expression],
        _ matched: MatchedTable?
    ) throws(ExpressionError) -> [ExpressionNode] {
        var nodes: [ExpressionNode] = []
        for part in parts { nodes.append(try condition(part, matched)) }
        return nodes
    }

    /// Converts a value if it is not of the type. A literal is converted immediately.
    static func converted(_ typed: Typed, to type: ExpressionType) -> ExpressionNode {
        guard typed.type != type, typed.type != .null else { return typed.node }
        if let constant = typed.constant { return .constant(ValueConversion.convert(constant, to: type)) }
        return .convert(type, typed.node)
    }

    private func arithmetic(
        _ operation: ArithmeticOperator,
        _ left: Typed,
        _ right: Typed,
        _ expression: Expression
    ) throws(ExpressionError) -> Typed {
        if operation == .add, left.type.isText || right.type.isText, left.type.joined(right.type)?.isText == true {
            return Typed(.join(left.node, right.node), .text)
        }
        guard let type = left.type.joined(right.type), type.isNumber || type == .null else {
            throw mismatch(
                "'\(operation.rawValue)' does not apply to \(left.type.name) and \(right.type.name)",
                expression
            )
        }
        switch (operation, left.type, right.type) {
        case (.multiply, .currency, .integer): return Typed(.currencyTimes(left.node, right.node), .currency)
        case (.multiply, .integer, .currency): return Typed(.currencyTimes(right.node, left.node), .currency)
        default: break
        }
        // The product of amounts has eight decimals, and a quotient has any number.
        let isWider = operation == .divide || operation == .multiply && type == .currency
        let common = isWider && type != .float ? ExpressionType.decimal : type
        let (left, right) = (Self.converted(left, to: common), Self.converted(right, to: common))
        return Typed(.arithmetic(operation, left, right), common)
    }

    /// Converts all values to a type that holds each of them.
    func joined(
        _ values: [Typed],
        _ arguments: [Expression]
    ) throws(ExpressionError) -> ([ExpressionNode], ExpressionType) {
        var type = ExpressionType.null
        for (value, argument) in zip(values, arguments) {
            guard let wider = type.joined(value.type) else {
                throw mismatch("\(value.type.name) does not fit \(type.name)", argument)
            }
            type = wider
        }
        return (values.map { Self.converted($0, to: type) }, type)
    }
}

/// Comparisons.
extension ExpressionCompiler {
    private func comparison(
        _ operation: PredicateOperator,
        _ left: Typed,
        _ right: Typed,
        _ folding: PredicateFolding,
        _ expression: Expression
    ) throws(ExpressionError) -> ExpressionNode {
        if operation.isTextTest {
            guard left.type.isText || left.type == .null, right.type.isText || right.type == .null else {
                let types = "\(left.type.name) and \(right.type.name)"
                throw mismatch("'\(operation.rawValue)' does not apply to \(types)", expression)
            }
        }
        guard let (left, right) = Self.comparable(left, right) else {
            throw mismatch("\(left.type.name) cannot be compared with \(right.type.name)", expression)
        }
        let isNegated = operation == .notEqual
        let positive = isNegated ? .equal : operation
        var node = ExpressionNode.comparison(positive, left.node, right.node, folding)
        if case .text(let literal)? = right.constant, left.type.isText {
            let steps = ExpressionSteps.steps(positive, literal)
            node = .textTest(TextTest(positive, literal, folding), left.node, steps: steps)
        }
        return isNegated ? .not(node) : node
    }

    /// The first value is compared with each other one.
    private mutating func comparable(
        _ expressions: [Expression],
        _ matched: MatchedTable?
    ) throws(ExpressionError) -> [ExpressionNode] {
        var values: [Typed] = []
        for expression in expressions { values.append(try check(expression, matched)) }
        let isGuid = values.contains { $0.type == .guid }
        var nodes = [isGuid ? .comparedGuid(values[0].node) : values[0].node]
        for (value, expression) in zip(values, expressions).dropFirst() {
            guard let (_, right) = Self.comparable(values[0], value) else {
                throw mismatch("\(values[0].type.name) cannot be compared with \(value.type.name)", expression)
            }
            nodes.append(isGuid ? .comparedGuid(right.node) : right.node)
        }
        return nodes
    }

    /// Prepares two values for a comparison; nil if they cannot be compared.
    static func comparable(_ left: Typed, _ right: Typed) -> (Typed, Typed)? {
        let (left, right) = (literal(left, for: right), literal(right, for: left))
        guard left.type.isComparable(to: right.type) else { return nil }
        guard left.type == .guid || right.type == .guid else { return (left, right) }
        return (Typed(.comparedGuid(left.node), .text), Typed(.comparedGuid(right.node), .text))
    }

    /// Rounds a number to the type of the other side if that is a Float, and reads a text as the date that it is.
    private static func literal(_ value: Typed, for other: Typed) -> Typed {
        guard let constant = value.constant else { return value }
        if value.type == .text, other.type == .date,
            case .dateTime(let days) = ValueConversion.convert(constant, to: .date)
        {
            return Typed(.constant(.dateTime(days: days)), .date)
        }
        guard value.type.isNumber, other.type == .float, let number = ValueConversion.float(constant) else {
            return value
        }
        let isSingle = other.column == .singleFloat && Float(number).isFinite
        return Typed(.constant(.float(isSingle ? Double(Float(number)) : number)), .float)
    }
}

/// Functions.
extension ExpressionCompiler {
    private func call(
        _ function: ExpressionFunction,
        _ arguments: [Typed],
        _ expression: Expression,
        _ expressions: [Expression]
    ) throws(ExpressionError) -> Typed {
        func expect(_ index: Int, _ name: String, _ fits: (ExpressionType) -> Bool) throws(ExpressionError) {
            guard index < arguments.count, !fits(arguments[index].type), arguments[index].type != .null else { return }
            throw mismatch(
                "\(function.rawValue): expected \(name), not \(arguments[index].type.name)",
                expressions[index]
            )
        }
        func expect(_ index: Int, _ type: ExpressionType) throws(ExpressionError) {
            try expect(index, type.name) { $0 == type || type == .text && $0 == .guid }
        }
        func result(_ type: ExpressionType) -> Typed { Typed(.call(function, arguments.map(\.node)), type) }
        switch function {
        case .if:
            try expect(0, "a condition") { $0 == .boolean }
            let (branches, type) = try joined(Array(arguments.dropFirst()), Array(expressions.dropFirst()))
            return Typed(.call(.if, [arguments[0].node] + branches), type)
        case .coalesce:
            let (nodes, type) = try joined(arguments, expressions)
            return Typed(.call(.coalesce, nodes), type)
        case .upper, .lower, .trim:
            try expect(0, .text)
            return result(.text)
        case .length:
            try expect(0, .text)
            return result(.integer)
        case .substring:
            try expect(0, .text)
            try expect(1, .integer)
            try expect(2, .integer)
            return result(.text)
        case .replace:
            for index in 0..<3 { try expect(index, .text) }
            return result(.text)
        case .year, .month, .day:
            try expect(0, .date)
            return result(.integer)
        case .daysBetween:
            try expect(0, .date)
            try expect(1, .date)
            return result(.integer)
        case .addDays:
            try expect(0, .date)
            try expect(1, .integer)
            return result(.date)
        case .abs, .floor, .ceiling, .round:
            try expect(0, "a number") { $0.isNumber }
            try expect(1, .integer)
            return result(arguments[0].type)
        case .integer, .currency, .decimal, .float:
            try expect(0, "a number, a text or a Boolean") { $0.isNumber || $0.isText || $0 == .boolean }
            let types: [ExpressionFunction: ExpressionType] = [
                .integer: .integer, .currency: .currency, .decimal: .decimal, .float: .float,
            ]
            return converted(arguments[0], to: types[function] ?? .decimal)
        case .text:
            try expect(0, "a value with a text") { $0 != .bytes }
            return converted(arguments[0], to: .text)
        case .date where arguments.count == 1:
            try expect(0, "a text or DateTime") { $0.isText || $0 == .date }
            return converted(arguments[0], to: .date)
        case .date:
            guard arguments.count == 3 else {
                throw mismatch("date: expected a text, or year, month and day", expression)
            }
            for index in 0..<3 { try expect(index, .integer) }
            return result(.date)
        }
    }

    private func converted(_ typed: Typed, to type: ExpressionType) -> Typed {
        Typed(Self.converted(typed, to: type), type)
    }
}
