// SPDX-License-Identifier: Apache-2.0

import JSON

/// The tools that an MCP client may call, and the arguments of relctl that answer them.
///
/// A tool's name, description and schema are constants but for the servers, which the user has named: text from a server is
/// only ever a value of a result.
enum MCPTool: String, CaseIterable {
    case listTables = "list_tables"
    case describeTable = "describe_table"
    case readRows = "read_rows"
    case countRows = "count_rows"
    case runQuery = "run_query"
    case listPending = "list_pending_changes"
    case stageInsert = "stage_insert"
    case stageUpdate = "stage_update"
    case stageDeletes = "stage_deletes"

    /// The most rows of one answer.
    static let mostRows: Int64 = 1_000
    /// The most seconds of a statement.
    static let mostSeconds = 30

    /// Whether it adds changes to the pending set of the client.
    var isEdit: Bool { [.stageInsert, .stageUpdate, .stageDeletes].contains(self) }

    private var description: String {
        switch self {
        case .listTables: "List the tables of a Relativity server."
        case .describeTable: "Show the fields of a table: names, types, keys, and what is required."
        case .readRows: "Read rows of a table. Returns at most \(Self.mostRows) rows."
        case .countRows: "Count the rows of a table."
        case .runQuery:
            """
            Run a SELECT statement of SQLite over tables of the server. The tables are read first; nothing is changed. \
            Returns at most \(Self.mostRows) rows, and fails after \(Self.mostSeconds) seconds.
            """
        case .listPending:
            "List the changes that were staged for a person to apply. They are not on the server."
        case .stageInsert: "Stage a new row. Nothing is sent: a person applies the changes later."
        case .stageUpdate:
            "Stage new values for the rows that satisfy a condition. Nothing is sent: a person applies the changes later."
        case .stageDeletes:
            "Stage the removal of the rows that satisfy a condition. Nothing is sent: a person applies the changes later."
        }
    }

    private enum Parameter: String, CaseIterable {
        case server, table, fields, `where`, sort, limit, sql, values

        var schema: JSONObject {
            switch self {
            case .server: ["type": "string", "description": "The server. May be absent if there is only one."]
            case .table: ["type": "string", "description": "The name of the table."]
            case .fields: ["type": "array", "items": ["type": "string"], "description": "The fields; by default all."]
            case .where:
                [
                    "type": "string",
                    "description":
                        """
                    A condition such as: Amount > 100 AND Name BEGINSWITH 'A'. Texts have single quotes. In a pattern of \
                    LIKE, * is any text and ? one character, not the % and _ of SQL.
                    """,
                ]
            case .sort:
                [
                    "type": "array", "items": ["type": "string"],
                    "description": "The fields to sort by; a minus before a name sorts in descending order.",
                ]
            case .limit: ["type": "integer", "minimum": 0, "maximum": .integer(mostRows)]
            case .sql: ["type": "string", "description": "One SELECT statement of SQLite."]
            case .values:
                [
                    "type": "object",
                    "description": "The fields to set. A number of more than 15 digits, a date and a time are texts.",
                ]
            }
        }
    }

    /// The parameters, those that are required first.
    private var parameters: (required: [Parameter], optional: [Parameter]) {
        switch self {
        case .listTables, .listPending: ([], [.server])
        case .describeTable: ([.table], [.server])
        case .readRows: ([.table], [.fields, .where, .sort, .limit, .server])
        case .countRows: ([.table], [.where, .server])
        case .runQuery: ([.sql], [.server])
        case .stageInsert: ([.table, .values], [.server])
        case .stageUpdate: ([.table, .where, .values], [.server])
        case .stageDeletes: ([.table, .where], [.server])
        }
    }

    /// The tool as `tools/list` describes it.
    ///
    /// - Parameter servers: the names that the user has given.
    func listed(_ servers: [String]) -> JSONObject {
        let (required, optional) = parameters
        var properties = JSONObject()
        for parameter in required + optional {
            var schema = parameter.schema
            if parameter == .server { schema["enum"] = .array(servers.map { .string($0) }) }
            properties[parameter.rawValue] = .object(schema)
        }
        return [
            "name": .string(rawValue),
            "description": .string(description),
            "inputSchema": [
                "type": "object", "properties": .object(properties),
                "required": .array(required.map { .string($0.rawValue) }), "additionalProperties": false,
            ],
            "annotations": ["readOnlyHint": .bool(!isEdit), "destructiveHint": false, "openWorldHint": false],
        ]
    }
}

/// A call of a tool as a command of relctl.
struct MCPCall: Hashable {
    /// Why arguments are not those of a tool.
    struct Invalid: Error, Hashable {
        let reason: String
    }

    /// The arguments of relctl. Values of the client follow `=` or `--`, so that none is taken for an option.
    let words: [String]
    /// Whether it uses the pending set of the client.
    let usesPendingSet: Bool
    /// The result if the command finds nothing; nil if that is a failure.
    let nothing: JSONValue?

