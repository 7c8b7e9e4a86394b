// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Broker.varlink. Change that file, then run `make generate`.

public import JSON
public import Varlink

/// Configured, logged-in adapters to servers. Neither password nor session id ever leaves the daemon.
public enum BrokerAPI {
    /// The interface's name.
    public static let name = "org.relativityd.Broker"

    /// The methods.
    public enum Method: String, Sendable, CaseIterable {
        case open = "org.relativityd.Broker.Open"
        case openSession = "org.relativityd.Broker.OpenSession"
        case list = "org.relativityd.Broker.List"
        case close = "org.relativityd.Broker.Close"
        case watch = "org.relativityd.Broker.Watch"
        case addGrant = "org.relativityd.Broker.AddGrant"
        case listGrants = "org.relativityd.Broker.ListGrants"
        case revokeGrant = "org.relativityd.Broker.RevokeGrant"
        case capture = "org.relativityd.Broker.Capture"
    }

    /// The errors.
    public enum ErrorName: String, Sendable, CaseIterable {
        case loginNeeded = "org.relativityd.Broker.LoginNeeded"
        case loginAmbiguous = "org.relativityd.Broker.LoginAmbiguous"
        case loginRejected = "org.relativityd.Broker.LoginRejected"
        case endpointUnreachable = "org.relativityd.Broker.EndpointUnreachable"
        case identityConflict = "org.relativityd.Broker.IdentityConflict"
        case serverException = "org.relativityd.Broker.ServerException"
        case protocolFailure = "org.relativityd.Broker.ProtocolFailure"
        case adapterNotFound = "org.relativityd.Broker.AdapterNotFound"
        case tooManyAdapters = "org.relativityd.Broker.TooManyAdapters"
        case grantNotFound = "org.relativityd.Broker.GrantNotFound"
        case invalidGrant = "org.relativityd.Broker.InvalidGrant"
    }

    /// HTTP: POST a BinMessage to url, and it reaches the server inside the session. form is "socket", a Unix socket at
    /// socketPath (url is http+unix://, with that path percent-encoded in the place of a host), or "loopback", a port of
    /// 127.0.0.1, or "session" (OpenSession). login is absent for an anonymous adapter; endpoint and what follows up to loginService for a configured one
    /// that nobody has used. A held adapter ends with the call that opened it; a configured one with the daemon; another one
    /// at expires (seconds since 1970) at the latest. pid is the process that opened it. id is what Close takes, endpointName
    /// the name that the endpoint has now; domain and schema are those of the login, dataService and loginService the
    /// services to call. ownSession: no other adapter shares its session. created is in seconds since 1970.
    public struct Adapter: JSONRecord {
        public var id: String
        public var form: String
        public var url: String
        public var socketPath: String?
        public var endpoint: String?
        public var endpointName: String?
        public var domain: String?
        public var schema: String?
        public var dataService: String?
        public var loginService: String?
        public var login: String?
        public var held: Bool
        public var ownSession: Bool
        public var configured: Bool
        public var pid: Int64?
        public var created: Int64
        public var expires: Int64?

