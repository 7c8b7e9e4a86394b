// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Manager.varlink. Change that file, then run `make generate`.

public import JSON
public import Varlink

/// The daemon itself: its state and its problems.
///
/// Every error of every org.relativityd interface has the member message: a sentence for people that says what happened.
/// endpoint is the ID of the endpoint that the error is about; it is absent if the daemon does not know it. Error names are
/// stable; texts may change.
///
/// Methods, members, enum values and errors are only added to an interface. A client ignores those that it does not know.
/// Any other change is made in a separate interface next to the current one, with v2 after the name.
public enum ManagerAPI {
    /// The interface's name.
    public static let name = "org.relativityd.Manager"

    /// The methods.
    public enum Method: String, Sendable, CaseIterable {
        case getStatus = "org.relativityd.Manager.GetStatus"
        case getCapabilities = "org.relativityd.Manager.GetCapabilities"
        case getMetrics = "org.relativityd.Manager.GetMetrics"
        case getConfiguration = "org.relativityd.Manager.GetConfiguration"
    }

    /// The reason why a source is down: a code, and the values that belong to it. Other values are absent.
    public struct SourceFault: JSONRecord {
        public enum Code: String, JSONWord {
            case etcdError
            case notStarted
            case noThread
            case avahiNotRunning
            case avahiNotAnswering
            case avahiLost
            case avahiDenied
            case avahiError
            case busUnreachable
            case busDenied
            case dnsNoServer
            case dnsSilent
            case dnsError
            case dnsMalformed
            case etcdUnreachable
            case etcdSilent
            case etcdClosed
            case etcdTooLarge
            case etcdMalformed
            case etcdHistoryLost
            case etcdPasswordRefused
            case etcdUserNeeded
            case etcdWithoutUsers
            case etcdReadDenied
            case etcdFileUnusable
        }

        /// etcdError: etcd replied with an error, which is in detail. notStarted: the source has not started. noThread: no
        /// thread could be started; number is the errno. avahiNotRunning: avahi-daemon is not running. avahiNotAnswering:
        /// avahi-daemon does not answer. avahiLost: the connection to avahi-daemon was lost. avahiDenied: the system bus denies
        /// access to avahi-daemon. avahiError: avahi-daemon reports the error in number and detail. busUnreachable: the system
        /// bus cannot be reached. busDenied: the system bus denies access to itself. dnsNoServer: no DNS server is known.
        /// dnsSilent: no DNS server answers. dnsError: the DNS server answers with the code in number. dnsMalformed: its reply
        /// is malformed. etcdUnreachable: etcd cannot be reached, for the reason in detail. etcdSilent: etcd does not answer.
        /// etcdClosed: etcd closed the connection. etcdTooLarge: etcd sent more than number bytes in one message.
        /// etcdMalformed: the server does not speak the protocol of etcd. etcdHistoryLost: the changes do not continue the
        /// list. etcdPasswordRefused: etcd refuses the password of user. etcdUserNeeded: etcd requires a user.
        /// etcdWithoutUsers: etcd has no users. etcdReadDenied: etcd does not let user read path. etcdFileUnusable: a file of
        /// the configuration cannot be used, for the reason in detail.
        public var code: Code
        /// The servers that were queried.
        public var servers: [String]
        /// The user of etcd.
        public var user: String?
        /// The file that names the DNS servers, or the prefix of a list in etcd.
        public var path: String?
        /// An errno, a code of Avahi or DNS, or a limit.
        public var number: Int64?
        /// A text of a library or of a server. Untrusted text in it is escaped.
        public var detail: String?

        public init(
            code: Code,
            servers: [String],
            user: String? = nil,
            path: String? = nil,
            number: Int64? = nil,
            detail: String? = nil
        ) {
            self.code = code
            self.servers = servers
            self.user = user
            self.path = path
            self.number = number
            self.detail = detail
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.code = try json.read("code")
            self.servers = try json.read("servers")
            self.user = try json.readIfPresent("user")
            self.path = try json.readIfPresent("path")
            self.number = try json.readIfPresent("number")
            self.detail = try json.readIfPresent("detail")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("code", self.code)
            output.writeMember("servers", self.servers)
            output.writeMember("user", ifPresent: self.user)
            output.writeMember("path", ifPresent: self.path)
            output.writeMember("number", ifPresent: self.number)
            output.writeMember("detail", ifPresent: self.detail)
        }
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
        public var fault: ManagerAPI.SourceFault?
        /// Whether it has reported everything that it knew when it came up.
        public var settled: Bool
        /// The time since it came up, in seconds. Absent while it is down.
        public var upSeconds: Int64?
        /// The time since its last report, in seconds. Absent if it has not reported since it came up.
        public var heardSecondsAgo: Int64?

