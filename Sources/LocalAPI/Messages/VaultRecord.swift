// SPDX-License-Identifier: Apache-2.0

public import JSON

/// The vault as `org.relativityd.Credentials` shows it.
public struct VaultRecord: APIMessage {
    public enum State: String, Sendable, Hashable, CaseIterable {
        case absent, sealed, unlocked, locked
    }

    public var state: State
    public var path: String
    public var generation: Int64?
    /// Major and minor version of the file's format.
    public var format: String?
    public var slots: [SlotRecord]
    /// The id of the slot that the vault is as weak as.
    public var weakestSlot: String?
    public var anchor: AnchorRecord?
    public var memory: String?
    /// What is wanting in how secrets are kept in memory, and why.
    public var memoryNote: String?
    public var logins: Int64?
    public var locksInSeconds: Int64?
    /// Why the file cannot be used.
    public var problem: String?
    /// The name of the error that stands in `problem`, as `APIErrorCode` has it.
    public var error: String?

    public init(
        state: State,
        path: String,
        generation: Int64?,
        format: String?,
        slots: [SlotRecord],
        weakestSlot: String?,
        anchor: AnchorRecord?,
        memory: String?,
        memoryNote: String? = nil,
        logins: Int64?,
        locksInSeconds: Int64?,
        problem: String?,
        error: String? = nil
    ) {
        self.state = state
        self.path = path
        self.generation = generation
        self.format = format
        self.slots = slots
        self.weakestSlot = weakestSlot
        self.anchor = anchor
        self.memory = memory
        self.memoryNote = memoryNote
        self.logins = logins
        self.locksInSeconds = locksInSeconds
        self.problem = problem
        self.error = error
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        state = try json.word("state")
        path = try json.string("path")
        generation = try json.optionalInteger("generation")
        format = try json.optionalString("format")
        slots = try json.messages("slots")
        weakestSlot = try json.optionalString("weakestSlot")
        anchor = try json.optionalMessage("anchor")
        memory = try json.optionalString("memory")
        memoryNote = try json.optionalString("memoryNote")
        logins = try json.optionalInteger("logins")
        locksInSeconds = try json.optionalInteger("locksInSeconds")
        problem = try json.optionalString("problem")
        error = try json.optionalString("error")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "state": .string(state.rawValue),
            "path": .string(path),
            "generation": generation.jsonValue,
            "format": format.jsonValue,
            "slots": slots.jsonValue,
            "weakestSlot": weakestSlot.jsonValue,
            "anchor": anchor.jsonValue,
            "memory": memory.jsonValue,
            "memoryNote": memoryNote.jsonValue,
            "logins": logins.jsonValue,
            "locksInSeconds": locksInSeconds.jsonValue,
            "problem": problem.jsonValue,
            "error": error.jsonValue,
        ])
    }
}
