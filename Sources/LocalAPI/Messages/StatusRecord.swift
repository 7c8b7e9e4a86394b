// SPDX-License-Identifier: Apache-2.0

public import JSON

/// What the daemon is doing.
public struct StatusRecord: APIMessage {
    public var version: String
    public var pid: Int64
    public var uptimeSeconds: Int64
    public var sources: [SourceRecord]
    public var multicastInterfaces: [String]
    public var endpoints: Int64
    /// Those for which no room was left; the counters are since the daemon's start.
    public var droppedSightings: Int64
    /// With a name or host that is too long to be one.
    public var malformedSightings: Int64
    /// Taken, but for the end of their TXT.
    public var cutSightings: Int64
    /// Discovered ones that made room for others.
    public var evictedEndpoints: Int64
    /// That watchers were not told one by one.
    public var foldedChanges: Int64
    /// That a sighting may not lead to.
    public var refusedAddresses: Int64
    public var vault: VaultRecord.State
    public var logins: Int64?
    public var sessions: Int64
    public var adapters: Int64
    public var notes: [String]

    public init(
        version: String,
        pid: Int64,
        uptimeSeconds: Int64,
        sources: [SourceRecord],
        multicastInterfaces: [String],
        endpoints: Int64,
        droppedSightings: Int64,
        malformedSightings: Int64,
        cutSightings: Int64,
        evictedEndpoints: Int64,
        foldedChanges: Int64,
        refusedAddresses: Int64,
        vault: VaultRecord.State,
        logins: Int64?,
        sessions: Int64,
        adapters: Int64,
        notes: [String]
    ) {
        self.version = version
        self.pid = pid
        self.uptimeSeconds = uptimeSeconds
        self.sources = sources
        self.multicastInterfaces = multicastInterfaces
        self.endpoints = endpoints
        self.droppedSightings = droppedSightings
        self.malformedSightings = malformedSightings
        self.cutSightings = cutSightings
        self.evictedEndpoints = evictedEndpoints
        self.foldedChanges = foldedChanges
        self.refusedAddresses = refusedAddresses
        self.vault = vault
        self.logins = logins
        self.sessions = sessions
        self.adapters = adapters
        self.notes = notes
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        version = try json.string("version")
        pid = try json.integer("pid")
        uptimeSeconds = try json.integer("uptimeSeconds")
        sources = try json.messages("sources")
        multicastInterfaces = try json.strings("multicastInterfaces")
        endpoints = try json.integer("endpoints")
        droppedSightings = try json.integer("droppedSightings")
        malformedSightings = try json.integer("malformedSightings")
        cutSightings = try json.integer("cutSightings")
        evictedEndpoints = try json.integer("evictedEndpoints")
        foldedChanges = try json.integer("foldedChanges")
        refusedAddresses = try json.integer("refusedAddresses")
        vault = try json.word("vault")
        logins = try json.optionalInteger("logins")
        sessions = try json.integer("sessions")
        adapters = try json.integer("adapters")
        notes = try json.strings("notes")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "version": .string(version),
            "pid": .integer(pid),
            "uptimeSeconds": .integer(uptimeSeconds),
            "sources": sources.jsonValue,
            "multicastInterfaces": multicastInterfaces.jsonValue,
            "endpoints": .integer(endpoints),
            "droppedSightings": .integer(droppedSightings),
            "malformedSightings": .integer(malformedSightings),
            "cutSightings": .integer(cutSightings),
            "evictedEndpoints": .integer(evictedEndpoints),
            "foldedChanges": .integer(foldedChanges),
            "refusedAddresses": .integer(refusedAddresses),
            "vault": .string(vault.rawValue),
            "logins": logins.jsonValue,
            "sessions": .integer(sessions),
            "adapters": .integer(adapters),
            "notes": notes.jsonValue,
        ])
    }
}
