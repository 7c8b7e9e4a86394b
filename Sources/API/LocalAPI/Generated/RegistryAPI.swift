// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Registry.varlink. Change that file, then run `make generate`.

public import Endpoints
public import JSON
public import Varlink

/// The types of `org.relativityd.Registry`. Its definition describes them.
public enum RegistryAPI {
    public static let name = "org.relativityd.Registry"

    public enum Method: String, Sendable, CaseIterable {
        case list = "org.relativityd.Registry.List"
        case get = "org.relativityd.Registry.Get"
        case getIdentity = "org.relativityd.Registry.GetIdentity"
        case probe = "org.relativityd.Registry.Probe"
        case watch = "org.relativityd.Registry.Watch"
        case add = "org.relativityd.Registry.Add"
        case `import` = "org.relativityd.Registry.Import"
        case export = "org.relativityd.Registry.Export"
        case remove = "org.relativityd.Registry.Remove"
        case set = "org.relativityd.Registry.Set"
    }

    public enum Scheme: String, JSONWord {
        case http, https
    }

    public typealias Trust = Endpoints.ServerTrust

    public typealias Reason = Endpoints.StateReason

    public typealias Origin = Endpoints.Origin

    public typealias State = Endpoints.EndpointState

    public struct Endpoint: JSONRecord {
        public enum Probe: String, JSONWord {
            case on, off
        }

        public var id: String
        public var name: String
        public var origin: Origin
        public var state: EndpointState
        public var stateReason: StateReason?
        public var stateSince: Int64?
        public var stateHeard: Int64?
        public var url: String
        public var announcedUrl: String?
        public var scheme: RegistryAPI.Scheme
        public var host: String
        public var port: Int64
        public var path: String
        public var addresses: [String]
        public var interfaces: [String]
        public var sources: [String]
        public var dataService: String
        public var loginService: String
        public var serviceType: String?
        public var domain: String?
        public var txt: [String]
        public var probe: Probe
        public var hidden: Bool
        public var readOnly: Bool
        public var grantsOnly: Bool
        public var sessionExport: Bool
        public var confirm: Bool
        public var acceptUnknownOwner: Bool
        public var loginDomain: String?
        public var loginSchema: String?
        public var codePage: String?
        public var defaultLogin: String?

        public init(
            id: String,
            name: String,
            origin: Origin,
            state: EndpointState,
            stateReason: StateReason? = nil,
            stateSince: Int64? = nil,
            stateHeard: Int64? = nil,
            url: String,
            announcedUrl: String? = nil,
            scheme: RegistryAPI.Scheme,
            host: String,
            port: Int64,
            path: String,
            addresses: [String],
            interfaces: [String],
            sources: [String],
            dataService: String,
            loginService: String,
            serviceType: String? = nil,
            domain: String? = nil,
            txt: [String],
            probe: Probe,
            hidden: Bool,
            readOnly: Bool,
            grantsOnly: Bool,
            sessionExport: Bool,
            confirm: Bool,
            acceptUnknownOwner: Bool,
            loginDomain: String? = nil,
            loginSchema: String? = nil,
            codePage: String? = nil,
            defaultLogin: String? = nil
        ) {
            self.id = id
            self.name = name
            self.origin = origin
            self.state = state
            self.stateReason = stateReason
            self.stateSince = stateSince
            self.stateHeard = stateHeard
            self.url = url
            self.announcedUrl = announcedUrl
            self.scheme = scheme
            self.host = host
            self.port = port
            self.path = path
            self.addresses = addresses
            self.interfaces = interfaces
            self.sources = sources
            self.dataService = dataService
            self.loginService = loginService
            self.serviceType = serviceType
            self.domain = domain
            self.txt = txt
            self.probe = probe
            self.hidden = hidden
            self.readOnly = readOnly
            self.grantsOnly = grantsOnly
            self.sessionExport = sessionExport
            self.confirm = confirm
            self.acceptUnknownOwner = acceptUnknownOwner
            self.loginDomain = loginDomain
            self.loginSchema = loginSchema
            self.codePage = codePage
            self.defaultLogin = defaultLogin
        }

        public static let members: [JSONMember<Self>] = [
            .init("id", \.id), .init("name", \.name), .init("origin", \.origin), .init("state", \.state),
            .init("stateReason", \.stateReason), .init("stateSince", \.stateSince), .init("stateHeard", \.stateHeard),
            .init("url", \.url), .init("announcedUrl", \.announcedUrl), .init("scheme", \.scheme),
            .init("host", \.host), .init("port", \.port), .init("path", \.path), .init("addresses", \.addresses),
            .init("interfaces", \.interfaces), .init("sources", \.sources), .init("dataService", \.dataService),
            .init("loginService", \.loginService), .init("serviceType", \.serviceType), .init("domain", \.domain),
            .init("txt", \.txt), .init("probe", \.probe), .init("hidden", \.hidden), .init("readOnly", \.readOnly),
            .init("grantsOnly", \.grantsOnly), .init("sessionExport", \.sessionExport), .init("confirm", \.confirm),
            .init("acceptUnknownOwner", \.acceptUnknownOwner), .init("loginDomain", \.loginDomain),
            .init("loginSchema", \.loginSchema), .init("codePage", \.codePage), .init("defaultLogin", \.defaultLogin),
        ]
    }

