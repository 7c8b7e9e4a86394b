// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Registry.varlink. Change that file, then run `make generate`.

public import JSON
public import Varlink

/// The servers that exist: discovered on the network and added by hand, merged into one list. A parameter "endpoint", here
/// and in the other interfaces, takes an id, or a name that only one endpoint has.
public enum RegistryAPI {
    /// The interface's name.
    public static let name = "org.relativityd.Registry"

    /// The methods.
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

    /// The errors.
    public enum ErrorName: String, Sendable, CaseIterable {
        case endpointNotFound = "org.relativityd.Registry.EndpointNotFound"
        case endpointAmbiguous = "org.relativityd.Registry.EndpointAmbiguous"
        case invalidEndpoint = "org.relativityd.Registry.InvalidEndpoint"
        case endpointExists = "org.relativityd.Registry.EndpointExists"
        case endpointNotManual = "org.relativityd.Registry.EndpointNotManual"
        case notSaved = "org.relativityd.Registry.NotSaved"
        case watcherTooSlow = "org.relativityd.Registry.WatcherTooSlow"
    }

    /// name, host, txt and everything else that a stranger chose is foreign text: escape it before a terminal sees it.
    /// stateReason says more where the state has a reason. stateSince is since when attempts to reach the server have met it;
    /// stateHeard is there until the daemon has tried for itself: when an earlier run last found it so. probe is off where the
    /// user has asked for no probes. addresses lists IPv4 first; url is where the dispatcher answers;
    /// announcedUrl is there where a server that was added announces itself with another scheme or path: which of them is right
    /// only the user can tell, and url is what counts.
    /// sources are the names of those that sight it now, as Manager.GetStatus has them. hidden: the user does not want to see
    /// it in lists; List and Watch tell it all the same.
    /// loginDomain and loginSchema are what a login is usually for, where a file said so. id never changes, and is what to
    /// store. origin: announced on the network, added by hand, imported from a file, or laid down by the administrator. port
    /// and path are those of url; interfaces are the names of those of this machine on which it is announced, serviceType and
    /// domain what it is announced as. dataService and loginService are the names of its services. readOnly, grantsOnly,
    /// sessionExport, confirm and acceptUnknownOwner are as in Set.
    public struct Endpoint: JSONRecord {
        public enum Origin: String, JSONWord {
            case discovered
            case manual
            case imported
            case configured
        }

        public enum State: String, JSONWord {
            case unknown
            case announced
            case stale
            case reachable
            case unreachable
            case conflict
        }

        public enum Scheme: String, JSONWord {
            case http
            case https
        }

        public enum Probe: String, JSONWord {
            case on
            case off
        }

        public var id: String
        public var name: String
        public var origin: Origin
        public var state: State
        public var stateReason: String?
        public var stateSince: Int64?
        public var stateHeard: Int64?
        public var url: String
        public var announcedUrl: String?
        public var scheme: Scheme
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

