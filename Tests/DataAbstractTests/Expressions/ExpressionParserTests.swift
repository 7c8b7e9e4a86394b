// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import DataAbstract

@Suite struct ExpressionParserTests {
    private static func field(_ name: String) -> Expression { Expression(.field(name)) }

    private static func number(_ text: String) -> Expression { Expression(.value(PredicateParserTests.number(text))) }

    private static func math(_ left: Expression, _ sign: ArithmeticOperator, _ right: Expression) -> Expression {
        Expression(.arithmetic(sign, left, right))
    }

    private static let total = Expression(
        .aggregate(
            AggregateExpression(
                .sum,
                "OrderDetails",
                math(Expression(.matchedField("Price")), .multiply, Expression(.matchedField("Amount"))),
                where: Expression(.comparison(.equal, Expression(.matchedField("Order")), field("Id")))
            )
        )
    )

    private static let a = field("a")
    private static let b = field("b")
    private static let c = field("c")

    private static let trees: [(text: String, tree: Expression)] = [
        ("a", a), ("[Unit Price]", field("Unit Price")), ("1.50", number("1.50")), ("NULL", Expression(.null)),
        ("a+b*c", math(a, .add, math(b, .multiply, c))), ("(a+b)*c", math(math(a, .add, b), .multiply, c)),
        ("a-b-c", math(math(a, .subtract, b), .subtract, c)), ("a-(b-c)", math(a, .subtract, math(b, .subtract, c))),
        ("a-1", math(a, .subtract, number("1"))), ("a/-b", math(a, .divide, Expression(.negative(b)))),
        ("-a*b", math(Expression(.negative(a)), .multiply, b)),
        ("-(a*b)", Expression(.negative(math(a, .multiply, b)))),
        ("--1", Expression(.negative(.init(.negative(number("1")))))),
        ("a == b", Expression(.comparison(.equal, a, b))),
        ("a = b + c", Expression(.comparison(.equal, a, math(b, .add, c)))),
        ("(a = b) = c", Expression(.comparison(.equal, Expression(.comparison(.equal, a, b)), c))),
        ("a LIKE[c] b", Expression(.comparison(.like, a, b, .ignoresCase))),
        ("a NOT LIKE b", Expression(.not(Expression(.comparison(.like, a, b))))),
        ("a IS NOT NULL", Expression(.not(Expression(.isNull(a))))),
        ("NOT a IN (1, b)", Expression(.not(Expression(.isIn(a, [number("1"), b]))))),
        ("a BETWEEN {b, c}", Expression(.between(a, b, c))),
        ("a AND b OR NOT c", Expression(.or([Expression(.and([a, b])), Expression(.not(c))]))),
        ("a AND (b OR c)", Expression(.and([a, Expression(.or([b, c]))]))),
        ("IF(a, b, c)", Expression(.call(.if, [a, b, c]))),
        ("addDays(a, 1)", Expression(.call(.addDays, [a, number("1")]))),
        ("sum(OrderDetails.Price * OrderDetails.Amount where OrderDetails.Order = Id)", total),
        ("COUNT(a)", Expression(.aggregate(AggregateExpression(.count, "a", nil, where: nil)))),
        (
            "max([b c].where WHERE [b c].where > 1)",
            Expression(
                .aggregate(
                    AggregateExpression(
                        .max,
                        "b c",
                        Expression(.matchedField("where")),
                        where: Expression(.comparison(.greater, Expression(.matchedField("where")), number("1")))
                    )
                )
            )
        ),
    ]

    @Test("the parser makes the tree of each form, and the printed tree parses to itself", arguments: trees.indices)
    func parsesAndPrints(index: Int) throws {
        let (text, tree) = Self.trees[index]
        #expect(try Expression(parsing: text) == tree, "\(text)")
        #expect(try Expression(parsing: tree.description) == tree, "\(tree)")
    }

    @Test(
        "an error names the column of the text",
        arguments: [
            ("", 1), ("a +", 4), ("é + + 1", 5), ("(a", 3), ("a)", 2), ("a b", 3), ("a < b < c", 7), ("1.", 3),
            ("nothing(a)", 1), ("upper(a, b)", 1), ("upper(a", 8), ("a.b", 1), ("sum(a)", 5), ("sum(a.b + c.d)", 11),
            ("sum(a.b where a.c = count(d))", 21), ("sum(a.)", 7), ("a IN b", 6), ("a BETWEEN {1}", 11), ("a NOT b", 7),
            ("a IS b", 6), ("1 + 'x", 5), ("2020-02-30", 1), ("a ? b", 3), ("count()", 7),
        ]
    )
    func errors(text: String, column: Int) {
        let error = #expect(throws: ExpressionError.self) { try Expression(parsing: text) }
        #expect(error?.column == column, "\(text): \(error?.description ?? "")")
    }

