// SPDX-License-Identifier: Apache-2.0

public import JSON

/// What a probe has met.
public struct ProbeRecord: APIMessage {
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        case reachable, unreachable, conflict
    }

    public var outcome: Outcome
    public var reason: String?
    public var milliseconds: Int64

    public init(
        outcome: Outcome,
        reason: String?,
        milliseconds: Int64
    ) {
        self.outcome = outcome
        self.reason = reason
        self.milliseconds = milliseconds
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        outcome = try json.word("outcome")
        reason = try json.optionalString("reason")
        milliseconds = try json.integer("milliseconds")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "outcome": .string(outcome.rawValue),
            "reason": reason.jsonValue,
            "milliseconds": .integer(milliseconds),
        ])
    }
}
