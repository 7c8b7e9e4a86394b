// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Audit.varlink. Change that file, then run `make generate`.

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

    public struct Fault: JSONRecord {
        public enum Code: String, JSONWord {
            case unreadable, changed, foreign, missing, misplaced, replaced, truncated
        }

        public var file: String
        public var line: Int64
        public var code: Code
        public var first: Int64?
        public var last: Int64?
        public var expected: Int64?
        public var found: Int64?

        public init(
            file: String,
            line: Int64,
            code: Code,
            first: Int64? = nil,
            last: Int64? = nil,
            expected: Int64? = nil,
            found: Int64? = nil
        ) {
            self.file = file
            self.line = line
            self.code = code
            self.first = first
            self.last = last
            self.expected = expected
            self.found = found
        }

        public static let members: [JSONMember<Self>] = [
            .init("file", \.file), .init("line", \.line), .init("code", \.code), .init("first", \.first),
            .init("last", \.last), .init("expected", \.expected), .init("found", \.found),
        ]
    }

    public struct Report: JSONRecord {
        public var lines: Int64
        public var keyed: Int64
        public var unproved: Int64
        public var lost: Int64
        public var first: Int64?
        public var last: Int64?
        public var unclean: [Int64]
        public var fault: AuditAPI.Fault?

        public init(
            lines: Int64,
            keyed: Int64,
            unproved: Int64,
            lost: Int64,
            first: Int64? = nil,
            last: Int64? = nil,
            unclean: [Int64],
            fault: AuditAPI.Fault? = nil
        ) {
            self.lines = lines
            self.keyed = keyed
            self.unproved = unproved
            self.lost = lost
            self.first = first
            self.last = last
            self.unclean = unclean
            self.fault = fault
        }

        public static let members: [JSONMember<Self>] = [
            .init("lines", \.lines), .init("keyed", \.keyed), .init("unproved", \.unproved), .init("lost", \.lost),
            .init("first", \.first), .init("last", \.last), .init("unclean", \.unclean), .init("fault", \.fault),
        ]
    }

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
        public var report: AuditAPI.Report

        public init(report: AuditAPI.Report) {
            self.report = report
        }

        public static let members: [JSONMember<Self>] = [.init("report", \.report)]
    }
}