        public init(
            id: String,
            name: String,
            origin: Origin,
            state: State,
            stateReason: String? = nil,
            stateSince: Int64? = nil,
            stateHeard: Int64? = nil,
            url: String,
            announcedUrl: String? = nil,
            scheme: Scheme,
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
            loginSchema: String? = nil
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
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.id = try json.read("id")
            self.name = try json.read("name")
            self.origin = try json.read("origin")
            self.state = try json.read("state")
            self.stateReason = try json.readIfPresent("stateReason")
            self.stateSince = try json.readIfPresent("stateSince")
            self.stateHeard = try json.readIfPresent("stateHeard")
            self.url = try json.read("url")
            self.announcedUrl = try json.readIfPresent("announcedUrl")
            self.scheme = try json.read("scheme")
            self.host = try json.read("host")
            self.port = try json.read("port")
            self.path = try json.read("path")
            self.addresses = try json.read("addresses")
            self.interfaces = try json.read("interfaces")
            self.sources = try json.read("sources")
            self.dataService = try json.read("dataService")
            self.loginService = try json.read("loginService")
            self.serviceType = try json.readIfPresent("serviceType")
            self.domain = try json.readIfPresent("domain")
            self.txt = try json.read("txt")
            self.probe = try json.read("probe")
            self.hidden = try json.read("hidden")
            self.readOnly = try json.read("readOnly")
            self.grantsOnly = try json.read("grantsOnly")
            self.sessionExport = try json.read("sessionExport")
            self.confirm = try json.read("confirm")
            self.acceptUnknownOwner = try json.read("acceptUnknownOwner")
            self.loginDomain = try json.readIfPresent("loginDomain")
            self.loginSchema = try json.readIfPresent("loginSchema")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("id", self.id)
            output.writeMember("name", self.name)
            output.writeMember("origin", self.origin)
            output.writeMember("state", self.state)
            output.writeMember("stateReason", ifPresent: self.stateReason)
            output.writeMember("stateSince", ifPresent: self.stateSince)
            output.writeMember("stateHeard", ifPresent: self.stateHeard)
            output.writeMember("url", self.url)
            output.writeMember("announcedUrl", ifPresent: self.announcedUrl)
            output.writeMember("scheme", self.scheme)
            output.writeMember("host", self.host)
            output.writeMember("port", self.port)
            output.writeMember("path", self.path)
            output.writeMember("addresses", self.addresses)
            output.writeMember("interfaces", self.interfaces)
            output.writeMember("sources", self.sources)
            output.writeMember("dataService", self.dataService)
            output.writeMember("loginService", self.loginService)
            output.writeMember("serviceType", ifPresent: self.serviceType)
            output.writeMember("domain", ifPresent: self.domain)
            output.writeMember("txt", self.txt)
            output.writeMember("probe", self.probe)
            output.writeMember("hidden", self.hidden)
            output.writeMember("readOnly", self.readOnly)
            output.writeMember("grantsOnly", self.grantsOnly)
            output.writeMember("sessionExport", self.sessionExport)
            output.writeMember("confirm", self.confirm)
            output.writeMember("acceptUnknownOwner", self.acceptUnknownOwner)
            output.writeMember("loginDomain", ifPresent: self.loginDomain)
            output.writeMember("loginSchema", ifPresent: self.loginSchema)
        }
    }

    /// Who an endpoint is to us: the pin that a login to it would be bound to. tier is 3 for a TLS key or a certificate, 1 for
    /// a plain HTTP address, 0 for plain HTTP on this machine; authority is the host for which a trusted certificate authority
    /// has to vouch, whatever the key, and absent for a TLS key and plain HTTP; fingerprint is the SHA-256 (64 hexadecimal
    /// digits) that stands for the pin; words are the same as eight words; address and port are where it was taken.
    /// vouchedFor: a file of the administrator has
    /// this very fingerprint, so nobody has to be asked; plaintextPermitted: it permits plain HTTP to this address.
    public struct Identity: JSONRecord {
        public var tier: Int64
        public var authority: String?
        public var fingerprint: String
        public var words: String
        public var address: String
        public var port: Int64
        public var vouchedFor: Bool
        public var plaintextPermitted: Bool

        public init(
            tier: Int64,
            authority: String? = nil,
            fingerprint: String,
            words: String,
            address: String,
            port: Int64,
            vouchedFor: Bool,
            plaintextPermitted: Bool
        ) {
            self.tier = tier
            self.authority = authority
            self.fingerprint = fingerprint
            self.words = words
            self.address = address
            self.port = port
            self.vouchedFor = vouchedFor
            self.plaintextPermitted = plaintextPermitted
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.tier = try json.read("tier")
            self.authority = try json.readIfPresent("authority")
            self.fingerprint = try json.read("fingerprint")
            self.words = try json.read("words")
            self.address = try json.read("address")
            self.port = try json.read("port")
            self.vouchedFor = try json.read("vouchedFor")
            self.plaintextPermitted = try json.read("plaintextPermitted")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("tier", self.tier)
            output.writeMember("authority", ifPresent: self.authority)
            output.writeMember("fingerprint", self.fingerprint)
            output.writeMember("words", self.words)
            output.writeMember("address", self.address)
            output.writeMember("port", self.port)
            output.writeMember("vouchedFor", self.vouchedFor)
            output.writeMember("plaintextPermitted", self.plaintextPermitted)
        }
    }

