// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import DataJobs
import Endpoints
import JSON
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
        show(tables.map { ListedTable(name: $0.name, fields: $0.fields.count, key: $0.key.map(\.name)) })
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

    /// Shows the fields of all tables, or of one.
    func showSchema() async throws {
        let schema = try await schema(adapter())
        let tables = try chosenTables(of: schema)
        guard !text.isDocument else {
            return text.write(["tables": .array(tables.map { .object($0.details) })])
        }
        for (number, table) in tables.enumerated() {
            if number > 0 { text.write(line: "") }
            if job.tables.isEmpty { text.write(line: "\(Printable(table.name))") }
            text.write(
                ["FIELD", "TYPE", "SIZE", "KEY", "REQUIRED", "READ-ONLY"],
                table.fields.map { field in
                    [
                        field.name, field.type.shortName, field.size > 0 ? "\(field.size)" : "",
                        Self.sign(field.isInPrimaryKey), Self.sign(field.isRequired), Self.sign(field.isReadOnly),
                    ]
                }
            )
        }
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
            throw JobFailure(.usage, "no program in this language")
        }
        text.write(["files": .array(files.map { ["path": .string($0.path), "text": .string($0.text)] })])
    }

    private func language() throws -> RowCode.Language {
        guard let language = RowCode.Language(rawValue: job.name ?? "") else {
            throw JobFailure(.usage, "no such language")
        }
        return language
    }

    /// Prints code with a type for the rows of all tables, or of some.
    func writeCode() async throws {
        let language = try language()
        let schema = try await schema(adapter())
        text.write(file: RowCode.code(for: try chosenTables(of: schema), in: language), as: "code")
    }

    /// The tables that the user named; all without a name.
    private func chosenTables(of schema: DataSchema) throws -> [SchemaTable] {
        guard !job.tables.isEmpty else { return schema.tables }
        return try job.tables.map { name in
            guard let table = schema.table(name) else {
                throw JobFailure(noTable: name, schema)
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
        text.write(
            ["COMMAND", "PARAMETERS"],
            commands.map { command in
                [command.name, command.parameters.map { "\($0.name): \($0.type.shortName)" }.joined(separator: ", ")]
            }
        )
    }

    /// Runs a command, and prints the number of rows and the output parameters.
    func runCommand() async throws {
        let parameters = try job.rows.parameters.map { try $0.dataParameter() }
        let result = try await adapter().execute(command: job.name ?? "", parameters: parameters)
        guard !text.isDocument else {
            let outputs = JSONObject(result.outputs.map { ($0.name, $0.value.json(nil)) })
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
            "name": .string(name),
            "fields": .array(
                fields.map { field in
                    [
                        "name": .string(field.name), "type": .string(field.type.shortName),
                        "size": .integer(Int64(field.size)), "key": .bool(field.isInPrimaryKey),
                        "required": .bool(field.isRequired), "readOnly": .bool(field.isReadOnly),
                    ]
                }
            ),
        ]
    }
}

extension DataAbstract.SchemaCommand {
    fileprivate var details: JSONObject {
        [
            "name": .string(name),
            "parameters": .array(
                parameters.map { ["name": .string($0.name), "type": .string($0.type.shortName)] }
            ),
        ]
    }
}
