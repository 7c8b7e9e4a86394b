// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Data.varlink. Change that file, then run `make generate`.

public import JSON
public import Varlink

/// The data of servers. A process of its own, relativityd-data, serves this interface on its own socket. It has no
/// passwords: it uses adapters that the daemon opens for the caller. An adapter is opened by the first call for a server
/// and a login, and is closed with the caller's connection. Errors of the daemon, such as those of Broker.Open, are passed
/// on. Closing the connection cancels the running call.
public enum DataAPI {
    /// The interface's name.
    public static let name = "org.relativityd.Data"

    /// The methods.
    public enum Method: String, Sendable, CaseIterable {
        case open = "org.relativityd.Data.Open"
        case listTables = "org.relativityd.Data.ListTables"
        case getSchema = "org.relativityd.Data.GetSchema"
        case read = "org.relativityd.Data.Read"
        case readTables = "org.relativityd.Data.ReadTables"
        case query = "org.relativityd.Data.Query"
        case count = "org.relativityd.Data.Count"
        case watch = "org.relativityd.Data.Watch"
        case listCommands = "org.relativityd.Data.ListCommands"
        case runCommand = "org.relativityd.Data.RunCommand"
        case edit = "org.relativityd.Data.Edit"
        case apply = "org.relativityd.Data.Apply"
        case listKept = "org.relativityd.Data.ListKept"
        case readKept = "org.relativityd.Data.ReadKept"
        case listPending = "org.relativityd.Data.ListPending"
        case getPending = "org.relativityd.Data.GetPending"
        case checkPending = "org.relativityd.Data.CheckPending"
        case retryPending = "org.relativityd.Data.RetryPending"
        case settlePending = "org.relativityd.Data.SettlePending"
        case dropPending = "org.relativityd.Data.DropPending"
    }

    /// The server, the login and the data service of a call.
    public struct Server: JSONRecord {
        /// The endpoint, as in Broker.Open. May be absent: the login determines it then.
        public var endpoint: String?
        /// The name of a login or its beginning. Without it, a login is chosen as by Broker.Open.
        public var login: String?
        /// A login that is chosen before any default if it is one of the endpoint: the variable RELATIVITYD_LOGIN of the program.
        public var preferredLogin: String?
        /// Makes the calls without a login, for servers that need none.
        public var anonymous: Bool?
        /// The name of the data service. The default is that of the endpoint, usually DataService.
        public var service: String?
        /// The name of a schema. The service is then DataService.NAME. Not together with service.
        public var schema: String?
        /// Lets the daemon prompt the user, as in Broker.Open.
        public var interactive: Bool?

        public init(
            endpoint: String? = nil,
            login: String? = nil,
            preferredLogin: String? = nil,
            anonymous: Bool? = nil,
            service: String? = nil,
            schema: String? = nil,
            interactive: Bool? = nil
        ) {
            self.endpoint = endpoint
            self.login = login
            self.preferredLogin = preferredLogin
            self.anonymous = anonymous
            self.service = service
            self.schema = schema
            self.interactive = interactive
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.readIfPresent("endpoint")
            self.login = try json.readIfPresent("login")
            self.preferredLogin = try json.readIfPresent("preferredLogin")
            self.anonymous = try json.readIfPresent("anonymous")
            self.service = try json.readIfPresent("service")
            self.schema = try json.readIfPresent("schema")
            self.interactive = try json.readIfPresent("interactive")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", ifPresent: self.endpoint)
            output.writeMember("login", ifPresent: self.login)
            output.writeMember("preferredLogin", ifPresent: self.preferredLogin)
            output.writeMember("anonymous", ifPresent: self.anonymous)
            output.writeMember("service", ifPresent: self.service)
            output.writeMember("schema", ifPresent: self.schema)
            output.writeMember("interactive", ifPresent: self.interactive)
        }
    }

    /// A field of a table, or a column of a result.
    public struct Field: JSONRecord {
        /// The name. Untrusted, as every name and text of a server.
        public var name: String
        /// The type, such as WideString, Integer, Currency or DateTime. It determines the JSON of the values: see Read.
        public var type: String
        /// Whether the field is part of the key. Absent if unknown.
        public var key: Bool?
        /// Whether a value is required. Absent if unknown.
        public var required: Bool?

        public init(name: String, type: String, key: Bool? = nil, required: Bool? = nil) {
            self.name = name
            self.type = type
            self.key = key
            self.required = required
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.name = try json.read("name")
            self.type = try json.read("type")
            self.key = try json.readIfPresent("key")
            self.required = try json.readIfPresent("required")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("name", self.name)
            output.writeMember("type", self.type)
            output.writeMember("key", ifPresent: self.key)
            output.writeMember("required", ifPresent: self.required)
        }
    }

    /// A table of a schema.
    public struct Table: JSONRecord {
        /// The name.
        public var name: String
        /// The fields, in order.
        public var fields: [DataAPI.Field]

        public init(name: String, fields: [DataAPI.Field]) {
            self.name = name
            self.fields = fields
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.name = try json.read("name")
            self.fields = try json.read("fields")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("name", self.name)
            output.writeMember("fields", self.fields)
        }
    }

    /// A value with a name: a parameter of a query or of a command.
    public struct Parameter: JSONRecord {
        /// The name, without a colon.
        public var name: String
        /// The value as text, in the form that Read has for the type. Absent for NULL.
        public var value: String?
        /// The type: WideString, the default; Boolean, Integer, LargeInt, Float, Currency, Decimal, DateTime, Guid or Blob.
        public var type: String?

        public init(name: String, value: String? = nil, type: String? = nil) {
            self.name = name
            self.value = value
            self.type = type
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.name = try json.read("name")
            self.value = try json.readIfPresent("value")
            self.type = try json.readIfPresent("type")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("name", self.name)
            output.writeMember("value", ifPresent: self.value)
            output.writeMember("type", ifPresent: self.type)
        }
    }

    /// A command of a server: a statement that it has stored, and that may change data.
    public struct Command: JSONRecord {
        /// The name.
        public var name: String
        /// The names of its parameters.
        public var parameters: [String]

        public init(name: String, parameters: [String]) {
            self.name = name
            self.parameters = parameters
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.name = try json.read("name")
            self.parameters = try json.read("parameters")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("name", self.name)
            output.writeMember("parameters", self.parameters)
        }
    }

    /// A step of a read that was done here and not by the server.
    public struct Note: JSONRecord {
        /// filter, sort, select, limit, count or sql. New words may be added.
        public var step: String
        /// Why: lacks, the server has no such feature. refused: it refused a request with this step. unsent: it may judge the
        /// condition differently, so a part was not sent. severalFields: it sorts by one field only. notInStatement: a statement
        /// cannot express it. New words may be added.
        public var reason: String
        /// The feature that the server lacks.
        public var feature: String?

        public init(step: String, reason: String, feature: String? = nil) {
            self.step = step
            self.reason = reason
            self.feature = feature
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.step = try json.read("step")
            self.reason = try json.read("reason")
            self.feature = try json.readIfPresent("feature")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("step", self.step)
            output.writeMember("reason", self.reason)
            output.writeMember("feature", ifPresent: self.feature)
        }
    }

    /// Where the steps of a read were done. A step that both sides did is in both. The words are those of Note.
    public struct Evaluated: JSONRecord {
        /// The steps of the server.
        public var server: [String]
        /// The steps that were done here.
        public var here: [String]

        public init(server: [String], here: [String]) {
            self.server = server
            self.here = here
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.server = try json.read("server")
            self.here = try json.read("here")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("server", self.server)
            output.writeMember("here", self.here)
        }
    }

    /// What an edit does.
    public enum EditAction: String, JSONWord {
        case insert
        case update
        case delete
    }

    /// An edit of a table. The members of key, values and expected are the names of fields. Their values have the forms of
    /// Read; NULL is null, and a number may also be a text, which is necessary if it has more than 15 digits.
    public struct Edit: JSONRecord {
        /// What it does.
        public var action: DataAPI.EditAction
        /// The name of the table.
        public var table: String
        /// The key of the row to update or delete: all of its fields.
        public var key: JSONObject?
        /// A predicate, as in Read. Updates or deletes all rows that satisfy it. Either key or where is given, but not both.
        public var `where`: String?
        /// The new values of an insert or update. An insert takes the default of every other field.
        public var values: JSONObject?
        /// The values that the rows must have when they are read. Otherwise the call is refused and nothing is changed.
        public var expected: JSONObject?

        public init(
            action: DataAPI.EditAction,
            table: String,
            key: JSONObject? = nil,
            `where`: String? = nil,
            values: JSONObject? = nil,
            expected: JSONObject? = nil
        ) {
            self.action = action
            self.table = table
            self.key = key
            self.`where` = `where`
            self.values = values
            self.expected = expected
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.action = try json.read("action")
            self.table = try json.read("table")
            self.key = try json.readIfPresent("key")
            self.`where` = try json.readIfPresent("where")
            self.values = try json.readIfPresent("values")
            self.expected = try json.readIfPresent("expected")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("action", self.action)
            output.writeMember("table", self.table)
            output.writeMember("key", ifPresent: self.key)
            output.writeMember("where", ifPresent: self.`where`)
            output.writeMember("values", ifPresent: self.values)
            output.writeMember("expected", ifPresent: self.expected)
        }
    }

    /// A reference between tables, for servers whose schema does not show it.
    public struct Reference: JSONRecord {
        /// The table that refers.
        public var detail: String
        /// Its fields that refer.
        public var detailFields: [String]
        /// The table that is referred to.
        public var master: String
        /// Its fields, in the order of detailFields.
        public var masterFields: [String]

        public init(detail: String, detailFields: [String], master: String, masterFields: [String]) {
            self.detail = detail
            self.detailFields = detailFields
            self.master = master
            self.masterFields = masterFields
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.detail = try json.read("detail")
            self.detailFields = try json.read("detailFields")
            self.master = try json.read("master")
            self.masterFields = try json.read("masterFields")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("detail", self.detail)
            output.writeMember("detailFields", self.detailFields)
            output.writeMember("master", self.master)
            output.writeMember("masterFields", self.masterFields)
        }
    }

    /// A field with a value that is found by a key: the field shown of the first row of a table whose keys equal the fields,
    /// or the text of a list.
    public struct Lookup: JSONRecord {
        /// The name. No field of the table may have it.
        public var name: String
        /// The fields of the row with the key.
        public var fields: [String]
        /// The other table. Absent for a list.
        public var table: String?
        /// The fields of its key, in the order of fields.
        public var keys: [String]?
        /// The field whose value is shown.
        public var shown: String?
        /// A fixed list for one field: the members are keys as text, and their values are texts.
        public var list: JSONObject?
        /// The text for a key that is not found. The default is NULL.
        public var missing: String?

