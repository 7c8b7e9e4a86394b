// SPDX-License-Identifier: Apache-2.0

public import JSON

/// A table in the vendor's JSON format.
///
/// Cells stay JSON: how a date, a blob, a decimal, a currency or a Guid looks there is not known.
public struct JSONTable: Hashable, Sendable {
    /// Compared without case by the vendor's client.
    public var name: String
    /// The properties of each field, `Name` and `DataType` among them; nil if there is no schema.
    public var fields: [JSONObject]?
    /// One value for each field.
    public var rows: [[JSONValue]]

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
