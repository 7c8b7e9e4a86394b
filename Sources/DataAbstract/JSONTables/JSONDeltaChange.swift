// SPDX-License-Identifier: Apache-2.0

public import JSON

/// One row that was changed, as `DeltaChange`, with cells as in `JSONTable`.
public struct JSONDeltaChange: Hashable, Sendable {
    public var kind: DeltaChange.Kind
    public var recordID: Int32
    public var status: DeltaChange.Status
    public var message: String
    public var old: [JSONValue]
    public var new: [JSONValue]

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