        public init(
            name: String,
            fields: [String],
            table: String? = nil,
            keys: [String]? = nil,
            shown: String? = nil,
            list: JSONObject? = nil,
            missing: String? = nil
        ) {
            self.name = name
            self.fields = fields
            self.table = table
            self.keys = keys
            self.shown = shown
            self.list = list
            self.missing = missing
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.name = try json.read("name")
            self.fields = try json.read("fields")
            self.table = try json.readIfPresent("table")
            self.keys = try json.readIfPresent("keys")
            self.shown = try json.readIfPresent("shown")
            self.list = try json.readIfPresent("list")
            self.missing = try json.readIfPresent("missing")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("name", self.name)
            output.writeMember("fields", self.fields)
            output.writeMember("table", ifPresent: self.table)
            output.writeMember("keys", ifPresent: self.keys)
            output.writeMember("shown", ifPresent: self.shown)
            output.writeMember("list", ifPresent: self.list)
            output.writeMember("missing", ifPresent: self.missing)
        }
    }

    /// A field with the value of an expression (expressions.md), such as sum(Details.Price where Details.Order = Id).
    public struct Calculated: JSONRecord {
        /// The name. No field of the table may have it.
        public var name: String
        /// The expression.
        public var expression: String
        /// The type, such as Currency. The default is the type of the expression.
        public var type: String?

        public init(name: String, expression: String, type: String? = nil) {
            self.name = name
            self.expression = expression
            self.type = type
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.name = try json.read("name")
            self.expression = try json.read("expression")
            self.type = try json.readIfPresent("type")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("name", self.name)
            output.writeMember("expression", self.expression)
            output.writeMember("type", ifPresent: self.type)
        }
    }

    /// The outcome of a change. accepted: the server has made it. rejected: the server refused it, and it stays pending.
    /// conflict: it was not sent, because the row is not the one that was read before, and it stays pending. unknown: it was
    /// sent, and no reply came, so the server may have made it. pending: it was not sent, or not processed by the server.
    public enum Outcome: String, JSONWord {
        case accepted
        case rejected
        case conflict
        case unknown
        case pending
    }

    /// A change of a row. Values have the forms of Read with numbersAsText.
    public struct Change: JSONRecord {
        /// The name of the table.
        public var table: String
        /// The number of the change in its table, for DropPending and SettlePending.
        public var row: Int64
        /// What it does.
        public var action: DataAPI.EditAction
        /// The key. A new row has a temporary key, a negative number, until the server has made the real one.
        public var key: JSONObject
        /// The old values of the fields that change, or of those of a removed row that are not NULL. Absent for a new row.
        public var old: JSONObject?
        /// The new values of the fields that change. Absent for a removed row.
        public var new: JSONObject?
        /// The outcome.
        public var outcome: DataAPI.Outcome
        /// The reason of the server for rejected. Untrusted.
        public var reason: String?
        /// For conflict: changed, both sides changed the row; missing, the server no longer has it; keyTaken, the server has
        /// another row with the key of the new row. New words may be added.
        public var conflict: String?
        /// The values of the fields in conflict when the row was read before.
        public var base: JSONObject?
        /// The values that the server has now in these fields. Absent if it has no such row.
        public var theirs: JSONObject?

        public init(
            table: String,
            row: Int64,
            action: DataAPI.EditAction,
            key: JSONObject,
            old: JSONObject? = nil,
            new: JSONObject? = nil,
            outcome: DataAPI.Outcome,
            reason: String? = nil,
            conflict: String? = nil,
            base: JSONObject? = nil,
            theirs: JSONObject? = nil
        ) {
            self.table = table
            self.row = row
            self.action = action
            self.key = key
            self.old = old
            self.new = new
            self.outcome = outcome
            self.reason = reason
            self.conflict = conflict
            self.base = base
            self.theirs = theirs
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.table = try json.read("table")
            self.row = try json.read("row")
            self.action = try json.read("action")
            self.key = try json.read("key")
            self.old = try json.readIfPresent("old")
            self.new = try json.readIfPresent("new")
            self.outcome = try json.read("outcome")
            self.reason = try json.readIfPresent("reason")
            self.conflict = try json.readIfPresent("conflict")
            self.base = try json.readIfPresent("base")
            self.theirs = try json.readIfPresent("theirs")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("table", self.table)
            output.writeMember("row", self.row)
            output.writeMember("action", self.action)
            output.writeMember("key", self.key)
            output.writeMember("old", ifPresent: self.old)
            output.writeMember("new", ifPresent: self.new)
            output.writeMember("outcome", self.outcome)
            output.writeMember("reason", ifPresent: self.reason)
            output.writeMember("conflict", ifPresent: self.conflict)
            output.writeMember("base", ifPresent: self.base)
            output.writeMember("theirs", ifPresent: self.theirs)
        }
    }

    /// A fact about an apply.
    public struct ApplyNote: JSONRecord {
        /// separateTransactions: the changes of tables were sent in a call of their own, which is another transaction, because
        /// they refer to keys that the server made in the call before. waitsForKey: a change was not sent, because it refers to
        /// a new row of a table that has no key yet. alreadyRemoved: the server no longer had the row that was to be removed.
        /// keyUnknown: the server accepted a new row and did not report its key. unknownRecord: the reply has a change that was
        /// not sent. New words may be added.
        public var fact: String
        /// The tables: of separateTransactions those of the later call.
        public var tables: [String]
        /// The number of the change. Absent if the fact is not about one.
        public var row: Int64?

        public init(fact: String, tables: [String], row: Int64? = nil) {
            self.fact = fact
            self.tables = tables
            self.row = row
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.fact = try json.read("fact")
            self.tables = try json.read("tables")
            self.row = try json.readIfPresent("row")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("fact", self.fact)
            output.writeMember("tables", self.tables)
            output.writeMember("row", ifPresent: self.row)
        }
    }

    /// The reason why an apply ended before all changes were sent.
    public struct ApplyFailure: JSONRecord {
        /// refused: the server answered with an exception and made none of the changes of its call. notSent: nothing was sent.
        /// unknownOutcome: a call was sent and no reply came. unreadable: rows could not be read to compare them. tooLong: the
        /// changes exceed the size of a call. notSaved: the file of the pending set could not be written. New words may be added.
        public var kind: String
        /// A text for users. Its part from the server is untrusted.
        public var message: String

        public init(kind: String, message: String) {
            self.kind = kind
            self.message = message
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.kind = try json.read("kind")
            self.message = try json.read("message")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("kind", self.kind)
            output.writeMember("message", self.message)
        }
    }

    /// A pending set: changes that are kept in a file of the user until they are applied or dropped.
    public struct PendingSet: JSONRecord {
        /// The name.
        public var name: String
        /// The number of its present state.
        public var revision: Int64
        /// The ID of the endpoint that it is for.
        public var endpoint: String
        /// The name of the data service that it is for.
        public var service: String

        public init(name: String, revision: Int64, endpoint: String, service: String) {
            self.name = name
            self.revision = revision
            self.endpoint = endpoint
            self.service = service
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.name = try json.read("name")
            self.revision = try json.read("revision")
            self.endpoint = try json.read("endpoint")
            self.service = try json.read("service")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("name", self.name)
            output.writeMember("revision", self.revision)
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("service", self.service)
        }
    }

    /// A change of unknown outcome, compared with the rows that the server has now.
    public struct Verdict: JSONRecord {
        /// The change.
        public var change: DataAPI.Change
        /// applied: the server's row has the new values, or the removed row does not exist. Of a new row without a key there is a
        /// row with its values, which another client may have inserted too. notApplied: it has the old values, or there is no
        /// such new row. unclear: it has other values. New words may be added.
        public var verdict: String
        /// The rows of the server that match the change.
        public var matches: [JSONObject]

        public init(change: DataAPI.Change, verdict: String, matches: [JSONObject]) {
            self.change = change
            self.verdict = verdict
            self.matches = matches
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.change = try json.read("change")
            self.verdict = try json.read("verdict")
            self.matches = try json.read("matches")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("change", self.change)
            output.writeMember("verdict", self.verdict)
            output.writeMember("matches", self.matches)
        }
    }

    /// A table that is kept for times without its server.
    public struct KeptTable: JSONRecord {
        /// The name.
        public var name: String
        /// The number of rows, without pending changes.
        public var rows: Int64
        /// The number of pending changes.
        public var pending: Int64

        public init(name: String, rows: Int64, pending: Int64) {
            self.name = name
            self.rows = rows
            self.pending = pending
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.name = try json.read("name")
            self.rows = try json.read("rows")
            self.pending = try json.read("pending")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("name", self.name)
            output.writeMember("rows", self.rows)
            output.writeMember("pending", self.pending)
        }
    }

    /// The kept tables of one endpoint and data service.
    public struct KeptSet: JSONRecord {
        /// The ID of the endpoint.
        public var endpoint: String
        /// The name that the endpoint had at the last download. Untrusted.
        public var name: String
        /// The name of the data service.
        public var service: String
        /// The time of the last download in UTC, such as 2026-01-02T03:04:05Z. Absent if it is unknown.
        public var saved: String?
        /// The tables. Absent if they cannot be read, or are too large for this service.
        public var tables: [DataAPI.KeptTable]?

        public init(
            endpoint: String,
            name: String,
            service: String,
            saved: String? = nil,
            tables: [DataAPI.KeptTable]? = nil
        ) {
            self.endpoint = endpoint
            self.name = name
            self.service = service
            self.saved = saved
            self.tables = tables
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
            self.name = try json.read("name")
            self.service = try json.read("service")
            self.saved = try json.readIfPresent("saved")
            self.tables = try json.readIfPresent("tables")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("name", self.name)
            output.writeMember("service", self.service)
            output.writeMember("saved", ifPresent: self.saved)
            output.writeMember("tables", ifPresent: self.tables)
        }
    }

    /// A state of a watch. ready: a reading has ended, and all its changes were sent. busy: a reading begins. tablesChanged: the
    /// rows of the table differ from the last reading, and the changes follow. offline: the server cannot be reached; the watch
    /// tries again after 1 s, 2 s and so on up to 30 s. online: it answers again, and the reading goes on.
    public enum WatchState: String, JSONWord {
        case ready
        case busy
        case tablesChanged
        case offline
        case online
    }

    /// A change of a pending set, by its number.
    public struct ChangeName: JSONRecord {
        /// The name of the table.
        public var table: String
        /// The number of the change.
        public var row: Int64

        public init(table: String, row: Int64) {
            self.table = table
            self.row = row
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.table = try json.read("table")
            self.row = try json.read("row")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("table", self.table)
            output.writeMember("row", self.row)
        }
    }

