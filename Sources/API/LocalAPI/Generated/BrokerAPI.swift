// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Broker.varlink. Change that file, then run `make generate`.

public import JSON
public import Varlink

/// Adapters and grants. An adapter connects a program to a server inside a logged-in session. A grant permits only some
/// calls. No password and no session ID ever leaves the daemon.
public enum BrokerAPI {
    /// The interface's name.
    public static let name = "org.relativityd.Broker"

    /// The methods.
    public enum Method: String, Sendable, CaseIterable {
        case open = "org.relativityd.Broker.Open"
        case choose = "org.relativityd.Broker.Choose"
        case openSession = "org.relativityd.Broker.OpenSession"
        case list = "org.relativityd.Broker.List"
        case close = "org.relativityd.Broker.Close"
        case watch = "org.relativityd.Broker.Watch"
        case addGrant = "org.relativityd.Broker.AddGrant"
        case listGrants = "org.relativityd.Broker.ListGrants"
        case revokeGrant = "org.relativityd.Broker.RevokeGrant"
        case capture = "org.relativityd.Broker.Capture"
    }

    /// What chose a login, in the order of precedence. named: the caller named it. variable: the caller's preferredLogin.
    /// endpoint: it is the default of the endpoint, which Registry.Set sets. global: it is the user's default for all
    /// endpoints. onlyOne: there is no other one.
    public enum Chooser: String, JSONWord {
        case named
        case variable
        case endpoint
        case global
        case onlyOne
    }

