// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Manager.varlink. Change that file, then run `make generate`.

public import JSON
public import Varlink

/// The daemon itself: its state, and what keeps it from working.
///
/// Every error of every org.relativityd interface has two members. message is a text for people. hint is the next step, a
/// command or a change to make; it is absent if there is none. Error names are stable; texts may change.
///
/// Methods, members, words and errors are only added to an interface. A client ignores those that it does not know. A
/// change of another kind gets an interface of its own beside the present one, with v2 behind the name.
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

    /// A source of announcements.
    public struct Source: JSONRecord {
        public enum State: String, JSONWord {
            case up
            case down
        }

        /// Its name, as in Endpoint.sources.
        public var name: String
        /// Whether it works.
        public var state: State
        /// Why it is down. Absent while it is up.
        public var reason: String?
        /// It has reported everything that it knew when it came up.
        public var settled: Bool
        /// Since it came up, in seconds. Absent while it is down.
        public var upSeconds: Int64?
        /// Since its last report, in seconds. Absent if it has not reported since it came up.
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

    /// The state of the daemon. Counters begin when the daemon starts, and usually stay at 0.
    public struct Status: JSONRecord {
        public enum Vault: String, JSONWord {
            case absent
            case sealed
            case unlocked
            case locked
        }

        /// The daemon's version, for people.
        public var version: String
        /// Its process ID.
        public var pid: Int64
        /// Since its start, in seconds.
        public var uptimeSeconds: Int64
        /// The sources of announcements.
        public var sources: [ManagerAPI.Source]
        /// The network interfaces on which multicast DNS can work. If there are none, no server is discovered.
        public var multicastInterfaces: [String]
        /// The number of endpoints in the list.
        public var endpoints: Int64
        /// Announcements that were dropped because a limit of hosts, names or endpoints was reached.
        public var droppedSightings: Int64
        /// Announcements with a name or a host that is too long.
        public var malformedSightings: Int64
        /// Announcements whose TXT record was cut.
        public var cutSightings: Int64
        /// Discovered endpoints that were removed to make room for others.
        public var evictedEndpoints: Int64
        /// Changes that were not sent to watchers because a newer one of the same endpoint replaced them.
        public var foldedChanges: Int64
        /// Addresses that an announcement may not lead to.
        public var refusedAddresses: Int64
        /// The state of the vault, as in Credentials.Vault.
        public var vault: Vault
        /// The number of logins in the vault. Absent unless it is unlocked.
        public var logins: Int64?
        /// The number of open sessions.
        public var sessions: Int64
        /// The number of open adapters.
        public var adapters: Int64
        /// Problems and their remedies, as sentences for people.
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

    /// Returns the state of the daemon.
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

    /// Returns what this daemon can do beyond its first version. A client looks for a word instead of comparing versions.
    public struct GetCapabilitiesCall: VarlinkMethodCall {
        public typealias Reply = ManagerAPI.GetCapabilitiesReply

        public static let method = "org.relativityd.Manager.GetCapabilities"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `GetCapabilitiesCall`.
    public struct GetCapabilitiesReply: JSONRecord {
        /// For people.
        public var version: String
        /// Words whose meaning never changes. http: this socket also speaks HTTP. metrics: GetMetrics. watch-since:
        /// Registry.Watch takes since. interactive: Broker.Open can prompt the user. confirm: Registry.Set takes confirm.
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

    /// Returns figures for a monitoring system, as GET /metrics does. metrics is in the text format of Prometheus, version
    /// 0.0.4.
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

    /// The daemon failed, and not because of the call. Its log has the details.
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
        # The daemon itself: its state, and what keeps it from working.
        #
        # Every error of every org.relativityd interface has two members. message is a text for people. hint is the next step, a
        # command or a change to make; it is absent if there is none. Error names are stable; texts may change.
        #
        # Methods, members, words and errors are only added to an interface. A client ignores those that it does not know. A
        # change of another kind gets an interface of its own beside the present one, with v2 behind the name.
        interface org.relativityd.Manager

        # A source of announcements.
        type Source (
          # Its name, as in Endpoint.sources.
          name: string,
          # Whether it works.
          state: (up, down),
          # Why it is down. Absent while it is up.
          reason: ?string,
          # It has reported everything that it knew when it came up.
          settled: bool,
          # Since it came up, in seconds. Absent while it is down.
          upSeconds: ?int,
          # Since its last report, in seconds. Absent if it has not reported since it came up.
          heardSecondsAgo: ?int
        )

        # The state of the daemon. Counters begin when the daemon starts, and usually stay at 0.
        type Status (
          # The daemon's version, for people.
          version: string,
          # Its process ID.
          pid: int,
          # Since its start, in seconds.
          uptimeSeconds: int,
          # The sources of announcements.
          sources: []Source,
          # The network interfaces on which multicast DNS can work. If there are none, no server is discovered.
          multicastInterfaces: []string,
          # The number of endpoints in the list.
          endpoints: int,
          # Announcements that were dropped because a limit of hosts, names or endpoints was reached.
          droppedSightings: int,
          # Announcements with a name or a host that is too long.
          malformedSightings: int,
          # Announcements whose TXT record was cut.
          cutSightings: int,
          # Discovered endpoints that were removed to make room for others.
          evictedEndpoints: int,
          # Changes that were not sent to watchers because a newer one of the same endpoint replaced them.
          foldedChanges: int,
          # Addresses that an announcement may not lead to.
          refusedAddresses: int,
          # The state of the vault, as in Credentials.Vault.
          vault: (absent, sealed, unlocked, locked),
          # The number of logins in the vault. Absent unless it is unlocked.
          logins: ?int,
          # The number of open sessions.
          sessions: int,
          # The number of open adapters.
          adapters: int,
          # Problems and their remedies, as sentences for people.
          notes: []string
        )

        # Returns the state of the daemon.
        method GetStatus() -> (status: Status)

        # Returns what this daemon can do beyond its first version. A client looks for a word instead of comparing versions.
        method GetCapabilities() -> (
          # For people.
          version: string,
          # Words whose meaning never changes. http: this socket also speaks HTTP. metrics: GetMetrics. watch-since:
          # Registry.Watch takes since. interactive: Broker.Open can prompt the user. confirm: Registry.Set takes confirm.
          capabilities: []string
        )

        # Returns figures for a monitoring system, as GET /metrics does. metrics is in the text format of Prometheus, version
        # 0.0.4.
        method GetMetrics() -> (metrics: string)

        # The daemon failed, and not because of the call. Its log has the details.
        error Failed (message: string, hint: ?string)

        # The caller may not use this interface.
        error NotPermitted (message: string, hint: ?string)

        """#
}
