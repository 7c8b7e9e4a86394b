// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import JSON
import LocalAPI
import NIOCore
import Platform

extension JobRunner {
    func schema(_ adapter: RemoteDataAdapter) async throws -> DataSchema {
        let schema = try DataSchema(parsing: try await adapter.schema())
        keepNames(schema)
        return schema
    }

    /// Keeps the names of tables and fields for completion in a shell. A file that cannot be written keeps nothing.
    private func keepNames(_ schema: DataSchema) {
        guard job.adapters.count == 1, let directory = try? cacheDirectory(),
            let text = try? AtomicFile.read(TableNames.file, in: directory, maximumBytes: TableNames.maximumBytes) ?? []
        else { return }
        let known = TableNames(parsing: text)
        var names = known
        names.set(schema.tables.map { .init($0.name, fields: $0.fields.map(\.name)) }, of: job.adapters[0])
        if names != known { try? AtomicFile.write(Array(names.json.text.utf8), to: TableNames.file, in: directory) }
    }

    /// Lists the tables.
    func list() async throws {
        let tables = try await schema(adapter()).tables
        show(tables.map { ListedTable(name: $0.name, fields: $0.fields.count, key: $0.key.map(\.name)) }, members())
    }

    /// Prints a list of tables.
    ///
    /// - Parameter members: more members of the JSON object.
    func show(_ tables: [ListedTable], _ members: JSONObject = [:]) {
        guard !text.isDocument else {
            return text.write(JSONObject([("tables", .array(tables.map { .object($0.json) }))] + Array(members)))
        }
        guard !tables.isEmpty else { return text.note("the schema has no tables") }
        text.write(
            ["TABLE", "FIELDS", "KEY"],
            tables.map { [$0.name, "\($0.fields)", $0.key.joined(separator: ", ")] }
        )
    }

    /// The schema of the job's file, or of its server.
    private func schema() async throws -> DataSchema {
        guard let text = job.schema else { return try await schema(adapter()) }
        return try DataSchema(parsing: text)
    }

    /// Shows the tables, the relationships and the commands, or one table.
    func showSchema() async throws {
        let schema = try await schema()
        let tables = try chosenTables(of: schema)
        guard !text.isDocument else {
            var shown: JSONObject = ["tables": .array(tables.map { .object($0.details) })]
            if job.tables.isEmpty {
                shown["relationships"] = .array(schema.relationships.map { .object($0.details) })
                shown["commands"] = .array(schema.commands.map { .object($0.details) })
            }
            return text.write(shown)
        }
        for (number, table) in tables.enumerated() {
            if number > 0 { text.write(line: "") }
            show(table)
        }
        guard job.tables.isEmpty else { return }
        if !schema.relationships.isEmpty {
            text.write(line: "")
            text.write(["DETAIL", "MASTER"], schema.relationships.map { [$0.detailText, $0.masterText] })
        }
        if !schema.commands.isEmpty {
            text.write(line: "")
            show(schema.commands)
        }
    }