    /// An address on this machine. A BinMessage that is sent to it by HTTP POST reaches the server inside the session.
    public struct Adapter: JSONRecord {
        /// The ID, which Close takes.
        public var id: String
        /// socket: a Unix socket. loopback: a port of 127.0.0.1. session: not used any more.
        public var form: String
        /// The URL to post to. For a socket it begins with http+unix://, with the percent-encoded path instead of the host.
        public var url: String
        /// The path of the socket. Absent for other forms.
        public var socketPath: String?
        /// The ID of the endpoint. Absent, as the members up to loginService are, for a configured adapter before its first
        /// use.
        public var endpoint: String?
        /// The current name of the endpoint. Untrusted.
        public var endpointName: String?
        /// The domain of the login.
        public var domain: String?
        /// The schema of the login.
        public var schema: String?
        /// The name of the server's data service.
        public var dataService: String?
        /// The name of the server's login service.
        public var loginService: String?
        /// The name of the login. Absent if the adapter is anonymous.
        public var login: String?
        /// What chose the login when the adapter was opened. Absent if the adapter is anonymous or configured.
        public var chosenBy: BrokerAPI.Chooser?
        /// Whether the adapter is closed with the call that opened it.
        public var held: Bool
        /// Whether the adapter has a session of its own, which no other adapter uses.
        public var ownSession: Bool
        /// Whether the adapter is in the daemon's configuration. It is then closed with the daemon.
        public var configured: Bool
        /// The ID of the process that opened it.
        public var pid: Int64?
        /// The ID of the process that opened it on the second socket and claimed to act for pid. Absent if pid opened it.
        public var claimedBy: Int64?
        /// When it was opened, in seconds since 1970.
        public var created: Int64
        /// When it is closed at the latest, in seconds since 1970. Absent if it is held or configured.
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
            chosenBy: BrokerAPI.Chooser? = nil,
            held: Bool,
            ownSession: Bool,
            configured: Bool,
            pid: Int64? = nil,
            claimedBy: Int64? = nil,
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
            self.chosenBy = chosenBy
            self.held = held
            self.ownSession = ownSession
            self.configured = configured
            self.pid = pid
            self.claimedBy = claimedBy
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
            self.chosenBy = try json.readIfPresent("chosenBy")
            self.held = try json.read("held")
            self.ownSession = try json.read("ownSession")
            self.configured = try json.read("configured")
            self.pid = try json.readIfPresent("pid")
            self.claimedBy = try json.readIfPresent("claimedBy")
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
            output.writeMember("chosenBy", ifPresent: self.chosenBy)
            output.writeMember("held", self.held)
            output.writeMember("ownSession", self.ownSession)
            output.writeMember("configured", self.configured)
            output.writeMember("pid", ifPresent: self.pid)
            output.writeMember("claimedBy", ifPresent: self.claimedBy)
            output.writeMember("created", self.created)
            output.writeMember("expires", ifPresent: self.expires)
        }
    }

    /// An observation about an exchange: a code, and the values that belong to it. Other values are absent.
    public struct ExchangeNote: JSONRecord {
        public enum Code: String, JSONWord {
            case loginOmitted
            case loginReplyOmitted
            case bodyUnreadable
            case bodySecret
            case headerSecret
            case bytesOmitted
            case notMessage
            case message
            case compressedMessage
            case sameClientID
            case zeroClientID
            case otherClientID
            case exception
            case schemaElement
            case schemaNotXML
        }

        public enum Kind: String, JSONWord {
            case message
            case exception
            case event
            case poll
            case pollResponse
        }

        /// loginOmitted: the login string of the request is left out. loginReplyOmitted: the answer to a login has count bytes and
        /// is no BinMessage, so it is left out. bodyUnreadable: the answer cannot be read for the reason in text, and is left out.
        /// bodySecret: the answer is left out because it repeats a secret. headerSecret: so is a header. bytesOmitted: the last
        /// count bytes of the answer are left out. notMessage: the answer has count bytes and is no BinMessage. message,
        /// compressedMessage: it is a BinMessage of count bytes. sameClientID: its ClientID is that of the request. zeroClientID:
        /// its ClientID is zero. otherClientID: it has another ClientID. exception: it is an exception of the class in text.
        /// schemaElement: text is a path of the schema's elements, with attributes and a number of occurrences. schemaNotXML: the
        /// schema is not XML.
        public var code: Code
        /// The kind of the BinMessage.
        public var kind: Kind?
        /// A number of bytes.
        public var count: Int64?
        /// A text of the server or of an error. Foreign text in it is escaped.
        public var text: String?

        public init(code: Code, kind: Kind? = nil, count: Int64? = nil, text: String? = nil) {
            self.code = code
            self.kind = kind
            self.count = count
            self.text = text
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.code = try json.read("code")
            self.kind = try json.readIfPresent("kind")
            self.count = try json.readIfPresent("count")
            self.text = try json.readIfPresent("text")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("code", self.code)
            output.writeMember("kind", ifPresent: self.kind)
            output.writeMember("count", ifPresent: self.count)
            output.writeMember("text", ifPresent: self.text)
        }
    }

    /// One call of a report on a server, and the server's answer.
    public struct Exchange: JSONRecord {
        /// expiry: a call in a session that the server does not know. login. exception: a call of a method that does not exist.
        /// schema. logout. wrong-password: a login with a wrong password.
        public var step: String
        /// The request as base64. Every ClientID in it is zero, and a login is cut before its parameters.
        public var request: String
        /// The HTTP status code. Absent without a response.
        public var status: Int64?
        /// The header lines of the response. Untrusted.
        public var headers: [String]
        /// The response as base64. Untrusted. Absent without a response, or if the response repeats a secret.
        public var reply: String?
        /// Observations, and what was left out.
        public var notes: [BrokerAPI.ExchangeNote]
        /// Why no answer came. Absent if one came.
        public var error: String?

        public init(
            step: String,
            request: String,
            status: Int64? = nil,
            headers: [String],
            reply: String? = nil,
            notes: [BrokerAPI.ExchangeNote],
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

    /// A socket that permits some calls of one login, and no other calls.
    public struct Grant: JSONRecord {
        /// The ID, which RevokeGrant takes.
        public var id: String
        /// The directory, which contains only the socket, so that it can be mounted into a sandbox.
        public var directory: String
        /// The path of the socket.
        public var socketPath: String
        /// The ID of the endpoint.
        public var endpoint: String
        /// The current name of the endpoint. Untrusted.
        public var endpointName: String
        /// The name of the login.
        public var login: String
        /// The services that may be called.
        public var services: [String]
        /// The methods that may be called, of each of the services.
        public var methods: [String]
        /// Whether only calls that read are permitted: GetSchema, GetTableSchema, GetCommandSchema, and GetData without Sql and
        /// UserFilter.
        public var readOnly: Bool
        /// The ID of the process that made it.
        public var pid: Int64?
        /// When it was made, in seconds since 1970.
        public var created: Int64
        /// When it expires, in seconds since 1970.
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

    /// Opens an adapter, and logs in if necessary. If it is called with "more", the adapter is held: it stays open as long as
    /// the caller is connected. If a prompt fails, the error is the one that the call has without interactive.
    public struct OpenCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.OpenReply

        public static let method = "org.relativityd.Broker.Open"

        /// The ID or name of an endpoint or its beginning, LOGIN@ENDPOINT, or the name of a login. A text that is wholly the name
        /// of an endpoint or of a login is that one. May be absent: the login determines the endpoint then.
        public var endpoint: String?
        /// The name of a login or its beginning. Without it, the login is chosen as Chooser describes.
        public var login: String?
        /// A login that is chosen before any default if it is one of the endpoint: the variable RELATIVITYD_LOGIN of the calling
        /// program. If it names no login at all, the call fails.
        public var preferredLogin: String?
        /// Opens without a login, for servers that need none.
        public var anonymous: Bool?
        /// socket, the default, or loopback.
        public var form: String?
        /// Logs in for this adapter alone. Only such an adapter accepts polls for events.
        public var ownSession: Bool?
        /// How long an adapter that is not held stays open, 60 to 43200 seconds. It is also closed after 900 seconds without
        /// use.
        public var ttlSeconds: Int64?
        /// Lets the daemon prompt the user, by a pinentry or by systemd's password agents: for the passphrase of the vault, for
        /// a login if the endpoint has none, and for another password if the server refuses one. Each is asked for at most
        /// three times. A refused password is not sent again, and an accepted one is stored. The call waits for up to 90
        /// seconds for its turn, and up to 90 for the answers.
        public var interactive: Bool?
        /// The user of a login that is made by prompts. If absent, the user is asked for it.
        public var user: String?
        /// The domain of such a login. The default is the usual one of the endpoint.
        public var domain: String?
        /// The schema of such a login. The default is the usual one of the endpoint.
        public var schema: String?

        public init(
            endpoint: String? = nil,
            login: String? = nil,
            preferredLogin: String? = nil,
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
            self.preferredLogin = preferredLogin
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
            self.preferredLogin = try json.readIfPresent("preferredLogin")
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
            output.writeMember("preferredLogin", ifPresent: self.preferredLogin)
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

    /// Returns the endpoint and the login that Open would use. Nothing is opened, and no server is contacted.
    public struct ChooseCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.ChooseReply

        public static let method = "org.relativityd.Broker.Choose"

        /// As in Open.
        public var endpoint: String?
        /// As in Open.
        public var login: String?
        /// As in Open.
        public var preferredLogin: String?

        public init(endpoint: String? = nil, login: String? = nil, preferredLogin: String? = nil) {
            self.endpoint = endpoint
            self.login = login
            self.preferredLogin = preferredLogin
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.readIfPresent("endpoint")
            self.login = try json.readIfPresent("login")
            self.preferredLogin = try json.readIfPresent("preferredLogin")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", ifPresent: self.endpoint)
            output.writeMember("login", ifPresent: self.login)
            output.writeMember("preferredLogin", ifPresent: self.preferredLogin)
        }
    }

    /// A reply to `ChooseCall`.
    public struct ChooseReply: JSONRecord {
        /// The ID of the endpoint.
        public var endpoint: String
        /// The current name of the endpoint. Untrusted.
        public var endpointName: String
        /// The name of the login.
        public var login: String
        /// What chose the login.
        public var chosenBy: BrokerAPI.Chooser

        public init(endpoint: String, endpointName: String, login: String, chosenBy: BrokerAPI.Chooser) {
            self.endpoint = endpoint
            self.endpointName = endpointName
            self.login = login
            self.chosenBy = chosenBy
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
            self.endpointName = try json.read("endpointName")
            self.login = try json.read("login")
            self.chosenBy = try json.read("chosenBy")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("endpointName", self.endpointName)
            output.writeMember("login", self.login)
            output.writeMember("chosenBy", self.chosenBy)
        }
    }

    /// Answers SessionExportOff: no session leaves the daemon. Open with form loopback serves programs that cannot use a Unix
    /// socket.
    public struct OpenSessionCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.OpenSessionReply

        public static let method = "org.relativityd.Broker.OpenSession"

        /// As in Open.
        public var endpoint: String?
        /// As in Open.
        public var login: String?
        /// As in Open.
        public var preferredLogin: String?
        /// Has no effect.
        public var ttlSeconds: Int64?

        public init(
            endpoint: String? = nil,
            login: String? = nil,
            preferredLogin: String? = nil,
            ttlSeconds: Int64? = nil
        ) {
            self.endpoint = endpoint
            self.login = login
            self.preferredLogin = preferredLogin
            self.ttlSeconds = ttlSeconds
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.readIfPresent("endpoint")
            self.login = try json.readIfPresent("login")
            self.preferredLogin = try json.readIfPresent("preferredLogin")
            self.ttlSeconds = try json.readIfPresent("ttlSeconds")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", ifPresent: self.endpoint)
            output.writeMember("login", ifPresent: self.login)
            output.writeMember("preferredLogin", ifPresent: self.preferredLogin)
            output.writeMember("ttlSeconds", ifPresent: self.ttlSeconds)
        }
    }

    /// A reply to `OpenSessionCall`.
    public struct OpenSessionReply: JSONRecord {
        /// Never returned.
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

    /// Returns all open adapters, oldest first.
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

    /// Closes an adapter and the connections to it. adapter is its ID.
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

    /// Streams adapters as they are opened and closed. Call with "more".
    public struct WatchCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.WatchReply

        public static let method = "org.relativityd.Broker.Watch"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `WatchCall`.
    public struct WatchReply: JSONRecord {
        public enum Kind: String, JSONWord {
            case snapshot
            case opened
            case ended
        }

        public enum Reason: String, JSONWord {
            case closed
            case holderGone
            case expired
            case vaultLocked
            case loginForgotten
            case stopping
        }

        /// snapshot: the first reply. opened, ended: a change of one adapter.
        public var kind: Kind
        /// The open adapters. Only in a snapshot.
        public var adapters: [BrokerAPI.Adapter]?
        /// The adapter that was opened or closed.
        public var adapter: BrokerAPI.Adapter?
        /// Why it ended. closed: Close ended it. holderGone: the call that held it ended. expired: its time was over, or it was
        /// not used. vaultLocked: the vault was locked. loginForgotten: its login was changed or removed. stopping: the daemon
        /// stops. Absent unless it ended.
        public var reason: Reason?

        public init(
            kind: Kind,
            adapters: [BrokerAPI.Adapter]? = nil,
            adapter: BrokerAPI.Adapter? = nil,
            reason: Reason? = nil
        ) {
            self.kind = kind
            self.adapters = adapters
            self.adapter = adapter
            self.reason = reason
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.kind = try json.read("kind")
            self.adapters = try json.readIfPresent("adapters")
            self.adapter = try json.readIfPresent("adapter")
            self.reason = try json.readIfPresent("reason")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("kind", self.kind)
            output.writeMember("adapters", ifPresent: self.adapters)
            output.writeMember("adapter", ifPresent: self.adapter)
            output.writeMember("reason", ifPresent: self.reason)
        }
    }

    /// Makes a grant. The vault must be unlocked, unless the administrator configured the login. While the vault is locked,
    /// calls of the grant fail with an exception. The grant expires after its lifetime, with the daemon, and when its login
    /// is changed or removed. It is recorded in the audit log before the reply.
    public struct AddGrantCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.AddGrantReply

        public static let method = "org.relativityd.Broker.AddGrant"

        /// As in Open.
        public var endpoint: String?
        /// As in Open.
        public var login: String?
        /// As in Open.
        public var preferredLogin: String?
        /// The services that may be called. The default is the endpoint's data service.
        public var services: [String]?
        /// The methods that may be called. May be absent if readOnly is true. Then they are the methods that read.
        public var methods: [String]?
        /// Permits only calls that read.
        public var readOnly: Bool?
        /// The lifetime: 60 to 86400 seconds, 28800 by default.
        public var ttlSeconds: Int64?

        public init(
            endpoint: String? = nil,
            login: String? = nil,
            preferredLogin: String? = nil,
            services: [String]? = nil,
            methods: [String]? = nil,
            readOnly: Bool? = nil,
            ttlSeconds: Int64? = nil
        ) {
            self.endpoint = endpoint
            self.login = login
            self.preferredLogin = preferredLogin
            self.services = services
            self.methods = methods
            self.readOnly = readOnly
            self.ttlSeconds = ttlSeconds
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.readIfPresent("endpoint")
            self.login = try json.readIfPresent("login")
            self.preferredLogin = try json.readIfPresent("preferredLogin")
            self.services = try json.readIfPresent("services")
            self.methods = try json.readIfPresent("methods")
            self.readOnly = try json.readIfPresent("readOnly")
            self.ttlSeconds = try json.readIfPresent("ttlSeconds")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", ifPresent: self.endpoint)
            output.writeMember("login", ifPresent: self.login)
            output.writeMember("preferredLogin", ifPresent: self.preferredLogin)
            output.writeMember("services", ifPresent: self.services)
            output.writeMember("methods", ifPresent: self.methods)
            output.writeMember("readOnly", ifPresent: self.readOnly)
            output.writeMember("ttlSeconds", ifPresent: self.ttlSeconds)
        }
    }

    /// A reply to `AddGrantCall`.
    public struct AddGrantReply: JSONRecord {
        /// The new grant.
        public var grant: BrokerAPI.Grant
        /// What chose the login. Absent from earlier versions.
        public var chosenBy: BrokerAPI.Chooser?

        public init(grant: BrokerAPI.Grant, chosenBy: BrokerAPI.Chooser? = nil) {
            self.grant = grant
            self.chosenBy = chosenBy
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.grant = try json.read("grant")
            self.chosenBy = try json.readIfPresent("chosenBy")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("grant", self.grant)
            output.writeMember("chosenBy", ifPresent: self.chosenBy)
        }
    }

    /// Returns all grants, oldest first.
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

    /// Removes the socket of a grant and closes the connections to it. grant is its ID. The change is recorded in the audit
    /// log before the reply.
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

    /// Makes the calls of a report on a server. No secret is in the reply. The call takes at most a minute.
    public struct CaptureCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.CaptureReply

        public static let method = "org.relativityd.Broker.Capture"

        /// As in Open.
        public var endpoint: String
        /// As in Open.
        public var login: String?
        /// As in Open.
        public var preferredLogin: String?
        /// Makes the calls that need no login.
        public var anonymous: Bool?
        /// Also logs in once with a wrong password.
        public var wrongPassword: Bool?

        public init(
            endpoint: String,
            login: String? = nil,
            preferredLogin: String? = nil,
            anonymous: Bool? = nil,
            wrongPassword: Bool? = nil
        ) {
            self.endpoint = endpoint
            self.login = login
            self.preferredLogin = preferredLogin
            self.anonymous = anonymous
            self.wrongPassword = wrongPassword
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
            self.login = try json.readIfPresent("login")
            self.preferredLogin = try json.readIfPresent("preferredLogin")
            self.anonymous = try json.readIfPresent("anonymous")
            self.wrongPassword = try json.readIfPresent("wrongPassword")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("login", ifPresent: self.login)
            output.writeMember("preferredLogin", ifPresent: self.preferredLogin)
            output.writeMember("anonymous", ifPresent: self.anonymous)
            output.writeMember("wrongPassword", ifPresent: self.wrongPassword)
        }
    }

    /// A reply to `CaptureCall`.
    public struct CaptureReply: JSONRecord {
        /// The calls, in the order in which they were made.
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

    /// The endpoint has no login. name is that of the endpoint, absent if none was named.
    public struct LoginNeededError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.LoginNeeded"

        public var message: String
        public var name: String?

        public init(message: String, name: String? = nil) {
            self.message = message
            self.name = name
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.name = try json.readIfPresent("name")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("name", ifPresent: self.name)
        }
    }

    /// The endpoint has several logins, and nothing chose one. name is that of the endpoint, absent if none was named, and
    /// candidates are those of the logins.
    public struct LoginAmbiguousError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.LoginAmbiguous"

        public var message: String
        public var name: String?
        public var candidates: [String]

        public init(message: String, name: String? = nil, candidates: [String]) {
            self.message = message
            self.name = name
            self.candidates = candidates
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.name = try json.readIfPresent("name")
            self.candidates = try json.read("candidates")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("name", ifPresent: self.name)
            output.writeMember("candidates", self.candidates)
        }
    }

    /// The text that names the endpoint has several meanings, or it names another login than login does, or a login although
    /// anonymous is true. words is the text, and readings are the meanings, as noun phrases; empty for an anonymous call.
    public struct LoginUnclearError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.LoginUnclear"

        public var message: String
        public var words: String
        public var readings: [String]

        public init(message: String, words: String, readings: [String]) {
            self.message = message
            self.words = words
            self.readings = readings
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.words = try json.read("words")
            self.readings = try json.read("readings")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("words", self.words)
            output.writeMember("readings", self.readings)
        }
    }

    /// The login is for another endpoint than the named one. login is its name, and endpoint the one that it is for.
    public struct LoginElsewhereError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.LoginElsewhere"

        public var message: String
        public var login: String
        public var endpoint: String

        public init(message: String, login: String, endpoint: String) {
            self.message = message
            self.login = login
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.login = try json.read("login")
            self.endpoint = try json.read("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("login", self.login)
            output.writeMember("endpoint", self.endpoint)
        }
    }

    /// The server refused the login. It is not sent again until the user tests or changes it. login is its name.
    public struct LoginRejectedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.LoginRejected"

        public var message: String
        public var login: String

        public init(message: String, login: String) {
            self.message = message
            self.login = login
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.login = try json.read("login")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("login", self.login)
        }
    }

    /// The server refused a login that was to be stored. Nothing was stored. name is that of the endpoint.
    public struct NewLoginRejectedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.NewLoginRejected"

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

    /// The server required a new login too often within a short time. The login was not sent again.
    public struct ReloginBlockedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.ReloginBlocked"

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

    /// The server cannot be reached. The message has the reason.
    public struct EndpointUnreachableError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.EndpointUnreachable"

        public var message: String
        public var endpoint: String?

        public init(message: String, endpoint: String? = nil) {
            self.message = message
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.endpoint = try json.readIfPresent("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("endpoint", ifPresent: self.endpoint)
        }
    }

    /// The server is not the one that the login or the endpoint is bound to. Nothing was sent.
    public struct IdentityConflictError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.IdentityConflict"

        public var message: String
        public var endpoint: String?

        public init(message: String, endpoint: String? = nil) {
            self.message = message
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.endpoint = try json.readIfPresent("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("endpoint", ifPresent: self.endpoint)
        }
    }

    /// The pin was imported, and the user has not verified it yet. Nothing was sent.
    public struct IdentityUnverifiedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.IdentityUnverified"

        public var message: String
        public var endpoint: String?

        public init(message: String, endpoint: String? = nil) {
            self.message = message
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.endpoint = try json.readIfPresent("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("endpoint", ifPresent: self.endpoint)
        }
    }

    /// The server shows another fingerprint than the one that the user verified. fingerprint is the one that it shows.
    /// Nothing was sent.
    public struct IdentityChangedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.IdentityChanged"

        public var message: String
        public var endpoint: String
        public var fingerprint: String

        public init(message: String, endpoint: String, fingerprint: String) {
            self.message = message
            self.endpoint = endpoint
            self.fingerprint = fingerprint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.endpoint = try json.read("endpoint")
            self.fingerprint = try json.read("fingerprint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("fingerprint", self.fingerprint)
        }
    }

    /// The kernel does not report which user's process listens on a port of this machine. Nothing was sent. port is its
    /// number.
    public struct OwnerUnknownError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.OwnerUnknown"

        public var message: String
        public var endpoint: String?
        public var port: Int64

        public init(message: String, endpoint: String? = nil, port: Int64) {
            self.message = message
            self.endpoint = endpoint
            self.port = port
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.endpoint = try json.readIfPresent("endpoint")
            self.port = try json.read("port")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("endpoint", ifPresent: self.endpoint)
            output.writeMember("port", self.port)
        }
    }

    /// The endpoint cannot have a certificate: it speaks plain HTTP, or has no host name.
    public struct NoAuthorityError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.NoAuthority"

        public var message: String
        public var endpoint: String?

        public init(message: String, endpoint: String? = nil) {
            self.message = message
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.endpoint = try json.readIfPresent("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("endpoint", ifPresent: self.endpoint)
        }
    }

    /// The server replied with an exception. class is its class and text its text; both are untrusted.
    public struct ServerExceptionError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.ServerException"

        public var message: String
        public var `class`: String
        public var text: String

        public init(message: String, `class`: String, text: String) {
            self.message = message
            self.`class` = `class`
            self.text = text
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.`class` = try json.read("class")
            self.text = try json.read("text")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("class", self.`class`)
            output.writeMember("text", self.text)
        }
    }

    /// The server does not speak the protocol, or speaks a form of it that is not supported.
    public struct ProtocolFailureError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.ProtocolFailure"

        public var message: String
        public var endpoint: String?

        public init(message: String, endpoint: String? = nil) {
            self.message = message
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.endpoint = try json.readIfPresent("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("endpoint", ifPresent: self.endpoint)
        }
    }

    /// No adapter has this ID. adapter is the ID.
    public struct AdapterNotFoundError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.AdapterNotFound"

        public var message: String
        public var adapter: String

        public init(message: String, adapter: String) {
            self.message = message
            self.adapter = adapter
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.adapter = try json.read("adapter")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("adapter", self.adapter)
        }
    }

    /// The adapter or grant is closed, or the daemon is stopping.
    public struct AdapterClosedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.AdapterClosed"

        public var message: String
        public var endpoint: String?

        public init(message: String, endpoint: String? = nil) {
            self.message = message
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.endpoint = try json.readIfPresent("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("endpoint", ifPresent: self.endpoint)
        }
    }

    /// The number of open adapters has reached its limit.
    public struct TooManyAdaptersError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.TooManyAdapters"

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

    /// The socket of an adapter or a grant could not be made.
    public struct SocketFailedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.SocketFailed"

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

    /// No grant has this ID. grant is the ID.
    public struct GrantNotFoundError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.GrantNotFound"

        public var message: String
        public var grant: String

        public init(message: String, grant: String) {
            self.message = message
            self.grant = grant
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.grant = try json.read("grant")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("grant", self.grant)
        }
    }

    /// The services or methods of the grant are invalid.
    public struct InvalidGrantError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.InvalidGrant"

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

    /// Registry.Set has set grantsOnly for the endpoint: only grants reach it.
    public struct GrantsOnlyError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.GrantsOnly"

        public var message: String
        public var endpoint: String?

        public init(message: String, endpoint: String? = nil) {
            self.message = message
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.endpoint = try json.readIfPresent("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("endpoint", ifPresent: self.endpoint)
        }
    }

    /// Sessions are not exported. Open an adapter with form loopback instead.
    public struct SessionExportOffError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Broker.SessionExportOff"

        public var message: String
        public var endpoint: String?

        public init(message: String, endpoint: String? = nil) {
            self.message = message
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.endpoint = try json.readIfPresent("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("endpoint", ifPresent: self.endpoint)
        }
    }

    /// The definition of the interface.
    public static let definition = #"""
        # Adapters and grants. An adapter connects a program to a server inside a logged-in session. A grant permits only some
        # calls. No password and no session ID ever leaves the daemon.
        interface org.relativityd.Broker

        # What chose a login, in the order of precedence. named: the caller named it. variable: the caller's preferredLogin.
        # endpoint: it is the default of the endpoint, which Registry.Set sets. global: it is the user's default for all
        # endpoints. onlyOne: there is no other one.
        type Chooser (named, variable, endpoint, global, onlyOne)

        # An address on this machine. A BinMessage that is sent to it by HTTP POST reaches the server inside the session.
        type Adapter (
          # The ID, which Close takes.
          id: string,
          # socket: a Unix socket. loopback: a port of 127.0.0.1. session: not used any more.
          form: string,
          # The URL to post to. For a socket it begins with http+unix://, with the percent-encoded path instead of the host.
          url: string,
          # The path of the socket. Absent for other forms.
          socketPath: ?string,
          # The ID of the endpoint. Absent, as the members up to loginService are, for a configured adapter before its first
          # use.
          endpoint: ?string,
          # The current name of the endpoint. Untrusted.
          endpointName: ?string,
          # The domain of the login.
          domain: ?string,
          # The schema of the login.
          schema: ?string,
          # The name of the server's data service.
          dataService: ?string,
          # The name of the server's login service.
          loginService: ?string,
          # The name of the login. Absent if the adapter is anonymous.
          login: ?string,
          # What chose the login when the adapter was opened. Absent if the adapter is anonymous or configured.
          chosenBy: ?Chooser,
          # Whether the adapter is closed with the call that opened it.
          held: bool,
          # Whether the adapter has a session of its own, which no other adapter uses.
          ownSession: bool,
          # Whether the adapter is in the daemon's configuration. It is then closed with the daemon.
          configured: bool,
          # The ID of the process that opened it.
          pid: ?int,
          # The ID of the process that opened it on the second socket and claimed to act for pid. Absent if pid opened it.
          claimedBy: ?int,
          # When it was opened, in seconds since 1970.
          created: int,
          # When it is closed at the latest, in seconds since 1970. Absent if it is held or configured.
          expires: ?int
        )

        # An observation about an exchange: a code, and the values that belong to it. Other values are absent.
        type ExchangeNote (
          # loginOmitted: the login string of the request is left out. loginReplyOmitted: the answer to a login has count bytes and
          # is no BinMessage, so it is left out. bodyUnreadable: the answer cannot be read for the reason in text, and is left out.
          # bodySecret: the answer is left out because it repeats a secret. headerSecret: so is a header. bytesOmitted: the last
          # count bytes of the answer are left out. notMessage: the answer has count bytes and is no BinMessage. message,
          # compressedMessage: it is a BinMessage of count bytes. sameClientID: its ClientID is that of the request. zeroClientID:
          # its ClientID is zero. otherClientID: it has another ClientID. exception: it is an exception of the class in text.
          # schemaElement: text is a path of the schema's elements, with attributes and a number of occurrences. schemaNotXML: the
          # schema is not XML.
          code: (
            loginOmitted,
            loginReplyOmitted,
            bodyUnreadable,
            bodySecret,
            headerSecret,
            bytesOmitted,
            notMessage,
            message,
            compressedMessage,
            sameClientID,
            zeroClientID,
            otherClientID,
            exception,
            schemaElement,
            schemaNotXML
          ),
          # The kind of the BinMessage.
          kind: ?(message, exception, event, poll, pollResponse),
          # A number of bytes.
          count: ?int,
          # A text of the server or of an error. Foreign text in it is escaped.
          text: ?string
        )

        # One call of a report on a server, and the server's answer.
        type Exchange (
          # expiry: a call in a session that the server does not know. login. exception: a call of a method that does not exist.
          # schema. logout. wrong-password: a login with a wrong password.
          step: string,
          # The request as base64. Every ClientID in it is zero, and a login is cut before its parameters.
          request: string,
          # The HTTP status code. Absent without a response.
          status: ?int,
          # The header lines of the response. Untrusted.
          headers: []string,
          # The response as base64. Untrusted. Absent without a response, or if the response repeats a secret.
          reply: ?string,
          # Observations, and what was left out.
          notes: []ExchangeNote,
          # Why no answer came. Absent if one came.
          error: ?string
        )

        # Opens an adapter, and logs in if necessary. If it is called with "more", the adapter is held: it stays open as long as
        # the caller is connected. If a prompt fails, the error is the one that the call has without interactive.
        method Open(
          # The ID or name of an endpoint or its beginning, LOGIN@ENDPOINT, or the name of a login. A text that is wholly the name
          # of an endpoint or of a login is that one. May be absent: the login determines the endpoint then.
          endpoint: ?string,
          # The name of a login or its beginning. Without it, the login is chosen as Chooser describes.
          login: ?string,
          # A login that is chosen before any default if it is one of the endpoint: the variable RELATIVITYD_LOGIN of the calling
          # program. If it names no login at all, the call fails.
          preferredLogin: ?string,
          # Opens without a login, for servers that need none.
          anonymous: ?bool,
          # socket, the default, or loopback.
          form: ?string,
          # Logs in for this adapter alone. Only such an adapter accepts polls for events.
          ownSession: ?bool,
          # How long an adapter that is not held stays open, 60 to 43200 seconds. It is also closed after 900 seconds without
          # use.
          ttlSeconds: ?int,
          # Lets the daemon prompt the user, by a pinentry or by systemd's password agents: for the passphrase of the vault, for
          # a login if the endpoint has none, and for another password if the server refuses one. Each is asked for at most
          # three times. A refused password is not sent again, and an accepted one is stored. The call waits for up to 90
          # seconds for its turn, and up to 90 for the answers.
          interactive: ?bool,
          # The user of a login that is made by prompts. If absent, the user is asked for it.
          user: ?string,
          # The domain of such a login. The default is the usual one of the endpoint.
          domain: ?string,
          # The schema of such a login. The default is the usual one of the endpoint.
          schema: ?string
        ) -> (adapter: Adapter)

        # Returns the endpoint and the login that Open would use. Nothing is opened, and no server is contacted.
        method Choose(
          # As in Open.
          endpoint: ?string,
          # As in Open.
          login: ?string,
          # As in Open.
          preferredLogin: ?string
        ) -> (
          # The ID of the endpoint.
          endpoint: string,
          # The current name of the endpoint. Untrusted.
          endpointName: string,
          # The name of the login.
          login: string,
          # What chose the login.
          chosenBy: Chooser
        )

        # Answers SessionExportOff: no session leaves the daemon. Open with form loopback serves programs that cannot use a Unix
        # socket.
        method OpenSession(
          # As in Open.
          endpoint: ?string,
          # As in Open.
          login: ?string,
          # As in Open.
          preferredLogin: ?string,
          # Has no effect.
          ttlSeconds: ?int
        ) -> (
          # Never returned.
          adapter: Adapter
        )

        # Returns all open adapters, oldest first.
        method List() -> (adapters: []Adapter)

        # Closes an adapter and the connections to it. adapter is its ID.
        method Close(adapter: string) -> ()

        # Streams adapters as they are opened and closed. Call with "more".
        method Watch() -> (
          # snapshot: the first reply. opened, ended: a change of one adapter.
          kind: (snapshot, opened, ended),
          # The open adapters. Only in a snapshot.
          adapters: ?[]Adapter,
          # The adapter that was opened or closed.
          adapter: ?Adapter,
          # Why it ended. closed: Close ended it. holderGone: the call that held it ended. expired: its time was over, or it was
          # not used. vaultLocked: the vault was locked. loginForgotten: its login was changed or removed. stopping: the daemon
          # stops. Absent unless it ended.
          reason: ?(closed, holderGone, expired, vaultLocked, loginForgotten, stopping)
        )

        # A socket that permits some calls of one login, and no other calls.
        type Grant (
          # The ID, which RevokeGrant takes.
          id: string,
          # The directory, which contains only the socket, so that it can be mounted into a sandbox.
          directory: string,
          # The path of the socket.
          socketPath: string,
          # The ID of the endpoint.
          endpoint: string,
          # The current name of the endpoint. Untrusted.
          endpointName: string,
          # The name of the login.
          login: string,
          # The services that may be called.
          services: []string,
          # The methods that may be called, of each of the services.
          methods: []string,
          # Whether only calls that read are permitted: GetSchema, GetTableSchema, GetCommandSchema, and GetData without Sql and
          # UserFilter.
          readOnly: bool,
          # The ID of the process that made it.
          pid: ?int,
          # When it was made, in seconds since 1970.
          created: int,
          # When it expires, in seconds since 1970.
          expires: int
        )

        # Makes a grant. The vault must be unlocked, unless the administrator configured the login. While the vault is locked,
        # calls of the grant fail with an exception. The grant expires after its lifetime, with the daemon, and when its login
        # is changed or removed. It is recorded in the audit log before the reply.
        method AddGrant(
          # As in Open.
          endpoint: ?string,
          # As in Open.
          login: ?string,
          # As in Open.
          preferredLogin: ?string,
          # The services that may be called. The default is the endpoint's data service.
          services: ?[]string,
          # The methods that may be called. May be absent if readOnly is true. Then they are the methods that read.
          methods: ?[]string,
          # Permits only calls that read.
          readOnly: ?bool,
          # The lifetime: 60 to 86400 seconds, 28800 by default.
          ttlSeconds: ?int
        ) -> (
          # The new grant.
          grant: Grant,
          # What chose the login. Absent from earlier versions.
          chosenBy: ?Chooser
        )

        # Returns all grants, oldest first.
        method ListGrants() -> (grants: []Grant)

        # Removes the socket of a grant and closes the connections to it. grant is its ID. The change is recorded in the audit
        # log before the reply.
        method RevokeGrant(grant: string) -> ()

        # Makes the calls of a report on a server. No secret is in the reply. The call takes at most a minute.
        method Capture(
          # As in Open.
          endpoint: string,
          # As in Open.
          login: ?string,
          # As in Open.
          preferredLogin: ?string,
          # Makes the calls that need no login.
          anonymous: ?bool,
          # Also logs in once with a wrong password.
          wrongPassword: ?bool
        ) -> (
          # The calls, in the order in which they were made.
          exchanges: []Exchange
        )

        # The endpoint has no login. name is that of the endpoint, absent if none was named.
        error LoginNeeded (message: string, name: ?string)

        # The endpoint has several logins, and nothing chose one. name is that of the endpoint, absent if none was named, and
        # candidates are those of the logins.
        error LoginAmbiguous (message: string, name: ?string, candidates: []string)

        # The text that names the endpoint has several meanings, or it names another login than login does, or a login although
        # anonymous is true. words is the text, and readings are the meanings, as noun phrases; empty for an anonymous call.
        error LoginUnclear (message: string, words: string, readings: []string)

        # The login is for another endpoint than the named one. login is its name, and endpoint the one that it is for.
        error LoginElsewhere (message: string, login: string, endpoint: string)

        # The server refused the login. It is not sent again until the user tests or changes it. login is its name.
        error LoginRejected (message: string, login: string)

        # The server refused a login that was to be stored. Nothing was stored. name is that of the endpoint.
        error NewLoginRejected (message: string, name: string)

        # The server required a new login too often within a short time. The login was not sent again.
        error ReloginBlocked (message: string)

        # The server cannot be reached. The message has the reason.
        error EndpointUnreachable (message: string, endpoint: ?string)

        # The server is not the one that the login or the endpoint is bound to. Nothing was sent.
        error IdentityConflict (message: string, endpoint: ?string)

        # The pin was imported, and the user has not verified it yet. Nothing was sent.
        error IdentityUnverified (message: string, endpoint: ?string)

        # The server shows another fingerprint than the one that the user verified. fingerprint is the one that it shows.
        # Nothing was sent.
        error IdentityChanged (message: string, endpoint: string, fingerprint: string)

        # The kernel does not report which user's process listens on a port of this machine. Nothing was sent. port is its
        # number.
        error OwnerUnknown (message: string, endpoint: ?string, port: int)

        # The endpoint cannot have a certificate: it speaks plain HTTP, or has no host name.
        error NoAuthority (message: string, endpoint: ?string)

        # The server replied with an exception. class is its class and text its text; both are untrusted.
        error ServerException (message: string, class: string, text: string)

        # The server does not speak the protocol, or speaks a form of it that is not supported.
        error ProtocolFailure (message: string, endpoint: ?string)

        # No adapter has this ID. adapter is the ID.
        error AdapterNotFound (message: string, adapter: string)

        # The adapter or grant is closed, or the daemon is stopping.
        error AdapterClosed (message: string, endpoint: ?string)

        # The number of open adapters has reached its limit.
        error TooManyAdapters (message: string, limit: int)

        # The socket of an adapter or a grant could not be made.
        error SocketFailed (message: string)

        # No grant has this ID. grant is the ID.
        error GrantNotFound (message: string, grant: string)

        # The services or methods of the grant are invalid.
        error InvalidGrant (message: string)

        # Registry.Set has set grantsOnly for the endpoint: only grants reach it.
        error GrantsOnly (message: string, endpoint: ?string)

        # Sessions are not exported. Open an adapter with form loopback instead.
        error SessionExportOff (message: string, endpoint: ?string)

        """#
}
