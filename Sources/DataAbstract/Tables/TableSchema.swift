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

/// A field or a parameter of a table's schema: properties in text, in their order.
public struct SchemaEntry: Hashable, Sendable {
    public struct Property: Hashable, Sendable {
        public var name: String
        /// Nil is null.
        public var value: String?

        public init(_ name: String, _ value: String?) {
            self.name = name
            self.value = value
        }
    }

    public var properties: [Property]

    public init(_ properties: [Property]) {
        self.properties = properties
    }

    /// A field with the seven properties that the vendor's client knows.
    public init(
        field name: String,
        _ type: DataType,
        isInPrimaryKey: Bool = false,
        isRequired: Bool = false,
        isReadOnly: Bool = false,
        logsChanges: Bool = true,
        defaultValue: String? = ""
    ) {
        properties = [
            Property("Name", name), Property("DataType", type.name), Property("LogChanges", Self.text(logsChanges)),
            Property("InPrimaryKey", Self.text(isInPrimaryKey)), Property("Required", Self.text(isRequired)),
            Property("ReadOnly", Self.text(isReadOnly)), Property("DefaultValue", defaultValue),
        ]
    }

    /// The value of a property; nil if it is null or not there.
    public subscript(_ name: String) -> String? {
        properties.first { $0.name == name }?.value
    }

    public var name: String? { self["Name"] }

    /// Nil also for a type that is not known.
    public var type: DataType? { self["DataType"].flatMap(DataType.init(name:)) }

    public var isInPrimaryKey: Bool { self["InPrimaryKey"]?.lowercased() == "true" }

    public var isRequired: Bool { self["Required"] == Self.text(true) }

    public var isReadOnly: Bool { self["ReadOnly"] == Self.text(true) }

    /// Whether changes of the field go into deltas.
    public var logsChanges: Bool { self["LogChanges"] == Self.text(true) }

    /// The vendor's client compares these letters exactly.
    private static func text(_ value: Bool) -> String { value ? "True" : "False" }
}
