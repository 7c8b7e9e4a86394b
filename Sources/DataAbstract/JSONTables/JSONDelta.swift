// SPDX-License-Identifier: Apache-2.0

public import JSON

/// The changes of one table in the vendor's JSON format.
public struct JSONDelta: Hashable, Sendable {
    /// The table's.
    public var name: String
    /// All properties of each field; `name` and `type` are certain to be there.
    public var fields: [JSONObject]
    /// The names of the fields by whose old values the server finds a row.
    public var keys: [String]
    public var changes: [JSONDeltaChange]

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
