// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The fields and parameters of a table, which a stream may contain before the rows.
public struct TableSchema: Hashable, Sendable {
    /// The fields, in the order of the columns.
    public let fields: [SchemaEntry]
    /// The parameters of the table's query.
    public let parameters: [SchemaEntry]
    /// The number of properties of each field and each parameter. A stream contains it even if there are no entries.
    private let fieldProperties: Int
    private let parameterProperties: Int

    /// Creates a schema.
    ///
    /// - Throws: `unevenSchema` unless all fields have the same number of properties, and all parameters too.
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
        // Entries without properties would take no bytes, so their number would not be bounded by the stream.
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

/// A field or a parameter of a table's schema: an ordered list of text properties.
public struct SchemaEntry: Hashable, Sendable {
    /// A name with a value.
    public struct Property: Hashable, Sendable {
        /// The name, such as `DataType`.
        public var name: String
        /// The value as text; nil is null.
        public var value: String?

        /// Creates a property.
        public init(_ name: String, _ value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// The properties, in order.
    public var properties: [Property]

    /// Creates an entry with any properties.
    public init(_ properties: [Property]) {
        self.properties = properties
    }

    /// Creates a field with the seven properties that the vendor's client knows.
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

    /// Returns the value of a property; nil if it is null or missing.
    public subscript(_ name: String) -> String? {
        properties.first { $0.name == name }?.value
    }

    /// The name of the field or parameter.
    public var name: String? { self["Name"] }

    /// The type; nil if it is missing or unknown.
    public var type: DataType? { self["DataType"].flatMap(DataType.init(name:)) }

    /// Whether the field is part of the primary key.
    public var isInPrimaryKey: Bool { self["InPrimaryKey"]?.lowercased() == "true" }

    /// Whether the field must have a value.
    public var isRequired: Bool { self["Required"] == Self.text(true) }

    /// Whether clients must not change the field.
    public var isReadOnly: Bool { self["ReadOnly"] == Self.text(true) }

    /// Whether deltas include changes of the field.
    public var logsChanges: Bool { self["LogChanges"] == Self.text(true) }

    /// The vendor's client compares these values with regard to case.
    private static func text(_ value: Bool) -> String { value ? "True" : "False" }
}