    /// - Parameters:
    ///   - options: how to reach the servers, as options of relctl.
    ///   - pending: the file of the client's pending set for a server.
    init(
        _ tool: MCPTool,
        _ arguments: JSONObject,
        servers: [String],
        options: [String],
        pending: (String) -> String
    ) throws(Invalid) {
        usesPendingSet = tool.isEdit || tool == .listPending
        // The file does not exist before the first change is staged.
        nothing = tool == .listPending ? ["schemaVersion": 1, "changes": []] : nil
        var values = Values(arguments)
        let server = try values.server(servers)
        switch tool {
        case .listTables: words = ["table", "list", "--json"] + options + ["--", server]
        case .describeTable: words = ["schema", "show", "--json"] + options + ["--", server, try values.text("table")]
        case .readRows:
            let table = try values.text("table")
            let limit = try values.limit()
            let filter =
                try values.joined("fields", as: "select") + values.condition() + values.joined("sort", as: "sort")
            words = ["table", "get", "--json", "--limit=\(limit)"] + filter + options + ["--", server, table]
        case .countRows:
            let table = try values.text("table")
            words = ["table", "count", "--json"] + (try values.condition()) + options + ["--", server, table]
        case .runQuery:
            let bounds = ["--limit=\(MCPTool.mostRows)", "--timeout=\(MCPTool.mostSeconds)s"]
            words = ["sql", "--json", "--local"] + options + bounds + ["--", server, try values.text("sql")]
        case .listPending: words = ["table", "pending", "list", "--json", "--", pending(server)]
        case .stageInsert:
            let table = try values.text("table")
            words =
                ["table", "insert"] + Self.staged(pending(server), options) + [server, table] + (try values.values())
        case .stageUpdate, .stageDeletes:
            let table = try values.text("table")
            let condition = try values.condition()
            guard !condition.isEmpty else { throw Invalid(reason: "'where' is missing") }
            let verb = tool == .stageUpdate ? "update" : "delete"
            words =
                ["table", verb, "--yes"] + condition + Self.staged(pending(server), options) + [server, table]
                + (tool == .stageUpdate ? try values.values() : [])
        }
        try values.end()
    }

    private static func staged(_ file: String, _ options: [String]) -> [String] {
        ["--json", "--pending=\(file)"] + options + ["--"]
    }

    /// Takes the arguments of a call one after the other.
    private struct Values {
        private var rest: JSONObject

        init(_ arguments: JSONObject) { rest = arguments }

        private mutating func take(_ name: String) -> JSONValue? {
            defer { rest[name] = nil }
            guard let value = rest[name], !value.isNull else { return nil }
            return value
        }

        /// - Throws: `Invalid` if there are arguments that the tool does not have.
        func end() throws(Invalid) {
            guard let (name, _) = rest.first(where: { _ in true }) else { return }
            throw Invalid(reason: "the tool has no argument '\(name.prefix(64))'")
        }

        mutating func server(_ servers: [String]) throws(Invalid) -> String {
            guard let value = take("server") else {
                guard servers.count == 1 else { throw Invalid(reason: "'server' is missing: there are several") }
                return servers[0]
            }
            guard let name = value.stringValue, servers.contains(name) else {
                throw Invalid(reason: "'server' is not one of: \(servers.joined(separator: ", "))")
            }
            return name
        }

        mutating func text(_ name: String) throws(Invalid) -> String {
            guard let text = take(name)?.stringValue, !text.isEmpty, !text.utf8.contains(0) else {
                throw Invalid(reason: "'\(name)' is missing or no text")
            }
            return text
        }

        mutating func limit() throws(Invalid) -> Int64 {
            guard let value = take("limit") else { return MCPTool.mostRows }
            guard let number = value.integerValue, (0...MCPTool.mostRows).contains(number) else {
                throw Invalid(reason: "'limit' is not a number from 0 to \(MCPTool.mostRows)")
            }
            return number
        }

        mutating func condition() throws(Invalid) -> [String] {
            guard let condition = take("where") else { return [] }
            rest["where"] = condition
            return ["--where=\(try text("where"))"]
        }

        /// A list of names as one option, whose names are separated by commas.
        mutating func joined(_ name: String, as option: String) throws(Invalid) -> [String] {
            guard let value = take(name) else { return [] }
            let names = value.arrayValue?.compactMap(\.stringValue) ?? []
            guard names.count == value.arrayValue?.count,
                names.allSatisfy({ !$0.isEmpty && !$0.utf8.contains { [0, UInt8(ascii: ",")].contains($0) } })
            else { throw Invalid(reason: "'\(name)' is not a list of names") }
            return names.isEmpty ? [] : ["--\(option)=\(names.joined(separator: ","))"]
        }

        /// Values as `FIELD=TEXT`, or `FIELD:=null`.
        mutating func values() throws(Invalid) -> [String] {
            guard let values = take("values")?.objectValue, !values.isEmpty else {
                throw Invalid(reason: "'values' is missing or no object")
            }
            return try values.map { (name, value) throws(Invalid) in
                guard !name.isEmpty, !name.utf8.contains(where: { "=@:\0".utf8.contains($0) }) else {
                    throw Invalid(reason: "'\(name.prefix(64))' cannot be set here")
                }
                switch value {
                case .null: return "\(name):=null"
                case .string(let text) where !text.utf8.contains(0): return "\(name)=\(text)"
                case .bool, .integer, .number, .digits: return "\(name)=\(value.text)"
                default: throw Invalid(reason: "the value of '\(name.prefix(64))' is neither a text, a number nor null")
                }
            }
        }
    }
}