        public init(
            name: String,
            state: State,
            fault: ManagerAPI.SourceFault? = nil,
            settled: Bool,
            upSeconds: Int64? = nil,
            heardSecondsAgo: Int64? = nil
        ) {
            self.name = name
            self.state = state
            self.fault = fault
            self.settled = settled
            self.upSeconds = upSeconds
            self.heardSecondsAgo = heardSecondsAgo
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.name = try json.read("name")
            self.state = try json.read("state")
            self.fault = try json.readIfPresent("fault")
            self.settled = try json.read("settled")
            self.upSeconds = try json.readIfPresent("upSeconds")
            self.heardSecondsAgo = try json.readIfPresent("heardSecondsAgo")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("name", self.name)
            output.writeMember("state", self.state)
            output.writeMember("fault", ifPresent: self.fault)
            output.writeMember("settled", self.settled)
            output.writeMember("upSeconds", ifPresent: self.upSeconds)
            output.writeMember("heardSecondsAgo", ifPresent: self.heardSecondsAgo)
        }
    }

    /// A problem: a code, and the values that belong to it. Other values are absent.
    public struct Note: JSONRecord {
        public enum Code: String, JSONWord {
            case fileSetAside
            case fileUnusable
            case listNotSaved
            case directoryUnclaimed
            case vaultUnusable
            case vaultSuspected
            case secretsSwappable
            case keyringUnusable
            case sleepUnnoticed
            case sessionLockUnnoticed
            case auditEventsLost
            case auditNotWritten
            case loginFileIgnored
            case loginFilesCut
            case serverFileIgnored
            case serverFileKept
            case serverDirectoryIgnored
            case serverDirectoryKept
            case serverDirectoryMissing
            case serverFilesCut
            case adapterIgnored
            case adapterUnopened
            case avahiSilent
            case avahiCacheFull
            case addressesRefused
            case instancesIgnored
            case instancesUnplaced
            case entriesIgnored
            case entriesUnplaced
            case listCut
            case listFull
            case programReplaced
            case sessionExportIgnored
        }

        /// fileSetAside: a file of the daemon is damaged and was renamed from path to movedTo. fileUnusable: path is neither
        /// used nor written. listNotSaved: the list of added servers is not saved. directoryUnclaimed: a second daemon that
        /// uses path is not detected. vaultUnusable: the vault's file cannot be used. vaultSuspected: the vault's file is not
        /// the one that was saved last. secretsSwappable: secrets may be swapped out. keyringUnusable: the kernel cannot keep
        /// the vault's key. sleepUnnoticed, sessionLockUnnoticed: the vault may stay open when the machine sleeps or the
        /// session locks. auditEventsLost: count events are missing in the audit log. auditNotWritten: the audit log cannot be
        /// written. loginFileIgnored: path, a configured login, is not accepted. loginFilesCut: of count configured logins only
        /// limit are read. serverFileIgnored, serverFileKept: path, a configured server, is not accepted, or its last readable
        /// version stays in effect. serverDirectoryIgnored, serverDirectoryKept: the same for all in the directory path.
        /// serverDirectoryMissing: the directory path does not exist. serverFilesCut: of count files in path only limit are
        /// read. adapterIgnored: an adapter in the configuration file path is invalid. adapterUnopened: the configured adapter
        /// name could not be opened. avahiSilent: avahi-daemon has not responded for a second. avahiCacheFull: avahi-daemon
        /// caches at most limit records for each interface, and needed would be enough. addressesRefused: count addresses of
        /// source are outside its networks. instancesIgnored: count instances of source are too many or of another domain.
        /// instancesUnplaced: count instances of source have no usable SRV record. entriesIgnored: count entries of source are
        /// invalid, such as name. entriesUnplaced: count entries of source have no address in its networks. listCut: source has
        /// more than limit entries. listFull: source is at its limit of entries, and entries were left out count times.
        /// programReplaced: path, the daemon's program, was installed again after the daemon started. sessionExportIgnored: path
        /// permits exported sessions, which this version does not make.
        public var code: Code
        /// A file or a directory.
        public var path: String?
        /// The new path of a file.
        public var movedTo: String?
        /// A source, as in Endpoint.sources.
        public var source: String?
        /// The name of an adapter or of an entry.
        public var name: String?
        /// A number of things.
        public var count: Int64?
        /// The limit that was reached.
        public var limit: Int64?
        /// The limit that is enough.
        public var needed: Int64?
        /// The reason: a text of the system, of a library or of an error. Untrusted text in it is escaped.
        public var detail: String?

