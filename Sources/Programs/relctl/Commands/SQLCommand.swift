// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import Glibc
import LocalAPI
import Platform

struct SQLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql",
        abstract: "Run statements in DA SQL at a server, or in SQLite over tables of several servers.",
        usage: """
            relctl sql ENDPOINT ['STATEMENT'] [OPTIONS]
            relctl sql -t ALIAS=ENDPOINT:TABLE [-t ...] 'STATEMENT' [OPTIONS]
            """,
        discussion: """
            Without a statement, this is a shell at a terminal. Elsewhere statements are read from standard input, \
            each with a semicolon at its end, and the first that fails ends the command. If a server takes no DA SQL, \
            the tables that a statement names are read, and the statement runs here, in SQLite.

            relctl sql shop 'select Status, count(*) as Orders from Orders group by Status'
            """
    )

    @Argument(
        help: ArgumentHelp("Endpoint ID or unique name, unless --table is given; then a statement.", valueName: "word"),
        completion: LiveNames.endpoints
    )
    var words: [String] = []
    @OptionGroup var connection: DataConnection
    @Option(
        name: [.customShort("t"), .customLong("table")],
        help: ArgumentHelp("A table of a server, under a name for the statement.", valueName: "alias=endpoint:table")
    )
    var tables: [NamedTable] = []
    @Option(
        name: [.customShort("f"), .customLong("file")],
        help: ArgumentHelp("Run the statements of this file.", valueName: "file"),
        completion: .file()
    )
    var file: String?
    @OptionGroup var parameters: ParameterOption
    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "rows"))
    var limit: Int64?
    @Flag(help: "Fail if the server takes no DA SQL.")
    var serverOnly = false
    @Flag(help: "Read the tables that the statement names, and run it here, in SQLite, which changes nothing.")
    var local = false
    @Option(help: "Fail rather than read more rows than this.")
    var maxRead: Int64 = 1_000_000
    @OptionGroup var space: TemporarySpace
    @OptionGroup var codePage: CodePageOption
    @OptionGroup var rows: RowOutput

    func validate() throws {
        if tables.isEmpty, words.isEmpty { throw ValidationError("missing the server, or --table") }
        if words.count > (tables.isEmpty ? 2 : 1) {
            throw ValidationError("more than one statement: put it in quotes, or use --file")
        }
        if file != nil, statement != nil { throw ValidationError("--file cannot be used with a statement") }
        if Set(tables.map { $0.alias.lowercased() }).count < tables.count {
            throw ValidationError("--table has the same name twice")
        }
        if connection.login != nil, Set(tables.map(\.reference.endpoint)).count > 1 {
            throw ValidationError("--login cannot be used with several servers")
        }
        if local, serverOnly { throw ValidationError("--local and --server-only cannot be used together") }
        if let limit, limit < 0 { throw ValidationError("invalid --limit '\(limit)': expected 0 or more") }
        if maxRead < 0 { throw ValidationError("--max-read cannot be negative") }
    }

    private var statement: String? { tables.isEmpty ? words.dropFirst().first : words.first }

    /// The servers, each once, in the order in which they are named.
    private var endpoints: [String] {
        guard !tables.isEmpty else { return [words[0]] }
        return tables.map(\.reference.endpoint).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    func run() throws {
        let job = try job()
        try DataProgram.with(endpoints.map(connection.place), rows.output) { program in
            // Read here, because the command is run again after the vault was unlocked.
            guard let texts = try texts() else { return try SQLShell(program, job, rows).run() }
            guard let path = rows.to else { Glibc.exit(try run(texts, job, program, output: nil)) }
            Glibc.exit(try ResultFile.replace(path) { try run(texts, job, program, output: $0) })
        }
    }

    private func job() throws -> DataJob {
        var job = connection.job(.sql)
        let endpoints = endpoints
        job.sources = tables.map { table in
            JobSource(
                alias: table.alias,
                adapter: Int64(endpoints.firstIndex(of: table.reference.endpoint) ?? 0),
                table: table.reference.table
            )
        }
        (job.rows.parameters, job.rows.limit) = (parameters.values, limit)
        (job.rows.isLocal, job.rows.isServerOnly) = (local, serverOnly)
        (job.rows.maxRead, job.rows.maxTemp) = (maxRead, space.limit.bytes)
        job.codePage = codePage.name
        try rows.apply(to: &job)
        return job
    }

    /// The statements; nil if they are typed at a terminal.
    private func texts() throws -> [String]? {
        if let statement { return [Self.withoutSemicolon(statement)] }
        guard let file else {
            guard Terminal.inputIsTerminal else { return split(try InputText.read("-")) }
            guard tables.isEmpty else { throw Failure(.usage, "--table requires a statement") }
            return nil
        }
        return split(try InputText.read(file))
    }

    /// A server may take no semicolon at the end.
    private static func withoutSemicolon(_ statement: String) -> String {
        let text = statement.reversed().drop(while: \.isWhitespace)
        return text.first == ";" ? String(text.dropFirst().reversed()) : statement
    }

    private func split(_ text: String) -> [String] {
        var splitter = StatementSplitter()
        return splitter.add(text) + [splitter.finish()].compactMap(\.self)
    }

    /// Runs statements until one fails.
    private func run(_ texts: [String], _ job: DataJob, _ program: DataProgram, output: Int32?) throws -> Int32 {
        for text in texts {
            var job = job
            job.statement = text
            let status = try program.run(job, output: output)
            if status != ExitStatus.done.rawValue { return status }
        }
        return ExitStatus.done.rawValue
    }
}

/// A table under a name as typed: `ALIAS=ENDPOINT:TABLE`.
struct NamedTable: ExpressibleByArgument {
    let alias: String
    let reference: TableReference

    init?(argument: String) {
        guard let sign = argument.firstIndex(of: "="),
            let reference = TableReference(argument: String(argument[argument.index(after: sign)...]))
        else { return nil }
        alias = String(argument[..<sign])
        self.reference = reference
        guard !alias.isEmpty else { return nil }
    }
}
