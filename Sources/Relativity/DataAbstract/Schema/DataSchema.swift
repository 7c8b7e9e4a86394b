// SPDX-License-Identifier: Apache-2.0

import Platform

/// The schema of a data service: what GetSchema, GetTableSchema and GetCommandSchema return as XML, and what a
/// `.daSchema` file of the vendor contains.
///
/// The names of the elements around fields differ between servers. So an element with the element `Fields` is a table,
/// the elements in `Commands` are commands, and those in `RelationShips` are relationships. The case of names is
/// ignored, and unknown elements too.
///
/// Names and values come from the server and are untrusted: escape them before printing.
public struct DataSchema: Hashable, Sendable {
    /// The name of the schema; nil if it has none.
    public internal(set) var name: String?
    /// The tables, in the order of the document.
    public internal(set) var tables: [SchemaTable] = []
    /// The commands.
    public internal(set) var commands: [SchemaCommand] = []
    /// The relationships. Servers may leave them out.
    public internal(set) var relationships: [SchemaRelationship] = []
    /// The update rules, in their order. Servers may leave them out.
    public internal(set) var updateRules: [SchemaUpdateRule] = []

    /// Parses a document.
    ///
    /// - Throws: `malformed`, `tooMany`, `outOfMemory`.
    public init(parsing xml: String, limits: SchemaLimits = .standard) throws(SchemaError) {
        self = try SchemaReader(limits: limits).read(xml)
    }

    /// Parses a file in the encoding that it declares.
    ///
    /// - Throws: `malformed`, also for an encoding that is not supported; `tooMany`, `outOfMemory`.
    public init(file bytes: [UInt8], limits: SchemaLimits = .standard) throws(SchemaError) {
        guard bytes.count <= limits.bytes else { throw .tooMany("bytes", limit: limits.bytes) }
        let text: String
        do {
            text = try DocumentText.decode(bytes)
        } catch {
            throw .malformed(reason: "\(error)", line: 1)
        }
        try self.init(parsing: text, limits: limits)
    }

    init() {}

    /// Returns the table with this name, or the only one that differs in the case of ASCII letters alone.
    public func table(_ name: String) -> SchemaTable? {
        NameMatch(name, in: tables.lazy.map(\.name)).index.map { tables[$0] }
    }

    /// Returns the command with this name, as `table(_:)`.
    public func command(_ name: String) -> SchemaCommand? {
        NameMatch(name, in: commands.lazy.map(\.name)).index.map { commands[$0] }
    }
}

/// A table of a schema.
public struct SchemaTable: Hashable, Sendable {
    /// The origin of the rows.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A table or a query of the database.
        case table
        /// A join of other tables of the schema.
        case join
        /// A union of other tables of the schema.
        case union
    }

    /// The name.
    public let name: String
    /// The origin of the rows.
    public let kind: Kind
    /// The fields, in order.
    public let fields: [SchemaField]
    /// The parameters of the table's query.
    public let parameters: [SchemaParameter]
    /// Whether the server accepts no changes.
    public let isReadOnly: Bool

    /// The fields of the primary key.
    public var key: [SchemaField] { fields.filter(\.isInPrimaryKey) }
}

/// A field of a table.
public struct SchemaField: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The type; `unknown` if the server's name for it is not known.
    public let type: DataType
    /// The size in an unknown unit; 0 for most types.
    public let size: Int
    /// The digits of a Decimal; 0 if the schema states none.
    public let precision: Int
    /// The digits of a Decimal after the point; 0 if the schema states none.
    public let scale: Int
    /// The heading for users; nil if it is the name.
    public let displayLabel: String?
    /// Whether the field is part of the primary key.
    public let isInPrimaryKey: Bool
    /// Whether the field must have a value.
    public let isRequired: Bool
    /// Whether clients must not change the field.
    public let isReadOnly: Bool
    /// Whether deltas include changes of the field.
    public let logsChanges: Bool
    /// The value of new rows as text; nil if there is none.
    public let defaultValue: String?
    /// Whether the vendor's clients get the value from another table.
    public let isLookup: Bool
    /// Whether the vendor's clients calculate the value.
    public let isCalculated: Bool
    /// Whether the server calculates the value.
    public let isServerCalculated: Bool

    /// Creates a field from the schema that a table in a stream has.
    public init(_ entry: SchemaEntry) {
        self.init { entry[$0] }
    }

    /// - Parameter property: returns the value of a property.
    init(_ property: (String) -> String?) {
        func isSet(_ name: String, otherwise: Bool = false) -> Bool {
            property(name).map { ["true", "1"].contains($0.lowercased()) } ?? otherwise
        }
        func number(_ name: String) -> Int { property(name).flatMap { Int($0) } ?? 0 }
        name = property("Name") ?? ""
        type = DataType(schemaName: property("DataType"))
        size = number("Size")
        precision = number("DecimalPrecision")
        scale = number("DecimalScale")
        let label = property("DisplayLabel") ?? ""
        displayLabel = label.isEmpty || label == name ? nil : label
        isInPrimaryKey = isSet("InPrimaryKey")
        isRequired = isSet("Required")
        isReadOnly = isSet("ReadOnly")
        logsChanges = isSet("LogChanges", otherwise: true)
        defaultValue = property("DefaultValue").flatMap { $0.isEmpty ? nil : $0 }
        isLookup = isSet("Lookup")
        isCalculated = isSet("Calculated")
        isServerCalculated = isSet("ServerCalculated")
    }
}