    /// What a probe has met. reason says more where the server was not reached, or is another one than it was pinned to.
    /// milliseconds tells how long it took to find the outcome.
    public struct Probe: JSONRecord {
        public enum Outcome: String, JSONWord {
            case reachable
            case unreachable
            case conflict
        }

        public var outcome: Outcome
        public var reason: String?
        public var milliseconds: Int64

        public init(outcome: Outcome, reason: String? = nil, milliseconds: Int64) {
            self.outcome = outcome
            self.reason = reason
            self.milliseconds = milliseconds
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.outcome = try json.read("outcome")
            self.reason = try json.readIfPresent("reason")
            self.milliseconds = try json.read("milliseconds")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("outcome", self.outcome)
            output.writeMember("reason", ifPresent: self.reason)
            output.writeMember("milliseconds", self.milliseconds)
        }
    }

    /// All endpoints, by name. revision counts the changes that were told since the daemon started: where more changes come
    /// than watchers are told in a second (100), endpoints may be ahead of it for a while. Right after its start the daemon
    /// answers when discovery has said what it knew at first, after 1.5 seconds at the latest.
    public struct ListCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.ListReply

        public static let method = "org.relativityd.Registry.List"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `ListCall`.
    public struct ListReply: JSONRecord {
        public var revision: Int64
        public var endpoints: [RegistryAPI.Endpoint]

        public init(revision: Int64, endpoints: [RegistryAPI.Endpoint]) {
            self.revision = revision
            self.endpoints = endpoints
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.revision = try json.read("revision")
            self.endpoints = try json.read("endpoints")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("revision", self.revision)
            output.writeMember("endpoints", self.endpoints)
        }
    }

    /// One endpoint by id or by a name that only one has.
    public struct GetCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.GetReply

        public static let method = "org.relativityd.Registry.Get"

        public var endpoint: String

