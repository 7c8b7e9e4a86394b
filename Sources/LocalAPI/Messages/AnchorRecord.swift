// SPDX-License-Identifier: Apache-2.0

public import JSON

/// What speaks for or against the vault's file being the last one that was saved.
public struct AnchorRecord: APIMessage {
    public enum Verdict: String, Sendable, Hashable, CaseIterable {
        case unanchored, current, newer, rollbackSuspected, forkSuspected
    }

    public var verdict: Verdict
    /// The generation of the file that is suspected: the one to name in `Accept`.
    public var found: Int64?
    /// The newest generation known.
    public var known: Int64?
    /// Where it is remembered: `memory`, `file`, or the name of a key provider.
    public var places: [String]
    /// What was ignored, and where it could not be written.
    public var notes: [String]

    /// The vault is read-only, and no login goes out.
    public var isSuspected: Bool { verdict == .rollbackSuspected || verdict == .forkSuspected }

    public init(verdict: Verdict, found: Int64?, known: Int64?, places: [String], notes: [String]) {
        self.verdict = verdict
        self.found = found
        self.known = known
        self.places = places
        self.notes = notes
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        verdict = try json.word("verdict")
        found = try json.optionalInteger("found")
        known = try json.optionalInteger("known")
        places = try json.strings("places")
        notes = try json.strings("notes")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "verdict": .string(verdict.rawValue),
            "found": found.jsonValue,
            "known": known.jsonValue,
            "places": places.jsonValue,
            "notes": notes.jsonValue,
        ])
    }
}
