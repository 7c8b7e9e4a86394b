// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import DataAbstract

@Suite struct RandomExpressionTests {
    @Test("a random expression, printed and parsed again, has the value of a simple evaluation", arguments: 0..<60)
    func evaluation(seed: UInt64) throws {
        var model = ExpressionModel(random: SeededRandom(seed: seed))
        let scope = ExpressionScope(columns: ExpressionModel.columns)
        var table = try DataTable(name: "T", columns: ExpressionModel.columns)
        try table.append(ExpressionModel.row)
        for _ in 0..<80 {
            let kind = ExpressionModel.Kind.allCases.randomElement(using: &model.random) ?? .integer
            let (expression, expected) = model.sample(kind, depth: 3)
            let parsed = try Expression(parsing: expression.description)
            #expect(parsed == expression, "\(expression)")
            let compiled = try CompiledExpression(parsed, scope: scope)
            let value = try compiled.value(ExpressionModel.row)
            #expect(ExpressionModel.agrees(value, expected), "\(expression) = \(value), not \(expected)")
            #expect(try compiled.value(table.rows[0]) == value, "\(expression)")
        }
    }
}
