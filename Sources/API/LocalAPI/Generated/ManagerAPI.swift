// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Manager.varlink. Change that file, then run `make generate`.

public import Endpoints
public import JSON
public import Varlink

/// The types of `org.relativityd.Manager`. Its definition describes them.
public enum ManagerAPI {
    public static let name = "org.relativityd.Manager"

    public enum Method: String, Sendable, CaseIterable {
        case getStatus = "org.relativityd.Manager.GetStatus"
        case getCapabilities = "org.relativityd.Manager.GetCapabilities"
        case getMetrics = "org.relativityd.Manager.GetMetrics"
        case getConfiguration = "org.relativityd.Manager.GetConfiguration"
    }

    public typealias SourceFault = Endpoints.SourceFault

    public typealias Source = Endpoints.SourceStatus

    public struct Note: JSONRecord {
        public enum Code: String, JSONWord {
            case fileSetAside, fileUnusable, listNotSaved, directoryUnclaimed, vaultUnusable, vaultSuspected
            case secretsSwappable, keyringUnusable, sleepUnnoticed, sessionLockUnnoticed, auditEventsLost
            case auditNotWritten, loginFileIgnored, loginFilesCut, serverFileIgnored, serverFileKept
            case serverDirectoryIgnored, serverDirectoryKept, serverDirectoryMissing, serverFilesCut, adapterIgnored
            case adapterUnopened, avahiSilent, avahiCacheFull, addressesRefused, instancesIgnored, instancesUnplaced
            case entriesIgnored, entriesUnplaced, listCut, listFull, programReplaced, sessionExportIgnored
        }

        public var code: Code
        public var path: String?
        public var movedTo: String?
        public var source: String?
        public var name: String?
        public var count: Int64?
        public var limit: Int64?
        public var needed: Int64?
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

        public static let members: [JSONMember<Self>] = [
            .init("code", \.code), .init("path", \.path), .init("movedTo", \.movedTo), .init("source", \.source),
            .init("name", \.name), .init("count", \.count), .init("limit", \.limit), .init("needed", \.needed),
            .init("detail", \.detail),
        ]
    }

    public typealias VaultState = Endpoints.VaultState

    public struct Status: JSONRecord {
        public var version: String
        public var pid: Int64
        public var uptimeSeconds: Int64
        public var sources: [SourceStatus]
        public var multicastInterfaces: [String]
        public var endpoints: Int64
        public var droppedSightings: Int64
        public var malformedSightings: Int64
        public var cutSightings: Int64
        public var evictedEndpoints: Int64
        public var foldedChanges: Int64
        public var refusedAddresses: Int64
        public var vault: VaultState
        public var logins: Int64?
        public var sessions: Int64
        public var adapters: Int64
        public var notes: [ManagerAPI.Note]

        public init(
            version: String,
            pid: Int64,
            uptimeSeconds: Int64,
            sources: [SourceStatus],
            multicastInterfaces: [String],
            endpoints: Int64,
            droppedSightings: Int64,
            malformedSightings: Int64,
            cutSightings: Int64,
            evictedEndpoints: Int64,
            foldedChanges: Int64,
            refusedAddresses: Int64,
            vault: VaultState,
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

        public static let members: [JSONMember<Self>] = [
            .init("version", \.version), .init("pid", \.pid), .init("uptimeSeconds", \.uptimeSeconds),
            .init("sources", \.sources), .init("multicastInterfaces", \.multicastInterfaces),
            .init("endpoints", \.endpoints), .init("droppedSightings", \.droppedSightings),
            .init("malformedSightings", \.malformedSightings), .init("cutSightings", \.cutSightings),
            .init("evictedEndpoints", \.evictedEndpoints), .init("foldedChanges", \.foldedChanges),
            .init("refusedAddresses", \.refusedAddresses), .init("vault", \.vault), .init("logins", \.logins),
            .init("sessions", \.sessions), .init("adapters", \.adapters), .init("notes", \.notes),
        ]
    }

    public struct Setting: JSONRecord {
        public enum Layer: String, JSONWord {
            case builtIn, vendor, administrator, user, named, environment, option
        }

        public var key: String
        public var value: String?
        public var layer: Layer
        public var file: String?
        public var line: Int64?
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

        public static let members: [JSONMember<Self>] = [
            .init("key", \.key), .init("value", \.value), .init("layer", \.layer), .init("file", \.file),
            .init("line", \.line), .init("variable", \.variable),
        ]
    }

    public struct GetStatusCall: VarlinkMethodCall {
        public typealias Reply = ManagerAPI.GetStatusReply

        public static let method = "org.relativityd.Manager.GetStatus"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct GetStatusReply: JSONRecord {
        public var status: ManagerAPI.Status

        public init(status: ManagerAPI.Status) {
            self.status = status
        }

        public static let members: [JSONMember<Self>] = [.init("status", \.status)]
    }

    public struct GetCapabilitiesCall: VarlinkMethodCall {
        public typealias Reply = ManagerAPI.GetCapabilitiesReply

        public static let method = "org.relativityd.Manager.GetCapabilities"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct GetCapabilitiesReply: JSONRecord {
        public var version: String
        public var capabilities: [String]

        public init(version: String, capabilities: [String]) {
            self.version = version
            self.capabilities = capabilities
        }

        public static let members: [JSONMember<Self>] = [
            .init("version", \.version), .init("capabilities", \.capabilities),
        ]
    }

    public struct GetMetricsCall: VarlinkMethodCall {
        public typealias Reply = ManagerAPI.GetMetricsReply

        public static let method = "org.relativityd.Manager.GetMetrics"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct GetMetricsReply: JSONRecord {
        public var metrics: String

        public init(metrics: String) {
            self.metrics = metrics
        }

        public static let members: [JSONMember<Self>] = [.init("metrics", \.metrics)]
    }

    public struct GetConfigurationCall: VarlinkMethodCall {
        public typealias Reply = ManagerAPI.GetConfigurationReply

        public static let method = "org.relativityd.Manager.GetConfiguration"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct GetConfigurationReply: JSONRecord {
        public var settings: [ManagerAPI.Setting]
        public var files: [String]
        public var outdated: Bool

        public init(settings: [ManagerAPI.Setting], files: [String], outdated: Bool) {
            self.settings = settings
            self.files = files
            self.outdated = outdated
        }

        public static let members: [JSONMember<Self>] = [
            .init("settings", \.settings), .init("files", \.files), .init("outdated", \.outdated),
        ]
    }
}
