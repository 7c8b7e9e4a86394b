// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import DataAbstract

@Suite struct PredicatePlanTests {
    private static let columns = [
        DataColumn("Id", .integer), DataColumn("Big", .largeInt), DataColumn("Price", .currency),
        DataColumn("Exact", .decimal), DataColumn("Size", .float), DataColumn("Name", .wideString),
        DataColumn("City", .string), DataColumn("Code", .fixedChar), DataColumn("Day", .dateTime),
        DataColumn("Paid", .boolean), DataColumn("Note", .memo), DataColumn("Key", .guid), DataColumn("Byte", .byte),
    ]

    private static func plan(_ text: String, _ capabilities: WhereCapabilities = .where) throws -> PredicatePlan {
        try PredicatePlan(Expression(predicate: text), fields: columns, capabilities: capabilities)
    }

    /// A short form of a clause for comparison.
    private static func short(_ expression: WhereExpression?) -> String {
        switch expression {
        case nil: "-"
        case .constant(let text, let type): "\(type):\(text ?? "null")"
        case .field(let name, _): name
        case .null: "null"
        case .list(let values): "(\(values.map(short).joined(separator: " ")))"
        case .unary(let name, let inner): "\(name?.rawValue ?? "")(\(short(inner)))"
        case .binary(.and, let left, let right): "(\(short(left)) And \(short(right)))"
        case .binary(.or, let left, let right): "(\(short(left)) Or \(short(right)))"
        case .binary(let name, let left, let right): "\(short(left)) \(name.rawValue) \(short(right))"
        default: "?"
        }
    }

    private static let sent: [(text: String, sent: String)] = [
        ("Id == 5", "Id Equal Integer:5"), ("Id > 5", "Id GreaterOrEqual Integer:6"),
        ("Id <= 5.5", "Id LessOrEqual Integer:5"),
        ("Id >= 5.5", "Id GreaterOrEqual Integer:6"), ("id IN {1, 2.5, 3}", "Id In (Integer:1 Integer:3)"),
        ("Id BETWEEN {1, 3}", "(Id GreaterOrEqual Integer:1 And Id LessOrEqual Integer:3)"),
        ("NOT Id > 5", "Id LessOrEqual Integer:5"), ("NOT Id NOT IN {1}", "Id In (Integer:1)"),
        ("NOT Id BETWEEN {1, 3}", "(Id LessOrEqual Integer:0 Or Id GreaterOrEqual Integer:4)"),
        ("Big == 5000000000", "Big Equal LargeInt:5000000000"), ("5 < Id", "Id GreaterOrEqual Integer:6"),
        ("Price == 12.340", "Price Equal Currency:12.34"), ("Price > -0.5", "Price GreaterOrEqual Currency:-0.5"),
        ("Price < 1.23456", "Price LessOrEqual Currency:1.2346"),
        ("Price > 1.23456", "Price GreaterOrEqual Currency:1.2345"),
        ("Exact == 1.23456", "Exact Equal Decimal:1.23456"), ("Exact < 7", "Exact LessOrEqual Decimal:7"),
        ("Size > 0", "Size GreaterOrEqual Float:-0.000000001"),
        ("Size == 1.5", "(Size GreaterOrEqual Float:1.499998499 And Size LessOrEqual Float:1.500001501)"),
        ("Size < 2000000", "Size LessOrEqual Float:2000003"),
        ("Name == 'abc'", "Name Equal WideString:abc"), ("City IN {'a', 'b'}", "City In (String:a String:b)"),
        ("City BEGINSWITH 'ab'", "City Like String:ab%"), ("City ENDSWITH 'ab'", "City Like String:%ab"),
        ("City CONTAINS 'ab'", "City Like String:%ab%"), ("Code ENDSWITH 'ab'", "Code Like String:%ab%"),
        ("City LIKE 'a*b?c'", "City Like String:a%b%c"), ("City LIKE 'ab'", "City Like String:ab"),
        ("City CONTAINS '100%'", "City Like String:%100%"), ("City CONTAINS 'a_b'", "City Like String:%a%b%"),
        ("City LIKE 'a *'", "City Like String:a%"), ("City LIKE 'a\\*b'", "City Like String:a%b"),
        ("City BEGINSWITH 'a '", "City Like String:a%"), ("City LIKE 'a '", "City Like String:a%"),
        ("NOT City != 'a'", "City Equal String:a"), ("TRUEPREDICATE AND Id == 1", "Id Equal Integer:1"),
        ("Id == 1 AND City !=[c] 'x' AND Price < 2", "(Id Equal Integer:1 And Price LessOrEqual Currency:2)"),
        ("(Id == 1 OR Id == 2) AND (Id == 3 OR Name != 'x')", "(Id Equal Integer:1 Or Id Equal Integer:2)"),
        ("Id == 1 OR (Id == 2 AND Name < 'x')", "(Id Equal Integer:1 Or Id Equal Integer:2)"),
    ]

