// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Screens
import TableBrowser
import Testing

@Suite("Rules for the colours of rows")
struct ColorRuleTests {
    private static let fields = [
        DataColumn("Name", .wideString), DataColumn("Price", .currency), DataColumn("red", .boolean),
    ]

    @Test(
        "a rule is a condition and one or two colours",
        arguments: [
            ("Price > 100=red/black", "Price > 100", .red, .black), ("Price == 1=green", "Price == 1", .green, nil),
            ("Price <= 1 = /YELLOW", "Price <= 1", nil, .yellow),
            ("Name = 'a=b'=Blue / white ", "Name == 'a=b'", .blue, .white),
            ("Name == 'é漢'=red/", "Name == 'é漢'", .red, nil), ("red=true=cyan", "red == TRUE", .cyan, nil),
        ] as [(String, String, ScreenColor?, ScreenColor?)]
    )
    func parse(rule: String, condition: String, text: ScreenColor?, background: ScreenColor?) throws {
        let parsed = try ColorRule(parsing: rule)
        #expect("\(parsed.condition)" == condition)
        #expect(parsed.text == text && parsed.background == background)
    }

    @Test(
        "an error names the column",
        arguments: [
            ("Price > 100", .noColors(column: 12)), ("Price > 100=", .noColors(column: 13)),
            ("Price > 100=/", .noColors(column: 13)), ("", .noColors(column: 1)),
            ("Price >= 100", .unknownColor("100", column: 9)), ("Name == 'é=red'", .unknownColor("red'", column: 12)),
            ("A = 1=red/pink", .unknownColor("pink", column: 11)),
            ("A = 1=red/black/x", .unknownColor("black/x", column: 11)),
            ("A = =red", .condition(.syntax(reason: "expected a value or a field, found the end", column: 5))),
            ("é > =red", .condition(.syntax(reason: "expected a value or a field, found the end", column: 5))),
        ] as [(String, ColorRuleError)]
    )
    func errors(rule: String, error: ColorRuleError) {
        #expect(throws: error) { try ColorRule(parsing: rule) }
    }

    @Test("the first rule that matches a row gives it its colours, and keeps the rest of the style")
    func precedence() throws {
        let rules = try ["Price > 100=red", "Price > 50=/yellow", "Name == 'x'=blue/white"].map(
            ColorRule.init(parsing:)
        )
        let compiled = ColorRules(rules, fields: Self.fields)
        func style(_ name: String, _ price: Int64) -> ScreenStyle {
            compiled.style(.title, of: [.text(name), .currency(scaled: price * 10_000), .null])
        }
        #expect(style("x", 200) == ScreenStyle(isBold: true, text: .red))
        #expect(style("x", 60) == ScreenStyle(isBold: true, background: .yellow))
        #expect(style("x", 1) == ScreenStyle(isBold: true, text: .blue, background: .white))
        #expect(style("y", 1) == .title)
        #expect(compiled.misfits.isEmpty)
    }

    @Test("a rule for other fields is left out, and reported by its index")
    func misfits() throws {
        let rules = try ["City == 'x'=red", "Price > 1=green", "Price == 'x'=blue"].map(ColorRule.init(parsing:))
        let compiled = ColorRules(rules, fields: Self.fields)
        #expect(compiled.misfits.map(\.rule) == [0, 2])
        #expect(
            compiled.misfits.first?.error == .unknownField(UnknownName("City", among: Self.fields.map(\.name)))
        )
        #expect(compiled.style(.plain, of: [.null, .currency(scaled: 20_000), .null]).text == .green)
    }
}