        public init(
            id: String,
            form: String,
            url: String,
            socketPath: String? = nil,
            endpoint: String? = nil,
            endpointName: String? = nil,
            domain: String? = nil,
            schema: String? = nil,
            dataService: String? = nil,
            loginService: String? = nil,
            login: String? = nil,
            held: Bool,
            ownSession: Bool,
            configured: Bool,
            pid: Int64? = nil,
            created: Int64,
            expires: Int64? = nil
        ) {
            self.id = id
            self.form = form
            self.url = url
            self.socketPath = socketPath
            self.endpoint = endpoint
            self.endpointName = endpointName
            self.domain = domain
            self.schema = schema
            self.dataService = dataService
            self.loginService = loginService
            self.login = login
            self.held = held
            self.ownSession = ownSession
            self.configured = configured
            self.pid = pid
            self.created = created
            self.expires = expires
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.id = try json.read("id")
            self.form = try json.read("form")
            self.url = try json.read("url")
            self.socketPath = try json.readIfPresent("socketPath")
            self.endpoint = try json.readIfPresent("endpoint")
            self.endpointName = try json.readIfPresent("endpointName")
            self.domain = try json.readIfPresent("domain")
            self.schema = try json.readIfPresent("schema")
            self.dataService = try json.readIfPresent("dataService")
            self.loginService = try json.readIfPresent("loginService")
            self.login = try json.readIfPresent("login")
            self.held = try json.read("held")
            self.ownSession = try json.read("ownSession")
            self.configured = try json.read("configured")
            self.pid = try json.readIfPresent("pid")
            self.created = try json.read("created")
            self.expires = try json.readIfPresent("expires")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("id", self.id)
            output.writeMember("form", self.form)
            output.writeMember("url", self.url)
            output.writeMember("socketPath", ifPresent: self.socketPath)
            output.writeMember("endpoint", ifPresent: self.endpoint)
            output.writeMember("endpointName", ifPresent: self.endpointName)
            output.writeMember("domain", ifPresent: self.domain)
            output.writeMember("schema", ifPresent: self.schema)
            output.writeMember("dataService", ifPresent: self.dataService)
            output.writeMember("loginService", ifPresent: self.loginService)
            output.writeMember("login", ifPresent: self.login)
            output.writeMember("held", self.held)
            output.writeMember("ownSession", self.ownSession)
            output.writeMember("configured", self.configured)
            output.writeMember("pid", ifPresent: self.pid)
            output.writeMember("created", self.created)
            output.writeMember("expires", ifPresent: self.expires)
        }
    }

    /// One call that was made for a report on a server, and what came back. step is "expiry" (a call in a session that the
    /// server does not know), "login", "exception" (a call of a method that does not exist), "schema", "logout" or
    /// "wrong-password". request and reply are base64, without secrets: ClientIDs are zero, and of a login there is only the
    /// beginning. reply is foreign, and absent where nothing came or where it repeats a secret. headers are lines; notes say
    /// what was seen and what was left out. status is that of HTTP; error says why nothing came.
    public struct Exchange: JSONRecord {
        public var step: String
        public var request: String
        public var status: Int64?
        public var headers: [String]
        public var reply: String?
        public var notes: [String]
        public var error: String?

        public init(
            step: String,
            request: String,
            status: Int64? = nil,
            headers: [String],
            reply: String? = nil,
            notes: [String],
            error: String? = nil
        ) {
            self.step = step
            self.request = request
            self.status = status
            self.headers = headers
            self.reply = reply
            self.notes = notes
            self.error = error
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.step = try json.read("step")
            self.request = try json.read("request")
            self.status = try json.readIfPresent("status")
            self.headers = try json.read("headers")
            self.reply = try json.readIfPresent("reply")
            self.notes = try json.read("notes")
            self.error = try json.readIfPresent("error")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("step", self.step)
            output.writeMember("request", self.request)
            output.writeMember("status", ifPresent: self.status)
            output.writeMember("headers", self.headers)
            output.writeMember("reply", ifPresent: self.reply)
            output.writeMember("notes", self.notes)
            output.writeMember("error", ifPresent: self.error)
        }
    }

    /// A socket that lets some calls of one login through: every method in methods of every service in services; if readOnly,
    /// nothing but GetSchema, GetTableSchema, GetCommandSchema, and GetData without Sql and UserFilter. socketPath is in a directory of its
    /// own, which can be mounted into a sandbox. expires is in seconds since 1970. id is what RevokeGrant takes; endpoint is
    /// an id, endpointName the name that it has now; pid is the process that asked for it; created is in seconds since 1970
    /// too.
    public struct Grant: JSONRecord {
        public var id: String
        public var directory: String
        public var socketPath: String
        public var endpoint: String
        public var endpointName: String
        public var login: String
        public var services: [String]
        public var methods: [String]
        public var readOnly: Bool
        public var pid: Int64?
        public var created: Int64
        public var expires: Int64