    @Test("a part is sent in a form that no wanted row fails, and filtered again", arguments: sent.indices)
    func sends(index: Int) throws {
        let (text, sent) = Self.sent[index]
        let plan = try Self.plan(text)
        #expect(Self.short(plan.sent) == sent, "\(text)")
        #expect(try plan.residual == Expression(predicate: text))
    }

    private static let unsent: [(text: String, reason: PredicatePlan.Reason)] = [
        ("Id != 5", .negation), ("Id NOT IN {5}", .negation), ("City NOT LIKE 'a*'", .negation),
        ("NOT City == 'a'", .negation),
        ("City < 'a'", .textOrder), ("City NOT BEGINSWITH 'a'", .negation), ("City ==[c] 'a'", .folding),
        ("City LIKE[d] 'a'", .folding),
        ("City IN[cd] {'a'}", .folding), ("Name == 'é'", .notASCII), ("Name BEGINSWITH 'é'", .notASCII),
        ("Name IN {'a', 'é'}", .notASCII),
        ("City == ''", .fragileText), ("City == 'a '", .fragileText), ("City == ' a'", .fragileText),
        ("City == 'a\tb'", .fragileText),
        ("City BEGINSWITH ''", .pattern), ("City LIKE '*'", .pattern), ("City LIKE '??'", .pattern),
        ("City CONTAINS ' '", .pattern),
        ("Day == 2020-01-01", .dates), ("Day IN {2020-01-01}", .dates), ("Day IS NULL", .nullTests),
        ("Id IS NOT NULL", .nullTests),
        ("Paid == TRUE", .fieldType(.boolean)), ("Note == 'a'", .fieldType(.memo)), ("Key == 'a'", .fieldType(.guid)),
        ("Id == Big", .twoFields), ("Id == 5.5", .value), ("Byte < 300", .value), ("Id IN {}", .value),
        ("Size == 1e300", .value),
        ("Size IN {1}", .value), ("Price < 1e30", .value),
    ]

    @Test("a part that the server may judge differently is not sent, with the reason", arguments: unsent.indices)
    func withholds(index: Int) throws {
        let (text, reason) = Self.unsent[index]
        let plan = try Self.plan(text)
        #expect(plan.sent == nil, "\(text)")
        #expect(try plan.residual == Expression(predicate: text))
        #expect(plan.unsent.map(\.reason) == [reason], "\(text)")
    }

    @Test("an OR with an alternative that is not sent is not sent, and both are reported")
    func alternatives() throws {
        let plan = try Self.plan("Id == 1 AND (Id == 2 OR NOT Id == 3)")
        #expect(Self.short(plan.sent) == "Id Equal Integer:1")
        #expect(plan.unsent.map(\.reason) == [.negation, .alternative])
        #expect(plan.unsent.map(\.predicate.description) == ["Id != 3", "Id == 2 OR Id != 3"])
    }

