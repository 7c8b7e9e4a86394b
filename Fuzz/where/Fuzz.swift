// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Fuzzing

private let limits = WhereLimits(bytes: 1 << 20, depth: 32, expressions: 1 << 12)
/// Escaping makes a text up to six times longer.
private let outputLimits = WhereLimits(bytes: 1 << 23, depth: 32, expressions: 1 << 12)

/// A where clause: a parsed clause survives writing and parsing.
@main
enum WhereFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let text = String(decoding: input, as: UTF8.self)
        guard let expression = try? DynamicWhere.expression(parsing: text, limits: limits) else { return }
        guard let xml = try? DynamicWhere.xml(expression, limits: outputLimits),
            let again = try? DynamicWhere.expression(parsing: xml, limits: outputLimits), again == expression
        else { fatalError("a where clause read differently") }
    }
}