        public init(endpoint: String) {
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
        }
    }

    /// A reply to `GetCall`.
    public struct GetReply: JSONRecord {
        public var endpoint: RegistryAPI.Endpoint

        public init(endpoint: RegistryAPI.Endpoint) {
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
        }
    }

    /// The identity of an endpoint as it is now. For https this connects to it, as far as the TLS handshake. trust chooses
    /// between its key and a certificate authority's word for its host; without it the administrator does, then what the
    /// endpoint is pinned to, and else it is the key.
    public struct GetIdentityCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.GetIdentityReply

        public static let method = "org.relativityd.Registry.GetIdentity"

        public enum Trust: String, JSONWord {
            case key
            case ca
        }

        public var endpoint: String
        public var trust: Trust?

        public init(endpoint: String, trust: Trust? = nil) {
            self.endpoint = endpoint
            self.trust = trust
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
            self.trust = try json.readIfPresent("trust")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("trust", ifPresent: self.trust)
        }
    }

    /// A reply to `GetIdentityCall`.
    public struct GetIdentityReply: JSONRecord {
        public var identity: RegistryAPI.Identity

        public init(identity: RegistryAPI.Identity) {
            self.identity = identity
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.identity = try json.read("identity")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("identity", self.identity)
        }
    }

    /// Connects to an endpoint now, for https as far as the TLS handshake, and tells whether it is there. Nothing is sent over
    /// plain HTTP, and never a login. A second attempt follows one that fails: it may take four seconds.
    public struct ProbeCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.ProbeReply

        public static let method = "org.relativityd.Registry.Probe"

        public var endpoint: String

        public init(endpoint: String) {
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
        }
    }

    /// A reply to `ProbeCall`.
    public struct ProbeReply: JSONRecord {
        public var probe: RegistryAPI.Probe

        public init(probe: RegistryAPI.Probe) {
            self.probe = probe
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.probe = try json.read("probe")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("probe", self.probe)
        }
    }

    /// Called with "more": first, as kind tells, one snapshot with all endpoints as watchers were told of them so far, then
    /// each change in order. A change of an endpoint that comes while an older one of it waits to be told takes its place.
    /// revision grows by one with each change that is told; without endpoint the watch has all of them. A reader that is too
    /// slow gets the error WatcherTooSlow and is closed. With endpoint, snapshot and changes are of that one alone, which
    /// counts as in use meanwhile: it is probed more often, if it is probed at all. since is the last revision that the
    /// caller has heard: if the daemon still knows the changes since then, "resumed" takes the place of the snapshot, and
    /// they follow; else there is a snapshot, as without since. Revisions are higher after each start of the daemon.
    public struct WatchCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.WatchReply

        public static let method = "org.relativityd.Registry.Watch"

        public var endpoint: String?
        public var since: Int64?

        public init(endpoint: String? = nil, since: Int64? = nil) {
            self.endpoint = endpoint
            self.since = since
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.readIfPresent("endpoint")
            self.since = try json.readIfPresent("since")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", ifPresent: self.endpoint)
            output.writeMember("since", ifPresent: self.since)
        }
    }

    /// A reply to `WatchCall`.
    public struct WatchReply: JSONRecord {
        public enum Kind: String, JSONWord {
            case snapshot
            case resumed
            case added
            case changed
            case removed
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

        public init(json: JSONObject) throws(JSONShapeError) {
            self.kind = try json.read("kind")
            self.revision = try json.read("revision")
            self.endpoints = try json.readIfPresent("endpoints")
            self.endpoint = try json.readIfPresent("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("kind", self.kind)
            output.writeMember("revision", self.revision)
            output.writeMember("endpoints", ifPresent: self.endpoints)
            output.writeMember("endpoint", ifPresent: self.endpoint)
        }
    }

    /// Adds a server by hand. address is a host, host:port or full URL; what is missing is completed to
    /// http://HOST:7099/bin. name is what the server shall be called here.
    public struct AddCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.AddReply

        public static let method = "org.relativityd.Registry.Add"

        public var name: String
        public var address: String

        public init(name: String, address: String) {
            self.name = name
            self.address = address
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.name = try json.read("name")
            self.address = try json.read("address")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("name", self.name)
            output.writeMember("address", self.address)
        }
    }

    /// A reply to `AddCall`.
    public struct AddReply: JSONRecord {
        public var endpoint: RegistryAPI.Endpoint

        public init(endpoint: RegistryAPI.Endpoint) {
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
        }
    }

    /// Adds the server of a .relativityClient file, given as text. name is what it shall be called here; else it is called as in
    /// the file. Where the file has no address but the name of an announced server, that must be announced now: it is added
    /// with its present address. adminUser and dataUser are the names of users that the file has, for which logins may be
    /// made. content is the text of the file.
    public struct ImportCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.ImportReply

        public static let method = "org.relativityd.Registry.Import"

        public var name: String?
        public var content: String

        public init(name: String? = nil, content: String) {
            self.name = name
            self.content = content
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.name = try json.readIfPresent("name")
            self.content = try json.read("content")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("name", ifPresent: self.name)
            output.writeMember("content", self.content)
        }
    }

    /// A reply to `ImportCall`.
    public struct ImportReply: JSONRecord {
        public var endpoint: RegistryAPI.Endpoint
        public var adminUser: String?
        public var dataUser: String?

        public init(endpoint: RegistryAPI.Endpoint, adminUser: String? = nil, dataUser: String? = nil) {
            self.endpoint = endpoint
            self.adminUser = adminUser
            self.dataUser = dataUser
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
            self.adminUser = try json.readIfPresent("adminUser")
            self.dataUser = try json.readIfPresent("dataUser")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("adminUser", ifPresent: self.adminUser)
            output.writeMember("dataUser", ifPresent: self.dataUser)
        }
    }

    /// The text of a .relativityClient file for an endpoint. It has no user and no password. That text is content.
    public struct ExportCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.ExportReply

        public static let method = "org.relativityd.Registry.Export"

        public var endpoint: String

        public init(endpoint: String) {
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
        }
    }

    /// A reply to `ExportCall`.
    public struct ExportReply: JSONRecord {
        public var content: String

        public init(content: String) {
            self.content = content
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.content = try json.read("content")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("content", self.content)
        }
    }

    /// Forgets that it was added or was used once, and what was set. While its server announces itself it stays as
    /// discovered.
    public struct RemoveCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.RemoveReply

        public static let method = "org.relativityd.Registry.Remove"

        public var endpoint: String

        public init(endpoint: String) {
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
        }
    }

    /// A reply to `RemoveCall`.
    public struct RemoveReply: JSONRecord {
        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// Sets what differs from Relativity's usual ways; probe off keeps the daemon from probing it by itself, hidden marks it
    /// for programs that show lists to people. readOnly refuses calls that may change something, through adapters and grants;
    /// grantsOnly refuses adapters; sessionExport permits Broker.OpenSession. confirm has the user agree, in a prompt, to each
    /// adapter, grant, session and capture before it is made; without an answer within 30 seconds it is refused.
    /// acceptUnknownOwner sends logins to a server of this machine even if the kernel does not tell which user's process it is,
    /// as in a user namespace; a process that is known to be another user's gets none. Absent members stay as they are. scheme
    /// and path are those of its url, dataService and loginService the names of its services.
    public struct SetCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.SetReply

        public static let method = "org.relativityd.Registry.Set"

        public enum Scheme: String, JSONWord {
            case http
            case https
        }

        public enum Probe: String, JSONWord {
            case on
            case off
        }

        public var endpoint: String
        public var scheme: Scheme?
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

        public init(
            endpoint: String,
            scheme: Scheme? = nil,
            path: String? = nil,
            dataService: String? = nil,
            loginService: String? = nil,
            probe: Probe? = nil,
            hidden: Bool? = nil,
            readOnly: Bool? = nil,
            grantsOnly: Bool? = nil,
            sessionExport: Bool? = nil,
            confirm: Bool? = nil,
            acceptUnknownOwner: Bool? = nil
        ) {
            self.endpoint = endpoint
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
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
            self.scheme = try json.readIfPresent("scheme")
            self.path = try json.readIfPresent("path")
            self.dataService = try json.readIfPresent("dataService")
            self.loginService = try json.readIfPresent("loginService")
            self.probe = try json.readIfPresent("probe")
            self.hidden = try json.readIfPresent("hidden")
            self.readOnly = try json.readIfPresent("readOnly")
            self.grantsOnly = try json.readIfPresent("grantsOnly")
            self.sessionExport = try json.readIfPresent("sessionExport")
            self.confirm = try json.readIfPresent("confirm")
            self.acceptUnknownOwner = try json.readIfPresent("acceptUnknownOwner")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("scheme", ifPresent: self.scheme)
            output.writeMember("path", ifPresent: self.path)
            output.writeMember("dataService", ifPresent: self.dataService)
            output.writeMember("loginService", ifPresent: self.loginService)
            output.writeMember("probe", ifPresent: self.probe)
            output.writeMember("hidden", ifPresent: self.hidden)
            output.writeMember("readOnly", ifPresent: self.readOnly)
            output.writeMember("grantsOnly", ifPresent: self.grantsOnly)
            output.writeMember("sessionExport", ifPresent: self.sessionExport)
            output.writeMember("confirm", ifPresent: self.confirm)
            output.writeMember("acceptUnknownOwner", ifPresent: self.acceptUnknownOwner)
        }
    }

    /// A reply to `SetCall`.
    public struct SetReply: JSONRecord {
        public var endpoint: RegistryAPI.Endpoint

        public init(endpoint: RegistryAPI.Endpoint) {
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
        }
    }

    /// No endpoint has this id or name.
    public struct EndpointNotFoundError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Registry.EndpointNotFound"

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

    /// Several endpoints have this name; candidates are their ids.
    public struct EndpointAmbiguousError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Registry.EndpointAmbiguous"

        public var message: String
        public var hint: String?
        public var candidates: [String]

        public init(message: String, hint: String? = nil, candidates: [String]) {
            self.message = message
            self.hint = hint
            self.candidates = candidates
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
            self.candidates = try json.read("candidates")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
            output.writeMember("candidates", self.candidates)
        }
    }

    /// The name, address or setting makes no sense.
    public struct InvalidEndpointError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Registry.InvalidEndpoint"

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

    /// The name or the server was added already.
    public struct EndpointExistsError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Registry.EndpointExists"

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

    /// The user did not add, use or set it, so there is nothing to remove: it is announced, or the administrator laid it
    /// down.
    public struct EndpointNotManualError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Registry.EndpointNotManual"

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

    /// A limit of the list was reached, or it could not be saved.
    public struct NotSavedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Registry.NotSaved"

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

    /// The reader of Watch fell too far behind.
    public struct WatcherTooSlowError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Registry.WatcherTooSlow"

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
        # The servers that exist: discovered on the network and added by hand, merged into one list. A parameter "endpoint", here
        # and in the other interfaces, takes an id, or a name that only one endpoint has.
        interface org.relativityd.Registry

        # name, host, txt and everything else that a stranger chose is foreign text: escape it before a terminal sees it.
        # stateReason says more where the state has a reason. stateSince is since when attempts to reach the server have met it;
        # stateHeard is there until the daemon has tried for itself: when an earlier run last found it so. probe is off where the
        # user has asked for no probes. addresses lists IPv4 first; url is where the dispatcher answers;
        # announcedUrl is there where a server that was added announces itself with another scheme or path: which of them is right
        # only the user can tell, and url is what counts.
        # sources are the names of those that sight it now, as Manager.GetStatus has them. hidden: the user does not want to see
        # it in lists; List and Watch tell it all the same.
        # loginDomain and loginSchema are what a login is usually for, where a file said so. id never changes, and is what to
        # store. origin: announced on the network, added by hand, imported from a file, or laid down by the administrator. port
        # and path are those of url; interfaces are the names of those of this machine on which it is announced, serviceType and
        # domain what it is announced as. dataService and loginService are the names of its services. readOnly, grantsOnly,
        # sessionExport, confirm and acceptUnknownOwner are as in Set.
        type Endpoint (
          id: string,
          name: string,
          origin: (discovered, manual, imported, configured),
          state: (unknown, announced, stale, reachable, unreachable, conflict),
          stateReason: ?string,
          stateSince: ?int,
          stateHeard: ?int,
          url: string,
          announcedUrl: ?string,
          scheme: (http, https),
          host: string,
          port: int,
          path: string,
          addresses: []string,
          interfaces: []string,
          sources: []string,
          dataService: string,
          loginService: string,
          serviceType: ?string,
          domain: ?string,
          txt: []string,
          probe: (on, off),
          hidden: bool,
          readOnly: bool,
          grantsOnly: bool,
          sessionExport: bool,
          confirm: bool,
          acceptUnknownOwner: bool,
          loginDomain: ?string,
          loginSchema: ?string
        )

        # Who an endpoint is to us: the pin that a login to it would be bound to. tier is 3 for a TLS key or a certificate, 1 for
        # a plain HTTP address, 0 for plain HTTP on this machine; authority is the host for which a trusted certificate authority
        # has to vouch, whatever the key, and absent for a TLS key and plain HTTP; fingerprint is the SHA-256 (64 hexadecimal
        # digits) that stands for the pin; words are the same as eight words; address and port are where it was taken.
        # vouchedFor: a file of the administrator has
        # this very fingerprint, so nobody has to be asked; plaintextPermitted: it permits plain HTTP to this address.
        type Identity (
          tier: int,
          authority: ?string,
          fingerprint: string,
          words: string,
          address: string,
          port: int,
          vouchedFor: bool,
          plaintextPermitted: bool
        )

        # What a probe has met. reason says more where the server was not reached, or is another one than it was pinned to.
        # milliseconds tells how long it took to find the outcome.
        type Probe (
          outcome: (reachable, unreachable, conflict),
          reason: ?string,
          milliseconds: int
        )

        # All endpoints, by name. revision counts the changes that were told since the daemon started: where more changes come
        # than watchers are told in a second (100), endpoints may be ahead of it for a while. Right after its start the daemon
        # answers when discovery has said what it knew at first, after 1.5 seconds at the latest.
        method List() -> (revision: int, endpoints: []Endpoint)

        # One endpoint by id or by a name that only one has.
        method Get(endpoint: string) -> (endpoint: Endpoint)

        # The identity of an endpoint as it is now. For https this connects to it, as far as the TLS handshake. trust chooses
        # between its key and a certificate authority's word for its host; without it the administrator does, then what the
        # endpoint is pinned to, and else it is the key.
        method GetIdentity(endpoint: string, trust: ?(key, ca)) -> (identity: Identity)

        # Connects to an endpoint now, for https as far as the TLS handshake, and tells whether it is there. Nothing is sent over
        # plain HTTP, and never a login. A second attempt follows one that fails: it may take four seconds.
        method Probe(endpoint: string) -> (probe: Probe)

        # Called with "more": first, as kind tells, one snapshot with all endpoints as watchers were told of them so far, then
        # each change in order. A change of an endpoint that comes while an older one of it waits to be told takes its place.
        # revision grows by one with each change that is told; without endpoint the watch has all of them. A reader that is too
        # slow gets the error WatcherTooSlow and is closed. With endpoint, snapshot and changes are of that one alone, which
        # counts as in use meanwhile: it is probed more often, if it is probed at all. since is the last revision that the
        # caller has heard: if the daemon still knows the changes since then, "resumed" takes the place of the snapshot, and
        # they follow; else there is a snapshot, as without since. Revisions are higher after each start of the daemon.
        method Watch(endpoint: ?string, since: ?int) -> (
          kind: (snapshot, resumed, added, changed, removed),
          revision: int,
          endpoints: ?[]Endpoint,
          endpoint: ?Endpoint
        )

        # Adds a server by hand. address is a host, host:port or full URL; what is missing is completed to
        # http://HOST:7099/bin. name is what the server shall be called here.
        method Add(name: string, address: string) -> (endpoint: Endpoint)

        # Adds the server of a .relativityClient file, given as text. name is what it shall be called here; else it is called as in
        # the file. Where the file has no address but the name of an announced server, that must be announced now: it is added
        # with its present address. adminUser and dataUser are the names of users that the file has, for which logins may be
        # made. content is the text of the file.
        method Import(
          name: ?string,
          content: string
        ) -> (endpoint: Endpoint, adminUser: ?string, dataUser: ?string)

        # The text of a .relativityClient file for an endpoint. It has no user and no password. That text is content.
        method Export(endpoint: string) -> (content: string)

        # Forgets that it was added or was used once, and what was set. While its server announces itself it stays as
        # discovered.
        method Remove(endpoint: string) -> ()

        # Sets what differs from Relativity's usual ways; probe off keeps the daemon from probing it by itself, hidden marks it
        # for programs that show lists to people. readOnly refuses calls that may change something, through adapters and grants;
        # grantsOnly refuses adapters; sessionExport permits Broker.OpenSession. confirm has the user agree, in a prompt, to each
        # adapter, grant, session and capture before it is made; without an answer within 30 seconds it is refused.
        # acceptUnknownOwner sends logins to a server of this machine even if the kernel does not tell which user's process it is,
        # as in a user namespace; a process that is known to be another user's gets none. Absent members stay as they are. scheme
        # and path are those of its url, dataService and loginService the names of its services.
        method Set(
          endpoint: string,
          scheme: ?(http, https),
          path: ?string,
          dataService: ?string,
          loginService: ?string,
          probe: ?(on, off),
          hidden: ?bool,
          readOnly: ?bool,
          grantsOnly: ?bool,
          sessionExport: ?bool,
          confirm: ?bool,
          acceptUnknownOwner: ?bool
        ) -> (endpoint: Endpoint)

        # No endpoint has this id or name.
        error EndpointNotFound (message: string, hint: ?string)

        # Several endpoints have this name; candidates are their ids.
        error EndpointAmbiguous (message: string, hint: ?string, candidates: []string)

        # The name, address or setting makes no sense.
        error InvalidEndpoint (message: string, hint: ?string)

        # The name or the server was added already.
        error EndpointExists (message: string, hint: ?string)

        # The user did not add, use or set it, so there is nothing to remove: it is announced, or the administrator laid it
        # down.
        error EndpointNotManual (message: string, hint: ?string)

        # A limit of the list was reached, or it could not be saved.
        error NotSaved (message: string, hint: ?string)

        # The reader of Watch fell too far behind.
        error WatcherTooSlow (message: string, hint: ?string)

        """#
}
