// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Fuzzing

private let limits = SchemaLimits(bytes: 1 << 20, elements: 1 << 12, depth: 16)

/// The schema of a data service: it has no more objects than its document has elements.
@main
enum SchemaFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        guard let schema = try? DataSchema(file: Array(input), limits: limits) else { return }
        let inTables = schema.tables.reduce(0) { $0 + 1 + $1.fields.count + $1.parameters.count }
        let inCommands = schema.commands.reduce(0) { $0 + 1 + $1.parameters.count }
        let others = schema.relationships.count + schema.updateRules.count
        guard inTables + inCommands + others <= limits.elements else {
            fatalError("objects without elements")
        }
    }
}
