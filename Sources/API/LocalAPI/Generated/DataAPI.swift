// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Data.varlink. Change that file, then run `make generate`.

public import JSON
public import Varlink

/// The types of `org.relativityd.Data`. Its definition describes them.
public enum DataAPI {
    public static let name = "org.relativityd.Data"

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
        case call = "org.relativityd.Data.Call"
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

    public struct Server: JSONRecord {
        public var endpoint: String?
        public var login: String?
        public var preferredLogin: String?
        public var anonymous: Bool?
        public var service: String?
        public var schema: String?
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

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("login", \.login), .init("preferredLogin", \.preferredLogin),
            .init("anonymous", \.anonymous), .init("service", \.service), .init("schema", \.schema),
            .init("interactive", \.interactive),
        ]
    }

    public struct Field: JSONRecord {
        public var name: String
        public var type: String
        public var key: Bool?
        public var required: Bool?

        public init(name: String, type: String, key: Bool? = nil, required: Bool? = nil) {
            self.name = name
            self.type = type
            self.key = key
            self.required = required
        }

        public static let members: [JSONMember<Self>] = [
            .init("name", \.name), .init("type", \.type), .init("key", \.key), .init("required", \.required),
        ]
    }

    public struct Table: JSONRecord {
        public var name: String
        public var fields: [DataAPI.Field]

        public init(name: String, fields: [DataAPI.Field]) {
            self.name = name
            self.fields = fields
        }

        public static let members: [JSONMember<Self>] = [.init("name", \.name), .init("fields", \.fields)]
    }

    public struct Parameter: JSONRecord {
        public var name: String
        public var value: String?
        public var type: String?

        public init(name: String, value: String? = nil, type: String? = nil) {
            self.name = name
            self.value = value
            self.type = type
        }

        public static let members: [JSONMember<Self>] = [
            .init("name", \.name), .init("value", \.value), .init("type", \.type),
        ]
    }

    public struct Command: JSONRecord {
        public var name: String
        public var parameters: [String]

        public init(name: String, parameters: [String]) {
            self.name = name
            self.parameters = parameters
        }

        public static let members: [JSONMember<Self>] = [.init("name", \.name), .init("parameters", \.parameters)]
    }

    public struct Note: JSONRecord {
        public var step: String
        public var reason: String
        public var feature: String?

        public init(step: String, reason: String, feature: String? = nil) {
            self.step = step
            self.reason = reason
            self.feature = feature
        }

        public static let members: [JSONMember<Self>] = [
            .init("step", \.step), .init("reason", \.reason), .init("feature", \.feature),
        ]
    }

    public struct Evaluated: JSONRecord {
        public var server: [String]
        public var here: [String]

        public init(server: [String], here: [String]) {
            self.server = server
            self.here = here
        }

        public static let members: [JSONMember<Self>] = [.init("server", \.server), .init("here", \.here)]
    }

    public enum EditAction: String, JSONWord {
        case insert, update, delete
    }

    public struct Edit: JSONRecord {
        public var action: DataAPI.EditAction
        public var table: String
        public var key: JSONObject?
        public var `where`: String?
        public var values: JSONObject?
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

        public static let members: [JSONMember<Self>] = [
            .init("action", \.action), .init("table", \.table), .init("key", \.key), .init("where", \.`where`),
            .init("values", \.values), .init("expected", \.expected),
        ]
    }

    public struct Reference: JSONRecord {
        public var detail: String
        public var detailFields: [String]
        public var master: String
        public var masterFields: [String]

        public init(detail: String, detailFields: [String], master: String, masterFields: [String]) {
            self.detail = detail
            self.detailFields = detailFields
            self.master = master
            self.masterFields = masterFields
        }

        public static let members: [JSONMember<Self>] = [
            .init("detail", \.detail), .init("detailFields", \.detailFields), .init("master", \.master),
            .init("masterFields", \.masterFields),
        ]
    }

    public struct Lookup: JSONRecord {
        public var name: String
        public var fields: [String]
        public var table: String?
        public var keys: [String]?
        public var shown: String?
        public var list: JSONObject?
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

        public static let members: [JSONMember<Self>] = [
            .init("name", \.name), .init("fields", \.fields), .init("table", \.table), .init("keys", \.keys),
            .init("shown", \.shown), .init("list", \.list), .init("missing", \.missing),
        ]
    }

    public struct Calculated: JSONRecord {
        public var name: String
        public var expression: String
        public var type: String?

        public init(name: String, expression: String, type: String? = nil) {
            self.name = name
            self.expression = expression
            self.type = type
        }

        public static let members: [JSONMember<Self>] = [
            .init("name", \.name), .init("expression", \.expression), .init("type", \.type),
        ]
    }

    public enum Outcome: String, JSONWord {
        case accepted, rejected, conflict, unknown, pending
    }

    public struct Change: JSONRecord {
        public var table: String
        public var row: Int64
        public var action: DataAPI.EditAction
        public var key: JSONObject
        public var old: JSONObject?
        public var new: JSONObject?
        public var outcome: DataAPI.Outcome
        public var reason: String?
        public var conflict: String?
        public var base: JSONObject?
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

        public static let members: [JSONMember<Self>] = [
            .init("table", \.table), .init("row", \.row), .init("action", \.action), .init("key", \.key),
            .init("old", \.old), .init("new", \.new), .init("outcome", \.outcome), .init("reason", \.reason),
            .init("conflict", \.conflict), .init("base", \.base), .init("theirs", \.theirs),
        ]
    }

    public struct ApplyNote: JSONRecord {
        public var fact: String
        public var tables: [String]
        public var row: Int64?

        public init(fact: String, tables: [String], row: Int64? = nil) {
            self.fact = fact
            self.tables = tables
            self.row = row
        }

        public static let members: [JSONMember<Self>] = [
            .init("fact", \.fact), .init("tables", \.tables), .init("row", \.row),
        ]
    }

    public struct ApplyFailure: JSONRecord {
        public var kind: String
        public var message: String

        public init(kind: String, message: String) {
            self.kind = kind
            self.message = message
        }

        public static let members: [JSONMember<Self>] = [.init("kind", \.kind), .init("message", \.message)]
    }

    public struct PendingSet: JSONRecord {
        public var name: String
        public var revision: Int64
        public var endpoint: String
        public var service: String

        public init(name: String, revision: Int64, endpoint: String, service: String) {
            self.name = name
            self.revision = revision
            self.endpoint = endpoint
            self.service = service
        }

        public static let members: [JSONMember<Self>] = [
            .init("name", \.name), .init("revision", \.revision), .init("endpoint", \.endpoint),
            .init("service", \.service),
        ]
    }

    public struct Verdict: JSONRecord {
        public var change: DataAPI.Change
        public var verdict: String
        public var matches: [JSONObject]

        public init(change: DataAPI.Change, verdict: String, matches: [JSONObject]) {
            self.change = change
            self.verdict = verdict
            self.matches = matches
        }

        public static let members: [JSONMember<Self>] = [
            .init("change", \.change), .init("verdict", \.verdict), .init("matches", \.matches),
        ]
    }

    public struct KeptTable: JSONRecord {
        public var name: String
        public var rows: Int64
        public var pending: Int64

        public init(name: String, rows: Int64, pending: Int64) {
            self.name = name
            self.rows = rows
            self.pending = pending
        }

        public static let members: [JSONMember<Self>] = [
            .init("name", \.name), .init("rows", \.rows), .init("pending", \.pending),
        ]
    }

    public struct KeptSet: JSONRecord {
        public var endpoint: String
        public var name: String
        public var service: String
        public var saved: String?
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

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("name", \.name), .init("service", \.service), .init("saved", \.saved),
            .init("tables", \.tables),
        ]
    }

    public enum WatchState: String, JSONWord {
        case ready, busy, tablesChanged, offline, online
    }

    public struct ChangeName: JSONRecord {
        public var table: String
        public var row: Int64

        public init(table: String, row: Int64) {
            self.table = table
            self.row = row
        }

        public static let members: [JSONMember<Self>] = [.init("table", \.table), .init("row", \.row)]
    }

    public struct OpenCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.OpenReply

        public static let method = "org.relativityd.Data.Open"

        public var server: DataAPI.Server

        public init(server: DataAPI.Server) {
            self.server = server
        }

        public static let members: [JSONMember<Self>] = [.init("server", \.server)]
    }

    public struct OpenReply: JSONRecord {
        public var endpoint: String
        public var endpointName: String
        public var service: String
        public var readOnly: Bool

        public init(endpoint: String, endpointName: String, service: String, readOnly: Bool) {
            self.endpoint = endpoint
            self.endpointName = endpointName
            self.service = service
            self.readOnly = readOnly
        }

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("endpointName", \.endpointName), .init("service", \.service),
            .init("readOnly", \.readOnly),
        ]
    }

    public struct ListTablesCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.ListTablesReply

        public static let method = "org.relativityd.Data.ListTables"

        public var server: DataAPI.Server

        public init(server: DataAPI.Server) {
            self.server = server
        }

        public static let members: [JSONMember<Self>] = [.init("server", \.server)]
    }

    public struct ListTablesReply: JSONRecord {
        public var tables: [String]

        public init(tables: [String]) {
            self.tables = tables
        }

        public static let members: [JSONMember<Self>] = [.init("tables", \.tables)]
    }

    public struct GetSchemaCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.GetSchemaReply

        public static let method = "org.relativityd.Data.GetSchema"

        public var server: DataAPI.Server
        public var table: String?

        public init(server: DataAPI.Server, table: String? = nil) {
            self.server = server
            self.table = table
        }

        public static let members: [JSONMember<Self>] = [.init("server", \.server), .init("table", \.table)]
    }

    public struct GetSchemaReply: JSONRecord {
        public var tables: [DataAPI.Table]

        public init(tables: [DataAPI.Table]) {
            self.tables = tables
        }

        public static let members: [JSONMember<Self>] = [.init("tables", \.tables)]
    }

    public struct ReadCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.ReadReply

        public static let method = "org.relativityd.Data.Read"

        public var server: DataAPI.Server
        public var table: String
        public var fields: [String]?
        public var `where`: String?
        public var order: [String]?
        public var limit: Int64?
        public var lookups: [DataAPI.Lookup]?
        public var calculated: [DataAPI.Calculated]?
        public var references: [DataAPI.Reference]?
        public var parameters: [DataAPI.Parameter]?
        public var numbersAsText: Bool?
        public var decimal: String?
        public var pending: String?

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
            numbersAsText: Bool? = nil,
            decimal: String? = nil,
            pending: String? = nil
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
            self.decimal = decimal
            self.pending = pending
        }

        public static let members: [JSONMember<Self>] = [
            .init("server", \.server), .init("table", \.table), .init("fields", \.fields), .init("where", \.`where`),
            .init("order", \.order), .init("limit", \.limit), .init("lookups", \.lookups),
            .init("calculated", \.calculated), .init("references", \.references), .init("parameters", \.parameters),
            .init("numbersAsText", \.numbersAsText), .init("decimal", \.decimal), .init("pending", \.pending),
        ]
    }

    public struct ReadReply: JSONRecord {
        public var fields: [DataAPI.Field]?
        public var rows: [JSONObject]?
        public var count: Int64?
        public var notes: [DataAPI.Note]?
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

        public static let members: [JSONMember<Self>] = [
            .init("fields", \.fields), .init("rows", \.rows), .init("count", \.count), .init("notes", \.notes),
            .init("evaluated", \.evaluated),
        ]
    }

    public struct ReadTablesCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.ReadTablesReply

        public static let method = "org.relativityd.Data.ReadTables"

        public var server: DataAPI.Server
        public var tables: [String]
        public var numbersAsText: Bool?

        public init(server: DataAPI.Server, tables: [String], numbersAsText: Bool? = nil) {
            self.server = server
            self.tables = tables
            self.numbersAsText = numbersAsText
        }

        public static let members: [JSONMember<Self>] = [
            .init("server", \.server), .init("tables", \.tables), .init("numbersAsText", \.numbersAsText),
        ]
    }

    public struct ReadTablesReply: JSONRecord {
        public var table: String?
        public var fields: [DataAPI.Field]?
        public var rows: [JSONObject]?
        public var count: Int64?
        public var notes: [DataAPI.Note]?

        public init(
            table: String? = nil,
            fields: [DataAPI.Field]? = nil,
            rows: [JSONObject]? = nil,
            count: Int64? = nil,
            notes: [DataAPI.Note]? = nil
        ) {
            self.table = table
            self.fields = fields
            self.rows = rows
            self.count = count
            self.notes = notes
        }

        public static let members: [JSONMember<Self>] = [
            .init("table", \.table), .init("fields", \.fields), .init("rows", \.rows), .init("count", \.count),
            .init("notes", \.notes),
        ]
    }

    public struct QueryCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.QueryReply

        public static let method = "org.relativityd.Data.Query"

        public var server: DataAPI.Server
        public var sql: String
        public var parameters: [DataAPI.Parameter]?
        public var limit: Int64?
        public var numbersAsText: Bool?
        public var decimal: String?

        public init(
            server: DataAPI.Server,
            sql: String,
            parameters: [DataAPI.Parameter]? = nil,
            limit: Int64? = nil,
            numbersAsText: Bool? = nil,
            decimal: String? = nil
        ) {
            self.server = server
            self.sql = sql
            self.parameters = parameters
            self.limit = limit
            self.numbersAsText = numbersAsText
            self.decimal = decimal
        }

        public static let members: [JSONMember<Self>] = [
            .init("server", \.server), .init("sql", \.sql), .init("parameters", \.parameters), .init("limit", \.limit),
            .init("numbersAsText", \.numbersAsText), .init("decimal", \.decimal),
        ]
    }

    public typealias QueryReply = ReadReply

    public struct CountCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.CountReply

        public static let method = "org.relativityd.Data.Count"

        public var server: DataAPI.Server
        public var table: String
        public var `where`: String?

        public init(server: DataAPI.Server, table: String, `where`: String? = nil) {
            self.server = server
            self.table = table
            self.`where` = `where`
        }

        public static let members: [JSONMember<Self>] = [
            .init("server", \.server), .init("table", \.table), .init("where", \.`where`),
        ]
    }

    public struct CountReply: JSONRecord {
        public var count: Int64
        public var notes: [DataAPI.Note]
        public var evaluated: DataAPI.Evaluated

        public init(count: Int64, notes: [DataAPI.Note], evaluated: DataAPI.Evaluated) {
            self.count = count
            self.notes = notes
            self.evaluated = evaluated
        }

        public static let members: [JSONMember<Self>] = [
            .init("count", \.count), .init("notes", \.notes), .init("evaluated", \.evaluated),
        ]
    }

    public struct WatchCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.WatchReply

        public static let method = "org.relativityd.Data.Watch"

        public var server: DataAPI.Server
        public var table: String
        public var fields: [String]?
        public var `where`: String?
        public var key: [String]?
        public var everySeconds: Int64?
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

        public static let members: [JSONMember<Self>] = [
            .init("server", \.server), .init("table", \.table), .init("fields", \.fields), .init("where", \.`where`),
            .init("key", \.key), .init("everySeconds", \.everySeconds), .init("numbersAsText", \.numbersAsText),
        ]
    }

    public struct WatchReply: JSONRecord {
        public var fields: [DataAPI.Field]?
        public var notes: [DataAPI.Note]?
        public var state: DataAPI.WatchState?
        public var change: String?
        public var rows: [JSONObject]?

        public init(
            fields: [DataAPI.Field]? = nil,
            notes: [DataAPI.Note]? = nil,
            state: DataAPI.WatchState? = nil,
            change: String? = nil,
            rows: [JSONObject]? = nil
        ) {
            self.fields = fields
            self.notes = notes
            self.state = state
            self.change = change
            self.rows = rows
        }

        public static let members: [JSONMember<Self>] = [
            .init("fields", \.fields), .init("notes", \.notes), .init("state", \.state), .init("change", \.change),
            .init("rows", \.rows),
        ]
    }

    public struct ListCommandsCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.ListCommandsReply

        public static let method = "org.relativityd.Data.ListCommands"

        public var server: DataAPI.Server

        public init(server: DataAPI.Server) {
            self.server = server
        }

        public static let members: [JSONMember<Self>] = [.init("server", \.server)]
    }

    public struct ListCommandsReply: JSONRecord {
        public var commands: [DataAPI.Command]

        public init(commands: [DataAPI.Command]) {
            self.commands = commands
        }

        public static let members: [JSONMember<Self>] = [.init("commands", \.commands)]
    }

    public struct RunCommandCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.RunCommandReply

        public static let method = "org.relativityd.Data.RunCommand"

        public var server: DataAPI.Server
        public var command: String
        public var parameters: [DataAPI.Parameter]?

        public init(server: DataAPI.Server, command: String, parameters: [DataAPI.Parameter]? = nil) {
            self.server = server
            self.command = command
            self.parameters = parameters
        }

        public static let members: [JSONMember<Self>] = [
            .init("server", \.server), .init("command", \.command), .init("parameters", \.parameters),
        ]
    }

    public struct RunCommandReply: JSONRecord {
        public var affected: Int64
        public var parameters: [DataAPI.Parameter]

        public init(affected: Int64, parameters: [DataAPI.Parameter]) {
            self.affected = affected
            self.parameters = parameters
        }

        public static let members: [JSONMember<Self>] = [
            .init("affected", \.affected), .init("parameters", \.parameters),
        ]
    }

    public struct CallCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.CallReply

        public static let method = "org.relativityd.Data.Call"

        public var server: DataAPI.Server
        public var service: String
        public var method: String
        public var parameters: JSONObject?
        public var rodl: String?
        public var numbersAsText: Bool?

        public init(
            server: DataAPI.Server,
            service: String,
            method: String,
            parameters: JSONObject? = nil,
            rodl: String? = nil,
            numbersAsText: Bool? = nil
        ) {
            self.server = server
            self.service = service
            self.method = method
            self.parameters = parameters
            self.rodl = rodl
            self.numbersAsText = numbersAsText
        }

        public static let members: [JSONMember<Self>] = [
            .init("server", \.server), .init("service", \.service), .init("method", \.method),
            .init("parameters", \.parameters), .init("rodl", \.rodl), .init("numbersAsText", \.numbersAsText),
        ]
    }

    public struct CallReply: JSONRecord {
        public var results: JSONObject

        public init(results: JSONObject) {
            self.results = results
        }

        public static let members: [JSONMember<Self>] = [.init("results", \.results)]
    }

    public struct EditCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.EditReply

        public static let method = "org.relativityd.Data.Edit"

        public var server: DataAPI.Server
        public var edits: [DataAPI.Edit]
        public var force: Bool?
        public var dryRun: Bool?
        public var pending: String?
        public var revision: Int64?
        public var limit: Int64?
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

        public static let members: [JSONMember<Self>] = [
            .init("server", \.server), .init("edits", \.edits), .init("force", \.force), .init("dryRun", \.dryRun),
            .init("pending", \.pending), .init("revision", \.revision), .init("limit", \.limit),
            .init("references", \.references),
        ]
    }

    public struct EditReply: JSONRecord {
        public var changes: [DataAPI.Change]
        public var notes: [DataAPI.ApplyNote]
        public var failure: DataAPI.ApplyFailure?
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

        public static let members: [JSONMember<Self>] = [
            .init("changes", \.changes), .init("notes", \.notes), .init("failure", \.failure),
            .init("revision", \.revision),
        ]
    }

    public struct ApplyCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.ApplyReply

        public static let method = "org.relativityd.Data.Apply"

        public var server: DataAPI.Server
        public var pending: String
        public var revision: Int64
        public var force: Bool?
        public var whole: Bool?

        public init(server: DataAPI.Server, pending: String, revision: Int64, force: Bool? = nil, whole: Bool? = nil) {
            self.server = server
            self.pending = pending
            self.revision = revision
            self.force = force
            self.whole = whole
        }

        public static let members: [JSONMember<Self>] = [
            .init("server", \.server), .init("pending", \.pending), .init("revision", \.revision),
            .init("force", \.force), .init("whole", \.whole),
        ]
    }

    public typealias ApplyReply = EditReply

    public struct ListKeptCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.ListKeptReply

        public static let method = "org.relativityd.Data.ListKept"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct ListKeptReply: JSONRecord {
        public var kept: [DataAPI.KeptSet]

        public init(kept: [DataAPI.KeptSet]) {
            self.kept = kept
        }

        public static let members: [JSONMember<Self>] = [.init("kept", \.kept)]
    }

    public struct ReadKeptCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.ReadKeptReply

        public static let method = "org.relativityd.Data.ReadKept"

        public var endpoint: String
        public var service: String?
        public var table: String
        public var fields: [String]?
        public var `where`: String?
        public var order: [String]?
        public var limit: Int64?
        public var numbersAsText: Bool?
        public var decimal: String?

        public init(
            endpoint: String,
            service: String? = nil,
            table: String,
            fields: [String]? = nil,
            `where`: String? = nil,
            order: [String]? = nil,
            limit: Int64? = nil,
            numbersAsText: Bool? = nil,
            decimal: String? = nil
        ) {
            self.endpoint = endpoint
            self.service = service
            self.table = table
            self.fields = fields
            self.`where` = `where`
            self.order = order
            self.limit = limit
            self.numbersAsText = numbersAsText
            self.decimal = decimal
        }

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("service", \.service), .init("table", \.table),
            .init("fields", \.fields), .init("where", \.`where`), .init("order", \.order), .init("limit", \.limit),
            .init("numbersAsText", \.numbersAsText), .init("decimal", \.decimal),
        ]
    }

    public struct ReadKeptReply: JSONRecord {
        public var fields: [DataAPI.Field]?
        public var rows: [JSONObject]?
        public var count: Int64?
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

        public static let members: [JSONMember<Self>] = [
            .init("fields", \.fields), .init("rows", \.rows), .init("count", \.count), .init("saved", \.saved),
        ]
    }

    public struct ListPendingCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.ListPendingReply

        public static let method = "org.relativityd.Data.ListPending"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct ListPendingReply: JSONRecord {
        public var sets: [DataAPI.PendingSet]

        public init(sets: [DataAPI.PendingSet]) {
            self.sets = sets
        }

        public static let members: [JSONMember<Self>] = [.init("sets", \.sets)]
    }

    public struct GetPendingCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.GetPendingReply

        public static let method = "org.relativityd.Data.GetPending"

        public var pending: String

        public init(pending: String) {
            self.pending = pending
        }

        public static let members: [JSONMember<Self>] = [.init("pending", \.pending)]
    }

    public struct GetPendingReply: JSONRecord {
        public var set: DataAPI.PendingSet
        public var changes: [DataAPI.Change]

        public init(set: DataAPI.PendingSet, changes: [DataAPI.Change]) {
            self.set = set
            self.changes = changes
        }

        public static let members: [JSONMember<Self>] = [.init("set", \.set), .init("changes", \.changes)]
    }

    public struct CheckPendingCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.CheckPendingReply

        public static let method = "org.relativityd.Data.CheckPending"

        public var server: DataAPI.Server
        public var pending: String

        public init(server: DataAPI.Server, pending: String) {
            self.server = server
            self.pending = pending
        }

        public static let members: [JSONMember<Self>] = [.init("server", \.server), .init("pending", \.pending)]
    }

    public struct CheckPendingReply: JSONRecord {
        public var verdicts: [DataAPI.Verdict]

        public init(verdicts: [DataAPI.Verdict]) {
            self.verdicts = verdicts
        }

        public static let members: [JSONMember<Self>] = [.init("verdicts", \.verdicts)]
    }

    public struct RetryPendingCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.RetryPendingReply

        public static let method = "org.relativityd.Data.RetryPending"

        public var pending: String
        public var revision: Int64

        public init(pending: String, revision: Int64) {
            self.pending = pending
            self.revision = revision
        }

        public static let members: [JSONMember<Self>] = [.init("pending", \.pending), .init("revision", \.revision)]
    }

    public struct RetryPendingReply: JSONRecord {
        public var revision: Int64

        public init(revision: Int64) {
            self.revision = revision
        }

        public static let members: [JSONMember<Self>] = [.init("revision", \.revision)]
    }

    public struct SettlePendingCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.SettlePendingReply

        public static let method = "org.relativityd.Data.SettlePending"

        public var pending: String
        public var revision: Int64
        public var changes: [DataAPI.ChangeName]?

        public init(pending: String, revision: Int64, changes: [DataAPI.ChangeName]? = nil) {
            self.pending = pending
            self.revision = revision
            self.changes = changes
        }

        public static let members: [JSONMember<Self>] = [
            .init("pending", \.pending), .init("revision", \.revision), .init("changes", \.changes),
        ]
    }

    public struct SettlePendingReply: JSONRecord {
        public var revision: Int64?

        public init(revision: Int64? = nil) {
            self.revision = revision
        }

        public static let members: [JSONMember<Self>] = [.init("revision", \.revision)]
    }

    public struct DropPendingCall: VarlinkMethodCall {
        public typealias Reply = DataAPI.DropPendingReply

        public static let method = "org.relativityd.Data.DropPending"

        public var pending: String
        public var revision: Int64
        public var changes: [DataAPI.ChangeName]?

        public init(pending: String, revision: Int64, changes: [DataAPI.ChangeName]? = nil) {
            self.pending = pending
            self.revision = revision
            self.changes = changes
        }

        public static let members: [JSONMember<Self>] = [
            .init("pending", \.pending), .init("revision", \.revision), .init("changes", \.changes),
        ]
    }

    public typealias DropPendingReply = SettlePendingReply
}
