// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Manager.varlink. Change that file, then run `make generate`.

public import JSON
public import Varlink

/// The daemon itself: what it is doing, and what hinders it.
///
/// Every error of every org.relativityd interface has these members: message, a text for people, and hint, the next thing
/// to do (a command, or what to change) where there is one. Error names are stable; texts may change.
///
/// Within an interface methods, members, words and errors are only added: a client passes over what it does not know. What
/// has to change otherwise becomes an interface of another name, with v2 behind it, beside the old one.
public enum ManagerAPI {
    /// The interface's name.
    public static let name = "org.relativityd.Manager"

    /// The methods.
    public enum Method: String, Sendable, CaseIterable {
        case getStatus = "org.relativityd.Manager.GetStatus"
        case getCapabilities = "org.relativityd.Manager.GetCapabilities"
        case getMetrics = "org.relativityd.Manager.GetMetrics"
    }

    /// The errors.
    public enum ErrorName: String, Sendable, CaseIterable {
        case failed = "org.relativityd.Manager.Failed"
        case notPermitted = "org.relativityd.Manager.NotPermitted"
    }

    /// Where sightings come from. Its reason is set while it is down. settled tells that it has said all it knew at first;
    /// heardSecondsAgo is absent while nothing was heard since it came up. name is the word by which Endpoint.sources calls
    /// it. state tells whether it works, and upSeconds for how long it has.
    public struct Source: JSONRecord {
        public enum State: String, JSONWord {
            case up
            case down
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
            reason: String? = nil,
            settled: Bool,
            upSeconds: Int64? = nil,
            heardSecondsAgo: Int64? = nil
        ) {
            self.name = name
            self.state = state
            self.reason = reason
            self.settled = settled
            self.upSeconds = upSeconds
            self.heardSecondsAgo = heardSecondsAgo
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.name = try json.read("name")
            self.state = try json.read("state")
            self.reason = try json.readIfPresent("reason")
            self.settled = try json.read("settled")
            self.upSeconds = try json.readIfPresent("upSeconds")
            self.heardSecondsAgo = try json.readIfPresent("heardSecondsAgo")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("name", self.name)
            output.writeMember("state", self.state)
            output.writeMember("reason", ifPresent: self.reason)
            output.writeMember("settled", self.settled)
            output.writeMember("upSeconds", ifPresent: self.upSeconds)
            output.writeMember("heardSecondsAgo", ifPresent: self.heardSecondsAgo)
        }
    }

    /// multicastInterfaces are those on which mDNS can work; an empty list explains an empty list of endpoints.
    /// What was met since the daemon's start, all of it rare: sightings that were dropped because no room was left for their
    /// host, name or endpoint; malformed ones, with a name or host that is too long to be one; those whose TXT was cut;
    /// discovered endpoints that made room for others; changes that no watcher was told, because a newer one of the same
    /// endpoint came first; addresses that a sighting may not lead to. version, pid and uptimeSeconds are those of the
    /// daemon, sources what it hears of servers from. The six counts are, in this order, droppedSightings,
    /// malformedSightings, cutSightings, evictedEndpoints, foldedChanges and refusedAddresses. vault is the state of the
    /// vault, and logins counts those in it while it is unlocked; sessions and adapters count the open ones. notes are
    /// sentences about what is wrong, with the remedy.
    public struct Status: JSONRecord {
        public enum Vault: String, JSONWord {
            case absent
            case sealed
            case unlocked
            case locked
        }

        public var version: String
        public var pid: Int64
        public var uptimeSeconds: Int64
        public var sources: [ManagerAPI.Source]
        public var multicastInterfaces: [String]
        public var endpoints: Int64
        public var droppedSightings: Int64
        public var malformedSightings: Int64
        public var cutSightings: Int64
        public var evictedEndpoints: Int64
        public var foldedChanges: Int64
        public var refusedAddresses: Int64
        public var vault: Vault
        public var logins: Int64?
        public var sessions: Int64
        public var adapters: Int64
        public var notes: [String]