        public init(
            id: String,
            directory: String,
            socketPath: String,
            endpoint: String,
            endpointName: String,
            login: String,
            services: [String],
            methods: [String],
            readOnly: Bool,
            pid: Int64? = nil,
            created: Int64,
            expires: Int64
        ) {
            self.id = id
            self.directory = directory
            self.socketPath = socketPath
            self.endpoint = endpoint
            self.endpointName = endpointName
            self.login = login
            self.services = services
            self.methods = methods
            self.readOnly = readOnly
            self.pid = pid
            self.created = created
            self.expires = expires
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.id = try json.read("id")
            self.directory = try json.read("directory")
            self.socketPath = try json.read("socketPath")
            self.endpoint = try json.read("endpoint")
            self.endpointName = try json.read("endpointName")
            self.login = try json.read("login")
            self.services = try json.read("services")
            self.methods = try json.read("methods")
            self.readOnly = try json.read("readOnly")
            self.pid = try json.readIfPresent("pid")
            self.created = try json.read("created")
            self.expires = try json.read("expires")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("id", self.id)
            output.writeMember("directory", self.directory)
            output.writeMember("socketPath", self.socketPath)
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("endpointName", self.endpointName)
            output.writeMember("login", self.login)
            output.writeMember("services", self.services)
            output.writeMember("methods", self.methods)
            output.writeMember("readOnly", self.readOnly)
            output.writeMember("pid", ifPresent: self.pid)
            output.writeMember("created", self.created)
            output.writeMember("expires", self.expires)
        }
    }

    /// Opens an adapter, logging in where that is needed. Called with "more" the adapter is held: it lives as long as the
    /// caller stays. login is the name of a login; without it the only login of the endpoint is used. endpoint may be left out
    /// where login is given. anonymous opens without any login, for servers that ask for none. form is "socket" (meant where
    /// it is left out) or "loopback". ownSession logs in anew, for this adapter alone; only then polls for events are taken.
    /// ttlSeconds (60 to 43200) bounds an adapter that is not held; it also ends after 900 seconds without use.
    /// interactive lets the user be asked, through a pinentry or systemd's password agents, for what is missing: the passphrase
    /// of the vault, a login where the endpoint has none (whose server is shown and has to be agreed to), another password where
    /// the server refuses one. Each is asked for three times at most, what was refused is not sent again, and what is accepted
    /// is stored. user, domain and schema are of a login that is made so: without user it is asked for, without the others it
    /// has those that are usual for the endpoint. The call waits its turn for up to 90 seconds, and its questions take up to 90.
    /// Where nobody answers, the error is the one that the call has without interactive, with the reason in its message.
    public struct OpenCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.OpenReply

        public static let method = "org.relativityd.Broker.Open"

        public var endpoint: String?
        public var login: String?
        public var anonymous: Bool?
        public var form: String?
        public var ownSession: Bool?
        public var ttlSeconds: Int64?
        public var interactive: Bool?
        public var user: String?
        public var domain: String?
        public var schema: String?