    public typealias PinStrength = Endpoints.PinStrength

    public struct Identity: JSONRecord {
        public var strength: PinStrength
        public var authority: String?
        public var fingerprint: String
        public var words: String
        public var address: String
        public var port: Int64
        public var vouchedFor: Bool
        public var plaintextPermitted: Bool

        public init(
            strength: PinStrength,
            authority: String? = nil,
            fingerprint: String,
            words: String,
            address: String,
            port: Int64,
            vouchedFor: Bool,
            plaintextPermitted: Bool
        ) {
            self.strength = strength
            self.authority = authority
            self.fingerprint = fingerprint
            self.words = words
            self.address = address
            self.port = port
            self.vouchedFor = vouchedFor
            self.plaintextPermitted = plaintextPermitted
        }

        public static let members: [JSONMember<Self>] = [
            .init("strength", \.strength), .init("authority", \.authority), .init("fingerprint", \.fingerprint),
            .init("words", \.words), .init("address", \.address), .init("port", \.port),
            .init("vouchedFor", \.vouchedFor), .init("plaintextPermitted", \.plaintextPermitted),
        ]
    }

    public struct Probe: JSONRecord {
        public enum Outcome: String, JSONWord {
            case reachable, unreachable, conflict
        }

        public var outcome: Outcome
        public var reason: StateReason?
        public var milliseconds: Int64

        public init(outcome: Outcome, reason: StateReason? = nil, milliseconds: Int64) {
            self.outcome = outcome
            self.reason = reason
            self.milliseconds = milliseconds
        }

        public static let members: [JSONMember<Self>] = [
            .init("outcome", \.outcome), .init("reason", \.reason), .init("milliseconds", \.milliseconds),
        ]
    }

    public struct ListCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.ListReply

        public static let method = "org.relativityd.Registry.List"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct ListReply: JSONRecord {
        public var revision: Int64
        public var endpoints: [RegistryAPI.Endpoint]

        public init(revision: Int64, endpoints: [RegistryAPI.Endpoint]) {
            self.revision = revision
            self.endpoints = endpoints
        }

        public static let members: [JSONMember<Self>] = [.init("revision", \.revision), .init("endpoints", \.endpoints)]
    }

    public struct GetCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.GetReply

        public static let method = "org.relativityd.Registry.Get"

        public var endpoint: String

        public init(endpoint: String) {
            self.endpoint = endpoint
        }

