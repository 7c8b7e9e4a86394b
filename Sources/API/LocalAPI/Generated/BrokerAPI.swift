// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Broker.varlink. Change that file, then run `make generate`.

public import Endpoints
public import JSON
public import Varlink

/// The types of `org.relativityd.Broker`. Its definition describes them.
public enum BrokerAPI {
    public static let name = "org.relativityd.Broker"

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

    public typealias Chooser = Endpoints.LoginChooser

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
        public var chosenBy: LoginChooser?
        public var held: Bool
        public var ownSession: Bool
        public var otherDatabase: Bool
        public var configured: Bool
        public var pid: Int64?
        public var claimedBy: Int64?
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
            chosenBy: LoginChooser? = nil,
            held: Bool,
            ownSession: Bool,
            otherDatabase: Bool,
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
            self.otherDatabase = otherDatabase
            self.configured = configured
            self.pid = pid
            self.claimedBy = claimedBy
            self.created = created
            self.expires = expires
        }

        public static let members: [JSONMember<Self>] = [
            .init("id", \.id), .init("form", \.form), .init("url", \.url), .init("socketPath", \.socketPath),
            .init("endpoint", \.endpoint), .init("endpointName", \.endpointName), .init("domain", \.domain),
            .init("schema", \.schema), .init("dataService", \.dataService), .init("loginService", \.loginService),
            .init("login", \.login), .init("chosenBy", \.chosenBy), .init("held", \.held),
            .init("ownSession", \.ownSession), .init("otherDatabase", \.otherDatabase),
            .init("configured", \.configured), .init("pid", \.pid), .init("claimedBy", \.claimedBy),
            .init("created", \.created), .init("expires", \.expires),
        ]
    }

    public typealias ExchangeNote = Endpoints.CaptureNote

    public struct Exchange: JSONRecord {
        public var step: String
        public var request: String
        public var status: Int64?
        public var headers: [String]
        public var reply: String?
        public var notes: [CaptureNote]
        public var error: String?

        public init(
            step: String,
            request: String,
            status: Int64? = nil,
            headers: [String],
            reply: String? = nil,
            notes: [CaptureNote],
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

        public static let members: [JSONMember<Self>] = [
            .init("step", \.step), .init("request", \.request), .init("status", \.status), .init("headers", \.headers),
            .init("reply", \.reply), .init("notes", \.notes), .init("error", \.error),
        ]
    }

    public typealias CloseReason = Endpoints.AdapterCloseReason

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

        public static let members: [JSONMember<Self>] = [
            .init("id", \.id), .init("directory", \.directory), .init("socketPath", \.socketPath),
            .init("endpoint", \.endpoint), .init("endpointName", \.endpointName), .init("login", \.login),
            .init("services", \.services), .init("methods", \.methods), .init("readOnly", \.readOnly),
            .init("pid", \.pid), .init("created", \.created), .init("expires", \.expires),
        ]
    }

    public struct OpenCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.OpenReply

        public static let method = "org.relativityd.Broker.Open"

        public var endpoint: String?
        public var login: String?
        public var preferredLogin: String?
        public var anonymous: Bool?
        public var form: String?
        public var ownSession: Bool?
        public var ttlSeconds: Int64?
        public var interactive: Bool?
        public var user: String?
        public var domain: String?
        public var schema: String?
        public var client: String?

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
            schema: String? = nil,
            client: String? = nil
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
            self.client = client
        }

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("login", \.login), .init("preferredLogin", \.preferredLogin),
            .init("anonymous", \.anonymous), .init("form", \.form), .init("ownSession", \.ownSession),
            .init("ttlSeconds", \.ttlSeconds), .init("interactive", \.interactive), .init("user", \.user),
            .init("domain", \.domain), .init("schema", \.schema), .init("client", \.client),
        ]
    }

    public struct OpenReply: JSONRecord {
        public var adapter: BrokerAPI.Adapter

        public init(adapter: BrokerAPI.Adapter) {
            self.adapter = adapter
        }

        public static let members: [JSONMember<Self>] = [.init("adapter", \.adapter)]
    }

    public struct ChooseCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.ChooseReply

        public static let method = "org.relativityd.Broker.Choose"

        public var endpoint: String?
        public var login: String?
        public var preferredLogin: String?

        public init(endpoint: String? = nil, login: String? = nil, preferredLogin: String? = nil) {
            self.endpoint = endpoint
            self.login = login
            self.preferredLogin = preferredLogin
        }

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("login", \.login), .init("preferredLogin", \.preferredLogin),
        ]
    }

    public struct ChooseReply: JSONRecord {
        public var endpoint: String
        public var endpointName: String
        public var login: String
        public var chosenBy: LoginChooser

        public init(endpoint: String, endpointName: String, login: String, chosenBy: LoginChooser) {
            self.endpoint = endpoint
            self.endpointName = endpointName
            self.login = login
            self.chosenBy = chosenBy
        }

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("endpointName", \.endpointName), .init("login", \.login),
            .init("chosenBy", \.chosenBy),
        ]
    }

    public struct OpenSessionCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.OpenSessionReply

        public static let method = "org.relativityd.Broker.OpenSession"

        public var endpoint: String?
        public var login: String?
        public var preferredLogin: String?
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

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("login", \.login), .init("preferredLogin", \.preferredLogin),
            .init("ttlSeconds", \.ttlSeconds),
        ]
    }

    public typealias OpenSessionReply = OpenReply

    public struct ListCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.ListReply

        public static let method = "org.relativityd.Broker.List"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct ListReply: JSONRecord {
        public var adapters: [BrokerAPI.Adapter]

        public init(adapters: [BrokerAPI.Adapter]) {
            self.adapters = adapters
        }

        public static let members: [JSONMember<Self>] = [.init("adapters", \.adapters)]
    }

    public struct CloseCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.CloseReply

        public static let method = "org.relativityd.Broker.Close"

        public var adapter: String

        public init(adapter: String) {
            self.adapter = adapter
        }

        public static let members: [JSONMember<Self>] = [.init("adapter", \.adapter)]
    }

    public struct CloseReply: JSONRecord {
        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct WatchCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.WatchReply

        public static let method = "org.relativityd.Broker.Watch"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct WatchReply: JSONRecord {
        public enum Kind: String, JSONWord {
            case snapshot, opened, ended
        }

        public var kind: Kind
        public var adapters: [BrokerAPI.Adapter]?
        public var adapter: BrokerAPI.Adapter?
        public var reason: AdapterCloseReason?

        public init(
            kind: Kind,
            adapters: [BrokerAPI.Adapter]? = nil,
            adapter: BrokerAPI.Adapter? = nil,
            reason: AdapterCloseReason? = nil
        ) {
            self.kind = kind
            self.adapters = adapters
            self.adapter = adapter
            self.reason = reason
        }

        public static let members: [JSONMember<Self>] = [
            .init("kind", \.kind), .init("adapters", \.adapters), .init("adapter", \.adapter),
            .init("reason", \.reason),
        ]
    }

    public struct AddGrantCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.AddGrantReply

        public static let method = "org.relativityd.Broker.AddGrant"

        public var endpoint: String?
        public var login: String?
        public var preferredLogin: String?
        public var services: [String]?
        public var methods: [String]?
        public var readOnly: Bool?
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

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("login", \.login), .init("preferredLogin", \.preferredLogin),
            .init("services", \.services), .init("methods", \.methods), .init("readOnly", \.readOnly),
            .init("ttlSeconds", \.ttlSeconds),
        ]
    }

    public struct AddGrantReply: JSONRecord {
        public var grant: BrokerAPI.Grant
        public var chosenBy: LoginChooser?

        public init(grant: BrokerAPI.Grant, chosenBy: LoginChooser? = nil) {
            self.grant = grant
            self.chosenBy = chosenBy
        }

        public static let members: [JSONMember<Self>] = [.init("grant", \.grant), .init("chosenBy", \.chosenBy)]
    }

    public struct ListGrantsCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.ListGrantsReply

        public static let method = "org.relativityd.Broker.ListGrants"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct ListGrantsReply: JSONRecord {
        public var grants: [BrokerAPI.Grant]

        public init(grants: [BrokerAPI.Grant]) {
            self.grants = grants
        }

        public static let members: [JSONMember<Self>] = [.init("grants", \.grants)]
    }

    public struct RevokeGrantCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.RevokeGrantReply

        public static let method = "org.relativityd.Broker.RevokeGrant"

        public var grant: String

        public init(grant: String) {
            self.grant = grant
        }

        public static let members: [JSONMember<Self>] = [.init("grant", \.grant)]
    }

    public typealias RevokeGrantReply = CloseReply

    public struct CaptureCall: VarlinkMethodCall {
        public typealias Reply = BrokerAPI.CaptureReply

        public static let method = "org.relativityd.Broker.Capture"

        public var endpoint: String
        public var login: String?
        public var preferredLogin: String?
        public var anonymous: Bool?
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

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("login", \.login), .init("preferredLogin", \.preferredLogin),
            .init("anonymous", \.anonymous), .init("wrongPassword", \.wrongPassword),
        ]
    }

    public struct CaptureReply: JSONRecord {
        public var exchanges: [BrokerAPI.Exchange]

        public init(exchanges: [BrokerAPI.Exchange]) {
            self.exchanges = exchanges
        }

        public static let members: [JSONMember<Self>] = [.init("exchanges", \.exchanges)]
    }
}