        public init(
            endpoint: String? = nil,
            login: String? = nil,
            anonymous: Bool? = nil,
            form: String? = nil,
            ownSession: Bool? = nil,
            ttlSeconds: Int64? = nil,
            interactive: Bool? = nil,
            user: String? = nil,
            domain: String? = nil,
            schema: String? = nil
        ) {
            self.endpoint = endpoint
            self.login = login
            self.anonymous = anonymous
            self.form = form
            self.ownSession = ownSession
            self.ttlSeconds = ttlSeconds
            self.interactive = interactive
            self.user = user
            self.domain = domain
            self.schema = schema
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.readIfPresent("endpoint")
            self.login = try json.readIfPresent("login")
            self.anonymous = try json.readIfPresent("anonymous")
            self.form = try json.readIfPresent("form")
            self.ownSession = try json.readIfPresent("ownSession")
            self.ttlSeconds = try json.readIfPresent("ttlSeconds")
            self.interactive = try json.readIfPresent("interactive")
            self.user = try json.readIfPresent("user")
            self.domain = try json.readIfPresent("domain")
            self.schema = try json.readIfPresent("schema")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", ifPresent: self.endpoint)
            output.writeMember("login", ifPresent: self.login)
            output.writeMember("anonymous", ifPresent: self.anonymous)
            output.writeMember("form", ifPresent: self.form)
            output.writeMember("ownSession", ifPresent: self.ownSession)
            output.writeMember("ttlSeconds", ifPresent: self.ttlSeconds)
            output.writeMember("interactive", ifPresent: self.interactive)
            output.writeMember("user", ifPresent: self.user)
            output.writeMember("domain", ifPresent: self.domain)
            output.writeMember("schema", ifPresent: self.schema)
        }
    }

    /// A reply to `OpenCall`.
    public struct OpenReply: JSONRecord {
        public var adapter: BrokerAPI.Adapter

        public init(adapter: BrokerAPI.Adapter) {
            self.adapter = adapter
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.adapter = try json.read("adapter")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("adapter", self.adapter)
        }
    }

    /// Makes a session for a caller who talks to the server by himself; off, unless Registry.Set has allowed it for the endpoint.
    /// Called with "upgrade": the caller makes the ClientID, 16 random bytes in the order of the wire, and sends it as a secret.
    /// So no reply has to hold one. adapter has the form "session", and as url the server's own. The session ends as an adapter
    /// does, and after ttlSeconds (60 to 43200; 900 where it is left out), used or not. It is in the audit log before it is
    /// made. endpoint and login are chosen as in Open.
    public struct OpenSessionCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.OpenSessionReply

        public static let method = "org.relativityd.Broker.OpenSession"

        public var endpoint: String?
        public var login: String?
        public var ttlSeconds: Int64?

        public init(endpoint: String? = nil, login: String? = nil, ttlSeconds: Int64? = nil) {
            self.endpoint = endpoint
            self.login = login
            self.ttlSeconds = ttlSeconds
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.readIfPresent("endpoint")
            self.login = try json.readIfPresent("login")
            self.ttlSeconds = try json.readIfPresent("ttlSeconds")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", ifPresent: self.endpoint)
            output.writeMember("login", ifPresent: self.login)
            output.writeMember("ttlSeconds", ifPresent: self.ttlSeconds)
        }
    }

    /// A reply to `OpenSessionCall`.
    public struct OpenSessionReply: JSONRecord {
        public var adapter: BrokerAPI.Adapter

        public init(adapter: BrokerAPI.Adapter) {
            self.adapter = adapter
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.adapter = try json.read("adapter")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("adapter", self.adapter)
        }
    }

    /// All open adapters, oldest first.
    public struct ListCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.ListReply

        public static let method = "org.relativityd.Broker.List"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `ListCall`.
    public struct ListReply: JSONRecord {
        public var adapters: [BrokerAPI.Adapter]

        public init(adapters: [BrokerAPI.Adapter]) {
            self.adapters = adapters
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.adapters = try json.read("adapters")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("adapters", self.adapters)
        }
    }

    /// Ends an adapter by its id, and the connections to it.
    public struct CloseCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.CloseReply

        public static let method = "org.relativityd.Broker.Close"

        public var adapter: String

        public init(adapter: String) {
            self.adapter = adapter
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.adapter = try json.read("adapter")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("adapter", self.adapter)
        }
    }

    /// A reply to `CloseCall`.
    public struct CloseReply: JSONRecord {
        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// Tells which adapters come and go. Call with "more". First kind is "snapshot", with the adapters that are open; then
    /// "opened" and "ended", with adapter, and for an end with reason ("closed", "holderGone", "expired", "vaultLocked",
    /// "loginForgotten", "stopping") and message, the same as a sentence.
    public struct WatchCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.WatchReply

        public static let method = "org.relativityd.Broker.Watch"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `WatchCall`.
    public struct WatchReply: JSONRecord {
        public var kind: String
        public var adapters: [BrokerAPI.Adapter]?
        public var adapter: BrokerAPI.Adapter?
        public var reason: String?
        public var message: String?

        public init(
            kind: String,
            adapters: [BrokerAPI.Adapter]? = nil,
            adapter: BrokerAPI.Adapter? = nil,
            reason: String? = nil,
            message: String? = nil
        ) {
            self.kind = kind
            self.adapters = adapters
            self.adapter = adapter
            self.reason = reason
            self.message = message
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.kind = try json.read("kind")
            self.adapters = try json.readIfPresent("adapters")
            self.adapter = try json.readIfPresent("adapter")
            self.reason = try json.readIfPresent("reason")
            self.message = try json.readIfPresent("message")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("kind", self.kind)
            output.writeMember("adapters", ifPresent: self.adapters)
            output.writeMember("adapter", ifPresent: self.adapter)
            output.writeMember("reason", ifPresent: self.reason)
            output.writeMember("message", ifPresent: self.message)
        }
    }

    /// Makes a grant. Without services it is for the endpoint's data service; without methods, where it is readOnly, for those
    /// that read. ttlSeconds is 60 to 86400; 28800 where it is left out. The vault must be unlocked now, unless the login is the
    /// administrator's. While it is locked, calls are answered by an exception; the grant stays. It ends with its time, with the
    /// daemon, and when its login is changed or removed. It is in the audit log before the reply.
    public struct AddGrantCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.AddGrantReply

        public static let method = "org.relativityd.Broker.AddGrant"

        public var login: String
        public var services: [String]?
        public var methods: [String]?
        public var readOnly: Bool?
        public var ttlSeconds: Int64?

        public init(
            login: String,
            services: [String]? = nil,
            methods: [String]? = nil,
            readOnly: Bool? = nil,
            ttlSeconds: Int64? = nil
        ) {
            self.login = login
            self.services = services
            self.methods = methods
            self.readOnly = readOnly
            self.ttlSeconds = ttlSeconds
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.login = try json.read("login")
            self.services = try json.readIfPresent("services")
            self.methods = try json.readIfPresent("methods")
            self.readOnly = try json.readIfPresent("readOnly")
            self.ttlSeconds = try json.readIfPresent("ttlSeconds")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("login", self.login)
            output.writeMember("services", ifPresent: self.services)
            output.writeMember("methods", ifPresent: self.methods)
            output.writeMember("readOnly", ifPresent: self.readOnly)
            output.writeMember("ttlSeconds", ifPresent: self.ttlSeconds)
        }
    }

    /// A reply to `AddGrantCall`.
    public struct AddGrantReply: JSONRecord {
        public var grant: BrokerAPI.Grant

        public init(grant: BrokerAPI.Grant) {
            self.grant = grant
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.grant = try json.read("grant")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("grant", self.grant)
        }
    }

    /// All grants, oldest first.
    public struct ListGrantsCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.ListGrantsReply

        public static let method = "org.relativityd.Broker.ListGrants"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `ListGrantsCall`.
    public struct ListGrantsReply: JSONRecord {
        public var grants: [BrokerAPI.Grant]

        public init(grants: [BrokerAPI.Grant]) {
            self.grants = grants
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.grants = try json.read("grants")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("grants", self.grants)
        }
    }

    /// Removes a grant's socket and closes the connections to it. It is in the audit log before the reply.
    public struct RevokeGrantCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.RevokeGrantReply

        public static let method = "org.relativityd.Broker.RevokeGrant"

        public var grant: String

        public init(grant: String) {
            self.grant = grant
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.grant = try json.read("grant")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("grant", self.grant)
        }
    }

    /// A reply to `RevokeGrantCall`.
    public struct RevokeGrantReply: JSONRecord {
        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// Makes the calls of a report on a server: with login, or with the only login of the endpoint, or with anonymous without
    /// one. wrongPassword sends a wrong password once as well. No secret is in the reply. Takes a minute at most.
    public struct CaptureCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.CaptureReply

        public static let method = "org.relativityd.Broker.Capture"

        public var endpoint: String
        public var login: String?
        public var anonymous: Bool?
        public var wrongPassword: Bool?

        public init(endpoint: String, login: String? = nil, anonymous: Bool? = nil, wrongPassword: Bool? = nil) {
            self.endpoint = endpoint
            self.login = login
            self.anonymous = anonymous
            self.wrongPassword = wrongPassword
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
            self.login = try json.readIfPresent("login")
            self.anonymous = try json.readIfPresent("anonymous")
            self.wrongPassword = try json.readIfPresent("wrongPassword")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("login", ifPresent: self.login)
            output.writeMember("anonymous", ifPresent: self.anonymous)
            output.writeMember("wrongPassword", ifPresent: self.wrongPassword)
        }
    }

    /// A reply to `CaptureCall`.
    public struct CaptureReply: JSONRecord {
        public var exchanges: [BrokerAPI.Exchange]

        public init(exchanges: [BrokerAPI.Exchange]) {
            self.exchanges = exchanges
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.exchanges = try json.read("exchanges")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("exchanges", self.exchanges)
        }
    }

    /// The endpoint has no login.
    public struct LoginNeededError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.LoginNeeded"

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

    /// The endpoint has several logins; candidates are their names.
    public struct LoginAmbiguousError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.LoginAmbiguous"

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

    /// The server refused the login. It is not sent again until the user tests or replaces it.
    public struct LoginRejectedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.LoginRejected"

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

    /// No server answers there; the message says why.
    public struct EndpointUnreachableError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.EndpointUnreachable"

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

    /// The server is not the one that the login is bound to. Nothing was sent.
    public struct IdentityConflictError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.IdentityConflict"

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

    /// The server answered with an exception: its class and its text, which is foreign.
    public struct ServerExceptionError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.ServerException"

        public var message: String
        public var hint: String?
        public var `class`: String
        public var text: String

        public init(message: String, hint: String? = nil, `class`: String, text: String) {
            self.message = message
            self.hint = hint
            self.`class` = `class`
            self.text = text
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
            self.`class` = try json.read("class")
            self.text = try json.read("text")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
            output.writeMember("class", self.`class`)
            output.writeMember("text", self.text)
        }
    }

    /// What answers there does not speak the protocol, or not a form of it that is supported.
    public struct ProtocolFailureError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.ProtocolFailure"

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

    /// No adapter has this id.
    public struct AdapterNotFoundError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.AdapterNotFound"

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

    /// The limit of open adapters was reached.
    public struct TooManyAdaptersError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.TooManyAdapters"

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

    /// No grant has this id.
    public struct GrantNotFoundError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.GrantNotFound"

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

    /// What the grant is to allow makes no sense.
    public struct InvalidGrantError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.InvalidGrant"

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
        # Configured, logged-in adapters to servers. Neither password nor session id ever leaves the daemon.
        interface org.relativityd.Broker

        # HTTP: POST a BinMessage to url, and it reaches the server inside the session. form is "socket", a Unix socket at
        # socketPath (url is http+unix://, with that path percent-encoded in the place of a host), or "loopback", a port of
        # 127.0.0.1, or "session" (OpenSession). login is absent for an anonymous adapter; endpoint and what follows up to loginService for a configured one
        # that nobody has used. A held adapter ends with the call that opened it; a configured one with the daemon; another one
        # at expires (seconds since 1970) at the latest. pid is the process that opened it. id is what Close takes, endpointName
        # the name that the endpoint has now; domain and schema are those of the login, dataService and loginService the
        # services to call. ownSession: no other adapter shares its session. created is in seconds since 1970.
        type Adapter (
          id: string,
          form: string,
          url: string,
          socketPath: ?string,
          endpoint: ?string,
          endpointName: ?string,
          domain: ?string,
          schema: ?string,
          dataService: ?string,
          loginService: ?string,
          login: ?string,
          held: bool,
          ownSession: bool,
          configured: bool,
          pid: ?int,
          created: int,
          expires: ?int
        )

        # One call that was made for a report on a server, and what came back. step is "expiry" (a call in a session that the
        # server does not know), "login", "exception" (a call of a method that does not exist), "schema", "logout" or
        # "wrong-password". request and reply are base64, without secrets: ClientIDs are zero, and of a login there is only the
        # beginning. reply is foreign, and absent where nothing came or where it repeats a secret. headers are lines; notes say
        # what was seen and what was left out. status is that of HTTP; error says why nothing came.
        type Exchange (
          step: string,
          request: string,
          status: ?int,
          headers: []string,
          reply: ?string,
          notes: []string,
          error: ?string
        )

        # Opens an adapter, logging in where that is needed. Called with "more" the adapter is held: it lives as long as the
        # caller stays. login is the name of a login; without it the only login of the endpoint is used. endpoint may be left out
        # where login is given. anonymous opens without any login, for servers that ask for none. form is "socket" (meant where
        # it is left out) or "loopback". ownSession logs in anew, for this adapter alone; only then polls for events are taken.
        # ttlSeconds (60 to 43200) bounds an adapter that is not held; it also ends after 900 seconds without use.
        # interactive lets the user be asked, through a pinentry or systemd's password agents, for what is missing: the passphrase
        # of the vault, a login where the endpoint has none (whose server is shown and has to be agreed to), another password where
        # the server refuses one. Each is asked for three times at most, what was refused is not sent again, and what is accepted
        # is stored. user, domain and schema are of a login that is made so: without user it is asked for, without the others it
        # has those that are usual for the endpoint. The call waits its turn for up to 90 seconds, and its questions take up to 90.
        # Where nobody answers, the error is the one that the call has without interactive, with the reason in its message.
        method Open(
          endpoint: ?string,
          login: ?string,
          anonymous: ?bool,
          form: ?string,
          ownSession: ?bool,
          ttlSeconds: ?int,
          interactive: ?bool,
          user: ?string,
          domain: ?string,
          schema: ?string
        ) -> (adapter: Adapter)

        # Makes a session for a caller who talks to the server by himself; off, unless Registry.Set has allowed it for the endpoint.
        # Called with "upgrade": the caller makes the ClientID, 16 random bytes in the order of the wire, and sends it as a secret.
        # So no reply has to hold one. adapter has the form "session", and as url the server's own. The session ends as an adapter
        # does, and after ttlSeconds (60 to 43200; 900 where it is left out), used or not. It is in the audit log before it is
        # made. endpoint and login are chosen as in Open.
        method OpenSession(endpoint: ?string, login: ?string, ttlSeconds: ?int) -> (adapter: Adapter)

        # All open adapters, oldest first.
        method List() -> (adapters: []Adapter)

        # Ends an adapter by its id, and the connections to it.
        method Close(adapter: string) -> ()

        # Tells which adapters come and go. Call with "more". First kind is "snapshot", with the adapters that are open; then
        # "opened" and "ended", with adapter, and for an end with reason ("closed", "holderGone", "expired", "vaultLocked",
        # "loginForgotten", "stopping") and message, the same as a sentence.
        method Watch() -> (
          kind: string,
          adapters: ?[]Adapter,
          adapter: ?Adapter,
          reason: ?string,
          message: ?string
        )

        # A socket that lets some calls of one login through: every method in methods of every service in services; if readOnly,
        # nothing but GetSchema, GetTableSchema, GetCommandSchema, and GetData without Sql and UserFilter. socketPath is in a directory of its
        # own, which can be mounted into a sandbox. expires is in seconds since 1970. id is what RevokeGrant takes; endpoint is
        # an id, endpointName the name that it has now; pid is the process that asked for it; created is in seconds since 1970
        # too.
        type Grant (
          id: string,
          directory: string,
          socketPath: string,
          endpoint: string,
          endpointName: string,
          login: string,
          services: []string,
          methods: []string,
          readOnly: bool,
          pid: ?int,
          created: int,
          expires: int
        )

        # Makes a grant. Without services it is for the endpoint's data service; without methods, where it is readOnly, for those
        # that read. ttlSeconds is 60 to 86400; 28800 where it is left out. The vault must be unlocked now, unless the login is the
        # administrator's. While it is locked, calls are answered by an exception; the grant stays. It ends with its time, with the
        # daemon, and when its login is changed or removed. It is in the audit log before the reply.
        method AddGrant(
          login: string,
          services: ?[]string,
          methods: ?[]string,
          readOnly: ?bool,
          ttlSeconds: ?int
        ) -> (grant: Grant)

        # All grants, oldest first.
        method ListGrants() -> (grants: []Grant)

        # Removes a grant's socket and closes the connections to it. It is in the audit log before the reply.
        method RevokeGrant(grant: string) -> ()

        # Makes the calls of a report on a server: with login, or with the only login of the endpoint, or with anonymous without
        # one. wrongPassword sends a wrong password once as well. No secret is in the reply. Takes a minute at most.
        method Capture(endpoint: string, login: ?string, anonymous: ?bool, wrongPassword: ?bool) -> (exchanges: []Exchange)

        # The endpoint has no login.
        error LoginNeeded (message: string, hint: ?string)

        # The endpoint has several logins; candidates are their names.
        error LoginAmbiguous (message: string, hint: ?string, candidates: []string)

        # The server refused the login. It is not sent again until the user tests or replaces it.
        error LoginRejected (message: string, hint: ?string)

        # No server answers there; the message says why.
        error EndpointUnreachable (message: string, hint: ?string)

        # The server is not the one that the login is bound to. Nothing was sent.
        error IdentityConflict (message: string, hint: ?string)

        # The server answered with an exception: its class and its text, which is foreign.
        error ServerException (message: string, hint: ?string, class: string, text: string)

        # What answers there does not speak the protocol, or not a form of it that is supported.
        error ProtocolFailure (message: string, hint: ?string)

        # No adapter has this id.
        error AdapterNotFound (message: string, hint: ?string)

        # The limit of open adapters was reached.
        error TooManyAdapters (message: string, hint: ?string)

        # No grant has this id.
        error GrantNotFound (message: string, hint: ?string)

        # What the grant is to allow makes no sense.
        error InvalidGrant (message: string, hint: ?string)

        """#
}
