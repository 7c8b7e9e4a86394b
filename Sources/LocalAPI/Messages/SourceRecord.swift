// SPDX-License-Identifier: Apache-2.0

public import JSON

/// One source of sightings.
public struct SourceRecord: APIMessage {
    public enum State: String, Sendable, Hashable, CaseIterable {
        case up, down
    }

    public var name: String
    public var state: State
    public var reason: String?
    public var settled: Bool
    public var upSeconds: Int64?
    public var heardSecondsAgo: Int64?

    public init(
        name: String,
        state: State,
        reason: String?,
        settled: Bool,
        upSeconds: Int64?,
        heardSecondsAgo: Int64?
    ) {
        self.name = name
        self.state = state
        self.reason = reason
        self.settled = settled
        self.upSeconds = upSeconds
        self.heardSecondsAgo = heardSecondsAgo
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        name = try json.string("name")
        state = try json.word("state")
        reason = try json.optionalString("reason")
        settled = try json.bool("settled")
        upSeconds = try json.optionalInteger("upSeconds")
        heardSecondsAgo = try json.optionalInteger("heardSecondsAgo")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "name": .string(name),
            "state": .string(state.rawValue),
            "reason": reason.jsonValue,
            "settled": .bool(settled),
            "upSeconds": upSeconds.jsonValue,
            "heardSecondsAgo": heardSecondsAgo.jsonValue,
        ])
    }
}