/// A command of a schema.
public struct SchemaCommand: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The parameters, in order.
    public let parameters: [SchemaParameter]
    /// The statement in the SQL of the server's database; nil if the schema does not show it.
    public let statement: String?
}

/// A parameter of a command or of a table's query.
public struct SchemaParameter: Hashable, Sendable {
    /// The direction of a value.
    public enum Direction: Hashable, Sendable {
        case input
        case output
        case inputOutput
        /// The result of a stored procedure.
        case result
        /// The server names no direction that is known.
        case unknown
    }

    /// The name, without a colon.
    public let name: String
    /// The type; `unknown` if the server's name for it is not known.
    public let type: DataType
    /// The size in an unknown unit; 0 for most types.
    public let size: Int
    /// The direction.
    public let direction: Direction
    /// The default as text; nil if there is none.
    public let value: String?

    /// Whether a caller gives a value.
    public var isInput: Bool { direction != .output && direction != .result }

    /// Creates a parameter.
    package init(_ name: String, _ type: DataType, _ direction: Direction = .input) {
        self.name = name
        self.type = type
        self.direction = direction
        size = 0
        value = nil
    }

    init(_ property: (String) -> String?) {
        name = property("Name") ?? ""
        type = DataType(schemaName: property("DataType"))
        size = property("Size").flatMap { Int($0) } ?? 0
        value = property("Value").flatMap { $0.isEmpty ? nil : $0 }
        let word = property("ParamType") ?? property("ParameterType") ?? property("Direction")
        var direction = word?.lowercased() ?? "input"
        // Delphi's names are daptInput, daptInputOutput, ….
        if direction.hasPrefix("dapt") { direction.removeFirst(4) }
        self.direction =
            switch direction {
            case "input", "in": .input
            case "output", "out": .output
            case "inputoutput", "inout": .inputOutput
            case "result", "returnvalue": .result
            default: .unknown
            }
    }
}

/// A rule of a schema: when the server applies the changes of a table.
public struct SchemaUpdateRule: Hashable, Sendable {
    /// The name of the table.
    public let table: String
    /// The kinds of changes.
    public let kinds: [DeltaChange.Kind]

    /// Creates a rule.
    package init(_ table: String, _ kinds: [DeltaChange.Kind]) {
        self.table = table
        self.kinds = kinds
    }
}

/// A relationship of two tables.
public struct SchemaRelationship: Hashable, Sendable {
    /// The table that the other refers to.
    public let master: String
    /// The fields of the master, usually its key.
    public let masterFields: [String]
    /// The table with the references.
    public let detail: String
    /// The fields of the detail, in the order of the master's.
    public let detailFields: [String]
}

extension SchemaParameter.Direction {
    /// The word for users: `in`, `out`, `inout`, `result` or `unknown`.
    package var word: String {
        switch self {
        case .input: "in"
        case .output: "out"
        case .inputOutput: "inout"
        case .result: "result"
        case .unknown: "unknown"
        }
    }
}

/// Limits for reading a schema. They bound the memory, because every object is counted as an element.
public struct SchemaLimits: Hashable, Sendable {
    /// Bytes of the document.
    public var bytes: Int
    /// Elements and attributes of the document, and fields that relationships name.
    public var elements: Int
    /// Levels of elements.
    public var depth: Int

    /// Creates limits; the defaults are those of `standard`.
    public init(bytes: Int = 16 << 20, elements: Int = 1 << 18, depth: Int = 32) {
        self.bytes = bytes
        self.elements = elements
        self.depth = depth
    }

    /// 16 MiB, 262,144 elements, 32 levels.
    public static let standard = SchemaLimits()
}

/// The reason why a schema cannot be read.
public enum SchemaError: Error, Hashable, Sendable {
    /// The document is not well-formed, or declares a document type. `reason` is a sentence fragment.
    case malformed(reason: String, line: Int)
    /// A number exceeds `SchemaLimits`.
    case tooMany(_ what: String, limit: Int)
    case outOfMemory
}

extension SchemaError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let reason, let line): "malformed schema: \(reason), in line \(line)"
        case .tooMany(let what, let limit): "more than \(limit) \(what) in a schema"
        case .outOfMemory: "not enough memory for a schema"
        }
    }
}

extension DataType {
    /// A type by its name in a schema, with or without `dat`.
    fileprivate init(schemaName name: String?) {
        self = name.flatMap { DataType(name: $0) ?? DataType(name: "dat" + $0) } ?? .unknown
    }
}