        public init(
            code: Code,
            path: String? = nil,
            movedTo: String? = nil,
            source: String? = nil,
            name: String? = nil,
            count: Int64? = nil,
            limit: Int64? = nil,
            needed: Int64? = nil,
            detail: String? = nil
        ) {
            self.code = code
            self.path = path
            self.movedTo = movedTo
            self.source = source
            self.name = name
            self.count = count
            self.limit = limit
            self.needed = needed
            self.detail = detail
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.code = try json.read("code")
            self.path = try json.readIfPresent("path")
            self.movedTo = try json.readIfPresent("movedTo")
            self.source = try json.readIfPresent("source")
            self.name = try json.readIfPresent("name")
            self.count = try json.readIfPresent("count")
            self.limit = try json.readIfPresent("limit")
            self.needed = try json.readIfPresent("needed")
            self.detail = try json.readIfPresent("detail")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("code", self.code)
            output.writeMember("path", ifPresent: self.path)
            output.writeMember("movedTo", ifPresent: self.movedTo)
            output.writeMember("source", ifPresent: self.source)
            output.writeMember("name", ifPresent: self.name)
            output.writeMember("count", ifPresent: self.count)
            output.writeMember("limit", ifPresent: self.limit)
            output.writeMember("needed", ifPresent: self.needed)
            output.writeMember("detail", ifPresent: self.detail)
        }
    }

    /// The state of the daemon. Counters start at 0 with the daemon, and usually stay there.
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
        /// The time since its start, in seconds.
        public var uptimeSeconds: Int64
        /// The sources of announcements.
        public var sources: [ManagerAPI.Source]
        /// The network interfaces on which multicast DNS can work. If there are none, no server is discovered.
        public var multicastInterfaces: [String]
        /// The number of endpoints in the list.
        public var endpoints: Int64
        /// The number of announcements that were dropped because a limit of hosts, names or endpoints was reached.
        public var droppedSightings: Int64
        /// The number of announcements whose name or host is too long.
        public var malformedSightings: Int64
        /// The number of announcements whose TXT record was truncated.
        public var cutSightings: Int64
        /// The number of discovered endpoints that were evicted in favour of others.
        public var evictedEndpoints: Int64
        /// The number of changes that were not sent to watchers because a newer one of the same endpoint replaced them.
        public var foldedChanges: Int64
        /// The number of addresses that were refused because an announcement must not name them.
        public var refusedAddresses: Int64
        /// The state of the vault, as in Credentials.Vault.
        public var vault: Vault
        /// The number of logins in the vault. Absent unless it is unlocked.
        public var logins: Int64?
        /// The number of open sessions.
        public var sessions: Int64
        /// The number of open adapters.
        public var adapters: Int64
        /// Problems.
        public var notes: [ManagerAPI.Note]

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
            notes: [ManagerAPI.Note]
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

    /// A key of the configuration, with the place that sets it.
    public struct Setting: JSONRecord {
        public enum Layer: String, JSONWord {
            case builtIn
            case vendor
            case administrator
            case user
            case named
            case environment
            case option
        }

        /// The key with its table, such as vault.idle_lock or adapter[office].port.
        public var key: String
        /// Its value in the notation of TOML. Absent if the key has no value, and for a secret, such as the path of an adapter.
        public var value: String?
        /// The layer that sets it, of which the later ones win. builtIn: none, so that the default applies. vendor: a file of the
        /// package. administrator, user: a file of theirs. named: the file that the command line of the daemon names.
        /// environment: an environment variable. option: the command line.
        public var layer: Layer
        /// The file that sets it.
        public var file: String?
        /// The line in file, from 1.
        public var line: Int64?
        /// The environment variable that sets it.
        public var variable: String?

