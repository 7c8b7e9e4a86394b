// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Registry.varlink. Change that file, then run `make generate`.

public import JSON
public import Varlink

/// The list of servers: discovered on the network, added by the user, imported from a file, or configured by the
/// administrator. A parameter "endpoint", here and in the other interfaces, takes an ID or a name that is unique, or the
/// beginning of one of those if only one server that was added or used has it.
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

    /// The scheme of a server's URL.
    public enum Scheme: String, JSONWord {
        case http
        case https
    }

    /// The kind of identity of a server: key, its TLS key; ca, its host name, verified by a certificate authority.
    public enum Trust: String, JSONWord {
        case key
        case ca
    }

    /// The reason for a state or for the result of a probe: a code, and the values that belong to it. Other values are absent.
    public struct Reason: JSONRecord {
        public enum Code: String, JSONWord {
            case error
            case connectError
            case connectTimeout
            case noConnection
            case noAnswer
            case closed
            case brokenOff
            case spokeFirst
            case tlsFailed
            case noKey
            case overloaded
            case noAddress
            case addressRefused
            case noInterface
            case lookUpFailed
            case lookUpTimeout
            case noListener
            case notListed
            case vanished
            case nameTaken
            case otherUser
            case otherKey
            case otherIdentity
            case notVouched
            case tlsGone
            case tlsNow
            case otherPlace
            case otherInterface
            case pinDamaged
        }

        /// error: an error, which is in detail. connectError: connecting failed, with errno and its text in detail.
        /// connectTimeout: no connection in time. noConnection: no connection, for no known reason. noAnswer: no response in
        /// time. closed: the server closed the connection. brokenOff: it did so before the end of its reply. spokeFirst: the
        /// server sent data before the request. tlsFailed: the server does not speak TLS, or no version that both know. noKey:
        /// the server showed no key. overloaded: too many calls wait for the server. noAddress: no address is known.
        /// addressRefused: no source is allowed to name the addresses in detail. noInterface: the interface host does not
        /// exist. lookUpFailed: the name host was not found, for the reason in detail. lookUpTimeout: the name was not found in
        /// time. noListener: no process accepts the connection on port. notListed: the server is not in the list. vanished: the
        /// server no longer announces itself. nameTaken: another server announces itself under the same name. otherUser: a
        /// process of another user of this machine listens on port. otherKey: the server showed another TLS key, shown.
        /// otherIdentity: its fingerprint, shown, is not that in the administrator's file path. notVouched: no authority
        /// verifies it as host, for the reason in detail. tlsGone: it no longer uses TLS. tlsNow: it uses TLS, and the pin is
        /// for plain HTTP at host. otherPlace: it is no longer at host and port. otherInterface: it is on another interface, as
        /// detail says. pinDamaged: the pin is damaged.
        public var code: Code
        /// The name or address of a host, or the name of an interface. Untrusted.
        public var host: String?
        /// The port of a server.
        public var port: Int64?
        /// A TLS key or a fingerprint.
        public var shown: String?
        /// A file of the administrator.
        public var path: String?
        /// The number of an error of the system.
        public var errno: Int64?
        /// A text of the system, of a library or of an error. Untrusted text in it is escaped.
        public var detail: String?

        public init(
            code: Code,
            host: String? = nil,
            port: Int64? = nil,
            shown: String? = nil,
            path: String? = nil,
            errno: Int64? = nil,
            detail: String? = nil
        ) {
            self.code = code
            self.host = host
            self.port = port
            self.shown = shown
            self.path = path
            self.errno = errno
            self.detail = detail
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.code = try json.read("code")
            self.host = try json.readIfPresent("host")
            self.port = try json.readIfPresent("port")
            self.shown = try json.readIfPresent("shown")
            self.path = try json.readIfPresent("path")
            self.errno = try json.readIfPresent("errno")
            self.detail = try json.readIfPresent("detail")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("code", self.code)
            output.writeMember("host", ifPresent: self.host)
            output.writeMember("port", ifPresent: self.port)
            output.writeMember("shown", ifPresent: self.shown)
            output.writeMember("path", ifPresent: self.path)
            output.writeMember("errno", ifPresent: self.errno)
            output.writeMember("detail", ifPresent: self.detail)
        }
    }

    /// A server in the list. Untrusted text comes from the network: escape it before you print it to a terminal.
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

        public enum Probe: String, JSONWord {
            case on
            case off
        }

        /// The ID, which never changes, also across restarts of the daemon and changes of address. Clients should store it.
        public var id: String
        /// The name that the user or the administrator gave, otherwise the announced name. Untrusted, and not unique.
        public var name: String
        /// discovered: only announced. manual: added by the user. imported: added from a .relativityClient file. configured:
        /// added by the administrator.
        public var origin: Origin
        /// unknown: neither announced nor contacted yet. announced: a source announces it, and it was not contacted yet. stale:
        /// it was announced, and its source is down or has not reported yet. reachable: the last call or probe reached it.
        /// unreachable: the last call or probe failed. conflict: another server has its name, or it does not match its pin.
        public var state: State
        /// The reason for the state. Absent if there is nothing to add.
        public var stateReason: RegistryAPI.Reason?
        /// When calls and probes began to have this result, in seconds since 1970. Absent if the state is not from a call or
        /// probe.
        public var stateSince: Int64?
        /// When an earlier run of the daemon last found this state, in seconds since 1970. Absent once this run has tried.
        public var stateHeard: Int64?
        /// The URL of the server's dispatcher, where calls go.
        public var url: String
        /// The URL that the server announces, if it was added with another scheme or path. Calls still go to url.
        public var announcedUrl: String?
        /// The scheme of url.
        public var scheme: RegistryAPI.Scheme
        /// The host of url: a name or an address. Untrusted unless the endpoint was added.
        public var host: String
        /// The port of url.
        public var port: Int64
        /// The path of url.
        public var path: String
        /// The announced addresses, IPv4 first.
        public var addresses: [String]
        /// The network interfaces of this machine on which it is announced.
        public var interfaces: [String]
        /// The names of the sources that announce it: avahi, dns:DOMAIN or etcd:NAME, as in Manager.Source.
        public var sources: [String]
        /// The name of its data service.
        public var dataService: String
        /// The name of its login service.
        public var loginService: String
        /// The service type that it is announced as. Absent if it was never announced.
        public var serviceType: String?
        /// The domain that it is announced in. Absent if it was never announced.
        public var domain: String?
        /// The strings of its TXT record. Untrusted; bytes that are not UTF-8 are replaced by U+FFFD.
        public var txt: [String]
        /// off: the daemon does not probe the server automatically.
        public var probe: Probe
        /// Whether lists for people should leave it out. List and Watch include it.
        public var hidden: Bool
        /// Whether calls that may change something are refused, through adapters and through grants.
        public var readOnly: Bool
        /// Whether adapters are refused, so that only grants reach the server.
        public var grantsOnly: Bool
        /// Always false.
        public var sessionExport: Bool
        /// Whether the user must approve each adapter, grant and capture in a prompt.
        public var confirm: Bool
        /// Whether logins are sent to a server on this machine even if the kernel does not report which user's process it is.
        public var acceptUnknownOwner: Bool
        /// The usual domain of its logins. Absent unless a file gave one.
        public var loginDomain: String?
        /// The usual schema of its logins. Absent unless a file gave one.
        public var loginSchema: String?
        /// The code page of its text that is not Unicode. Absent if it is not known.
        public var codePage: String?
        /// The name of the login that is used if no other is named. Absent if there is no default.
        public var defaultLogin: String?

        public init(
            id: String,
            name: String,
            origin: Origin,
            state: State,
            stateReason: RegistryAPI.Reason? = nil,
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
            self.codePage = try json.readIfPresent("codePage")
            self.defaultLogin = try json.readIfPresent("defaultLogin")
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
            output.writeMember("codePage", ifPresent: self.codePage)
            output.writeMember("defaultLogin", ifPresent: self.defaultLogin)
        }
    }

    /// The proof that a server must give before a password is sent to it. tlsKey: a TLS key. authority: a certificate for a
    /// host, from a trusted authority. address: nothing, it is plain HTTP at an address. loopback: nothing, it is plain HTTP
    /// on this machine.
    public enum PinStrength: String, JSONWord {
        case tlsKey
        case authority
        case address
        case loopback
    }

    /// The identity of a server: the pin that a login to it would be bound to.
    public struct Identity: JSONRecord {
        /// The strength of the pin.
        public var strength: RegistryAPI.PinStrength
        /// The host that a trusted certificate authority must verify, whatever the key. Absent for a TLS key and for plain
        /// HTTP.
        public var authority: String?
        /// The SHA-256 that identifies the pin, as 64 hexadecimal digits.
        public var fingerprint: String
        /// The fingerprint as eight words.
        public var words: String
        /// The address at which the identity was read.
        public var address: String
        /// The port at which the identity was read.
        public var port: Int64
        /// Whether a file of the administrator contains this fingerprint, so that the user need not verify it.
        public var vouchedFor: Bool
        /// Whether a file of the administrator permits plain HTTP to this address.
        public var plaintextPermitted: Bool

        public init(
            strength: RegistryAPI.PinStrength,
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

        public init(json: JSONObject) throws(JSONShapeError) {
            self.strength = try json.read("strength")
            self.authority = try json.readIfPresent("authority")
            self.fingerprint = try json.read("fingerprint")
            self.words = try json.read("words")
            self.address = try json.read("address")
            self.port = try json.read("port")
            self.vouchedFor = try json.read("vouchedFor")
            self.plaintextPermitted = try json.read("plaintextPermitted")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("strength", self.strength)
            output.writeMember("authority", ifPresent: self.authority)
            output.writeMember("fingerprint", self.fingerprint)
            output.writeMember("words", self.words)
            output.writeMember("address", self.address)
            output.writeMember("port", self.port)
            output.writeMember("vouchedFor", self.vouchedFor)
            output.writeMember("plaintextPermitted", self.plaintextPermitted)
        }
    }

    /// The result of a probe.
    public struct Probe: JSONRecord {
        public enum Outcome: String, JSONWord {
            case reachable
            case unreachable
            case conflict
        }

        /// conflict: another server than the pinned one responded.
        public var outcome: Outcome
        /// The reason, unless the server was reached.
        public var reason: RegistryAPI.Reason?
        /// How long the probe took.
        public var milliseconds: Int64

        public init(outcome: Outcome, reason: RegistryAPI.Reason? = nil, milliseconds: Int64) {
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

    /// Returns all endpoints, sorted by name. During the first 1.5 seconds after the daemon's start the reply waits for the
    /// first reports of the sources. revision is the number of changes that were sent to watchers since the daemon started.
    /// Changes beyond 100 in a second are queued, so endpoints may be ahead of revision for a while.
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

    /// Returns one endpoint.
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

    /// Reads the current identity of an endpoint. For https it connects to the server, up to the TLS handshake. trust chooses
    /// between the server's key and its host name, verified by a certificate authority. The default is the administrator's
    /// choice, then that of the current pin, then the key.
    public struct GetIdentityCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.GetIdentityReply

        public static let method = "org.relativityd.Registry.GetIdentity"

        public var endpoint: String
        public var trust: RegistryAPI.Trust?

        public init(endpoint: String, trust: RegistryAPI.Trust? = nil) {
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

    /// Connects to an endpoint now, for https up to the TLS handshake. Nothing is sent over plain HTTP, and never a login. A
    /// failed attempt is repeated once, so the call may take four seconds.
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

    /// Streams the list and its changes. Call with "more".
    ///
    /// The first reply has kind "snapshot" and all endpoints, as last sent to watchers. Each later reply has one change: its
    /// kind and the endpoint. revision increases by one with each change that is sent, and is higher after a restart of the
    /// daemon.
    ///
    /// endpoint limits the stream to one endpoint. That counts as use, so it is probed more often if it is probed at all.
    /// since is the last revision that the client has received. If the daemon still has the later changes, the first reply
    /// has kind "resumed" and no endpoints, and those changes follow. Otherwise it is a snapshot.
    ///
    /// A waiting change is replaced by a newer one of the same endpoint. A client that is too slow gets the error
    /// WatcherTooSlow, and the connection is closed.
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

    /// Adds a server. name is its name in the list. address is a host, host:port or a URL; missing parts are taken from
    /// http://HOST:7099/bin.
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

    /// Adds the server of a .relativityClient file.
    public struct ImportCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.ImportReply

        public static let method = "org.relativityd.Registry.Import"

        /// Its name in the list; otherwise the name in the file.
        public var name: String?
        /// The text of the file. If the file contains only the name of an announced server, that server must be announced now,
        /// and its current address is added.
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
        /// A user that the file names, for which a login may be made. Absent if it names none.
        public var adminUser: String?
        /// Another user that the file names. Absent if it names none.
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

    /// Makes a .relativityClient file for an endpoint, without user and password. content is the text of the file.
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

    /// Removes an endpoint that the user added, and the record of its use and settings. A server that announces itself stays
    /// in the list as discovered.
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

    /// Changes the settings of an endpoint. An absent parameter leaves its setting unchanged.
    public struct SetCall: VarlinkMethodCall {
        public typealias Reply = RegistryAPI.SetReply

        public static let method = "org.relativityd.Registry.Set"

        public enum Probe: String, JSONWord {
            case on
            case off
        }

        public var endpoint: String
        /// Its name in the list, if the user added it.
        public var name: String?
        /// The scheme of its URL.
        public var scheme: RegistryAPI.Scheme?
        /// The path of its URL.
        public var path: String?
        /// The name of its data service.
        public var dataService: String?
        /// The name of its login service.
        public var loginService: String?
        /// off: the daemon does not probe the server automatically.
        public var probe: Probe?
        /// Lists for people leave it out.
        public var hidden: Bool?
        /// Refuses calls that may change something, through adapters and through grants.
        public var readOnly: Bool?
        /// Refuses adapters, so that only grants reach the server.
        public var grantsOnly: Bool?
        /// true answers Broker.SessionExportOff, and false has no effect.
        public var sessionExport: Bool?
        /// Makes the user approve each adapter, grant and capture in a prompt. Without an answer within 30 seconds it is
        /// refused.
        public var confirm: Bool?
        /// Sends logins to a server on this machine even if the kernel does not report which user's process it is, as in a user
        /// namespace. A process that is known to be another user's receives none.
        public var acceptUnknownOwner: Bool?
        /// The code page of its text that is not Unicode, such as windows-1252: 1 to 32 ASCII letters, digits, "-" and "_".
        /// Programs that read tables look the name up, the daemon does not. The empty text removes it.
        public var codePage: String?
        /// The name of one of its logins or its beginning: the login that is used if no other is named. It follows a login that
        /// is renamed. The empty text removes it.
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

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
            self.name = try json.readIfPresent("name")
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
            self.codePage = try json.readIfPresent("codePage")
            self.defaultLogin = try json.readIfPresent("defaultLogin")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("name", ifPresent: self.name)
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
            output.writeMember("codePage", ifPresent: self.codePage)
            output.writeMember("defaultLogin", ifPresent: self.defaultLogin)
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

    /// No endpoint has this ID or name. endpoint is the ID or name.
    public struct EndpointNotFoundError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Registry.EndpointNotFound"

        public var message: String
        public var endpoint: String

        public init(message: String, endpoint: String) {
            self.message = message
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.endpoint = try json.read("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("endpoint", self.endpoint)
        }
    }

    /// Several endpoints have this name, or a name or ID that begins with it. endpoint is the text of the call, and
    /// candidates are their IDs.
    public struct EndpointAmbiguousError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Registry.EndpointAmbiguous"

        public var message: String
        public var endpoint: String
        public var candidates: [String]

        public init(message: String, endpoint: String, candidates: [String]) {
            self.message = message
            self.endpoint = endpoint
            self.candidates = candidates
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.endpoint = try json.read("endpoint")
            self.candidates = try json.read("candidates")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("candidates", self.candidates)
        }
    }

    /// The name, the address or the setting is invalid.
    public struct InvalidEndpointError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Registry.InvalidEndpoint"

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

    /// The name is taken, or the server was added already. name is that of the endpoint in the list.
    public struct EndpointExistsError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Registry.EndpointExists"

        public var message: String
        public var name: String

        public init(message: String, name: String) {
            self.message = message
            self.name = name
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.name = try json.read("name")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("name", self.name)
        }
    }

    /// The server cannot be removed or renamed: it is only announced, or the administrator configured it. name is that of the
    /// endpoint.
    public struct EndpointNotManualError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Registry.EndpointNotManual"

        public var message: String
        public var name: String

        public init(message: String, name: String) {
            self.message = message
            self.name = name
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.name = try json.read("name")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("name", self.name)
        }
    }

    /// The number of endpoints or settings has reached limit.
    public struct ListFullError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Registry.ListFull"

        public var message: String
        public var limit: Int64

        public init(message: String, limit: Int64) {
            self.message = message
            self.limit = limit
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.limit = try json.read("limit")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("limit", self.limit)
        }
    }

    /// The file of the list was written by a later version, and is not replaced.
    public struct ListTooNewError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Registry.ListTooNew"

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

    /// The list could not be saved.
    public struct NotSavedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Registry.NotSaved"

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

    /// The client read the replies of Registry.Watch or Broker.Watch too slowly. It can call again immediately.
    public struct WatcherTooSlowError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Registry.WatcherTooSlow"

        public enum Stream: String, JSONWord {
            case endpoints
            case adapters
        }

        public var message: String
        /// The kind of stream.
        public var stream: Stream

        public init(message: String, stream: Stream) {
            self.message = message
            self.stream = stream
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.stream = try json.read("stream")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("stream", self.stream)
        }
    }

    /// The number of watching clients has reached limit.
    public struct TooManyWatchersError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Registry.TooManyWatchers"

        public var message: String
        public var limit: Int64

        public init(message: String, limit: Int64) {
            self.message = message
            self.limit = limit
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.limit = try json.read("limit")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("limit", self.limit)
        }
    }

    /// The definition of the interface.
    public static let definition = #"""
        # The list of servers: discovered on the network, added by the user, imported from a file, or configured by the
        # administrator. A parameter "endpoint", here and in the other interfaces, takes an ID or a name that is unique, or the
        # beginning of one of those if only one server that was added or used has it.
        interface org.relativityd.Registry

        # The scheme of a server's URL.
        type Scheme (http, https)

        # The kind of identity of a server: key, its TLS key; ca, its host name, verified by a certificate authority.
        type Trust (key, ca)

        # The reason for a state or for the result of a probe: a code, and the values that belong to it. Other values are absent.
        type Reason (
          # error: an error, which is in detail. connectError: connecting failed, with errno and its text in detail.
          # connectTimeout: no connection in time. noConnection: no connection, for no known reason. noAnswer: no response in
          # time. closed: the server closed the connection. brokenOff: it did so before the end of its reply. spokeFirst: the
          # server sent data before the request. tlsFailed: the server does not speak TLS, or no version that both know. noKey:
          # the server showed no key. overloaded: too many calls wait for the server. noAddress: no address is known.
          # addressRefused: no source is allowed to name the addresses in detail. noInterface: the interface host does not
          # exist. lookUpFailed: the name host was not found, for the reason in detail. lookUpTimeout: the name was not found in
          # time. noListener: no process accepts the connection on port. notListed: the server is not in the list. vanished: the
          # server no longer announces itself. nameTaken: another server announces itself under the same name. otherUser: a
          # process of another user of this machine listens on port. otherKey: the server showed another TLS key, shown.
          # otherIdentity: its fingerprint, shown, is not that in the administrator's file path. notVouched: no authority
          # verifies it as host, for the reason in detail. tlsGone: it no longer uses TLS. tlsNow: it uses TLS, and the pin is
          # for plain HTTP at host. otherPlace: it is no longer at host and port. otherInterface: it is on another interface, as
          # detail says. pinDamaged: the pin is damaged.
          code: (
            error,
            connectError,
            connectTimeout,
            noConnection,
            noAnswer,
            closed,
            brokenOff,
            spokeFirst,
            tlsFailed,
            noKey,
            overloaded,
            noAddress,
            addressRefused,
            noInterface,
            lookUpFailed,
            lookUpTimeout,
            noListener,
            notListed,
            vanished,
            nameTaken,
            otherUser,
            otherKey,
            otherIdentity,
            notVouched,
            tlsGone,
            tlsNow,
            otherPlace,
            otherInterface,
            pinDamaged
          ),
          # The name or address of a host, or the name of an interface. Untrusted.
          host: ?string,
          # The port of a server.
          port: ?int,
          # A TLS key or a fingerprint.
          shown: ?string,
          # A file of the administrator.
          path: ?string,
          # The number of an error of the system.
          errno: ?int,
          # A text of the system, of a library or of an error. Untrusted text in it is escaped.
          detail: ?string
        )

        # A server in the list. Untrusted text comes from the network: escape it before you print it to a terminal.
        type Endpoint (
          # The ID, which never changes, also across restarts of the daemon and changes of address. Clients should store it.
          id: string,
          # The name that the user or the administrator gave, otherwise the announced name. Untrusted, and not unique.
          name: string,
          # discovered: only announced. manual: added by the user. imported: added from a .relativityClient file. configured:
          # added by the administrator.
          origin: (discovered, manual, imported, configured),
          # unknown: neither announced nor contacted yet. announced: a source announces it, and it was not contacted yet. stale:
          # it was announced, and its source is down or has not reported yet. reachable: the last call or probe reached it.
          # unreachable: the last call or probe failed. conflict: another server has its name, or it does not match its pin.
          state: (unknown, announced, stale, reachable, unreachable, conflict),
          # The reason for the state. Absent if there is nothing to add.
          stateReason: ?Reason,
          # When calls and probes began to have this result, in seconds since 1970. Absent if the state is not from a call or
          # probe.
          stateSince: ?int,
          # When an earlier run of the daemon last found this state, in seconds since 1970. Absent once this run has tried.
          stateHeard: ?int,
          # The URL of the server's dispatcher, where calls go.
          url: string,
          # The URL that the server announces, if it was added with another scheme or path. Calls still go to url.
          announcedUrl: ?string,
          # The scheme of url.
          scheme: Scheme,
          # The host of url: a name or an address. Untrusted unless the endpoint was added.
          host: string,
          # The port of url.
          port: int,
          # The path of url.
          path: string,
          # The announced addresses, IPv4 first.
          addresses: []string,
          # The network interfaces of this machine on which it is announced.
          interfaces: []string,
          # The names of the sources that announce it: avahi, dns:DOMAIN or etcd:NAME, as in Manager.Source.
          sources: []string,
          # The name of its data service.
          dataService: string,
          # The name of its login service.
          loginService: string,
          # The service type that it is announced as. Absent if it was never announced.
          serviceType: ?string,
          # The domain that it is announced in. Absent if it was never announced.
          domain: ?string,
          # The strings of its TXT record. Untrusted; bytes that are not UTF-8 are replaced by U+FFFD.
          txt: []string,
          # off: the daemon does not probe the server automatically.
          probe: (on, off),
          # Whether lists for people should leave it out. List and Watch include it.
          hidden: bool,
          # Whether calls that may change something are refused, through adapters and through grants.
          readOnly: bool,
          # Whether adapters are refused, so that only grants reach the server.
          grantsOnly: bool,
          # Always false.
          sessionExport: bool,
          # Whether the user must approve each adapter, grant and capture in a prompt.
          confirm: bool,
          # Whether logins are sent to a server on this machine even if the kernel does not report which user's process it is.
          acceptUnknownOwner: bool,
          # The usual domain of its logins. Absent unless a file gave one.
          loginDomain: ?string,
          # The usual schema of its logins. Absent unless a file gave one.
          loginSchema: ?string,
          # The code page of its text that is not Unicode. Absent if it is not known.
          codePage: ?string,
          # The name of the login that is used if no other is named. Absent if there is no default.
          defaultLogin: ?string
        )

        # The proof that a server must give before a password is sent to it. tlsKey: a TLS key. authority: a certificate for a
        # host, from a trusted authority. address: nothing, it is plain HTTP at an address. loopback: nothing, it is plain HTTP
        # on this machine.
        type PinStrength (tlsKey, authority, address, loopback)

        # The identity of a server: the pin that a login to it would be bound to.
        type Identity (
          # The strength of the pin.
          strength: PinStrength,
          # The host that a trusted certificate authority must verify, whatever the key. Absent for a TLS key and for plain
          # HTTP.
          authority: ?string,
          # The SHA-256 that identifies the pin, as 64 hexadecimal digits.
          fingerprint: string,
          # The fingerprint as eight words.
          words: string,
          # The address at which the identity was read.
          address: string,
          # The port at which the identity was read.
          port: int,
          # Whether a file of the administrator contains this fingerprint, so that the user need not verify it.
          vouchedFor: bool,
          # Whether a file of the administrator permits plain HTTP to this address.
          plaintextPermitted: bool
        )

        # The result of a probe.
        type Probe (
          # conflict: another server than the pinned one responded.
          outcome: (reachable, unreachable, conflict),
          # The reason, unless the server was reached.
          reason: ?Reason,
          # How long the probe took.
          milliseconds: int
        )

        # Returns all endpoints, sorted by name. During the first 1.5 seconds after the daemon's start the reply waits for the
        # first reports of the sources. revision is the number of changes that were sent to watchers since the daemon started.
        # Changes beyond 100 in a second are queued, so endpoints may be ahead of revision for a while.
        method List() -> (revision: int, endpoints: []Endpoint)

        # Returns one endpoint.
        method Get(endpoint: string) -> (endpoint: Endpoint)

        # Reads the current identity of an endpoint. For https it connects to the server, up to the TLS handshake. trust chooses
        # between the server's key and its host name, verified by a certificate authority. The default is the administrator's
        # choice, then that of the current pin, then the key.
        method GetIdentity(endpoint: string, trust: ?Trust) -> (identity: Identity)

        # Connects to an endpoint now, for https up to the TLS handshake. Nothing is sent over plain HTTP, and never a login. A
        # failed attempt is repeated once, so the call may take four seconds.
        method Probe(endpoint: string) -> (probe: Probe)

        # Streams the list and its changes. Call with "more".
        #
        # The first reply has kind "snapshot" and all endpoints, as last sent to watchers. Each later reply has one change: its
        # kind and the endpoint. revision increases by one with each change that is sent, and is higher after a restart of the
        # daemon.
        #
        # endpoint limits the stream to one endpoint. That counts as use, so it is probed more often if it is probed at all.
        # since is the last revision that the client has received. If the daemon still has the later changes, the first reply
        # has kind "resumed" and no endpoints, and those changes follow. Otherwise it is a snapshot.
        #
        # A waiting change is replaced by a newer one of the same endpoint. A client that is too slow gets the error
        # WatcherTooSlow, and the connection is closed.
        method Watch(endpoint: ?string, since: ?int) -> (
          kind: (snapshot, resumed, added, changed, removed),
          revision: int,
          endpoints: ?[]Endpoint,
          endpoint: ?Endpoint
        )

        # Adds a server. name is its name in the list. address is a host, host:port or a URL; missing parts are taken from
        # http://HOST:7099/bin.
        method Add(name: string, address: string) -> (endpoint: Endpoint)

        # Adds the server of a .relativityClient file.
        method Import(
          # Its name in the list; otherwise the name in the file.
          name: ?string,
          # The text of the file. If the file contains only the name of an announced server, that server must be announced now,
          # and its current address is added.
          content: string
        ) -> (
          endpoint: Endpoint,
          # A user that the file names, for which a login may be made. Absent if it names none.
          adminUser: ?string,
          # Another user that the file names. Absent if it names none.
          dataUser: ?string
        )

        # Makes a .relativityClient file for an endpoint, without user and password. content is the text of the file.
        method Export(endpoint: string) -> (content: string)

        # Removes an endpoint that the user added, and the record of its use and settings. A server that announces itself stays
        # in the list as discovered.
        method Remove(endpoint: string) -> ()

        # Changes the settings of an endpoint. An absent parameter leaves its setting unchanged.
        method Set(
          endpoint: string,
          # Its name in the list, if the user added it.
          name: ?string,
          # The scheme of its URL.
          scheme: ?Scheme,
          # The path of its URL.
          path: ?string,
          # The name of its data service.
          dataService: ?string,
          # The name of its login service.
          loginService: ?string,
          # off: the daemon does not probe the server automatically.
          probe: ?(on, off),
          # Lists for people leave it out.
          hidden: ?bool,
          # Refuses calls that may change something, through adapters and through grants.
          readOnly: ?bool,
          # Refuses adapters, so that only grants reach the server.
          grantsOnly: ?bool,
          # true answers Broker.SessionExportOff, and false has no effect.
          sessionExport: ?bool,
          # Makes the user approve each adapter, grant and capture in a prompt. Without an answer within 30 seconds it is
          # refused.
          confirm: ?bool,
          # Sends logins to a server on this machine even if the kernel does not report which user's process it is, as in a user
          # namespace. A process that is known to be another user's receives none.
          acceptUnknownOwner: ?bool,
          # The code page of its text that is not Unicode, such as windows-1252: 1 to 32 ASCII letters, digits, "-" and "_".
          # Programs that read tables look the name up, the daemon does not. The empty text removes it.
          codePage: ?string,
          # The name of one of its logins or its beginning: the login that is used if no other is named. It follows a login that
          # is renamed. The empty text removes it.
          defaultLogin: ?string
        ) -> (endpoint: Endpoint)

        # No endpoint has this ID or name. endpoint is the ID or name.
        error EndpointNotFound (message: string, endpoint: string)

        # Several endpoints have this name, or a name or ID that begins with it. endpoint is the text of the call, and
        # candidates are their IDs.
        error EndpointAmbiguous (message: string, endpoint: string, candidates: []string)

        # The name, the address or the setting is invalid.
        error InvalidEndpoint (message: string)

        # The name is taken, or the server was added already. name is that of the endpoint in the list.
        error EndpointExists (message: string, name: string)

        # The server cannot be removed or renamed: it is only announced, or the administrator configured it. name is that of the
        # endpoint.
        error EndpointNotManual (message: string, name: string)

        # The number of endpoints or settings has reached limit.
        error ListFull (message: string, limit: int)

        # The file of the list was written by a later version, and is not replaced.
        error ListTooNew (message: string)

        # The list could not be saved.
        error NotSaved (message: string)

        # The client read the replies of Registry.Watch or Broker.Watch too slowly. It can call again immediately.
        error WatcherTooSlow (
          message: string,
          # The kind of stream.
          stream: (endpoints, adapters)
        )

        # The number of watching clients has reached limit.
        error TooManyWatchers (message: string, limit: int)

        """#
}
