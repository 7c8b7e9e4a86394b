// SPDX-License-Identifier: Apache-2.0

public import JSON

/// Tables in the vendor's JSON format, which is less well known than that of `TableStream`
/// (docs/wire.md, "Tables as JSON").
public struct JSONTableStream: Hashable, Sendable {
    /// 64 MiB, 4,194,304 values, 16 levels.
    public static let limits = JSONLimits(depth: 16, bytes: 64 << 20, values: 1 << 22)

    /// The tables, in the order of the text.
    public var tables: [JSONTable]

    /// Creates a stream of tables.
    public init(_ tables: [JSONTable]) {
        self.tables = tables
    }

    /// Decodes a JSON text.
    ///
    /// - Throws: `JSONSyntaxError`, `JSONShapeError`.
    public init(decoding text: some Collection<UInt8>, limits: JSONLimits = limits) throws {
        guard let root = try JSONValue(parsing: text, limits: limits).objectValue else {
            throw JSONShapeError(path: "", expected: .object)
        }
        tables = try root.objects("datasets").map { try JSONTable($0) }
    }

    /// Encodes the tables as JSON in UTF-8. Unknown members of a decoded text are not preserved.
    public func encoded() -> [UInt8] {
        JSONValue.object(["datasets": .array(tables.map(\.json))]).serialized()
    }
}

/// A table in the vendor's JSON format.
///
/// Cells stay JSON values, because the representation of dates, blobs, decimals, currencies and Guids is unknown.
public struct JSONTable: Hashable, Sendable {
    /// The name of the table. The vendor's client compares it ignoring case.
    public var name: String
    /// The properties of each field, including `Name` and `DataType`; nil if there is no schema.
    public var fields: [JSONObject]?
    /// The cells of each row, one value for each field.
    public var rows: [[JSONValue]]

    /// Creates a table.
    public init(name: String, fields: [JSONObject]?, rows: [[JSONValue]]) {
        self.name = name
        self.fields = fields
        self.rows = rows
    }

    init(_ object: JSONObject) throws(JSONShapeError) {
        name = try object.string("name")
        let schema = try object.optionalObject("schema")
        fields = try schema?.objects("fields")
        rows = try JSONRows.read(try object.object("data"), "rows")
    }

    var json: JSONValue {
        var object: JSONObject = ["name": .string(name)]
        if let fields { object["schema"] = ["fields": .array(fields.map { .object($0) })] }
        object["data"] = ["rows": .array(rows.map { .array($0) })]
        return .object(object)
    }
}

/// Reads arrays of cells.
enum JSONRows {
    static func read(_ object: JSONObject, _ key: String) throws(JSONShapeError) -> [[JSONValue]] {
        var rows: [[JSONValue]] = []
        for (index, row) in try object.array(key).enumerated() {
            guard let cells = row.arrayValue else { throw JSONShapeError(path: "\(key)[\(index)]", expected: .array) }
            rows.append(cells)
        }
        return rows
    }
}

/// Deltas in the vendor's JSON format, which is less well known than that of `DeltaStream`
/// (docs/wire.md, "Tables as JSON").
public struct JSONDeltaStream: Hashable, Sendable {
    /// The deltas, in the order of the text.
    public var deltas: [JSONDelta]

    /// Creates a stream of deltas.
    public init(_ deltas: [JSONDelta]) {
        self.deltas = deltas
    }

    /// Decodes a JSON text.
    ///
    /// - Throws: `JSONSyntaxError`, `JSONShapeError`.
    public init(decoding text: some Collection<UInt8>, limits: JSONLimits = JSONTableStream.limits) throws {
        guard let root = try JSONValue(parsing: text, limits: limits).objectValue else {
            throw JSONShapeError(path: "", expected: .object)
        }
        deltas = try root.objects("deltas").map { try JSONDelta($0) }
    }

    /// Encodes the deltas as JSON in UTF-8. Unknown members of a decoded text are not preserved.
    public func encoded() -> [UInt8] {
        JSONValue.object(["deltas": .array(deltas.map(\.json))]).serialized()
    }
}

/// The changes of one table in the vendor's JSON format.
public struct JSONDelta: Hashable, Sendable {
    /// The name of the table.
    public var name: String
    /// All properties of each field. Only `name` and `type` are certain to be present.
    public var fields: [JSONObject]
    /// The names of the fields whose old values identify a row for the server.
    public var keys: [String]
    /// The changes, in the order of the delta.
    public var changes: [JSONDeltaChange]

    /// Creates a delta.
    public init(name: String, fields: [JSONObject], keys: [String], changes: [JSONDeltaChange]) {
        self.name = name
        self.fields = fields
        self.keys = keys
        self.changes = changes
    }

    init(_ object: JSONObject) throws(JSONShapeError) {
        name = try object.string("name")
        fields = try object.objects("loggedfields")
        keys = try object.strings("keyfields")
        changes = []
        for change in try object.objects("data") { changes.append(try JSONDeltaChange(change)) }
    }

    var json: JSONValue {
        [
            "name": .string(name), "loggedfields": .array(fields.map { .object($0) }),
            "keyfields": .array(keys.map { .string($0) }), "data": .array(changes.map(\.json)),
        ]
    }
}

/// A changed row, like `DeltaChange`, with cells as in `JSONTable`.
public struct JSONDeltaChange: Hashable, Sendable {
    /// Whether the row was inserted, updated or deleted.
    public var kind: DeltaChange.Kind
    /// Identifies the row within its table.
    public var recordID: Int32
    /// The result of the change.
    public var status: DeltaChange.Status
    /// The reason for a failure; untrusted text.
    public var message: String
    /// The values before the change, one for each field.
    public var old: [JSONValue]
    /// The values after the change, one for each field.
    public var new: [JSONValue]

    /// Creates a change.
    public init(
        _ kind: DeltaChange.Kind,
        recordID: Int32,
        old: [JSONValue],
        new: [JSONValue],
        status: DeltaChange.Status = .pending,
        message: String = ""
    ) {
        self.kind = kind
        self.recordID = recordID
        self.status = status
        self.message = message
        self.old = old
        self.new = new
    }

    init(_ object: JSONObject) throws(JSONShapeError) {
        guard let recordID = Int32(exactly: try object.integer("recid")) else {
            throw JSONShapeError(path: "recid", expected: .validValue)
        }
        guard let kind = DeltaChange.Kind(word: try object.string("changetype")) else {
            throw JSONShapeError(path: "changetype", expected: .validValue)
        }
        guard let status = DeltaChange.Status(word: try object.string("status")) else {
            throw JSONShapeError(path: "status", expected: .validValue)
        }
        self.recordID = recordID
        self.kind = kind
        self.status = status
        message = try object.optionalString("message") ?? ""
        old = try object.array("old")
        new = try object.array("new")
    }

    var json: JSONValue {
        [
            "recid": .integer(Int64(recordID)), "changetype": .string(kind.word), "status": .string(status.word),
            "message": .string(message), "old": .array(old), "new": .array(new),
        ]
    }
}
