// SPDX-License-Identifier: Apache-2.0

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