        public static let members: [JSONMember<Self>] = [.init("endpoint", \.endpoint)]
    }

    public struct GetReply: JSONRecord {
        public var endpoint: RegistryAPI.Endpoint

        public init(endpoint: RegistryAPI.Endpoint) {
            self.endpoint = endpoint
        }

        public static let members: [JSONMember<Self>] = [.init("endpoint", \.endpoint)]
    }

    public struct GetIdentityCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.GetIdentityReply

        public static let method = "org.relativityd.Registry.GetIdentity"

        public var endpoint: String
        public var trust: ServerTrust?
        public var alternate: String?

        public init(endpoint: String, trust: ServerTrust? = nil, alternate: String? = nil) {
            self.endpoint = endpoint
            self.trust = trust
            self.alternate = alternate
        }

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("trust", \.trust), .init("alternate", \.alternate),
        ]
    }

    public struct GetIdentityReply: JSONRecord {
        public var identity: RegistryAPI.Identity

        public init(identity: RegistryAPI.Identity) {
            self.identity = identity
        }

        public static let members: [JSONMember<Self>] = [.init("identity", \.identity)]
    }

    public struct ProbeCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.ProbeReply

        public static let method = "org.relativityd.Registry.Probe"

        public var endpoint: String

        public init(endpoint: String) {
            self.endpoint = endpoint
        }

        public static let members: [JSONMember<Self>] = [.init("endpoint", \.endpoint)]
    }

    public struct ProbeReply: JSONRecord {
        public var probe: RegistryAPI.Probe

        public init(probe: RegistryAPI.Probe) {
            self.probe = probe
        }

        public static let members: [JSONMember<Self>] = [.init("probe", \.probe)]
    }

    public struct WatchCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.WatchReply

        public static let method = "org.relativityd.Registry.Watch"

        public var endpoint: String?
        public var since: Int64?

        public init(endpoint: String? = nil, since: Int64? = nil) {
            self.endpoint = endpoint
            self.since = since
        }

        public static let members: [JSONMember<Self>] = [.init("endpoint", \.endpoint), .init("since", \.since)]
    }

    public struct WatchReply: JSONRecord {
        public enum Kind: String, JSONWord {
            case snapshot, resumed, added, changed, removed
        }

        public var kind: Kind
        public var revision: Int64
        public var endpoints: [RegistryAPI.Endpoint]?
        public var endpoint: RegistryAPI.Endpoint?

        public init(
            kind: Kind,
            revision: Int64,
            endpoints: [RegistryAPI.Endpoint]? = nil,
            endpoint: RegistryAPI.Endpoint? = nil
        ) {
            self.kind = kind
            self.revision = revision
            self.endpoints = endpoints
            self.endpoint = endpoint
        }

        public static let members: [JSONMember<Self>] = [
            .init("kind", \.kind), .init("revision", \.revision), .init("endpoints", \.endpoints),
            .init("endpoint", \.endpoint),
        ]
    }

    public struct AddCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.AddReply

        public static let method = "org.relativityd.Registry.Add"

        public var name: String
        public var address: String

        public init(name: String, address: String) {
            self.name = name
            self.address = address
        }

        public static let members: [JSONMember<Self>] = [.init("name", \.name), .init("address", \.address)]
    }

    public typealias AddReply = GetReply

    public struct ImportCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.ImportReply

        public static let method = "org.relativityd.Registry.Import"

        public var name: String?
        public var content: String

        public init(name: String? = nil, content: String) {
            self.name = name
            self.content = content
        }

        public static let members: [JSONMember<Self>] = [.init("name", \.name), .init("content", \.content)]
    }

    public struct ImportReply: JSONRecord {
        public var endpoint: RegistryAPI.Endpoint
        public var adminUser: String?
        public var dataUser: String?

        public init(endpoint: RegistryAPI.Endpoint, adminUser: String? = nil, dataUser: String? = nil) {
            self.endpoint = endpoint
            self.adminUser = adminUser
            self.dataUser = dataUser
        }

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("adminUser", \.adminUser), .init("dataUser", \.dataUser),
        ]
    }

    public struct ExportCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.ExportReply

        public static let method = "org.relativityd.Registry.Export"

        public var endpoint: String

        public init(endpoint: String) {
            self.endpoint = endpoint
        }

        public static let members: [JSONMember<Self>] = [.init("endpoint", \.endpoint)]
    }

    public struct ExportReply: JSONRecord {
        public var content: String

        public init(content: String) {
            self.content = content
        }

        public static let members: [JSONMember<Self>] = [.init("content", \.content)]
    }

    public struct RemoveCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.RemoveReply

        public static let method = "org.relativityd.Registry.Remove"

        public var endpoint: String

        public init(endpoint: String) {
            self.endpoint = endpoint
        }

        public static let members: [JSONMember<Self>] = [.init("endpoint", \.endpoint)]
    }

    public struct RemoveReply: JSONRecord {
        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct SetCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.SetReply

        public static let method = "org.relativityd.Registry.Set"

        public enum Probe: String, JSONWord {
            case on, off
        }

        public var endpoint: String
        public var name: String?
        public var scheme: RegistryAPI.Scheme?
        public var path: String?
        public var dataService: String?
        public var loginService: String?
        public var probe: Probe?
        public var hidden: Bool?
        public var readOnly: Bool?
        public var grantsOnly: Bool?
        public var sessionExport: Bool?
        public var confirm: Bool?
        public var acceptUnknownOwner: Bool?
        public var codePage: String?
        public var defaultLogin: String?

        public init(
            endpoint: String,
            name: String? = nil,
            scheme: RegistryAPI.Scheme? = nil,
            path: String? = nil,
            dataService: String? = nil,
            loginService: String? = nil,
            probe: Probe? = nil,
            hidden: Bool? = nil,
            readOnly: Bool? = nil,
            grantsOnly: Bool? = nil,
            sessionExport: Bool? = nil,
            confirm: Bool? = nil,
            acceptUnknownOwner: Bool? = nil,
            codePage: String? = nil,
            defaultLogin: String? = nil
        ) {
            self.endpoint = endpoint
            self.name = name
            self.scheme = scheme
            self.path = path
            self.dataService = dataService
            self.loginService = loginService
            self.probe = probe
            self.hidden = hidden
            self.readOnly = readOnly
            self.grantsOnly = grantsOnly
            self.sessionExport = sessionExport
            self.confirm = confirm
            self.acceptUnknownOwner = acceptUnknownOwner
            self.codePage = codePage
            self.defaultLogin = defaultLogin
        }

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("name", \.name), .init("scheme", \.scheme), .init("path", \.path),
            .init("dataService", \.dataService), .init("loginService", \.loginService), .init("probe", \.probe),
            .init("hidden", \.hidden), .init("readOnly", \.readOnly), .init("grantsOnly", \.grantsOnly),
            .init("sessionExport", \.sessionExport), .init("confirm", \.confirm),
            .init("acceptUnknownOwner", \.acceptUnknownOwner), .init("codePage", \.codePage),
            .init("defaultLogin", \.defaultLogin),
        ]
    }

    public typealias SetReply = GetReply
}
