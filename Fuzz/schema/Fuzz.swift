// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Fuzzing

private let limits = SchemaLimits(bytes: 1 << 20, elements: 1 << 12, depth: 16)

/// The schema of a data service: it has no more objects than its document has elements.
@main
enum SchemaFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let text = String(decoding: input, as: UTF8.self)
        guard let schema = try? DataSchema(parsing: text, limits: limits) else { return }
        let inTables = schema.tables.reduce(0) { $0 + 1 + $1.fields.count + $1.parameters.count }
        let inCommands = schema.commands.reduce(0) { $0 + 1 + $1.parameters.count }
        guard inTables + inCommands + schema.relationships.count <= limits.elements else {
            fatalError("objects without elements")
        }
    }
}