    @Test("dates and tests for NULL are sent once they are proven")
    func proven() throws {
        let able: WhereCapabilities = [.where, .dates, .nullTests]
        #expect(
            Self.short(try Self.plan("Day == 2020-01-01", able).sent)
                == "(Day GreaterOrEqual DateTime:2019-12-31T23:59:59 And Day LessOrEqual DateTime:2020-01-01T00:00:01)"
        )
        #expect(
            Self.short(try Self.plan("Day > '1899-12-30'", able).sent)
                == "Day GreaterOrEqual DateTime:1899-12-30T00:00:00"
        )
        #expect(Self.short(try Self.plan("Id IS NULL", able).sent) == "Id Equal null")
        #expect(Self.short(try Self.plan("Id IS NOT NULL", able).sent) == "Id Equal Not(null)")
    }

    private static let trusted: [(text: String, sent: String, residual: String?)] = [
        ("Id != 5", "Id NotEqual Integer:5", nil), ("Id NOT IN {1}", "Id NotIn (Integer:1)", nil),
        ("Id > 5", "Id Greater Integer:5", nil),
        ("City NOT LIKE 'a?*'", "City NotLike String:a_%", nil), ("Name < 'é'", "Name Less WideString:é", nil),
        ("City == ''", "City Equal String:", nil),
        ("Paid == TRUE", "Paid Equal Boolean:True", nil), ("Id == Big", "Id Equal Big", nil),
        ("Id IS NULL", "Id Equal null", nil),
        ("Day < 2020-01-01", "Day Less DateTime:2020-01-01T00:00:00", nil),
        ("Size == 0.1", "Size Equal Float:0.1", nil),
        ("Id == 5.5", "Id Equal Decimal:5.5", nil), ("City ==[c] 'a'", "-", "City ==[c] 'a'"),
        ("City CONTAINS '%'", "-", "City CONTAINS '%'"),
        ("Id != 5 AND City ==[c] 'a'", "Id NotEqual Integer:5", "City ==[c] 'a'"),
        ("Id != 5 AND (Id == 1 OR City ==[c] 'a')", "Id NotEqual Integer:5", "Id == 1 OR City ==[c] 'a'"),
    ]

    @Test(
        "a trusted server is sent all that a clause can express, and only the rest is filtered",
        arguments: trusted.indices
    )
    func trusts(index: Int) throws {
        let (text, sent, residual) = Self.trusted[index]
        let plan = try Self.plan(text, [.where, .trusted])
        #expect(Self.short(plan.sent) == sent, "\(text)")
        #expect(plan.residual?.description == residual, "\(text)")
    }

    @Test("a condition that is decided is neither sent nor filtered")
    func decided() throws {
        #expect(try Self.plan("TRUEPREDICATE OR Id == 1").residual == nil)
        #expect(try Self.plan("NOT TRUEPREDICATE").residual == .constant(false))
        #expect(try Self.plan("FALSEPREDICATE AND Id == 1").sent == nil)
    }

    @Test(
        "without where nothing is sent; a clause beyond the limits is not sent; many alternatives make no deep clause"
    )
    func bounds() throws {
        let plan = try Self.plan("Id == 1", [.trusted])
        #expect(plan.sent == nil && plan.residual != nil && plan.unsent.map(\.reason) == [.noWhere])
        let large = Expression.isIn("City", (0..<20_000).map { .text("a\($0)") })
        let tooLarge = try PredicatePlan(
            large,
            fields: Self.columns,
            capabilities: [.where, .trusted]
        )
        #expect(tooLarge.sent == nil && tooLarge.residual == large && tooLarge.unsent.map(\.reason) == [.tooLarge])
        let wide = Expression.or((0..<4_000).map { .comparison("Id", .equal, .value(.boolean($0 % 2 == 0))) })
        #expect(try PredicatePlan(wide, fields: Self.columns, capabilities: .where).sent != nil)
    }

    @Test(
        "what the server returns, filtered again, are the rows that satisfy the predicate, under any collation",
        arguments: WhereModel.Collation.allCases,
        0..<25
    )
    func sameRows(collation: WhereModel.Collation, seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        let table = try Expression.randomTable(&numbers, rows: 40)
        let fields = table.columns
        let rows = table.rows.map { Array($0) }
        var sentCount = 0
        for _ in 0..<60 {
            let predicate = Expression.random(&numbers, depth: 2)
            let local = try CompiledPredicate(predicate, fields: fields).indices(in: table.rows)
            for capabilities: WhereCapabilities in [[], .where, [.where, .dates, .nullTests]] {
                let plan = try PredicatePlan(predicate, fields: fields, capabilities: capabilities)
                let server = WhereModel(columns: table.columns, collation: collation)
                #expect(
                    try Self.rows(rows, of: server, plan, fields) == local,
                    "\(predicate), \(Self.short(plan.sent))"
                )
                if plan.sent != nil { sentCount += 1 }
            }
            guard collation == .binary else { continue }
            let plan = try PredicatePlan(predicate, fields: fields, capabilities: [.where, .trusted])
            let server = WhereModel(columns: table.columns, collation: .binary, isExact: true)
            #expect(
                try Self.rows(rows, of: server, plan, fields) == local,
                "\(predicate), trusted \(Self.short(plan.sent))"
            )
        }
        #expect(sentCount > 10)
    }

    private static func rows(
        _ rows: [[DataValue]],
        of server: WhereModel,
        _ plan: PredicatePlan,
        _ fields: [DataColumn]
    ) throws -> [Int] {
        let residual = try plan.residual.map { try CompiledPredicate($0, fields: fields) }
        return try rows.indices.filter { index in
            try plan.sent.map { server.truth($0, rows[index]) == true } ?? true
                && residual?.matches(rows[index]) ?? true
        }
    }
}