        public init(
            version: String,
            pid: Int64,
            uptimeSeconds: Int64,
            sources: [ManagerAPI.Source],
            multicastInterfaces: [String],
            endpoints: Int64,
            droppedSightings: Int64,
            malformedSightings: Int64,
            cutSightings: Int64,
            evictedEndpoints: Int64,
            foldedChanges: Int64,
            refusedAddresses: Int64,
            vault: Vault,
            logins: Int64? = nil,
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
            self.version = try json.read("version")
            self.pid = try json.read("pid")
            self.uptimeSeconds = try json.read("uptimeSeconds")
            self.sources = try json.read("sources")
            self.multicastInterfaces = try json.read("multicastInterfaces")
            self.endpoints = try json.read("endpoints")
            self.droppedSightings = try json.read("droppedSightings")
            self.malformedSightings = try json.read("malformedSightings")
            self.cutSightings = try json.read("cutSightings")
            self.evictedEndpoints = try json.read("evictedEndpoints")
            self.foldedChanges = try json.read("foldedChanges")
            self.refusedAddresses = try json.read("refusedAddresses")
            self.vault = try json.read("vault")
            self.logins = try json.readIfPresent("logins")
            self.sessions = try json.read("sessions")
            self.adapters = try json.read("adapters")
            self.notes = try json.read("notes")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("version", self.version)
            output.writeMember("pid", self.pid)
            output.writeMember("uptimeSeconds", self.uptimeSeconds)
            output.writeMember("sources", self.sources)
            output.writeMember("multicastInterfaces", self.multicastInterfaces)
            output.writeMember("endpoints", self.endpoints)
            output.writeMember("droppedSightings", self.droppedSightings)
            output.writeMember("malformedSightings", self.malformedSightings)
            output.writeMember("cutSightings", self.cutSightings)
            output.writeMember("evictedEndpoints", self.evictedEndpoints)
            output.writeMember("foldedChanges", self.foldedChanges)
            output.writeMember("refusedAddresses", self.refusedAddresses)
            output.writeMember("vault", self.vault)
            output.writeMember("logins", ifPresent: self.logins)
            output.writeMember("sessions", self.sessions)
            output.writeMember("adapters", self.adapters)
            output.writeMember("notes", self.notes)
        }
    }

    /// What the daemon is doing. notes are sentences about what is wrong, with the remedy.
    public struct GetStatusCall: VarlinkMethodCall {
        public typealias Reply = ManagerAPI.GetStatusReply

        public static let method = "org.relativityd.Manager.GetStatus"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `GetStatusCall`.
    public struct GetStatusReply: JSONRecord {
        public var status: ManagerAPI.Status

        public init(status: ManagerAPI.Status) {
            self.status = status
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.status = try json.read("status")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("status", self.status)
        }
    }

    /// What this daemon can do beyond its first version, as words that never change their meaning; a client asks for a word
    /// instead of comparing versions. GetInfo of org.varlink.service has the interfaces, and each says what it has.
    /// The capabilities are "http": this socket speaks HTTP too; "metrics": GetMetrics; "watch-since": Registry.Watch goes on
    /// from a revision; "interactive": Broker.Open has a person asked; "confirm": an endpoint may be set so that a person is
    /// asked before each use. version is for people.
    public struct GetCapabilitiesCall: VarlinkMethodCall {
        public typealias Reply = ManagerAPI.GetCapabilitiesReply

        public static let method = "org.relativityd.Manager.GetCapabilities"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `GetCapabilitiesCall`.
    public struct GetCapabilitiesReply: JSONRecord {
        public var version: String
        public var capabilities: [String]

        public init(version: String, capabilities: [String]) {
            self.version = version
            self.capabilities = capabilities
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.version = try json.read("version")
            self.capabilities = try json.read("capabilities")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("version", self.version)
            output.writeMember("capabilities", self.capabilities)
        }
    }

