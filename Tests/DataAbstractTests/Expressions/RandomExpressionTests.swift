// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import DataAbstract

@Suite struct RandomExpressionTests {
    @Test("a random expression, printed and parsed again, has the value of a simple evaluation", arguments: 0..<60)
    func evaluation(seed: UInt64) throws {
        var model = ExpressionModel(random: SeededRandom(seed: seed))
        for _ in 0..<80 {
            let kind = ExpressionModel.Kind.allCases.randomElement(using: &model.random) ?? .integer
            let (expression, expected) = model.sample(kind, depth: 3)
            let text = expression.description
            #expect(try Expression(parsing: text) == expression, "\(expression)")
            let value = try OneExpression(text, columns: ExpressionModel.columns).value(ExpressionModel.row)
            #expect(ExpressionModel.agrees(value, expected), "\(expression) = \(value), not \(expected)")
        }
    }
}
