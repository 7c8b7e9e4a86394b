// SPDX-License-Identifier: Apache-2.0

public import JSON

/// Where the chain of the audit log does not hold.
public struct AuditFaultRecord: APIMessage {
    public var file: String
    /// Counted from 1 in its file; 0 stands for an empty log.
    public var line: Int64
    /// What is wrong, as a fragment.
    public var problem: String

    public init(
        file: String,
        line: Int64,
        problem: String
    ) {
        self.file = file
        self.line = line
        self.problem = problem
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        file = try json.string("file")
        line = try json.integer("line")
        problem = try json.string("problem")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "file": .string(file),
            "line": .integer(line),
            "problem": .string(problem),
        ])
    }
}
