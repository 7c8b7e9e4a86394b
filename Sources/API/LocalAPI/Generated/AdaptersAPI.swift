// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Adapters.varlink. Change that file, then run `make generate`.

public import JSON
public import Varlink

/// The daemon's second socket, for programs that read data for other programs. It opens adapters and does nothing else.
/// An adapter is closed when the call that opened it ends, so this interface has no method that closes one.
public enum AdaptersAPI {
    /// The interface's name.
    public static let name = "org.relativityd.Adapters"

    /// The methods.
    public enum Method: String, Sendable, CaseIterable {
        case open = "org.relativityd.Adapters.Open"
    }

    /// The process that the calling program works for. The daemon checks that a process of the same user has these values.
    /// They are no proof of identity, so prompts and the audit log state that they are a claim.
    public struct Caller: JSONRecord {
        /// The ID of the process.
        public var pid: Int64
        /// Its start time, in clock ticks since boot: field 22 of /proc/PID/stat. It distinguishes processes with the same ID.
        public var startTime: Int64

        public init(pid: Int64, startTime: Int64) {
            self.pid = pid
            self.startTime = startTime
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.pid = try json.read("pid")
            self.startTime = try json.read("startTime")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("pid", self.pid)
            output.writeMember("startTime", self.startTime)
        }
    }

    /// Opens an adapter for the caller, as Broker.Open does, and logs in if necessary. Call with "more": the only reply is
    /// sent when the adapter is open, and the adapter stays open as long as the calling program is connected. The errors are
    /// those of Broker.Open. InvalidParameter with the parameter caller means that no process of this user has those values.
    public struct OpenCall: VarlinkMethodCall {
        public typealias Reply = AdaptersAPI.OpenReply

        public static let method = "org.relativityd.Adapters.Open"

        public var caller: AdaptersAPI.Caller
        /// As in Broker.Open.
        public var endpoint: String?
        /// As in Broker.Open.
        public var login: String?
        /// As in Broker.Open.
        public var preferredLogin: String?
        /// Opens without a login, for servers that need none.
        public var anonymous: Bool?
        /// Lets the daemon prompt the user, as in Broker.Open.
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

        public init(json: JSONObject) throws(JSONShapeError) {
            self.caller = try json.read("caller")
            self.endpoint = try json.readIfPresent("endpoint")
            self.login = try json.readIfPresent("login")
            self.preferredLogin = try json.readIfPresent("preferredLogin")
            self.anonymous = try json.readIfPresent("anonymous")
            self.interactive = try json.readIfPresent("interactive")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("caller", self.caller)
            output.writeMember("endpoint", ifPresent: self.endpoint)
            output.writeMember("login", ifPresent: self.login)
            output.writeMember("preferredLogin", ifPresent: self.preferredLogin)
            output.writeMember("anonymous", ifPresent: self.anonymous)
            output.writeMember("interactive", ifPresent: self.interactive)
        }
    }

    /// A reply to `OpenCall`.
    public struct OpenReply: JSONRecord {
        /// The ID of the adapter.
        public var adapter: String
        /// The path of its Unix socket.
        public var socketPath: String
        /// The ID of the endpoint.
        public var endpoint: String
        /// The current name of the endpoint. Untrusted.
        public var endpointName: String
        /// The name of the server's data service.
        public var dataService: String
        /// Whether calls that may change something are refused.
        public var readOnly: Bool
        /// The code page of its text that is not Unicode. Absent if it is not known.
        public var codePage: String?
        /// The name of the login. Absent if the adapter is anonymous.
        public var login: String?

        public init(
            adapter: String,
            socketPath: String,
            endpoint: String,
            endpointName: String,
            dataService: String,
            readOnly: Bool,
            codePage: String? = nil,
            login: String? = nil
        ) {
            self.adapter = adapter
            self.socketPath = socketPath
            self.endpoint = endpoint
            self.endpointName = endpointName
            self.dataService = dataService
            self.readOnly = readOnly
            self.codePage = codePage
            self.login = login
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.adapter = try json.read("adapter")
            self.socketPath = try json.read("socketPath")
            self.endpoint = try json.read("endpoint")
            self.endpointName = try json.read("endpointName")
            self.dataService = try json.read("dataService")
            self.readOnly = try json.read("readOnly")
            self.codePage = try json.readIfPresent("codePage")
            self.login = try json.readIfPresent("login")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("adapter", self.adapter)
            output.writeMember("socketPath", self.socketPath)
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("endpointName", self.endpointName)
            output.writeMember("dataService", self.dataService)
            output.writeMember("readOnly", self.readOnly)
            output.writeMember("codePage", ifPresent: self.codePage)
            output.writeMember("login", ifPresent: self.login)
        }
    }

    /// The definition of the interface.
    public static let definition = #"""
        # The daemon's second socket, for programs that read data for other programs. It opens adapters and does nothing else.
        # An adapter is closed when the call that opened it ends, so this interface has no method that closes one.
        interface org.relativityd.Adapters

        # The process that the calling program works for. The daemon checks that a process of the same user has these values.
        # They are no proof of identity, so prompts and the audit log state that they are a claim.
        type Caller (
          # The ID of the process.
          pid: int,
          # Its start time, in clock ticks since boot: field 22 of /proc/PID/stat. It distinguishes processes with the same ID.
          startTime: int
        )

        # Opens an adapter for the caller, as Broker.Open does, and logs in if necessary. Call with "more": the only reply is
        # sent when the adapter is open, and the adapter stays open as long as the calling program is connected. The errors are
        # those of Broker.Open. InvalidParameter with the parameter caller means that no process of this user has those values.
        method Open(
          caller: Caller,
          # As in Broker.Open.
          endpoint: ?string,
          # As in Broker.Open.
          login: ?string,
          # As in Broker.Open.
          preferredLogin: ?string,
          # Opens without a login, for servers that need none.
          anonymous: ?bool,
          # Lets the daemon prompt the user, as in Broker.Open.
          interactive: ?bool
        ) -> (
          # The ID of the adapter.
          adapter: string,
          # The path of its Unix socket.
          socketPath: string,
          # The ID of the endpoint.
          endpoint: string,
          # The current name of the endpoint. Untrusted.
          endpointName: string,
          # The name of the server's data service.
          dataService: string,
          # Whether calls that may change something are refused.
          readOnly: bool,
          # The code page of its text that is not Unicode. Absent if it is not known.
          codePage: ?string,
          # The name of the login. Absent if the adapter is anonymous.
          login: ?string
        )

        """#
}