        public init(
            key: String,
            value: String? = nil,
            layer: Layer,
            file: String? = nil,
            line: Int64? = nil,
            variable: String? = nil
        ) {
            self.key = key
            self.value = value
            self.layer = layer
            self.file = file
            self.line = line
            self.variable = variable
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.key = try json.read("key")
            self.value = try json.readIfPresent("value")
            self.layer = try json.read("layer")
            self.file = try json.readIfPresent("file")
            self.line = try json.readIfPresent("line")
            self.variable = try json.readIfPresent("variable")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("key", self.key)
            output.writeMember("value", ifPresent: self.value)
            output.writeMember("layer", self.layer)
            output.writeMember("file", ifPresent: self.file)
            output.writeMember("line", ifPresent: self.line)
            output.writeMember("variable", ifPresent: self.variable)
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

    /// Returns the capabilities that this daemon has in addition to its first version. A client looks for a value instead of
    /// comparing versions.
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
        /// Values whose meaning never changes. http: this socket also speaks HTTP. metrics: GetMetrics. watch-since:
        /// Registry.Watch takes since. interactive: Broker.Open can prompt the user. confirm: Registry.Set takes confirm.
        /// configuration: GetConfiguration.
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

    /// Returns the configuration, which the daemon read when it started.
    public struct GetConfigurationCall: VarlinkMethodCall {
        public typealias Reply = ManagerAPI.GetConfigurationReply

        public static let method = "org.relativityd.Manager.GetConfiguration"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `GetConfigurationCall`.
    public struct GetConfigurationReply: JSONRecord {
        /// All keys of plain tables, and the keys that are set in arrays of tables.
        public var settings: [ManagerAPI.Setting]
        /// The files that were read, the first layer first.
        public var files: [String]
        /// Whether the files have changed since. The daemon reads them when it is restarted.
        public var outdated: Bool

        public init(settings: [ManagerAPI.Setting], files: [String], outdated: Bool) {
            self.settings = settings
            self.files = files
            self.outdated = outdated
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.settings = try json.read("settings")
            self.files = try json.read("files")
            self.outdated = try json.read("outdated")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("settings", self.settings)
            output.writeMember("files", self.files)
            output.writeMember("outdated", self.outdated)
        }
    }

    /// The daemon failed, for a reason other than the call. Its log has the details.
    public struct FailedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Manager.Failed"

        public var message: String

        public init(message: String) {
            self.message = message
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
        }
    }

    /// The caller is not permitted to do this, or the user has not approved it.
    public struct NotPermittedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Manager.NotPermitted"

        public var message: String

        public init(message: String) {
            self.message = message
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
        }
    }

    /// The definition of the interface.
    public static let definition = #"""
        # The daemon itself: its state and its problems.
        #
        # Every error of every org.relativityd interface has the member message: a sentence for people that says what happened.
        # endpoint is the ID of the endpoint that the error is about; it is absent if the daemon does not know it. Error names are
        # stable; texts may change.
        #
        # Methods, members, enum values and errors are only added to an interface. A client ignores those that it does not know.
        # Any other change is made in a separate interface next to the current one, with v2 after the name.
        interface org.relativityd.Manager