    /// metrics are figures for a monitoring system, in the text format of Prometheus, version 0.0.4. GET /metrics over HTTP
    /// has the same.
    public struct GetMetricsCall: VarlinkMethodCall {
        public typealias Reply = ManagerAPI.GetMetricsReply

        public static let method = "org.relativityd.Manager.GetMetrics"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `GetMetricsCall`.
    public struct GetMetricsReply: JSONRecord {
        public var metrics: String

        public init(metrics: String) {
            self.metrics = metrics
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.metrics = try json.read("metrics")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("metrics", self.metrics)
        }
    }

    /// Something went wrong in the daemon that is not the caller's fault; its log has the facts.
    public struct FailedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Manager.Failed"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// The caller may not use this interface.
    public struct NotPermittedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Manager.NotPermitted"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// The definition of the interface.
    public static let definition = #"""
        # The daemon itself: what it is doing, and what hinders it.
        #
        # Every error of every org.relativityd interface has these members: message, a text for people, and hint, the next thing
        # to do (a command, or what to change) where there is one. Error names are stable; texts may change.
        #
        # Within an interface methods, members, words and errors are only added: a client passes over what it does not know. What
        # has to change otherwise becomes an interface of another name, with v2 behind it, beside the old one.
        interface org.relativityd.Manager

        # Where sightings come from. Its reason is set while it is down. settled tells that it has said all it knew at first;
        # heardSecondsAgo is absent while nothing was heard since it came up. name is the word by which Endpoint.sources calls
        # it. state tells whether it works, and upSeconds for how long it has.
        type Source (
          name: string,
          state: (up, down),
          reason: ?string,
          settled: bool,
          upSeconds: ?int,
          heardSecondsAgo: ?int
        )

        # multicastInterfaces are those on which mDNS can work; an empty list explains an empty list of endpoints.
        # What was met since the daemon's start, all of it rare: sightings that were dropped because no room was left for their
        # host, name or endpoint; malformed ones, with a name or host that is too long to be one; those whose TXT was cut;
        # discovered endpoints that made room for others; changes that no watcher was told, because a newer one of the same
        # endpoint came first; addresses that a sighting may not lead to. version, pid and uptimeSeconds are those of the
        # daemon, sources what it hears of servers from. The six counts are, in this order, droppedSightings,
        # malformedSightings, cutSightings, evictedEndpoints, foldedChanges and refusedAddresses. vault is the state of the
        # vault, and logins counts those in it while it is unlocked; sessions and adapters count the open ones. notes are
        # sentences about what is wrong, with the remedy.
        type Status (
          version: string,
          pid: int,
          uptimeSeconds: int,
          sources: []Source,
          multicastInterfaces: []string,
          endpoints: int,
          droppedSightings: int,
          malformedSightings: int,
          cutSightings: int,
          evictedEndpoints: int,
          foldedChanges: int,
          refusedAddresses: int,
          vault: (absent, sealed, unlocked, locked),
          logins: ?int,
          sessions: int,
          adapters: int,
          notes: []string
        )

        # What the daemon is doing. notes are sentences about what is wrong, with the remedy.
        method GetStatus() -> (status: Status)

        # What this daemon can do beyond its first version, as words that never change their meaning; a client asks for a word
        # instead of comparing versions. GetInfo of org.varlink.service has the interfaces, and each says what it has.
        # The capabilities are "http": this socket speaks HTTP too; "metrics": GetMetrics; "watch-since": Registry.Watch goes on
        # from a revision; "interactive": Broker.Open has a person asked; "confirm": an endpoint may be set so that a person is
        # asked before each use. version is for people.
        method GetCapabilities() -> (version: string, capabilities: []string)

        # metrics are figures for a monitoring system, in the text format of Prometheus, version 0.0.4. GET /metrics over HTTP
        # has the same.
        method GetMetrics() -> (metrics: string)

        # Something went wrong in the daemon that is not the caller's fault; its log has the facts.
        error Failed (message: string, hint: ?string)

        # The caller may not use this interface.
        error NotPermitted (message: string, hint: ?string)

        """#
}
