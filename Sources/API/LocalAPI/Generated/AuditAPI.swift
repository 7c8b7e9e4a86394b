// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Audit.varlink. Change that file, then run `make generate`.

public import Endpoints
public import JSON
public import Varlink

/// The types of `org.relativityd.Audit`. Its definition describes them.
public enum AuditAPI {
    public static let name = "org.relativityd.Audit"

    public enum Method: String, Sendable, CaseIterable {
        case list = "org.relativityd.Audit.List"
        case verify = "org.relativityd.Audit.Verify"
    }

    public struct Line: JSONRecord {
        public enum Strength: String, JSONWord {
            case tls, address, loopback
        }

        public var sequence: Int64
        public var time: Int64
        public var event: String
        public var result: String
        public var endpoint: String?
        public var login: String?
        public var loginName: String?
        public var strength: Strength?
        public var pid: Int64?
        public var claimedBy: Int64?
        public var client: String?
        public var cgroup: String?
        public var times: Int64?
        public var keyed: Bool

        public init(
            sequence: Int64,
            time: Int64,
            event: String,
            result: String,
            endpoint: String? = nil,
            login: String? = nil,
            loginName: String? = nil,
            strength: Strength? = nil,
            pid: Int64? = nil,
            claimedBy: Int64? = nil,
            client: String? = nil,
            cgroup: String? = nil,
            times: Int64? = nil,
            keyed: Bool
        ) {
            self.sequence = sequence
            self.time = time
            self.event = event
            self.result = result
            self.endpoint = endpoint
            self.login = login
            self.loginName = loginName
            self.strength = strength
            self.pid = pid
            self.claimedBy = claimedBy
            self.client = client
            self.cgroup = cgroup
            self.times = times
            self.keyed = keyed
        }

        public static let members: [JSONMember<Self>] = [
            .init("sequence", \.sequence), .init("time", \.time), .init("event", \.event), .init("result", \.result),
            .init("endpoint", \.endpoint), .init("login", \.login), .init("loginName", \.loginName),
            .init("strength", \.strength), .init("pid", \.pid), .init("claimedBy", \.claimedBy),
            .init("client", \.client), .init("cgroup", \.cgroup), .init("times", \.times), .init("keyed", \.keyed),
        ]
    }

    public typealias Fault = Endpoints.AuditFault

    public typealias Report = Endpoints.AuditReport

    public struct ListCall: VarlinkMethodCall {
        public typealias Reply = AuditAPI.ListReply

        public static let method = "org.relativityd.Audit.List"

        public var count: Int64?
        public var since: Int64?

        public init(count: Int64? = nil, since: Int64? = nil) {
            self.count = count
            self.since = since
        }

        public static let members: [JSONMember<Self>] = [.init("count", \.count), .init("since", \.since)]
    }

    public struct ListReply: JSONRecord {
        public var lines: [AuditAPI.Line]

        public init(lines: [AuditAPI.Line]) {
            self.lines = lines
        }

        public static let members: [JSONMember<Self>] = [.init("lines", \.lines)]
    }

    public struct VerifyCall: VarlinkMethodCall {
        public typealias Reply = AuditAPI.VerifyReply

        public static let method = "org.relativityd.Audit.Verify"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct VerifyReply: JSONRecord {
        public var report: AuditReport

        public init(report: AuditReport) {
            self.report = report
        }

        public static let members: [JSONMember<Self>] = [.init("report", \.report)]
    }
}
