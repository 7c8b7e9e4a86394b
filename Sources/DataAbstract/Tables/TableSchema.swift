// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The fields and parameters of a table, as a stream can bring them before the rows.
public struct TableSchema: Hashable, Sendable {
    public let fields: [SchemaEntry]
    public let parameters: [SchemaEntry]
    /// Properties of each field and each parameter. A stream gives the number even where there are no entries.
    private let fieldProperties: Int
    private let parameterProperties: Int

    /// - Throws: `unevenSchema` unless all fields have equally many properties, and all parameters too.
    public init(fields: [SchemaEntry], parameters: [SchemaEntry] = []) throws(TableError) {
        for entries in [fields, parameters] {
            guard entries.allSatisfy({ $0.properties.count == entries[0].properties.count }) else {
                throw .unevenSchema
            }
        }
        self.fields = fields
        self.parameters = parameters
        fieldProperties = fields.first?.properties.count ?? 0
        parameterProperties = parameters.first?.properties.count ?? 0
    }

    init(from reader: inout StreamReader) throws(TableError) {
        (fields, fieldProperties) = try Self.entries("fields", from: &reader)
        (parameters, parameterProperties) = try Self.entries("parameters", from: &reader)
    }

    private static func entries(
        _ what: String,
        from reader: inout StreamReader
    ) throws(TableError) -> ([SchemaEntry], Int) {
        let count = try reader.readItemCount(what, limit: reader.limits.columns, bytesEach: 1)
        let properties = Int(try reader.readInt32())
        var entries: [SchemaEntry] = []
        guard count > 0 else { return (entries, properties) }
        // They would take no bytes, and could be any number.
        guard properties != 0 else {
            throw .malformed(reason: "\(what) without properties", offset: reader.position)
        }
        guard properties >= 0, properties <= reader.limits.items else {
            throw .tooMany("properties", limit: reader.limits.items, offset: reader.position)
        }
        try reader.chargeItems(count * properties)
        for _ in 0..<count {
            var entry = SchemaEntry([])
            for _ in 0..<properties {
                entry.properties.append(.init(try reader.readText(), try reader.readOptionalText()))
            }
            entries.append(entry)
        }
        return (entries, properties)
    }

    func write(to buffer: inout ByteBuffer) {
        Self.write(fields, fieldProperties, to: &buffer)
        Self.write(parameters, parameterProperties, to: &buffer)
    }

    private static func write(_ entries: [SchemaEntry], _ properties: Int, to buffer: inout ByteBuffer) {
        buffer.writeCount(entries.count)
        buffer.writeCount(properties)
        for property in entries.lazy.flatMap(\.properties) {
            buffer.writeCounted(property.name)
            if let value = property.value { buffer.writeCounted(value) } else { buffer.writeCount(-1) }
        }
    }
}