    @Test("each node knows its column, counted in Unicode scalars")
    func columns() throws {
        let sum = try Expression(parsing: " 'é€😀' + upper([é]) ")
        #expect(sum.column == 8)
        guard case .arithmetic(_, let left, let right) = sum.node else { throw ExpressionError(.unquoted("+")) }
        #expect(left.column == 2 && right.column == 10)
    }

    @Test(
        "length and depth are limited",
        arguments: [
            { String(repeating: "(", count: $0) + "a" + String(repeating: ")", count: $0) },
            { String(repeating: "-", count: $0) + "a" }, { String(repeating: "NOT ", count: $0) + "a" },
            { "a" + String(repeating: " + a", count: $0) }, { "a" + String(repeating: " * a", count: $0) },
            { String(repeating: "abs(", count: $0) + "a" + String(repeating: ")", count: $0) },
        ] as [@Sendable (Int) -> String]
    )
    func limits(text: @Sendable (Int) -> String) throws {
        let deepest = try Expression(parsing: text(128))
        #expect(try Expression(parsing: deepest.description) == deepest)
        let error = #expect(throws: ExpressionError.self) { try Expression(parsing: text(129)) }
        guard case .tooMany("levels", limit: 128, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(throws: ExpressionError.tooMany("bytes", limit: 20, column: 14)) {
            try Expression(parsing: "a == 'éééééééééééééé'", limits: ExpressionLimits(bytes: 20))
        }
        #expect(throws: ExpressionError.self) { try Expression(parsing: text(10_000)) }
    }

    @Test("any text is parsed or rejected, and a parsed one prints to a text of the same tree", arguments: 0..<100)
    func mutations(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        let pieces = [
            "a", "[b c]", "==", "<", "'x'", "\"y", "[c]", "(", ")", "{", "}", ",", "AND", "OR", "NOT", "!", "IN",
            "BETWEEN", "LIKE", "CONTAINS[cd]", "NULL", "IS", "1", "2.50", "1e5", "2020-01-02", "é", "\u{301}", "TRUE",
            "+", "-", "*", "/", ".", "T.x", "T.y", "sum(", "count(T", "WHERE", "if(", "round(", "date(",
        ]
        for _ in 0..<50 {
            let tree = Expression.randomTree(&numbers, depth: 4)
            #expect(try Expression(parsing: tree.description) == tree, "\(tree)")
            let count = Int.random(in: 0...9, using: &numbers)
            let text = (0..<count).map { _ in pieces.randomElement(using: &numbers) ?? "" }.joined(separator: " ")
            guard let parsed = try? Expression(parsing: text) else { continue }
            #expect(try Expression(parsing: parsed.description) == parsed, "\(text)")
        }
    }
}

extension Expression {
    /// Returns a tree that the parser can make, of any types.
    fileprivate static func randomTree(_ random: inout SeededRandom, depth: Int, isMatched: Bool = false) -> Expression
    {
        func part() -> Expression { randomTree(&random, depth: depth - 1, isMatched: isMatched) }
        guard depth > 0 else {
            let values: [PredicateValue] = [
                PredicateParserTests.number("1"), PredicateParserTests.number("2.50"), .float(1e300), .text("it's"),
                .boolean(true),
            ]
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return Expression(.null)
            case 1: return Expression(.value(values.randomElement(using: &random) ?? .boolean(false)))
            case 2 where isMatched: return Expression(.matchedField("x]"))
            default: return Expression(.field(["a", "b c", "and", "where"].randomElement(using: &random) ?? "a"))
            }
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return Expression(.negative(part()))
        case 1, 2:
            let sign = ArithmeticOperator.allCases.randomElement(using: &random) ?? .add
            return Expression(.arithmetic(sign, part(), part()))
        case 3:
            let operation = PredicateOperator.allCases.randomElement(using: &random) ?? .equal
            return Expression(
                .comparison(operation, part(), part(), .init(rawValue: .random(in: 0..<4, using: &random)))
            )
        case 4: return Expression(.isNull(part()))
        case 5: return Expression(.isIn(part(), Bool.random(using: &random) ? [] : [part(), part()], .ignoresCase))
        case 6: return Expression(.between(part(), part(), part()))
        case 7: return Expression(.not(part()))
        case 8: return Expression(Bool.random(using: &random) ? .and([part(), part()]) : .or([part(), part()]))
        default:
            guard !isMatched else { return Expression(.call(.if, [part(), part(), part()])) }
            let inner = randomTree(&random, depth: depth - 1, isMatched: true)
            let argument = Expression(.arithmetic(.add, Expression(.matchedField("y")), inner))
            let condition = Bool.random(using: &random) ? inner : nil
            return Expression(.aggregate(AggregateExpression(.sum, "T", argument, where: condition)))
        }
    }
}
