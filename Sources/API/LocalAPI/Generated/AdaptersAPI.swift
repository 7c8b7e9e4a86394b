// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Adapters.varlink. Change that file, then run `make generate`.

public import JSON
public import Varlink

/// The types of `org.relativityd.Adapters`. Its definition describes them.
public enum AdaptersAPI {
    public static let name = "org.relativityd.Adapters"

    public enum Method: String, Sendable, CaseIterable {
        case open = "org.relativityd.Adapters.Open"
    }

    public struct Caller: JSONRecord {
        public var pid: Int64
        public var startTime: Int64

        public init(pid: Int64, startTime: Int64) {
            self.pid = pid
            self.startTime = startTime
        }

        public static let members: [JSONMember<Self>] = [.init("pid", \.pid), .init("startTime", \.startTime)]
    }

    public struct OpenCall: VarlinkMethodCall {
        public typealias Reply = AdaptersAPI.OpenReply

        public static let method = "org.relativityd.Adapters.Open"

        public var caller: AdaptersAPI.Caller
        public var endpoint: String?
        public var login: String?
        public var preferredLogin: String?
        public var anonymous: Bool?
        public var interactive: Bool?

        public init(
            caller: AdaptersAPI.Caller,
            endpoint: String? = nil,
            login: String? = nil,
            preferredLogin: String? = nil,
            anonymous: Bool? = nil,
            interactive: Bool? = nil
        ) {
            self.caller = caller
            self.endpoint = endpoint
            self.login = login
            self.preferredLogin = preferredLogin
            self.anonymous = anonymous
            self.interactive = interactive
        }

        public static let members: [JSONMember<Self>] = [
            .init("caller", \.caller), .init("endpoint", \.endpoint), .init("login", \.login),
            .init("preferredLogin", \.preferredLogin), .init("anonymous", \.anonymous),
            .init("interactive", \.interactive),
        ]
    }

    public struct OpenReply: JSONRecord {
        public var adapter: String
        public var socketPath: String
        public var endpoint: String
        public var endpointName: String
        public var dataService: String
        public var readOnly: Bool
        public var otherDatabase: Bool
        public var codePage: String?
        public var login: String?

        public init(
            adapter: String,
            socketPath: String,
            endpoint: String,
            endpointName: String,
            dataService: String,
            readOnly: Bool,
            otherDatabase: Bool,
            codePage: String? = nil,
            login: String? = nil
        ) {
            self.adapter = adapter
            self.socketPath = socketPath
            self.endpoint = endpoint
            self.endpointName = endpointName
            self.dataService = dataService
            self.readOnly = readOnly
            self.otherDatabase = otherDatabase
            self.codePage = codePage
            self.login = login
        }

        public static let members: [JSONMember<Self>] = [
            .init("adapter", \.adapter), .init("socketPath", \.socketPath), .init("endpoint", \.endpoint),
            .init("endpointName", \.endpointName), .init("dataService", \.dataService), .init("readOnly", \.readOnly),
            .init("otherDatabase", \.otherDatabase), .init("codePage", \.codePage), .init("login", \.login),
        ]
    }
}