    private func show(_ table: SchemaTable) {
        let marks = (table.kind == .table ? [] : [table.kind.rawValue]) + (table.isReadOnly ? ["read-only"] : [])
        if job.tables.isEmpty || !marks.isEmpty {
            text.write(line: "\(Printable(table.name))" + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))"))
        }
        text.write(
            ["FIELD", "TYPE", "SIZE", "KEY", "REQUIRED", "READ-ONLY"],
            table.fields.map { field in
                [
                    field.name, field.type.shortName, field.size > 0 ? "\(field.size)" : "",
                    Self.sign(field.isInPrimaryKey), Self.sign(field.isRequired), Self.sign(field.isReadOnly),
                ]
            }
        )
        let textual = table.fields.filter(ArrowDecimals.isText).map(\.name).joined(separator: ", ")
        if !textual.isEmpty {
            text.note("without declared digits, so text in Arrow unless --decimal says otherwise: \(textual)")
        }
        guard !table.parameters.isEmpty else { return }
        text.write(
            ["PARAMETER", "TYPE", "SIZE", "DIRECTION", "DEFAULT"],
            table.parameters.map { parameter in
                [
                    parameter.name, parameter.type.shortName, parameter.size > 0 ? "\(parameter.size)" : "",
                    parameter.direction.word, parameter.value ?? "",
                ]
            }
        )
    }

    private func show(_ commands: [DataAbstract.SchemaCommand]) {
        text.write(
            ["COMMAND", "PARAMETERS"],
            commands.map { command in
                let parameters = command.parameters.map { "\($0.direction.word) \($0.name): \($0.type.shortName)" }
                return [command.name, parameters.joined(separator: ", ")]
            }
        )
    }

    /// Prints the files of a program for all tables, or for some.
    func writeClient() async throws {
        let schema = try await schema(adapter())
        var server = ClientCode.Server()
        server.endpoint = job.client.endpoint
        server.login = job.client.login
        server.isAnonymous = job.client.isAnonymous
        server.schema = job.client.schema
        server.service = job.client.service
        let code = ClientCode(server, tables: try chosenTables(of: schema), package: job.client.package)
        guard let files = code.files(in: try language()) else {
            throw DataFailure(.usage, "no program in this language")
        }
        text.write(["files": .array(files.map { ["path": .string($0.path), "text": .string($0.text)] })])
    }

    /// Writes an SQLite file with a virtual table for each table of the server.
    func writeVirtualTables() async throws {
        let server = try server().name
        let path = job.output.path ?? ""
        let file = try VirtualTableFile(
            path,
            server: server,
            tables: try await schema(adapter()).tables.map(\.name),
            replaces: job.output.isReplaced
        )
        for name in file.omitted { text.note("\(Printable(name)) is not in the file: SQLite cannot have this name") }
        guard !text.isDocument else {
            let tables = file.tables.map { JSONValue.string($0) }
            return text.write(["path": .string(path), "server": .string(server), "tables": .array(tables)])
        }
        guard !text.isQuiet else { return }
        text.write(line: "\(Printable(path)): \(Counted(file.tables.count, "table")) of \(Printable(server))")
    }

    private func language() throws -> CodeLanguage {
        guard let language = CodeLanguage(rawValue: job.name ?? "") else {
            throw DataFailure(.usage, "no such language")
        }
        return language
    }

    /// Prints code with a type for the rows of all tables, or of some.
    func writeCode() async throws {
        let language = try language()
        let schema = try await schema()
        text.write(file: RowCode.code(for: try chosenTables(of: schema), in: language), as: "code")
    }

    /// The tables that the user named; all without a name.
    private func chosenTables(of schema: DataSchema) throws -> [SchemaTable] {
        guard !job.tables.isEmpty else { return schema.tables }
        return try job.tables.map { name in
            guard let table = schema.table(name) else {
                throw DataFailure(noTable: name, schema)
            }
            return table
        }
    }

    private static func sign(_ isTrue: Bool) -> String { isTrue ? "yes" : "" }

    /// Lists the commands.
    func listCommands() async throws {
        let commands = try await schema(adapter()).commands
        guard !text.isDocument else {
            return text.write(["commands": .array(commands.map { .object($0.details) })])
        }
        guard !commands.isEmpty else { return text.note("the schema has no commands") }
        show(commands)
    }

    /// Runs a command, and prints the number of rows and the output parameters.
    func runCommand() async throws {
        let parameters = try job.rows.parameters.map { try $0.dataParameter() }
        let adapter = try adapter()
        let result = try await sending(false) {
            try await adapter.execute(command: job.name ?? "", parameters: parameters)
        }
        guard !text.isDocument else {
            let outputs = JSONObject(result.outputs.map { ($0.name, $0.value.json(as: .unknown)) })
            return text.write(["affectedRows": .integer(Int64(result.rowCount)), "outputParameters": .object(outputs)])
        }
        text.write(line: "\(Counted(result.rowCount, "row"))")
        for output in result.outputs {
            text.write(line: "\(output.name)\t\(output.value.text(as: .unknown) ?? "NULL")")
        }
    }
}

/// A table in a list.
struct ListedTable {
    let name: String
    /// The number of its fields.
    let fields: Int
    let key: [String]

    fileprivate var json: JSONObject {
        ["name": .string(name), "key": .array(key.map { .string($0) }), "fields": .integer(Int64(fields))]
    }
}

extension SchemaTable {
    fileprivate var details: JSONObject {
        [
            "name": .string(name), "kind": .string(kind.rawValue), "readOnly": .bool(isReadOnly),
            "fields": .array(fields.map { .object($0.details) }),
            "parameters": .array(parameters.map { .object($0.details) }),
        ]
    }
}

extension SchemaField {
    fileprivate var details: JSONObject {
        var details: JSONObject = [
            "name": .string(name), "type": .string(type.shortName), "size": .integer(Int64(size)),
            "precision": .integer(Int64(precision)), "scale": .integer(Int64(scale)), "key": .bool(isInPrimaryKey),
            "required": .bool(isRequired), "readOnly": .bool(isReadOnly), "logsChanges": .bool(logsChanges),
            "lookup": .bool(isLookup), "calculated": .bool(isCalculated),
            "serverCalculated": .bool(isServerCalculated),
        ]
        details["displayLabel"] = displayLabel.map { .string($0) }
        details["default"] = defaultValue.map { .string($0) }
        return details
    }
}

extension SchemaParameter {
    fileprivate var details: JSONObject {
        var details: JSONObject = [
            "name": .string(name), "type": .string(type.shortName), "size": .integer(Int64(size)),
            "direction": .string(direction.word),
        ]
        details["default"] = value.map { .string($0) }
        return details
    }
}

extension SchemaRelationship {
    fileprivate var masterText: String { Self.text(master, masterFields) }
    fileprivate var detailText: String { Self.text(detail, detailFields) }

    /// `Orders.Id`, or `Orders.(Year, Number)` for several fields.
    private static func text(_ table: String, _ fields: [String]) -> String {
        let list = fields.joined(separator: ", ")
        return fields.count == 1 ? "\(table).\(list)" : "\(table).(\(list))"
    }

    fileprivate var details: JSONObject {
        [
            "master": .string(master), "masterFields": .array(masterFields.map { .string($0) }),
            "detail": .string(detail), "detailFields": .array(detailFields.map { .string($0) }),
        ]
    }
}

extension DataAbstract.SchemaCommand {
    fileprivate var details: JSONObject {
        ["name": .string(name), "parameters": .array(parameters.map { .object($0.details) })]
    }
}
