// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Audit.varlink. Change that file, then run `make generate`.

public import JSON
public import Varlink

/// The audit log: one line for each decision, in a chain that shows when a line was changed or taken away.
public enum AuditAPI {
    /// The interface's name.
    public static let name = "org.relativityd.Audit"

    /// The methods.
    public enum Method: String, Sendable, CaseIterable {
        case list = "org.relativityd.Audit.List"
        case verify = "org.relativityd.Audit.Verify"
    }

    /// time is seconds since 1970. login is the id of a login, loginName its name while the vault is unlocked and has it. pid
    /// and cgroup are those of the process that asked, as far as the kernel told; times is set where one line tells of several
    /// equal events. keyed tells whether the line is under the vault's key. sequence is the number of the line, over all
    /// files; event and result are words that never change their meaning: what was decided, and whether it was done, refused
    /// or failed. endpoint is an id, tier that of the pin.
    public struct Line: JSONRecord {
        public var sequence: Int64
        public var time: Int64
        public var event: String
        public var result: String
        public var endpoint: String?
        public var login: String?
        public var loginName: String?
        public var tier: Int64?
        public var pid: Int64?
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
            tier: Int64? = nil,
            pid: Int64? = nil,
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
            self.tier = tier
            self.pid = pid
            self.cgroup = cgroup
            self.times = times
            self.keyed = keyed
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.sequence = try json.read("sequence")
            self.time = try json.read("time")
            self.event = try json.read("event")
            self.result = try json.read("result")
            self.endpoint = try json.readIfPresent("endpoint")
            self.login = try json.readIfPresent("login")
            self.loginName = try json.readIfPresent("loginName")
            self.tier = try json.readIfPresent("tier")
            self.pid = try json.readIfPresent("pid")
            self.cgroup = try json.readIfPresent("cgroup")
            self.times = try json.readIfPresent("times")
            self.keyed = try json.read("keyed")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("sequence", self.sequence)
            output.writeMember("time", self.time)
            output.writeMember("event", self.event)
            output.writeMember("result", self.result)
            output.writeMember("endpoint", ifPresent: self.endpoint)
            output.writeMember("login", ifPresent: self.login)
            output.writeMember("loginName", ifPresent: self.loginName)
            output.writeMember("tier", ifPresent: self.tier)
            output.writeMember("pid", ifPresent: self.pid)
            output.writeMember("cgroup", ifPresent: self.cgroup)
            output.writeMember("times", ifPresent: self.times)
            output.writeMember("keyed", self.keyed)
        }
    }

    /// The place where the chain does not hold. line counts from 1 in its file; 0 stands for an empty log. problem says what
    /// is wrong there.
    public struct Fault: JSONRecord {
        public var file: String
        public var line: Int64
        public var problem: String

        public init(file: String, line: Int64, problem: String) {
            self.file = file
            self.line = line
            self.problem = problem
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.file = try json.read("file")
            self.line = try json.read("line")
            self.problem = try json.read("problem")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("file", self.file)
            output.writeMember("line", self.line)
            output.writeMember("problem", self.problem)
        }
    }

    /// unproved counts lines that nothing vouches for, lost the events that could not be written. unclean are the numbers of
    /// lines after which the daemon was killed, or lines were taken away while it was not running. fault is absent where the
    /// chain holds. keyed counts lines under the vault's key; first and last are the numbers of the oldest and the newest
    /// line.
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

        public init(json: JSONObject) throws(JSONShapeError) {
            self.lines = try json.read("lines")
            self.keyed = try json.read("keyed")
            self.unproved = try json.read("unproved")
            self.lost = try json.read("lost")
            self.first = try json.readIfPresent("first")
            self.last = try json.readIfPresent("last")
            self.unclean = try json.read("unclean")
            self.fault = try json.readIfPresent("fault")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("lines", self.lines)
            output.writeMember("keyed", self.keyed)
            output.writeMember("unproved", self.unproved)
            output.writeMember("lost", self.lost)
            output.writeMember("first", ifPresent: self.first)
            output.writeMember("last", ifPresent: self.last)
            output.writeMember("unclean", self.unclean)
            output.writeMember("fault", ifPresent: self.fault)
        }
    }

    /// The newest lines, oldest first: count at most (1 to 1000; 100 without), not before since (seconds since 1970).
    public struct ListCall: VarlinkMethodCall {
        public typealias Reply = AuditAPI.ListReply

        public static let method = "org.relativityd.Audit.List"

        public var count: Int64?
        public var since: Int64?

        public init(count: Int64? = nil, since: Int64? = nil) {
            self.count = count
            self.since = since
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.count = try json.readIfPresent("count")
            self.since = try json.readIfPresent("since")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("count", ifPresent: self.count)
            output.writeMember("since", ifPresent: self.since)
        }
    }

    /// A reply to `ListCall`.
    public struct ListReply: JSONRecord {
        public var lines: [AuditAPI.Line]

        public init(lines: [AuditAPI.Line]) {
            self.lines = lines
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.lines = try json.read("lines")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("lines", self.lines)
        }
    }

    /// Checks the whole log. Needs an unlocked vault, which has the key.
    public struct VerifyCall: VarlinkMethodCall {
        public typealias Reply = AuditAPI.VerifyReply

        public static let method = "org.relativityd.Audit.Verify"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `VerifyCall`.
    public struct VerifyReply: JSONRecord {
        public var report: AuditAPI.Report

        public init(report: AuditAPI.Report) {
            self.report = report
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.report = try json.read("report")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("report", self.report)
        }
    }

    /// The definition of the interface.
    public static let definition = #"""
        # The audit log: one line for each decision, in a chain that shows when a line was changed or taken away.
        interface org.relativityd.Audit

        # time is seconds since 1970. login is the id of a login, loginName its name while the vault is unlocked and has it. pid
        # and cgroup are those of the process that asked, as far as the kernel told; times is set where one line tells of several
        # equal events. keyed tells whether the line is under the vault's key. sequence is the number of the line, over all
        # files; event and result are words that never change their meaning: what was decided, and whether it was done, refused
        # or failed. endpoint is an id, tier that of the pin.
        type Line (
          sequence: int,
          time: int,
          event: string,
          result: string,
          endpoint: ?string,
          login: ?string,
          loginName: ?string,
          tier: ?int,
          pid: ?int,
          cgroup: ?string,
          times: ?int,
          keyed: bool
        )

        # The place where the chain does not hold. line counts from 1 in its file; 0 stands for an empty log. problem says what
        # is wrong there.
        type Fault (
          file: string,
          line: int,
          problem: string
        )

        # unproved counts lines that nothing vouches for, lost the events that could not be written. unclean are the numbers of
        # lines after which the daemon was killed, or lines were taken away while it was not running. fault is absent where the
        # chain holds. keyed counts lines under the vault's key; first and last are the numbers of the oldest and the newest
        # line.
        type Report (
          lines: int,
          keyed: int,
          unproved: int,
          lost: int,
          first: ?int,
          last: ?int,
          unclean: []int,
          fault: ?Fault
        )

        # The newest lines, oldest first: count at most (1 to 1000; 100 without), not before since (seconds since 1970).
        method List(count: ?int, since: ?int) -> (lines: []Line)

        # Checks the whole log. Needs an unlocked vault, which has the key.
        method Verify() -> (report: Report)

        """#
}
