// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Audit.varlink. Change that file, then run `make generate`.

public import JSON
public import Varlink

/// The audit log: one line for each decision. The lines form a chain, so that a changed or missing line is detected.
public enum AuditAPI {
    /// The interface's name.
    public static let name = "org.relativityd.Audit"

    /// The methods.
    public enum Method: String, Sendable, CaseIterable {
        case list = "org.relativityd.Audit.List"
        case verify = "org.relativityd.Audit.Verify"
    }

    /// A line of the log.
    public struct Line: JSONRecord {
        public enum Strength: String, JSONWord {
            case tls
            case address
            case loopback
        }

        /// The number of the line, counted over all files of the log.
        public var sequence: Int64
        /// Seconds since 1970.
        public var time: Int64
        /// The kind of decision, such as login.added. Kinds never change their meaning, but new ones may be added.
        public var event: String
        /// The outcome: done, refused or failed.
        public var result: String
        /// The ID of an endpoint.
        public var endpoint: String?
        /// The ID of a login.
        public var login: String?
        /// The name of that login. Absent unless the vault is unlocked and has the login.
        public var loginName: String?
        /// The strength of the pin. tls: a TLS key or a certificate for a host. address and loopback: as in Registry.PinStrength.
        public var strength: Strength?
        /// The ID of the calling process, as reported by the kernel. It is no proof of identity.
        public var pid: Int64?
        /// The ID of the process that made the call and claimed to act for pid. Absent if pid made the call.
        public var claimedBy: Int64?
        /// The control group of that process.
        public var cgroup: String?
        /// The number of equal events that this line stands for. Absent if it is one.
        public var times: Int64?
        /// Whether the line is authenticated with the vault's key.
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
            self.strength = try json.readIfPresent("strength")
            self.pid = try json.readIfPresent("pid")
            self.claimedBy = try json.readIfPresent("claimedBy")
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
            output.writeMember("strength", ifPresent: self.strength)
            output.writeMember("pid", ifPresent: self.pid)
            output.writeMember("claimedBy", ifPresent: self.claimedBy)
            output.writeMember("cgroup", ifPresent: self.cgroup)
            output.writeMember("times", ifPresent: self.times)
            output.writeMember("keyed", self.keyed)
        }
    }

    /// The place where the chain is broken: a code, and the values that belong to it. Other values are absent.
    public struct Fault: JSONRecord {
        public enum Code: String, JSONWord {
            case unreadable
            case changed
            case foreign
            case missing
            case misplaced
            case replaced
            case truncated
        }

        /// The name of the file.
        public var file: String
        /// The line of the file, counted from 1; 0 if the log is empty.
        public var line: Int64
        /// unreadable: the line does not have the form of one. changed: it was changed. foreign: its tag was not made by this
        /// vault. missing: the lines first to last are missing before it. misplaced: it has the number found, and the number
        /// expected belongs there. replaced: the line before it was replaced. truncated: the lines first to last are missing
        /// after it.
        public var code: Code
        /// The number of the first line that is missing.
        public var first: Int64?
        /// The number of the last line that is missing.
        public var last: Int64?
        /// The number that belongs there.
        public var expected: Int64?
        /// The number that the line has.
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

        public init(json: JSONObject) throws(JSONShapeError) {
            self.file = try json.read("file")
            self.line = try json.read("line")
            self.code = try json.read("code")
            self.first = try json.readIfPresent("first")
            self.last = try json.readIfPresent("last")
            self.expected = try json.readIfPresent("expected")
            self.found = try json.readIfPresent("found")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("file", self.file)
            output.writeMember("line", self.line)
            output.writeMember("code", self.code)
            output.writeMember("first", ifPresent: self.first)
            output.writeMember("last", ifPresent: self.last)
            output.writeMember("expected", ifPresent: self.expected)
            output.writeMember("found", ifPresent: self.found)
        }
    }

    /// The result of a check.
    public struct Report: JSONRecord {
        /// The number of lines.
        public var lines: Int64
        /// The number of lines that are authenticated with the vault's key.
        public var keyed: Int64
        /// The number of lines that nothing authenticates.
        public var unproved: Int64
        /// The number of events that could not be written.
        public var lost: Int64
        /// The number of the oldest line. Absent if the log is empty.
        public var first: Int64?
        /// The number of the newest line. Absent if the log is empty.
        public var last: Int64?
        /// The numbers of lines after which the daemon was killed, or lines were removed while it was not running.
        public var unclean: [Int64]
        /// The first fault. Absent if the chain is intact.
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

    /// Returns the newest lines, oldest first. count is the maximum number of lines, 1 to 1000; the default is 100. Lines
    /// before since, in seconds since 1970, are left out.
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

    /// Checks the whole log. The vault must be unlocked, because it contains the key.
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

    /// The audit log cannot be read or written. A change that it must record was not made, except RevokeGrant, which was.
    public struct LogUnavailableError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Audit.LogUnavailable"

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

    /// The definition of the interface.
    public static let definition = #"""
        # The audit log: one line for each decision. The lines form a chain, so that a changed or missing line is detected.
        interface org.relativityd.Audit

        # A line of the log.
        type Line (
          # The number of the line, counted over all files of the log.
          sequence: int,
          # Seconds since 1970.
          time: int,
          # The kind of decision, such as login.added. Kinds never change their meaning, but new ones may be added.
          event: string,
          # The outcome: done, refused or failed.
          result: string,
          # The ID of an endpoint.
          endpoint: ?string,
          # The ID of a login.
          login: ?string,
          # The name of that login. Absent unless the vault is unlocked and has the login.
          loginName: ?string,
          # The strength of the pin. tls: a TLS key or a certificate for a host. address and loopback: as in Registry.PinStrength.
          strength: ?(tls, address, loopback),
          # The ID of the calling process, as reported by the kernel. It is no proof of identity.
          pid: ?int,
          # The ID of the process that made the call and claimed to act for pid. Absent if pid made the call.
          claimedBy: ?int,
          # The control group of that process.
          cgroup: ?string,
          # The number of equal events that this line stands for. Absent if it is one.
          times: ?int,
          # Whether the line is authenticated with the vault's key.
          keyed: bool
        )

        # The place where the chain is broken: a code, and the values that belong to it. Other values are absent.
        type Fault (
          # The name of the file.
          file: string,
          # The line of the file, counted from 1; 0 if the log is empty.
          line: int,
          # unreadable: the line does not have the form of one. changed: it was changed. foreign: its tag was not made by this
          # vault. missing: the lines first to last are missing before it. misplaced: it has the number found, and the number
          # expected belongs there. replaced: the line before it was replaced. truncated: the lines first to last are missing
          # after it.
          code: (unreadable, changed, foreign, missing, misplaced, replaced, truncated),
          # The number of the first line that is missing.
          first: ?int,
          # The number of the last line that is missing.
          last: ?int,
          # The number that belongs there.
          expected: ?int,
          # The number that the line has.
          found: ?int
        )

        # The result of a check.
        type Report (
          # The number of lines.
          lines: int,
          # The number of lines that are authenticated with the vault's key.
          keyed: int,
          # The number of lines that nothing authenticates.
          unproved: int,
          # The number of events that could not be written.
          lost: int,
          # The number of the oldest line. Absent if the log is empty.
          first: ?int,
          # The number of the newest line. Absent if the log is empty.
          last: ?int,
          # The numbers of lines after which the daemon was killed, or lines were removed while it was not running.
          unclean: []int,
          # The first fault. Absent if the chain is intact.
          fault: ?Fault
        )

        # Returns the newest lines, oldest first. count is the maximum number of lines, 1 to 1000; the default is 100. Lines
        # before since, in seconds since 1970, are left out.
        method List(count: ?int, since: ?int) -> (lines: []Line)

        # Checks the whole log. The vault must be unlocked, because it contains the key.
        method Verify() -> (report: Report)

        # The audit log cannot be read or written. A change that it must record was not made, except RevokeGrant, which was.
        error LogUnavailable (message: string)

        """#
}
