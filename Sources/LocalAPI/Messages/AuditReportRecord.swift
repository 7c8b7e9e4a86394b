// SPDX-License-Identifier: Apache-2.0

public import JSON

/// What came of checking the audit log.
public struct AuditReportRecord: APIMessage {
    public var lines: Int64
    /// Lines under the vault's key.
    public var keyed: Int64
    /// Lines that nothing vouches for.
    public var unproved: Int64
    /// Events that could not be written.
    public var lost: Int64
    /// The number of the oldest line.
    public var first: Int64?
    /// The number of the newest line.
    public var last: Int64?
    /// Numbers of lines after which the daemon was killed, or lines were taken away while it was not running.
    public var unclean: [Int64]
    /// Absent where the chain holds.
    public var fault: AuditFaultRecord?

    public init(
        lines: Int64,
        keyed: Int64,
        unproved: Int64,
        lost: Int64,
        first: Int64?,
        last: Int64?,
        unclean: [Int64],
        fault: AuditFaultRecord?
    ) {
        self.lines = lines
        self.keyed = keyed
        self.unproved = unproved
        self.lost = lost
        self.first = first
        self.last = last
        self.unclean = unclean
        self.fault = fault
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        lines = try json.integer("lines")
        keyed = try json.integer("keyed")
        unproved = try json.integer("unproved")
        lost = try json.integer("lost")
        first = try json.optionalInteger("first")
        last = try json.optionalInteger("last")
        unclean = try json.integers("unclean")
        fault = try json.optionalObject("fault").map { json throws(JSONShapeError) in try AuditFaultRecord(json: json) }
    }

    public var json: JSONObject {
        JSONObject(members: [
            "lines": .integer(lines),
            "keyed": .integer(keyed),
            "unproved": .integer(unproved),
            "lost": .integer(lost),
            "first": first.jsonValue,
            "last": last.jsonValue,
            "unclean": .array(unclean.map { .integer($0) }),
            "fault": fault.map { .object($0.json) },
        ])
    }
}