        # The reason why a source is down: a code, and the values that belong to it. Other values are absent.
        type SourceFault (
          # etcdError: etcd replied with an error, which is in detail. notStarted: the source has not started. noThread: no
          # thread could be started; number is the errno. avahiNotRunning: avahi-daemon is not running. avahiNotAnswering:
          # avahi-daemon does not answer. avahiLost: the connection to avahi-daemon was lost. avahiDenied: the system bus denies
          # access to avahi-daemon. avahiError: avahi-daemon reports the error in number and detail. busUnreachable: the system
          # bus cannot be reached. busDenied: the system bus denies access to itself. dnsNoServer: no DNS server is known.
          # dnsSilent: no DNS server answers. dnsError: the DNS server answers with the code in number. dnsMalformed: its reply
          # is malformed. etcdUnreachable: etcd cannot be reached, for the reason in detail. etcdSilent: etcd does not answer.
          # etcdClosed: etcd closed the connection. etcdTooLarge: etcd sent more than number bytes in one message.
          # etcdMalformed: the server does not speak the protocol of etcd. etcdHistoryLost: the changes do not continue the
          # list. etcdPasswordRefused: etcd refuses the password of user. etcdUserNeeded: etcd requires a user.
          # etcdWithoutUsers: etcd has no users. etcdReadDenied: etcd does not let user read path. etcdFileUnusable: a file of
          # the configuration cannot be used, for the reason in detail.
          code: (
            etcdError,
            notStarted,
            noThread,
            avahiNotRunning,
            avahiNotAnswering,
            avahiLost,
            avahiDenied,
            avahiError,
            busUnreachable,
            busDenied,
            dnsNoServer,
            dnsSilent,
            dnsError,
            dnsMalformed,
            etcdUnreachable,
            etcdSilent,
            etcdClosed,
            etcdTooLarge,
            etcdMalformed,
            etcdHistoryLost,
            etcdPasswordRefused,
            etcdUserNeeded,
            etcdWithoutUsers,
            etcdReadDenied,
            etcdFileUnusable
          ),
          # The servers that were queried.
          servers: []string,
          # The user of etcd.
          user: ?string,
          # The file that names the DNS servers, or the prefix of a list in etcd.
          path: ?string,
          # An errno, a code of Avahi or DNS, or a limit.
          number: ?int,
          # A text of a library or of a server. Untrusted text in it is escaped.
          detail: ?string
        )

        # A source of announcements.
        type Source (
          # Its name, as in Endpoint.sources.
          name: string,
          # Whether it works.
          state: (up, down),
          # Why it is down. Absent while it is up.
          fault: ?SourceFault,
          # Whether it has reported everything that it knew when it came up.
          settled: bool,
          # The time since it came up, in seconds. Absent while it is down.
          upSeconds: ?int,
          # The time since its last report, in seconds. Absent if it has not reported since it came up.
          heardSecondsAgo: ?int
        )

        # A problem: a code, and the values that belong to it. Other values are absent.
        type Note (
          # fileSetAside: a file of the daemon is damaged and was renamed from path to movedTo. fileUnusable: path is neither
          # used nor written. listNotSaved: the list of added servers is not saved. directoryUnclaimed: a second daemon that
          # uses path is not detected. vaultUnusable: the vault's file cannot be used. vaultSuspected: the vault's file is not
          # the one that was saved last. secretsSwappable: secrets may be swapped out. keyringUnusable: the kernel cannot keep
          # the vault's key. sleepUnnoticed, sessionLockUnnoticed: the vault may stay open when the machine sleeps or the
          # session locks. auditEventsLost: count events are missing in the audit log. auditNotWritten: the audit log cannot be
          # written. loginFileIgnored: path, a configured login, is not accepted. loginFilesCut: of count configured logins only
          # limit are read. serverFileIgnored, serverFileKept: path, a configured server, is not accepted, or its last readable
          # version stays in effect. serverDirectoryIgnored, serverDirectoryKept: the same for all in the directory path.
          # serverDirectoryMissing: the directory path does not exist. serverFilesCut: of count files in path only limit are
          # read. adapterIgnored: an adapter in the configuration file path is invalid. adapterUnopened: the configured adapter
          # name could not be opened. avahiSilent: avahi-daemon has not responded for a second. avahiCacheFull: avahi-daemon
          # caches at most limit records for each interface, and needed would be enough. addressesRefused: count addresses of
          # source are outside its networks. instancesIgnored: count instances of source are too many or of another domain.
          # instancesUnplaced: count instances of source have no usable SRV record. entriesIgnored: count entries of source are
          # invalid, such as name. entriesUnplaced: count entries of source have no address in its networks. listCut: source has
          # more than limit entries. listFull: source is at its limit of entries, and entries were left out count times.
          # programReplaced: path, the daemon's program, was installed again after the daemon started. sessionExportIgnored: path
          # permits exported sessions, which this version does not make.
          code: (
            fileSetAside,
            fileUnusable,
            listNotSaved,
            directoryUnclaimed,
            vaultUnusable,
            vaultSuspected,
            secretsSwappable,
            keyringUnusable,
            sleepUnnoticed,
            sessionLockUnnoticed,
            auditEventsLost,
            auditNotWritten,
            loginFileIgnored,
            loginFilesCut,
            serverFileIgnored,
            serverFileKept,
            serverDirectoryIgnored,
            serverDirectoryKept,
            serverDirectoryMissing,
            serverFilesCut,
            adapterIgnored,
            adapterUnopened,
            avahiSilent,
            avahiCacheFull,
            addressesRefused,
            instancesIgnored,
            instancesUnplaced,
            entriesIgnored,
            entriesUnplaced,
            listCut,
            listFull,
            programReplaced,
            sessionExportIgnored
          ),
          # A file or a directory.
          path: ?string,
          # The new path of a file.
          movedTo: ?string,
          # A source, as in Endpoint.sources.
          source: ?string,
          # The name of an adapter or of an entry.
          name: ?string,
          # A number of things.
          count: ?int,
          # The limit that was reached.
          limit: ?int,
          # The limit that is enough.
          needed: ?int,
          # The reason: a text of the system, of a library or of an error. Untrusted text in it is escaped.
          detail: ?string
        )

