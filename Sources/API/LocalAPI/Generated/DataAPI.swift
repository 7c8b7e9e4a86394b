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
        case listTables = "org.relativityd.Data.ListTables"
        case getSchema = "org.relativityd.Data.GetSchema"
        case read = "org.relativityd.Data.Read"
        case readTables = "org.relativityd.Data.ReadTables"
        case query = "org.relativityd.Data.Query"
        case count = "org.relativityd.Data.Count"
        case listCommands = "org.relativityd.Data.ListCommands"
        case runCommand = "org.relativityd.Data.RunCommand"
    }

    /// The server, the login and the data service of a call.
    public struct Server: JSONRecord {
        /// The name or the ID of an endpoint. May be absent if login is given.
        public var endpoint: String?
        /// The name of a login. Without it the only login of the endpoint is used.
        public var login: String?
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
            anonymous: Bool? = nil,
            service: String? = nil,
            schema: String? = nil,
            interactive: Bool? = nil
        ) {
            self.endpoint = endpoint
            self.login = login
            self.anonymous = anonymous
            self.service = service
            self.schema = schema
            self.interactive = interactive
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.readIfPresent("endpoint")
            self.login = try json.readIfPresent("login")
            self.anonymous = try json.readIfPresent("anonymous")
            self.service = try json.readIfPresent("service")
            self.schema = try json.readIfPresent("schema")
            self.interactive = try json.readIfPresent("interactive")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", ifPresent: self.endpoint)
            output.writeMember("login", ifPresent: self.login)
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
        /// filter, sort, select, count or sql. New words may be added.
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
            parameters: [DataAPI.Parameter]? = nil,
            numbersAsText: Bool? = nil
        ) {
            self.server = server
            self.table = table
            self.fields = fields
            self.`where` = `where`
            self.order = order
            self.limit = limit
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

    /// The statement cannot run here: it is invalid, a parameter has no value, or there is no space for the tables.
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

    /// More rows would have to be read than limit, to find those that were asked for.
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
          # The name or the ID of an endpoint. May be absent if login is given.
          endpoint: ?string,
          # The name of a login. Without it the only login of the endpoint is used.
          login: ?string,
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
          # filter, sort, select, count or sql. New words may be added.
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

        # The statement cannot run here: it is invalid, a parameter has no value, or there is no space for the tables.
        error BadStatement (message: string)

        # The server cannot do a part of the call, and it cannot be done here. feature is the part, such as daSQL.
        error Unsupported (message: string, feature: string)

        # More rows would have to be read than limit, to find those that were asked for.
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

        # The call failed for another reason. The log of relativityd-data has the details.
        error Failed (message: string)

        """#
}