    /// Opens the adapter of the connection for a server and a login, as any other call for them does first. So a program finds
    /// out at its beginning whether it can use the server.
    public struct OpenCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.OpenReply

        public static let method = "org.relativityd.Data.Open"

        public var server: DataAPI.Server

        public init(server: DataAPI.Server) {
            self.server = server
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.server = try json.read("server")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("server", self.server)
        }
    }

    /// A reply to `OpenCall`.
    public struct OpenReply: JSONRecord {
        /// The ID of the endpoint.
        public var endpoint: String
        /// The current name of the endpoint. Untrusted.
        public var endpointName: String
        /// The name of the data service that the other calls use.
        public var service: String
        /// Whether calls that may change something are refused.
        public var readOnly: Bool

        public init(endpoint: String, endpointName: String, service: String, readOnly: Bool) {
            self.endpoint = endpoint
            self.endpointName = endpointName
            self.service = service
            self.readOnly = readOnly
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
            self.endpointName = try json.read("endpointName")
            self.service = try json.read("service")
            self.readOnly = try json.read("readOnly")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("endpointName", self.endpointName)
            output.writeMember("service", self.service)
            output.writeMember("readOnly", self.readOnly)
        }
    }

    /// Returns the names of the tables that the schema of the server has.
    public struct ListTablesCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.ListTablesReply

        public static let method = "org.relativityd.Data.ListTables"

        public var server: DataAPI.Server

        public init(server: DataAPI.Server) {
            self.server = server
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.server = try json.read("server")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("server", self.server)
        }
    }

    /// A reply to `ListTablesCall`.
    public struct ListTablesReply: JSONRecord {
        public var tables: [String]

        public init(tables: [String]) {
            self.tables = tables
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.tables = try json.read("tables")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("tables", self.tables)
        }
    }

    /// Returns the tables of the schema with their fields. If table is given, only the one with that name.
    public struct GetSchemaCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.GetSchemaReply

        public static let method = "org.relativityd.Data.GetSchema"

        public var server: DataAPI.Server
        public var table: String?

        public init(server: DataAPI.Server, table: String? = nil) {
            self.server = server
            self.table = table
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.server = try json.read("server")
            self.table = try json.readIfPresent("table")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("server", self.server)
            output.writeMember("table", ifPresent: self.table)
        }
    }

    /// A reply to `GetSchemaCall`.
    public struct GetSchemaReply: JSONRecord {
        public var tables: [DataAPI.Table]

        public init(tables: [DataAPI.Table]) {
            self.tables = tables
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.tables = try json.read("tables")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("tables", self.tables)
        }
    }

    /// Reads the rows of a table. Call with "more". The first reply has fields, each later one has rows, and the last one has
    /// count. A reply is made when the caller has read the earlier ones, so a slow caller slows the server down.
    ///
    /// A row is an array with one JSON value for each field, although this language has only the word object for it. NULL is
    /// null. Boolean is true or false. Integers, Float, SingleFloat, Currency and Decimal are numbers with all their digits;
    /// with numbersAsText, LargeInt, LargeAutoInc, LargeUInt, Currency and Decimal are texts. Text is a text. DateTime is a
    /// text such as 2026-01-31T08:00:00 or 2026-01-31T08:00:00.123, without a zone. Guid is a text without braces. Blob is
    /// base64. NaN and infinity end the call with BadData.
    public struct ReadCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.ReadReply

        public static let method = "org.relativityd.Data.Read"

        public var server: DataAPI.Server
        /// The name of the table.
        public var table: String
        /// The names of the fields, in order. The default is all fields.
        public var fields: [String]?
        /// A predicate in the language of predicates.md, such as Amount > 100 AND Name BEGINSWITH 'A'.
        public var `where`: String?
        /// The names of the fields to sort by. A minus before the name sorts in descending order. The default is the order of
        /// the server.
        public var order: [String]?
        /// The maximum number of rows.
        public var limit: Int64?
        /// Lookup fields. They follow the fields of the table. If fields is given, it names those that are returned.
        public var lookups: [DataAPI.Lookup]?
        /// Calculated fields, which follow the lookup fields. They may read them and each other.
        public var calculated: [DataAPI.Calculated]?
        /// References between tables, in addition to those of the server's schema, for expressions without a condition.
        public var references: [DataAPI.Reference]?
        /// The values of the parameters of the table's query.
        public var parameters: [DataAPI.Parameter]?
        /// Sends LargeInt, LargeAutoInc, LargeUInt, Currency and Decimal as text.
        public var numbersAsText: Bool?

        public init(
            server: DataAPI.Server,
            table: String,
            fields: [String]? = nil,
            `where`: String? = nil,
            order: [String]? = nil,
            limit: Int64? = nil,
            lookups: [DataAPI.Lookup]? = nil,
            calculated: [DataAPI.Calculated]? = nil,
            references: [DataAPI.Reference]? = nil,
            parameters: [DataAPI.Parameter]? = nil,
            numbersAsText: Bool? = nil
        ) {
            self.server = server
            self.table = table
            self.fields = fields
            self.`where` = `where`
            self.order = order
            self.limit = limit
            self.lookups = lookups
            self.calculated = calculated
            self.references = references
            self.parameters = parameters
            self.numbersAsText = numbersAsText
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.server = try json.read("server")
            self.table = try json.read("table")
            self.fields = try json.readIfPresent("fields")
            self.`where` = try json.readIfPresent("where")
            self.order = try json.readIfPresent("order")
            self.limit = try json.readIfPresent("limit")
            self.lookups = try json.readIfPresent("lookups")
            self.calculated = try json.readIfPresent("calculated")
            self.references = try json.readIfPresent("references")
            self.parameters = try json.readIfPresent("parameters")
            self.numbersAsText = try json.readIfPresent("numbersAsText")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("server", self.server)
            output.writeMember("table", self.table)
            output.writeMember("fields", ifPresent: self.fields)
            output.writeMember("where", ifPresent: self.`where`)
            output.writeMember("order", ifPresent: self.order)
            output.writeMember("limit", ifPresent: self.limit)
            output.writeMember("lookups", ifPresent: self.lookups)
            output.writeMember("calculated", ifPresent: self.calculated)
            output.writeMember("references", ifPresent: self.references)
            output.writeMember("parameters", ifPresent: self.parameters)
            output.writeMember("numbersAsText", ifPresent: self.numbersAsText)
        }
    }

    /// A reply to `ReadCall`.
    public struct ReadReply: JSONRecord {
        /// The columns of the rows. Only in the first reply.
        public var fields: [DataAPI.Field]?
        /// The next rows.
        public var rows: [JSONObject]?
        /// The number of rows of all replies. Only in the last reply.
        public var count: Int64?
        /// What was done here instead of on the server. Only in the last reply.
        public var notes: [DataAPI.Note]?
        /// Where the steps were done. Only in the last reply.
        public var evaluated: DataAPI.Evaluated?

        public init(
            fields: [DataAPI.Field]? = nil,
            rows: [JSONObject]? = nil,
            count: Int64? = nil,
            notes: [DataAPI.Note]? = nil,
            evaluated: DataAPI.Evaluated? = nil
        ) {
            self.fields = fields
            self.rows = rows
            self.count = count
            self.notes = notes
            self.evaluated = evaluated
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.fields = try json.readIfPresent("fields")
            self.rows = try json.readIfPresent("rows")
            self.count = try json.readIfPresent("count")
            self.notes = try json.readIfPresent("notes")
            self.evaluated = try json.readIfPresent("evaluated")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("fields", ifPresent: self.fields)
            output.writeMember("rows", ifPresent: self.rows)
            output.writeMember("count", ifPresent: self.count)
            output.writeMember("notes", ifPresent: self.notes)
            output.writeMember("evaluated", ifPresent: self.evaluated)
        }
    }

    /// Reads all rows of several tables with one request, which servers answer in one transaction. Call with "more". For each
    /// table there is a reply with table and fields, and then replies with its rows, as of Read. The last reply has count.
    public struct ReadTablesCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.ReadTablesReply

        public static let method = "org.relativityd.Data.ReadTables"

        public var server: DataAPI.Server
        /// The names of the tables. The replies have this order.
        public var tables: [String]
        /// Sends LargeInt, LargeAutoInc, LargeUInt, Currency and Decimal as text.
        public var numbersAsText: Bool?

        public init(server: DataAPI.Server, tables: [String], numbersAsText: Bool? = nil) {
            self.server = server
            self.tables = tables
            self.numbersAsText = numbersAsText
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.server = try json.read("server")
            self.tables = try json.read("tables")
            self.numbersAsText = try json.readIfPresent("numbersAsText")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("server", self.server)
            output.writeMember("tables", self.tables)
            output.writeMember("numbersAsText", ifPresent: self.numbersAsText)
        }
    }

    /// A reply to `ReadTablesCall`.
    public struct ReadTablesReply: JSONRecord {
        /// The name of the table of the following rows. Only in the first reply of a table.
        public var table: String?
        /// The columns of the following rows. Only in the first reply of a table.
        public var fields: [DataAPI.Field]?
        /// The next rows.
        public var rows: [JSONObject]?
        /// The number of rows of all tables. Only in the last reply.
        public var count: Int64?

        public init(
            table: String? = nil,
            fields: [DataAPI.Field]? = nil,
            rows: [JSONObject]? = nil,
            count: Int64? = nil
        ) {
            self.table = table
            self.fields = fields
            self.rows = rows
            self.count = count
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.table = try json.readIfPresent("table")
            self.fields = try json.readIfPresent("fields")
            self.rows = try json.readIfPresent("rows")
            self.count = try json.readIfPresent("count")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("table", ifPresent: self.table)
            output.writeMember("fields", ifPresent: self.fields)
            output.writeMember("rows", ifPresent: self.rows)
            output.writeMember("count", ifPresent: self.count)
        }
    }

    /// Runs a query in DA SQL, and returns its rows as Read does. Call with "more". If the server takes no DA SQL, the tables
    /// that the statement names are read, and the statement runs here, in SQLite. notes then has the step sql.
    public struct QueryCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.QueryReply

        public static let method = "org.relativityd.Data.Query"

        public var server: DataAPI.Server
        /// The statement. Its parameters are written as :name.
        public var sql: String
        /// The values of the parameters.
        public var parameters: [DataAPI.Parameter]?
        /// The maximum number of rows.
        public var limit: Int64?
        /// Sends LargeInt, LargeAutoInc, LargeUInt, Currency and Decimal as text.
        public var numbersAsText: Bool?

        public init(
            server: DataAPI.Server,
            sql: String,
            parameters: [DataAPI.Parameter]? = nil,
            limit: Int64? = nil,
            numbersAsText: Bool? = nil
        ) {
            self.server = server
            self.sql = sql
            self.parameters = parameters
            self.limit = limit
            self.numbersAsText = numbersAsText
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.server = try json.read("server")
            self.sql = try json.read("sql")
            self.parameters = try json.readIfPresent("parameters")
            self.limit = try json.readIfPresent("limit")
            self.numbersAsText = try json.readIfPresent("numbersAsText")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("server", self.server)
            output.writeMember("sql", self.sql)
            output.writeMember("parameters", ifPresent: self.parameters)
            output.writeMember("limit", ifPresent: self.limit)
            output.writeMember("numbersAsText", ifPresent: self.numbersAsText)
        }
    }

    /// A reply to `QueryCall`.
    public struct QueryReply: JSONRecord {
        /// The columns of the rows. Only in the first reply.
        public var fields: [DataAPI.Field]?
        /// The next rows.
        public var rows: [JSONObject]?
        /// The number of rows of all replies. Only in the last reply.
        public var count: Int64?
        /// What was done here instead of on the server. Only in the last reply.
        public var notes: [DataAPI.Note]?
        /// Where the steps were done. Only in the last reply.
        public var evaluated: DataAPI.Evaluated?

        public init(
            fields: [DataAPI.Field]? = nil,
            rows: [JSONObject]? = nil,
            count: Int64? = nil,
            notes: [DataAPI.Note]? = nil,
            evaluated: DataAPI.Evaluated? = nil
        ) {
            self.fields = fields
            self.rows = rows
            self.count = count
            self.notes = notes
            self.evaluated = evaluated
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.fields = try json.readIfPresent("fields")
            self.rows = try json.readIfPresent("rows")
            self.count = try json.readIfPresent("count")
            self.notes = try json.readIfPresent("notes")
            self.evaluated = try json.readIfPresent("evaluated")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("fields", ifPresent: self.fields)
            output.writeMember("rows", ifPresent: self.rows)
            output.writeMember("count", ifPresent: self.count)
            output.writeMember("notes", ifPresent: self.notes)
            output.writeMember("evaluated", ifPresent: self.evaluated)
        }
    }

    /// Counts the rows of a table.
    public struct CountCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.CountReply

        public static let method = "org.relativityd.Data.Count"

        public var server: DataAPI.Server
        /// The name of the table.
        public var table: String
        /// A predicate, as in Read.
        public var `where`: String?

        public init(server: DataAPI.Server, table: String, `where`: String? = nil) {
            self.server = server
            self.table = table
            self.`where` = `where`
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.server = try json.read("server")
            self.table = try json.read("table")
            self.`where` = try json.readIfPresent("where")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("server", self.server)
            output.writeMember("table", self.table)
            output.writeMember("where", ifPresent: self.`where`)
        }
    }

    /// A reply to `CountCall`.
    public struct CountReply: JSONRecord {
        /// The number of rows.
        public var count: Int64
        /// What was done here instead of on the server.
        public var notes: [DataAPI.Note]
        /// Where the steps were done.
        public var evaluated: DataAPI.Evaluated

        public init(count: Int64, notes: [DataAPI.Note], evaluated: DataAPI.Evaluated) {
            self.count = count
            self.notes = notes
            self.evaluated = evaluated
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.count = try json.read("count")
            self.notes = try json.read("notes")
            self.evaluated = try json.read("evaluated")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("count", self.count)
            output.writeMember("notes", self.notes)
            output.writeMember("evaluated", self.evaluated)
        }
    }

    /// Reads a table at intervals, and returns the rows that differ from the reading before, found by their keys. Call with
    /// "more". The first reply has fields and comes after the first reading, whose rows are not sent. Each later one has a
    /// state, or a change and its rows. The call ends when the caller closes the connection, or with an error: a server that
    /// cannot be reached for the first reading, a lost connection to the daemon, a locked vault, two rows with the same key, or
    /// other columns than before.
    public struct WatchCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.WatchReply

        public static let method = "org.relativityd.Data.Watch"

        public var server: DataAPI.Server
        /// The name of the table.
        public var table: String
        /// The names of the fields, in order. The default is all fields. They include those of the key.
        public var fields: [String]?
        /// A predicate, as in Read.
        public var `where`: String?
        /// The names of the fields that identify a row. The default is the key of the schema.
        public var key: [String]?
        /// The time from one reading to the next, from 1 to 86400. The default is 60.
        public var everySeconds: Int64?
        /// Sends LargeInt, LargeAutoInc, LargeUInt, Currency and Decimal as text.
        public var numbersAsText: Bool?

        public init(
            server: DataAPI.Server,
            table: String,
            fields: [String]? = nil,
            `where`: String? = nil,
            key: [String]? = nil,
            everySeconds: Int64? = nil,
            numbersAsText: Bool? = nil
        ) {
            self.server = server
            self.table = table
            self.fields = fields
            self.`where` = `where`
            self.key = key
            self.everySeconds = everySeconds
            self.numbersAsText = numbersAsText
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.server = try json.read("server")
            self.table = try json.read("table")
            self.fields = try json.readIfPresent("fields")
            self.`where` = try json.readIfPresent("where")
            self.key = try json.readIfPresent("key")
            self.everySeconds = try json.readIfPresent("everySeconds")
            self.numbersAsText = try json.readIfPresent("numbersAsText")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("server", self.server)
            output.writeMember("table", self.table)
            output.writeMember("fields", ifPresent: self.fields)
            output.writeMember("where", ifPresent: self.`where`)
            output.writeMember("key", ifPresent: self.key)
            output.writeMember("everySeconds", ifPresent: self.everySeconds)
            output.writeMember("numbersAsText", ifPresent: self.numbersAsText)
        }
    }

    /// A reply to `WatchCall`.
    public struct WatchReply: JSONRecord {
        /// The columns of the rows. Only in the first reply.
        public var fields: [DataAPI.Field]?
        /// The new state of the watch.
        public var state: DataAPI.WatchState?
        /// inserted, changed or removed.
        public var change: String?
        /// The rows, as in Read. A removed row has only the values of the key.
        public var rows: [JSONObject]?

        public init(
            fields: [DataAPI.Field]? = nil,
            state: DataAPI.WatchState? = nil,
            change: String? = nil,
            rows: [JSONObject]? = nil
        ) {
            self.fields = fields
            self.state = state
            self.change = change
            self.rows = rows
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.fields = try json.readIfPresent("fields")
            self.state = try json.readIfPresent("state")
            self.change = try json.readIfPresent("change")
            self.rows = try json.readIfPresent("rows")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("fields", ifPresent: self.fields)
            output.writeMember("state", ifPresent: self.state)
            output.writeMember("change", ifPresent: self.change)
            output.writeMember("rows", ifPresent: self.rows)
        }
    }

    /// Returns the commands that the schema of the server has.
    public struct ListCommandsCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.ListCommandsReply

        public static let method = "org.relativityd.Data.ListCommands"

        public var server: DataAPI.Server

        public init(server: DataAPI.Server) {
            self.server = server
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.server = try json.read("server")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("server", self.server)
        }
    }

    /// A reply to `ListCommandsCall`.
    public struct ListCommandsReply: JSONRecord {
        public var commands: [DataAPI.Command]

        public init(commands: [DataAPI.Command]) {
            self.commands = commands
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.commands = try json.read("commands")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("commands", self.commands)
        }
    }

    /// Runs a command. It may change data. If the connection is closed before the reply, it is unknown whether it ran.
    public struct RunCommandCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.RunCommandReply

        public static let method = "org.relativityd.Data.RunCommand"

        public var server: DataAPI.Server
        /// The name of the command.
        public var command: String
        /// The values of its parameters.
        public var parameters: [DataAPI.Parameter]?

        public init(server: DataAPI.Server, command: String, parameters: [DataAPI.Parameter]? = nil) {
            self.server = server
            self.command = command
            self.parameters = parameters
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.server = try json.read("server")
            self.command = try json.read("command")
            self.parameters = try json.readIfPresent("parameters")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("server", self.server)
            output.writeMember("command", self.command)
            output.writeMember("parameters", ifPresent: self.parameters)
        }
    }

    /// A reply to `RunCommandCall`.
    public struct RunCommandReply: JSONRecord {
        /// The number of rows that it affected, or another number, depending on the command.
        public var affected: Int64
        /// The values that the command returned.
        public var parameters: [DataAPI.Parameter]

        public init(affected: Int64, parameters: [DataAPI.Parameter]) {
            self.affected = affected
            self.parameters = parameters
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.affected = try json.read("affected")
            self.parameters = try json.read("parameters")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("affected", self.affected)
            output.writeMember("parameters", self.parameters)
        }
    }

    /// Edits tables. Without pending, the changes are sent in one call of UpdateData, in the order of their tables, and are not
    /// kept if that fails. With pending, they are added to this set, and nothing is sent before Apply. Rows to change are read
    /// completely. Either all edits are done or, if one is refused, none.
    ///
    /// A set is made by its first edit. Later ones name the revision that the caller has seen. If the set has another one, the
    /// call is refused (PendingChanged), so that two callers do not overwrite each other.
    public struct EditCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.EditReply

        public static let method = "org.relativityd.Data.Edit"

        public var server: DataAPI.Server
        public var edits: [DataAPI.Edit]
        /// Overwrites rows that others have changed meanwhile. Not together with pending.
        public var force: Bool?
        /// Returns the changes, and neither sends nor keeps them.
        public var dryRun: Bool?
        /// The name of a pending set: 1 to 64 letters, digits, points, underscores and minus signs. The first is no point.
        public var pending: String?
        /// The revision of the set. Absent if there must be none.
        public var revision: Int64?
        /// The maximum number of rows that one edit may change. More are refused (EditRefused). The default is 10000.
        public var limit: Int64?
        /// References between the tables, in addition to those of the server's schema.
        public var references: [DataAPI.Reference]?

        public init(
            server: DataAPI.Server,
            edits: [DataAPI.Edit],
            force: Bool? = nil,
            dryRun: Bool? = nil,
            pending: String? = nil,
            revision: Int64? = nil,
            limit: Int64? = nil,
            references: [DataAPI.Reference]? = nil
        ) {
            self.server = server
            self.edits = edits
            self.force = force
            self.dryRun = dryRun
            self.pending = pending
            self.revision = revision
            self.limit = limit
            self.references = references
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.server = try json.read("server")
            self.edits = try json.read("edits")
            self.force = try json.readIfPresent("force")
            self.dryRun = try json.readIfPresent("dryRun")
            self.pending = try json.readIfPresent("pending")
            self.revision = try json.readIfPresent("revision")
            self.limit = try json.readIfPresent("limit")
            self.references = try json.readIfPresent("references")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("server", self.server)
            output.writeMember("edits", self.edits)
            output.writeMember("force", ifPresent: self.force)
            output.writeMember("dryRun", ifPresent: self.dryRun)
            output.writeMember("pending", ifPresent: self.pending)
            output.writeMember("revision", ifPresent: self.revision)
            output.writeMember("limit", ifPresent: self.limit)
            output.writeMember("references", ifPresent: self.references)
        }
    }

    /// A reply to `EditCall`.
    public struct EditReply: JSONRecord {
        /// The changes. Their order is that of the tables.
        public var changes: [DataAPI.Change]
        /// Facts about the apply.
        public var notes: [DataAPI.ApplyNote]
        /// Why the apply ended early. Absent if all changes were sent.
        public var failure: DataAPI.ApplyFailure?
        /// The revision of the pending set. Absent if there is none.
        public var revision: Int64?

        public init(
            changes: [DataAPI.Change],
            notes: [DataAPI.ApplyNote],
            failure: DataAPI.ApplyFailure? = nil,
            revision: Int64? = nil
        ) {
            self.changes = changes
            self.notes = notes
            self.failure = failure
            self.revision = revision
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.changes = try json.read("changes")
            self.notes = try json.read("notes")
            self.failure = try json.readIfPresent("failure")
            self.revision = try json.readIfPresent("revision")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("changes", self.changes)
            output.writeMember("notes", self.notes)
            output.writeMember("failure", ifPresent: self.failure)
            output.writeMember("revision", ifPresent: self.revision)
        }
    }

    /// Sends the changes of a pending set. Rows to update or delete are read again before, and those that others have changed
    /// are conflicts, which are not sent. A set without further changes is removed. If no reply comes, the outcome is unknown:
    /// the set then takes only CheckPending, RetryPending, SettlePending and DropPending.
    public struct ApplyCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.ApplyReply

        public static let method = "org.relativityd.Data.Apply"

        public var server: DataAPI.Server
        /// The name of the set.
        public var pending: String
        /// The revision that the caller has seen.
        public var revision: Int64
        /// Overwrites rows that others have changed meanwhile.
        public var force: Bool?

        public init(server: DataAPI.Server, pending: String, revision: Int64, force: Bool? = nil) {
            self.server = server
            self.pending = pending
            self.revision = revision
            self.force = force
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.server = try json.read("server")
            self.pending = try json.read("pending")
            self.revision = try json.read("revision")
            self.force = try json.readIfPresent("force")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("server", self.server)
            output.writeMember("pending", self.pending)
            output.writeMember("revision", self.revision)
            output.writeMember("force", ifPresent: self.force)
        }
    }

    /// A reply to `ApplyCall`.
    public struct ApplyReply: JSONRecord {
        /// The changes that were pending.
        public var changes: [DataAPI.Change]
        /// Facts about the apply.
        public var notes: [DataAPI.ApplyNote]
        /// Why the apply ended early. Absent if all changes were sent.
        public var failure: DataAPI.ApplyFailure?
        /// The revision of the set. Absent if it has no further changes and was removed.
        public var revision: Int64?

        public init(
            changes: [DataAPI.Change],
            notes: [DataAPI.ApplyNote],
            failure: DataAPI.ApplyFailure? = nil,
            revision: Int64? = nil
        ) {
            self.changes = changes
            self.notes = notes
            self.failure = failure
            self.revision = revision
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.changes = try json.read("changes")
            self.notes = try json.read("notes")
            self.failure = try json.readIfPresent("failure")
            self.revision = try json.readIfPresent("revision")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("changes", self.changes)
            output.writeMember("notes", self.notes)
            output.writeMember("failure", ifPresent: self.failure)
            output.writeMember("revision", ifPresent: self.revision)
        }
    }

    /// Returns the kept tables, which relctl briefcase keep and refresh download.
    public struct ListKeptCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.ListKeptReply

        public static let method = "org.relativityd.Data.ListKept"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `ListKeptCall`.
    public struct ListKeptReply: JSONRecord {
        public var kept: [DataAPI.KeptSet]

        public init(kept: [DataAPI.KeptSet]) {
            self.kept = kept
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.kept = try json.read("kept")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("kept", self.kept)
        }
    }

    /// Reads rows of a kept table, with its pending changes. Needs neither the server nor a login. Call with "more". The replies
    /// are those of Read; the last one has the time of the download.
    public struct ReadKeptCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.ReadKeptReply

        public static let method = "org.relativityd.Data.ReadKept"

        /// The ID of the endpoint, or the name that it had at the last download.
        public var endpoint: String
        /// The name of the data service. Required if tables of several services of the endpoint are kept.
        public var service: String?
        /// The name of the table.
        public var table: String
        /// The names of the fields, in order. The default is all fields.
        public var fields: [String]?
        /// A predicate, as in Read.
        public var `where`: String?
        /// The names of the fields to sort by, as in Read.
        public var order: [String]?
        /// The maximum number of rows.
        public var limit: Int64?
        /// Sends LargeInt, LargeAutoInc, LargeUInt, Currency and Decimal as text.
        public var numbersAsText: Bool?

        public init(
            endpoint: String,
            service: String? = nil,
            table: String,
            fields: [String]? = nil,
            `where`: String? = nil,
            order: [String]? = nil,
            limit: Int64? = nil,
            numbersAsText: Bool? = nil
        ) {
            self.endpoint = endpoint
            self.service = service
            self.table = table
            self.fields = fields
            self.`where` = `where`
            self.order = order
            self.limit = limit
            self.numbersAsText = numbersAsText
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
            self.service = try json.readIfPresent("service")
            self.table = try json.read("table")
            self.fields = try json.readIfPresent("fields")
            self.`where` = try json.readIfPresent("where")
            self.order = try json.readIfPresent("order")
            self.limit = try json.readIfPresent("limit")
            self.numbersAsText = try json.readIfPresent("numbersAsText")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("service", ifPresent: self.service)
            output.writeMember("table", self.table)
            output.writeMember("fields", ifPresent: self.fields)
            output.writeMember("where", ifPresent: self.`where`)
            output.writeMember("order", ifPresent: self.order)
            output.writeMember("limit", ifPresent: self.limit)
            output.writeMember("numbersAsText", ifPresent: self.numbersAsText)
        }
    }

    /// A reply to `ReadKeptCall`.
    public struct ReadKeptReply: JSONRecord {
        /// The columns of the rows. Only in the first reply.
        public var fields: [DataAPI.Field]?
        /// The next rows.
        public var rows: [JSONObject]?
        /// The number of rows of all replies. Only in the last reply.
        public var count: Int64?
        /// The time of the download in UTC. Only in the last reply; absent if it is unknown.
        public var saved: String?

        public init(
            fields: [DataAPI.Field]? = nil,
            rows: [JSONObject]? = nil,
            count: Int64? = nil,
            saved: String? = nil
        ) {
            self.fields = fields
            self.rows = rows
            self.count = count
            self.saved = saved
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.fields = try json.readIfPresent("fields")
            self.rows = try json.readIfPresent("rows")
            self.count = try json.readIfPresent("count")
            self.saved = try json.readIfPresent("saved")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("fields", ifPresent: self.fields)
            output.writeMember("rows", ifPresent: self.rows)
            output.writeMember("count", ifPresent: self.count)
            output.writeMember("saved", ifPresent: self.saved)
        }
    }

    /// Returns the pending sets.
    public struct ListPendingCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.ListPendingReply

        public static let method = "org.relativityd.Data.ListPending"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `ListPendingCall`.
    public struct ListPendingReply: JSONRecord {
        public var sets: [DataAPI.PendingSet]

        public init(sets: [DataAPI.PendingSet]) {
            self.sets = sets
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.sets = try json.read("sets")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("sets", self.sets)
        }
    }

    /// Returns a pending set and its changes.
    public struct GetPendingCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.GetPendingReply

        public static let method = "org.relativityd.Data.GetPending"

        public var pending: String

        public init(pending: String) {
            self.pending = pending
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.pending = try json.read("pending")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("pending", self.pending)
        }
    }

    /// A reply to `GetPendingCall`.
    public struct GetPendingReply: JSONRecord {
        public var set: DataAPI.PendingSet
        public var changes: [DataAPI.Change]

        public init(set: DataAPI.PendingSet, changes: [DataAPI.Change]) {
            self.set = set
            self.changes = changes
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.set = try json.read("set")
            self.changes = try json.read("changes")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("set", self.set)
            output.writeMember("changes", self.changes)
        }
    }

    /// Reads the rows that show what the server did with the changes of unknown outcome in the set pending. Changes nothing.
    public struct CheckPendingCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.CheckPendingReply

        public static let method = "org.relativityd.Data.CheckPending"

        public var server: DataAPI.Server
        public var pending: String

        public init(server: DataAPI.Server, pending: String) {
            self.server = server
            self.pending = pending
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.server = try json.read("server")
            self.pending = try json.read("pending")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("server", self.server)
            output.writeMember("pending", self.pending)
        }
    }

    /// A reply to `CheckPendingCall`.
    public struct CheckPendingReply: JSONRecord {
        public var verdicts: [DataAPI.Verdict]

        public init(verdicts: [DataAPI.Verdict]) {
            self.verdicts = verdicts
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.verdicts = try json.read("verdicts")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("verdicts", self.verdicts)
        }
    }

    /// Makes all changes of unknown outcome pending again. The next Apply sends them, and if the server did make them, an
    /// insert is made twice. revision is the one that the caller has seen; the reply has the new one.
    public struct RetryPendingCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.RetryPendingReply

        public static let method = "org.relativityd.Data.RetryPending"

        public var pending: String
        public var revision: Int64

        public init(pending: String, revision: Int64) {
            self.pending = pending
            self.revision = revision
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.pending = try json.read("pending")
            self.revision = try json.read("revision")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("pending", self.pending)
            output.writeMember("revision", self.revision)
        }
    }

    /// A reply to `RetryPendingCall`.
    public struct RetryPendingReply: JSONRecord {
        public var revision: Int64

        public init(revision: Int64) {
            self.revision = revision
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.revision = try json.read("revision")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("revision", self.revision)
        }
    }

    /// Regards changes of unknown outcome as made by the server.
    public struct SettlePendingCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.SettlePendingReply

        public static let method = "org.relativityd.Data.SettlePending"

        /// The name of the set.
        public var pending: String
        /// The revision that the caller has seen.
        public var revision: Int64
        /// The changes. The default is all of unknown outcome.
        public var changes: [DataAPI.ChangeName]?

        public init(pending: String, revision: Int64, changes: [DataAPI.ChangeName]? = nil) {
            self.pending = pending
            self.revision = revision
            self.changes = changes
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.pending = try json.read("pending")
            self.revision = try json.read("revision")
            self.changes = try json.readIfPresent("changes")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("pending", self.pending)
            output.writeMember("revision", self.revision)
            output.writeMember("changes", ifPresent: self.changes)
        }
    }

    /// A reply to `SettlePendingCall`.
    public struct SettlePendingReply: JSONRecord {
        /// The revision of the set. Absent if it has no further changes and was removed.
        public var revision: Int64?

        public init(revision: Int64? = nil) {
            self.revision = revision
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.revision = try json.readIfPresent("revision")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("revision", ifPresent: self.revision)
        }
    }

    /// Drops changes of a pending set. A new row is dropped only with the changes that refer to it, otherwise the call fails
    /// with InvalidParameter.
    public struct DropPendingCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.DropPendingReply

        public static let method = "org.relativityd.Data.DropPending"

        /// The name of the set.
        public var pending: String
        /// The revision that the caller has seen.
        public var revision: Int64
        /// The changes. The default is the complete set.
        public var changes: [DataAPI.ChangeName]?

        public init(pending: String, revision: Int64, changes: [DataAPI.ChangeName]? = nil) {
            self.pending = pending
            self.revision = revision
            self.changes = changes
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.pending = try json.read("pending")
            self.revision = try json.read("revision")
            self.changes = try json.readIfPresent("changes")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("pending", self.pending)
            output.writeMember("revision", self.revision)
            output.writeMember("changes", ifPresent: self.changes)
        }
    }

    /// A reply to `DropPendingCall`.
    public struct DropPendingReply: JSONRecord {
        /// The revision of the set. Absent if it has no further changes and was removed.
        public var revision: Int64?

        public init(revision: Int64? = nil) {
            self.revision = revision
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.revision = try json.readIfPresent("revision")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("revision", ifPresent: self.revision)
        }
    }

    /// The daemon does not answer on its second socket. The message has the reason.
    public struct DaemonUnavailableError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.DaemonUnavailable"

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

    /// The server replied with an exception. class is its class and text its text; both are untrusted.
    public struct ServerExceptionError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.ServerException"

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

    /// The schema of the server has no table with this name. table is the name.
    public struct TableUnknownError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.TableUnknown"

        public var message: String
        public var table: String

        public init(message: String, table: String) {
            self.message = message
            self.table = table
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.table = try json.read("table")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("table", self.table)
        }
    }

    /// The table has no field with this name. field is the name.
    public struct FieldUnknownError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.FieldUnknown"

        public var message: String
        public var field: String

        public init(message: String, field: String) {
            self.message = message
            self.field = field
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.field = try json.read("field")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("field", self.field)
        }
    }

    /// The predicate is invalid. column is the position of the error in its text, counted from 1.
    public struct BadPredicateError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.BadPredicate"

        public var message: String
        public var column: Int64

        public init(message: String, column: Int64) {
            self.message = message
            self.column = column
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.column = try json.read("column")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("column", self.column)
        }
    }

    /// The statement is not a query, or cannot run here: it is invalid, a parameter has no value, or there is no space for the
    /// tables.
    public struct BadStatementError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.BadStatement"

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

    /// A lookup or calculated field is invalid. field is its name, and column the position in its expression, from 1.
    public struct BadViewError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.BadView"

        public var message: String
        public var field: String
        public var column: Int64?

        public init(message: String, field: String, column: Int64? = nil) {
            self.message = message
            self.field = field
            self.column = column
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.field = try json.read("field")
            self.column = try json.readIfPresent("column")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("field", self.field)
            output.writeMember("column", ifPresent: self.column)
        }
    }

    /// The server cannot do a part of the call, and it cannot be done here. feature is the part, such as daSQL.
    public struct UnsupportedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.Unsupported"

        public var message: String
        public var feature: String

        public init(message: String, feature: String) {
            self.message = message
            self.feature = feature
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.feature = try json.read("feature")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("feature", self.feature)
        }
    }

    /// More rows would have to be read than limit, to find those that were asked for; or what is made of them has a bound, the
    /// limit, which the message names.
    public struct TooMuchToReadError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.TooMuchToRead"

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

    /// The reply of the server is invalid. table is the name of the table, row the number of the row, counted from 0, and
    /// byte the position in the reply. Those that are unknown are absent.
    public struct BadDataError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.BadData"

        public var message: String
        public var table: String?
        public var row: Int64?
        public var byte: Int64?

        public init(message: String, table: String? = nil, row: Int64? = nil, byte: Int64? = nil) {
            self.message = message
            self.table = table
            self.row = row
            self.byte = byte
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.table = try json.readIfPresent("table")
            self.row = try json.readIfPresent("row")
            self.byte = try json.readIfPresent("byte")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("table", ifPresent: self.table)
            output.writeMember("row", ifPresent: self.row)
            output.writeMember("byte", ifPresent: self.byte)
        }
    }

    /// No byte of a reply came for this time. seconds is that time.
    public struct TimeoutError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.Timeout"

        public var message: String
        public var seconds: Int64

        public init(message: String, seconds: Int64) {
            self.message = message
            self.seconds = seconds
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.seconds = try json.read("seconds")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("seconds", self.seconds)
        }
    }

    /// The connection to the server or to the daemon was lost during the call. The message has the reason.
    public struct ConnectionLostError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.ConnectionLost"

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

    /// The connection uses too many adapters, or all connections together do. limit is the number.
    public struct TooManyAdaptersError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.TooManyAdapters"

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

    /// An edit was refused, and nothing was changed. edit is its index, from 0. reason: notAKey, noRow, invalidValue,
    /// repeatedField, unknownField, tooManyRows, tooManyBytes, notExpected, readOnly, required, tooLong, duplicateKey, noKey, conflict, or
    /// another word. table and field are the names, if one is concerned.
    public struct EditRefusedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.EditRefused"

        public var message: String
        public var edit: Int64
        public var reason: String
        public var table: String
        public var field: String?

        public init(message: String, edit: Int64, reason: String, table: String, field: String? = nil) {
            self.message = message
            self.edit = edit
            self.reason = reason
            self.table = table
            self.field = field
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.edit = try json.read("edit")
            self.reason = try json.read("reason")
            self.table = try json.read("table")
            self.field = try json.readIfPresent("field")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("edit", self.edit)
            output.writeMember("reason", self.reason)
            output.writeMember("table", self.table)
            output.writeMember("field", ifPresent: self.field)
        }
    }

    /// There is no pending set with this name.
    public struct PendingNotFoundError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.PendingNotFound"

        public var message: String
        public var pending: String

        public init(message: String, pending: String) {
            self.message = message
            self.pending = pending
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.pending = try json.read("pending")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("pending", self.pending)
        }
    }

    /// The pending set has another revision than the call names. revision is the present one; absent if there is no set.
    public struct PendingChangedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.PendingChanged"

        public var message: String
        public var pending: String
        public var revision: Int64?

        public init(message: String, pending: String, revision: Int64? = nil) {
            self.message = message
            self.pending = pending
            self.revision = revision
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.pending = try json.read("pending")
            self.revision = try json.readIfPresent("revision")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("pending", self.pending)
            output.writeMember("revision", ifPresent: self.revision)
        }
    }

    /// The pending set is for another endpoint or service.
    public struct PendingElsewhereError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.PendingElsewhere"

        public var message: String
        public var pending: String
        public var endpoint: String
        public var service: String

        public init(message: String, pending: String, endpoint: String, service: String) {
            self.message = message
            self.pending = pending
            self.endpoint = endpoint
            self.service = service
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.pending = try json.read("pending")
            self.endpoint = try json.read("endpoint")
            self.service = try json.read("service")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("pending", self.pending)
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("service", self.service)
        }
    }

    /// Changes of the pending set were sent, and no reply came. They must be decided first: CheckPending, then RetryPending,
    /// SettlePending or DropPending. revision is the present one.
    public struct OutcomeUnknownError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.OutcomeUnknown"

        public var message: String
        public var pending: String
        public var revision: Int64

        public init(message: String, pending: String, revision: Int64) {
            self.message = message
            self.pending = pending
            self.revision = revision
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.pending = try json.read("pending")
            self.revision = try json.read("revision")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("pending", self.pending)
            output.writeMember("revision", self.revision)
        }
    }

    /// A limit of pending sets is reached. content is sets, changes or bytes.
    public struct PendingFullError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.PendingFull"

        public var message: String
        public var content: String
        public var limit: Int64

        public init(message: String, content: String, limit: Int64) {
            self.message = message
            self.content = content
            self.limit = limit
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.content = try json.read("content")
            self.limit = try json.read("limit")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("content", self.content)
            output.writeMember("limit", self.limit)
        }
    }

    /// The file of a pending set could not be read or written, or another process uses it.
    public struct PendingFailedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.PendingFailed"

        public var message: String
        public var pending: String

        public init(message: String, pending: String) {
            self.message = message
            self.pending = pending
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.pending = try json.read("pending")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("pending", self.pending)
        }
    }

    /// The call failed for another reason. The log of relativityd-data has the details.
    public struct FailedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Data.Failed"

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
        # The data of servers. A process of its own, relativityd-data, serves this interface on its own socket. It has no
        # passwords: it uses adapters that the daemon opens for the caller. An adapter is opened by the first call for a server
        # and a login, and is closed with the caller's connection. Errors of the daemon, such as those of Broker.Open, are passed
        # on. Closing the connection cancels the running call.
        interface org.relativityd.Data

        # The server, the login and the data service of a call.
        type Server (
          # The endpoint, as in Broker.Open. May be absent: the login determines it then.
          endpoint: ?string,
          # The name of a login or its beginning. Without it, a login is chosen as by Broker.Open.
          login: ?string,
          # A login that is chosen before any default if it is one of the endpoint: the variable RELATIVITYD_LOGIN of the program.
          preferredLogin: ?string,
          # Makes the calls without a login, for servers that need none.
          anonymous: ?bool,
          # The name of the data service. The default is that of the endpoint, usually DataService.
          service: ?string,
          # The name of a schema. The service is then DataService.NAME. Not together with service.
          schema: ?string,
          # Lets the daemon prompt the user, as in Broker.Open.
          interactive: ?bool
        )

        # A field of a table, or a column of a result.
        type Field (
          # The name. Untrusted, as every name and text of a server.
          name: string,
          # The type, such as WideString, Integer, Currency or DateTime. It determines the JSON of the values: see Read.
          type: string,
          # Whether the field is part of the key. Absent if unknown.
          key: ?bool,
          # Whether a value is required. Absent if unknown.
          required: ?bool
        )

        # A table of a schema.
        type Table (
          # The name.
          name: string,
          # The fields, in order.
          fields: []Field
        )

        # A value with a name: a parameter of a query or of a command.
        type Parameter (
          # The name, without a colon.
          name: string,
          # The value as text, in the form that Read has for the type. Absent for NULL.
          value: ?string,
          # The type: WideString, the default; Boolean, Integer, LargeInt, Float, Currency, Decimal, DateTime, Guid or Blob.
          type: ?string
        )

        # A command of a server: a statement that it has stored, and that may change data.
        type Command (
          # The name.
          name: string,
          # The names of its parameters.
          parameters: []string
        )

        # A step of a read that was done here and not by the server.
        type Note (
          # filter, sort, select, limit, count or sql. New words may be added.
          step: string,
          # Why: lacks, the server has no such feature. refused: it refused a request with this step. unsent: it may judge the
          # condition differently, so a part was not sent. severalFields: it sorts by one field only. notInStatement: a statement
          # cannot express it. New words may be added.
          reason: string,
          # The feature that the server lacks.
          feature: ?string
        )

        # Where the steps of a read were done. A step that both sides did is in both. The words are those of Note.
        type Evaluated (
          # The steps of the server.
          server: []string,
          # The steps that were done here.
          here: []string
        )

        # What an edit does.
        type EditAction (insert, update, delete)

        # An edit of a table. The members of key, values and expected are the names of fields. Their values have the forms of
        # Read; NULL is null, and a number may also be a text, which is necessary if it has more than 15 digits.
        type Edit (
          # What it does.
          action: EditAction,
          # The name of the table.
          table: string,
          # The key of the row to update or delete: all of its fields.
          key: ?object,
          # A predicate, as in Read. Updates or deletes all rows that satisfy it. Either key or where is given, but not both.
          where: ?string,
          # The new values of an insert or update. An insert takes the default of every other field.
          values: ?object,
          # The values that the rows must have when they are read. Otherwise the call is refused and nothing is changed.
          expected: ?object
        )

        # A reference between tables, for servers whose schema does not show it.
        type Reference (
          # The table that refers.
          detail: string,
          # Its fields that refer.
          detailFields: []string,
          # The table that is referred to.
          master: string,
          # Its fields, in the order of detailFields.
          masterFields: []string
        )

        # A field with a value that is found by a key: the field shown of the first row of a table whose keys equal the fields,
        # or the text of a list.
        type Lookup (
          # The name. No field of the table may have it.
          name: string,
          # The fields of the row with the key.
          fields: []string,
          # The other table. Absent for a list.
          table: ?string,
          # The fields of its key, in the order of fields.
          keys: ?[]string,
          # The field whose value is shown.
          shown: ?string,
          # A fixed list for one field: the members are keys as text, and their values are texts.
          list: ?object,
          # The text for a key that is not found. The default is NULL.
          missing: ?string
        )

        # A field with the value of an expression (expressions.md), such as sum(Details.Price where Details.Order = Id).
        type Calculated (
          # The name. No field of the table may have it.
          name: string,
          # The expression.
          expression: string,
          # The type, such as Currency. The default is the type of the expression.
          type: ?string
        )

        # The outcome of a change. accepted: the server has made it. rejected: the server refused it, and it stays pending.
        # conflict: it was not sent, because the row is not the one that was read before, and it stays pending. unknown: it was
        # sent, and no reply came, so the server may have made it. pending: it was not sent, or not processed by the server.
        type Outcome (accepted, rejected, conflict, unknown, pending)

        # A change of a row. Values have the forms of Read with numbersAsText.
        type Change (
          # The name of the table.
          table: string,
          # The number of the change in its table, for DropPending and SettlePending.
          row: int,
          # What it does.
          action: EditAction,
          # The key. A new row has a temporary key, a negative number, until the server has made the real one.
          key: object,
          # The old values of the fields that change, or of those of a removed row that are not NULL. Absent for a new row.
          old: ?object,
          # The new values of the fields that change. Absent for a removed row.
          new: ?object,
          # The outcome.
          outcome: Outcome,
          # The reason of the server for rejected. Untrusted.
          reason: ?string,
          # For conflict: changed, both sides changed the row; missing, the server no longer has it; keyTaken, the server has
          # another row with the key of the new row. New words may be added.
          conflict: ?string,
          # The values of the fields in conflict when the row was read before.
          base: ?object,
          # The values that the server has now in these fields. Absent if it has no such row.
          theirs: ?object
        )

        # A fact about an apply.
        type ApplyNote (
          # separateTransactions: the changes of tables were sent in a call of their own, which is another transaction, because
          # they refer to keys that the server made in the call before. waitsForKey: a change was not sent, because it refers to
          # a new row of a table that has no key yet. alreadyRemoved: the server no longer had the row that was to be removed.
          # keyUnknown: the server accepted a new row and did not report its key. unknownRecord: the reply has a change that was
          # not sent. New words may be added.
          fact: string,
          # The tables: of separateTransactions those of the later call.
          tables: []string,
          # The number of the change. Absent if the fact is not about one.
          row: ?int
        )

        # The reason why an apply ended before all changes were sent.
        type ApplyFailure (
          # refused: the server answered with an exception and made none of the changes of its call. notSent: nothing was sent.
          # unknownOutcome: a call was sent and no reply came. unreadable: rows could not be read to compare them. tooLong: the
          # changes exceed the size of a call. notSaved: the file of the pending set could not be written. New words may be added.
          kind: string,
          # A text for users. Its part from the server is untrusted.
          message: string
        )

        # A pending set: changes that are kept in a file of the user until they are applied or dropped.
        type PendingSet (
          # The name.
          name: string,
          # The number of its present state.
          revision: int,
          # The ID of the endpoint that it is for.
          endpoint: string,
          # The name of the data service that it is for.
          service: string
        )

        # A change of unknown outcome, compared with the rows that the server has now.
        type Verdict (
          # The change.
          change: Change,
          # applied: the server's row has the new values, or the removed row does not exist. Of a new row without a key there is a
          # row with its values, which another client may have inserted too. notApplied: it has the old values, or there is no
          # such new row. unclear: it has other values. New words may be added.
          verdict: string,
          # The rows of the server that match the change.
          matches: []object
        )

        # A table that is kept for times without its server.
        type KeptTable (
          # The name.
          name: string,
          # The number of rows, without pending changes.
          rows: int,
          # The number of pending changes.
          pending: int
        )

        # The kept tables of one endpoint and data service.
        type KeptSet (
          # The ID of the endpoint.
          endpoint: string,
          # The name that the endpoint had at the last download. Untrusted.
          name: string,
          # The name of the data service.
          service: string,
          # The time of the last download in UTC, such as 2026-01-02T03:04:05Z. Absent if it is unknown.
          saved: ?string,
          # The tables. Absent if they cannot be read, or are too large for this service.
          tables: ?[]KeptTable
        )

        # A state of a watch. ready: a reading has ended, and all its changes were sent. busy: a reading begins. tablesChanged: the
        # rows of the table differ from the last reading, and the changes follow. offline: the server cannot be reached; the watch
        # tries again after 1 s, 2 s and so on up to 30 s. online: it answers again, and the reading goes on.
        type WatchState (ready, busy, tablesChanged, offline, online)

        # A change of a pending set, by its number.
        type ChangeName (
          # The name of the table.
          table: string,
          # The number of the change.
          row: int
        )

        # Opens the adapter of the connection for a server and a login, as any other call for them does first. So a program finds
        # out at its beginning whether it can use the server.
        method Open(server: Server) -> (
          # The ID of the endpoint.
          endpoint: string,
          # The current name of the endpoint. Untrusted.
          endpointName: string,
          # The name of the data service that the other calls use.
          service: string,
          # Whether calls that may change something are refused.
          readOnly: bool
        )

        # Returns the names of the tables that the schema of the server has.
        method ListTables(server: Server) -> (tables: []string)

        # Returns the tables of the schema with their fields. If table is given, only the one with that name.
        method GetSchema(server: Server, table: ?string) -> (tables: []Table)

        # Reads the rows of a table. Call with "more". The first reply has fields, each later one has rows, and the last one has
        # count. A reply is made when the caller has read the earlier ones, so a slow caller slows the server down.
        #
        # A row is an array with one JSON value for each field, although this language has only the word object for it. NULL is
        # null. Boolean is true or false. Integers, Float, SingleFloat, Currency and Decimal are numbers with all their digits;
        # with numbersAsText, LargeInt, LargeAutoInc, LargeUInt, Currency and Decimal are texts. Text is a text. DateTime is a
        # text such as 2026-01-31T08:00:00 or 2026-01-31T08:00:00.123, without a zone. Guid is a text without braces. Blob is
        # base64. NaN and infinity end the call with BadData.
        method Read(
          server: Server,
          # The name of the table.
          table: string,
          # The names of the fields, in order. The default is all fields.
          fields: ?[]string,
          # A predicate in the language of predicates.md, such as Amount > 100 AND Name BEGINSWITH 'A'.
          where: ?string,
          # The names of the fields to sort by. A minus before the name sorts in descending order. The default is the order of
          # the server.
          order: ?[]string,
          # The maximum number of rows.
          limit: ?int,
          # Lookup fields. They follow the fields of the table. If fields is given, it names those that are returned.
          lookups: ?[]Lookup,
          # Calculated fields, which follow the lookup fields. They may read them and each other.
          calculated: ?[]Calculated,
          # References between tables, in addition to those of the server's schema, for expressions without a condition.
          references: ?[]Reference,
          # The values of the parameters of the table's query.
          parameters: ?[]Parameter,
          # Sends LargeInt, LargeAutoInc, LargeUInt, Currency and Decimal as text.
          numbersAsText: ?bool
        ) -> (
          # The columns of the rows. Only in the first reply.
          fields: ?[]Field,
          # The next rows.
          rows: ?[]object,
          # The number of rows of all replies. Only in the last reply.
          count: ?int,
          # What was done here instead of on the server. Only in the last reply.
          notes: ?[]Note,
          # Where the steps were done. Only in the last reply.
          evaluated: ?Evaluated
        )

        # Reads all rows of several tables with one request, which servers answer in one transaction. Call with "more". For each
        # table there is a reply with table and fields, and then replies with its rows, as of Read. The last reply has count.
        method ReadTables(
          server: Server,
          # The names of the tables. The replies have this order.
          tables: []string,
          # Sends LargeInt, LargeAutoInc, LargeUInt, Currency and Decimal as text.
          numbersAsText: ?bool
        ) -> (
          # The name of the table of the following rows. Only in the first reply of a table.
          table: ?string,
          # The columns of the following rows. Only in the first reply of a table.
          fields: ?[]Field,
          # The next rows.
          rows: ?[]object,
          # The number of rows of all tables. Only in the last reply.
          count: ?int
        )

        # Runs a query in DA SQL, and returns its rows as Read does. Call with "more". If the server takes no DA SQL, the tables
        # that the statement names are read, and the statement runs here, in SQLite. notes then has the step sql.
        method Query(
          server: Server,
          # The statement. Its parameters are written as :name.
          sql: string,
          # The values of the parameters.
          parameters: ?[]Parameter,
          # The maximum number of rows.
          limit: ?int,
          # Sends LargeInt, LargeAutoInc, LargeUInt, Currency and Decimal as text.
          numbersAsText: ?bool
        ) -> (
          # The columns of the rows. Only in the first reply.
          fields: ?[]Field,
          # The next rows.
          rows: ?[]object,
          # The number of rows of all replies. Only in the last reply.
          count: ?int,
          # What was done here instead of on the server. Only in the last reply.
          notes: ?[]Note,
          # Where the steps were done. Only in the last reply.
          evaluated: ?Evaluated
        )

        # Counts the rows of a table.
        method Count(
          server: Server,
          # The name of the table.
          table: string,
          # A predicate, as in Read.
          where: ?string
        ) -> (
          # The number of rows.
          count: int,
          # What was done here instead of on the server.
          notes: []Note,
          # Where the steps were done.
          evaluated: Evaluated
        )

        # Reads a table at intervals, and returns the rows that differ from the reading before, found by their keys. Call with
        # "more". The first reply has fields and comes after the first reading, whose rows are not sent. Each later one has a
        # state, or a change and its rows. The call ends when the caller closes the connection, or with an error: a server that
        # cannot be reached for the first reading, a lost connection to the daemon, a locked vault, two rows with the same key, or
        # other columns than before.
        method Watch(
          server: Server,
          # The name of the table.
          table: string,
          # The names of the fields, in order. The default is all fields. They include those of the key.
          fields: ?[]string,
          # A predicate, as in Read.
          where: ?string,
          # The names of the fields that identify a row. The default is the key of the schema.
          key: ?[]string,
          # The time from one reading to the next, from 1 to 86400. The default is 60.
          everySeconds: ?int,
          # Sends LargeInt, LargeAutoInc, LargeUInt, Currency and Decimal as text.
          numbersAsText: ?bool
        ) -> (
          # The columns of the rows. Only in the first reply.
          fields: ?[]Field,
          # The new state of the watch.
          state: ?WatchState,
          # inserted, changed or removed.
          change: ?string,
          # The rows, as in Read. A removed row has only the values of the key.
          rows: ?[]object
        )

        # Returns the commands that the schema of the server has.
        method ListCommands(server: Server) -> (commands: []Command)

        # Runs a command. It may change data. If the connection is closed before the reply, it is unknown whether it ran.
        method RunCommand(
          server: Server,
          # The name of the command.
          command: string,
          # The values of its parameters.
          parameters: ?[]Parameter
        ) -> (
          # The number of rows that it affected, or another number, depending on the command.
          affected: int,
          # The values that the command returned.
          parameters: []Parameter
        )

        # Edits tables. Without pending, the changes are sent in one call of UpdateData, in the order of their tables, and are not
        # kept if that fails. With pending, they are added to this set, and nothing is sent before Apply. Rows to change are read
        # completely. Either all edits are done or, if one is refused, none.
        #
        # A set is made by its first edit. Later ones name the revision that the caller has seen. If the set has another one, the
        # call is refused (PendingChanged), so that two callers do not overwrite each other.
        method Edit(
          server: Server,
          edits: []Edit,
          # Overwrites rows that others have changed meanwhile. Not together with pending.
          force: ?bool,
          # Returns the changes, and neither sends nor keeps them.
          dryRun: ?bool,
          # The name of a pending set: 1 to 64 letters, digits, points, underscores and minus signs. The first is no point.
          pending: ?string,
          # The revision of the set. Absent if there must be none.
          revision: ?int,
          # The maximum number of rows that one edit may change. More are refused (EditRefused). The default is 10000.
          limit: ?int,
          # References between the tables, in addition to those of the server's schema.
          references: ?[]Reference
        ) -> (
          # The changes. Their order is that of the tables.
          changes: []Change,
          # Facts about the apply.
          notes: []ApplyNote,
          # Why the apply ended early. Absent if all changes were sent.
          failure: ?ApplyFailure,
          # The revision of the pending set. Absent if there is none.
          revision: ?int
        )

        # Sends the changes of a pending set. Rows to update or delete are read again before, and those that others have changed
        # are conflicts, which are not sent. A set without further changes is removed. If no reply comes, the outcome is unknown:
        # the set then takes only CheckPending, RetryPending, SettlePending and DropPending.
        method Apply(
          server: Server,
          # The name of the set.
          pending: string,
          # The revision that the caller has seen.
          revision: int,
          # Overwrites rows that others have changed meanwhile.
          force: ?bool
        ) -> (
          # The changes that were pending.
          changes: []Change,
          # Facts about the apply.
          notes: []ApplyNote,
          # Why the apply ended early. Absent if all changes were sent.
          failure: ?ApplyFailure,
          # The revision of the set. Absent if it has no further changes and was removed.
          revision: ?int
        )

        # Returns the kept tables, which relctl briefcase keep and refresh download.
        method ListKept() -> (kept: []KeptSet)

        # Reads rows of a kept table, with its pending changes. Needs neither the server nor a login. Call with "more". The replies
        # are those of Read; the last one has the time of the download.
        method ReadKept(
          # The ID of the endpoint, or the name that it had at the last download.
          endpoint: string,
          # The name of the data service. Required if tables of several services of the endpoint are kept.
          service: ?string,
          # The name of the table.
          table: string,
          # The names of the fields, in order. The default is all fields.
          fields: ?[]string,
          # A predicate, as in Read.
          where: ?string,
          # The names of the fields to sort by, as in Read.
          order: ?[]string,
          # The maximum number of rows.
          limit: ?int,
          # Sends LargeInt, LargeAutoInc, LargeUInt, Currency and Decimal as text.
          numbersAsText: ?bool
        ) -> (
          # The columns of the rows. Only in the first reply.
          fields: ?[]Field,
          # The next rows.
          rows: ?[]object,
          # The number of rows of all replies. Only in the last reply.
          count: ?int,
          # The time of the download in UTC. Only in the last reply; absent if it is unknown.
          saved: ?string
        )

        # Returns the pending sets.
        method ListPending() -> (sets: []PendingSet)

        # Returns a pending set and its changes.
        method GetPending(pending: string) -> (set: PendingSet, changes: []Change)

        # Reads the rows that show what the server did with the changes of unknown outcome in the set pending. Changes nothing.
        method CheckPending(server: Server, pending: string) -> (verdicts: []Verdict)

        # Makes all changes of unknown outcome pending again. The next Apply sends them, and if the server did make them, an
        # insert is made twice. revision is the one that the caller has seen; the reply has the new one.
        method RetryPending(pending: string, revision: int) -> (revision: int)

        # Regards changes of unknown outcome as made by the server.
        method SettlePending(
          # The name of the set.
          pending: string,
          # The revision that the caller has seen.
          revision: int,
          # The changes. The default is all of unknown outcome.
          changes: ?[]ChangeName
        ) -> (
          # The revision of the set. Absent if it has no further changes and was removed.
          revision: ?int
        )

        # Drops changes of a pending set. A new row is dropped only with the changes that refer to it, otherwise the call fails
        # with InvalidParameter.
        method DropPending(
          # The name of the set.
          pending: string,
          # The revision that the caller has seen.
          revision: int,
          # The changes. The default is the complete set.
          changes: ?[]ChangeName
        ) -> (
          # The revision of the set. Absent if it has no further changes and was removed.
          revision: ?int
        )

        # The daemon does not answer on its second socket. The message has the reason.
        error DaemonUnavailable (message: string)

        # The server replied with an exception. class is its class and text its text; both are untrusted.
        error ServerException (message: string, class: string, text: string)

        # The schema of the server has no table with this name. table is the name.
        error TableUnknown (message: string, table: string)

        # The table has no field with this name. field is the name.
        error FieldUnknown (message: string, field: string)

        # The predicate is invalid. column is the position of the error in its text, counted from 1.
        error BadPredicate (message: string, column: int)

        # The statement is not a query, or cannot run here: it is invalid, a parameter has no value, or there is no space for the
        # tables.
        error BadStatement (message: string)

        # A lookup or calculated field is invalid. field is its name, and column the position in its expression, from 1.
        error BadView (message: string, field: string, column: ?int)

        # The server cannot do a part of the call, and it cannot be done here. feature is the part, such as daSQL.
        error Unsupported (message: string, feature: string)

        # More rows would have to be read than limit, to find those that were asked for; or what is made of them has a bound, the
        # limit, which the message names.
        error TooMuchToRead (message: string, limit: int)

        # The reply of the server is invalid. table is the name of the table, row the number of the row, counted from 0, and
        # byte the position in the reply. Those that are unknown are absent.
        error BadData (message: string, table: ?string, row: ?int, byte: ?int)

        # No byte of a reply came for this time. seconds is that time.
        error Timeout (message: string, seconds: int)

        # The connection to the server or to the daemon was lost during the call. The message has the reason.
        error ConnectionLost (message: string)

        # The connection uses too many adapters, or all connections together do. limit is the number.
        error TooManyAdapters (message: string, limit: int)

        # An edit was refused, and nothing was changed. edit is its index, from 0. reason: notAKey, noRow, invalidValue,
        # repeatedField, unknownField, tooManyRows, tooManyBytes, notExpected, readOnly, required, tooLong, duplicateKey, noKey, conflict, or
        # another word. table and field are the names, if one is concerned.
        error EditRefused (message: string, edit: int, reason: string, table: string, field: ?string)

        # There is no pending set with this name.
        error PendingNotFound (message: string, pending: string)

        # The pending set has another revision than the call names. revision is the present one; absent if there is no set.
        error PendingChanged (message: string, pending: string, revision: ?int)

        # The pending set is for another endpoint or service.
        error PendingElsewhere (message: string, pending: string, endpoint: string, service: string)

        # Changes of the pending set were sent, and no reply came. They must be decided first: CheckPending, then RetryPending,
        # SettlePending or DropPending. revision is the present one.
        error OutcomeUnknown (message: string, pending: string, revision: int)

        # A limit of pending sets is reached. content is sets, changes or bytes.
        error PendingFull (message: string, content: string, limit: int)

        # The file of a pending set could not be read or written, or another process uses it.
        error PendingFailed (message: string, pending: string)

        # The call failed for another reason. The log of relativityd-data has the details.
        error Failed (message: string)

        """#
}