        # The state of the daemon. Counters start at 0 with the daemon, and usually stay there.
        type Status (
          # The daemon's version, for people.
          version: string,
          # Its process ID.
          pid: int,
          # The time since its start, in seconds.
          uptimeSeconds: int,
          # The sources of announcements.
          sources: []Source,
          # The network interfaces on which multicast DNS can work. If there are none, no server is discovered.
          multicastInterfaces: []string,
          # The number of endpoints in the list.
          endpoints: int,
          # The number of announcements that were dropped because a limit of hosts, names or endpoints was reached.
          droppedSightings: int,
          # The number of announcements whose name or host is too long.
          malformedSightings: int,
          # The number of announcements whose TXT record was truncated.
          cutSightings: int,
          # The number of discovered endpoints that were evicted in favour of others.
          evictedEndpoints: int,
          # The number of changes that were not sent to watchers because a newer one of the same endpoint replaced them.
          foldedChanges: int,
          # The number of addresses that were refused because an announcement must not name them.
          refusedAddresses: int,
          # The state of the vault, as in Credentials.Vault.
          vault: (absent, sealed, unlocked, locked),
          # The number of logins in the vault. Absent unless it is unlocked.
          logins: ?int,
          # The number of open sessions.
          sessions: int,
          # The number of open adapters.
          adapters: int,
          # Problems.
          notes: []Note
        )

        # A key of the configuration, with the place that sets it.
        type Setting (
          # The key with its table, such as vault.idle_lock or adapter[office].port.
          key: string,
          # Its value in the notation of TOML. Absent if the key has no value, and for a secret, such as the path of an adapter.
          value: ?string,
          # The layer that sets it, of which the later ones win. builtIn: none, so that the default applies. vendor: a file of the
          # package. administrator, user: a file of theirs. named: the file that the command line of the daemon names.
          # environment: an environment variable. option: the command line.
          layer: (builtIn, vendor, administrator, user, named, environment, option),
          # The file that sets it.
          file: ?string,
          # The line in file, from 1.
          line: ?int,
          # The environment variable that sets it.
          variable: ?string
        )

        # Returns the state of the daemon.
        method GetStatus() -> (status: Status)

        # Returns the capabilities that this daemon has in addition to its first version. A client looks for a value instead of
        # comparing versions.
        method GetCapabilities() -> (
          # For people.
          version: string,
          # Values whose meaning never changes. http: this socket also speaks HTTP. metrics: GetMetrics. watch-since:
          # Registry.Watch takes since. interactive: Broker.Open can prompt the user. confirm: Registry.Set takes confirm.
          # configuration: GetConfiguration.
          capabilities: []string
        )

        # Returns figures for a monitoring system, as GET /metrics does. metrics is in the text format of Prometheus, version
        # 0.0.4.
        method GetMetrics() -> (metrics: string)

        # Returns the configuration, which the daemon read when it started.
        method GetConfiguration() -> (
          # All keys of plain tables, and the keys that are set in arrays of tables.
          settings: []Setting,
          # The files that were read, the first layer first.
          files: []string,
          # Whether the files have changed since. The daemon reads them when it is restarted.
          outdated: bool
        )

        # The daemon failed, for a reason other than the call. Its log has the details.
        error Failed (message: string)

        # The caller is not permitted to do this, or the user has not approved it.
        error NotPermitted (message: string)

        """#
}
