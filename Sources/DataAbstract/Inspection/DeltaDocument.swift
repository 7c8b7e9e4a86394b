// SPDX-License-Identifier: Apache-2.0

import JSON

/// A delta in a document.
enum DeltaDocument {
    static func write(_ delta: Delta, origin: Int) -> JSONValue {
        [
            "name": .string(delta.name),
            "fields": .array(delta.fields.map { ["name": .string($0.name), "type": .string($0.type.name)] }),
            "keys": .array(delta.keys.map { .string($0) }),
            "reduced": .bool(delta.isReduced),
            "changes": .array(
                delta.changes.enumerated().map { index, change in
                    [
                        "offset": .integer(Int64(origin + delta.changes.offset(of: index))),
                        "change": .string(change.kind.word),
                        "record": .integer(Int64(change.recordID)),
                        "status": .string(change.status.word),
                        "message": .string(change.message),
                        "old": CellDocument.write(change.old, delta.fields),
                        "new": CellDocument.write(change.new, delta.fields),
                    ]
                }
            ),
        ]
    }

    static func read(_ object: JSONObject) throws -> Delta {
        guard let name = object["name"]?.stringValue, let keys = object["keys"]?.arrayValue?.map(\.stringValue),
            !keys.contains(nil), let isReduced = object["reduced"]?.boolValue
        else { throw DocumentError.shape("delta") }
        let fields = try TableDocument.columns(object["fields"], "fields")
        var delta = Delta(name: name, fields: fields, keys: keys.compactMap(\.self), isReduced: isReduced)
        for change in try StreamDocument.objects(object["changes"], "changes") {
            guard let kind = change["change"]?.stringValue.flatMap(DeltaChange.Kind.init(word:)),
                let status = change["status"]?.stringValue.flatMap(DeltaChange.Status.init(word:)),
                let record = change["record"]?.integerValue.flatMap(Int32.init(exactly:)),
                let message = change["message"]?.stringValue
            else { throw DocumentError.shape("change") }
            try delta.append(
                kind,
                recordID: record,
                old: try CellDocument.read(change["old"], fields),
                new: try CellDocument.read(change["new"], fields),
                status: status,
                message: message
            )
        }
        return delta
    }
}
