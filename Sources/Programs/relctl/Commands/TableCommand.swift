// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import LocalAPI
import Platform

struct TableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Tables of a server: read, edit, import, export, compare and watch them.",
        subcommands: [
            List.self, Get.self, Count.self, Export.self, Features.self, Diff.self, Copy.self, Watch.self, Insert.self,
            Update.self, Delete.self, Edit.self, Import.self, Apply.self, Pending.self, Browse.self,
        ]
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the tables of a server.",
            aliases: ["ls"]
        )

        @OptionGroup var target: DataTarget
        @OptionGroup var offline: OfflineOptions
        @OptionGroup var output: OutputOptions

        func run() throws { try offline.run(target.job(.list, output), at: target, output) }
    }

    struct Get: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "get",
            abstract: "Print the rows of a table.",
            discussion: """
                What the server cannot do is done here, and a note says so. A table is read in pages by --by-key and \
                --limit, then by --after and --limit: the key of the last row of a page is the argument of --after for \
                the next one.

                relctl table get shop Orders --where 'Amount > 100' --sort -Date --limit 5
                """
        )

        @OptionGroup var target: DataTarget
        @Argument(help: "The name of the table.", completion: LiveNames.tables)
        var table: String
        @OptionGroup var shape: RowShape
        @OptionGroup var extra: ExtraFieldOptions
        @OptionGroup var filter: RowFilter
        @OptionGroup var offline: OfflineOptions
        @OptionGroup var rows: RowOutput

        func run() throws {
            var job = target.job(.get)
            job.tables = [table]
            shape.apply(to: &job)
            try extra.apply(to: &job)
            try filter.apply(to: &job)
            try rows.apply(to: &job)
            try offline.run(job, at: target, rows.output, to: rows.to)
        }
    }

    struct Count: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "count", abstract: "Count the rows of tables.")

        @OptionGroup var target: DataTarget
        @Argument(help: "The names of the tables.", completion: LiveNames.tables)
        var tables: [String]
        @OptionGroup var filter: RowFilter
        @OptionGroup var offline: OfflineOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var job = target.job(.count, output)
            job.tables = tables
            try filter.apply(to: &job)
            try offline.run(job, at: target, output)
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write tables into an SQLite file, with keys and types.",
            discussion: """
                The file is written to the side and renamed when it is complete. Several tables without conditions \
                are read in one call, so that their rows are from one moment. The pages of --page are not, if the \
                table changes meanwhile.
                """
        )

        @OptionGroup var target: DataTarget
        @Argument(help: "The names of the tables.", completion: LiveNames.tables)
        var tables: [String]
        @Option(help: ArgumentHelp("The SQLite file.", valueName: "file"), completion: .file())
        var to: String
        @Option(help: ArgumentHelp("Only these fields, in this order.", valueName: "field,..."))
        var select: FieldList?
        @OptionGroup var extra: ExtraFieldOptions
        @OptionGroup var filter: RowFilter
        @Option(
            help: ArgumentHelp("Write the values of Blob fields as files into this directory.", valueName: "directory"),
            completion: .directory
        )
        var blobsTo: String?
        @Option(help: ArgumentHelp("Read pages of this many rows.", valueName: "rows"))
        var page: Int64?
        @Flag(help: "With --page: continue an export that was interrupted.")
        var resume = false
        @Option(help: ArgumentHelp("Add the rows in which this field is greater than in the file.", valueName: "field"))
        var since: String?
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if to.isEmpty { throw ValidationError("--to is empty") }
            if let page, page < 1 { throw ValidationError("--page must be at least 1") }
            if !extra.isEmpty, tables.count > 1 { throw ValidationError("--lookup and --calc require a single table") }
            if resume, page == nil { throw ValidationError("--resume requires --page") }
        }

        func run() throws {
            let isText = if case .rows = NamedFormat(of: to) { true } else { to.lowercased().hasSuffix(".txt") }
            guard !isText else {
                throw Failure(
                    .usage,
                    "\(Printable(to)): an export is an SQLite database; for rows in this format use 'table get --to'",
                    hint: "relctl table get --help"
                )
            }
            var job = target.job(.export, output)
            job.tables = tables
            job.rows.fields = select?.names ?? []
            try extra.apply(to: &job)
            try filter.apply(to: &job)
            (job.output.path, job.output.blobDirectory) = (to, blobsTo)
            (job.output.pageRows, job.output.isResumed, job.output.sinceField) = (page, resume, since)
            job.output.showsProgress = !output.isQuiet && Terminal.errorIsTerminal
            let place = try ResultPlace(to)
            if case .file = place { return try DataProgram.run(job, at: [target.place], output) }
            if resume || since != nil { throw Failure(.usage, "--resume and --since require a file") }
            if place.isTerminal { throw Failure(.usage, "a database is not text: use --to FILE or a pipe") }
            job.output.path = "-"
            try DataProgram.run(job, at: [target.place], output, to: to)
        }
    }

    struct Features: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "features",
            abstract: "Show what a server can do: yes, no or unknown.",
            discussion: """
                The answers are kept for a day. Nothing is sent that could change data. What a read-only endpoint \
                refuses is a no.
                """
        )

        @OptionGroup var target: DataTarget
        @Argument(
            help: "The table that is read with --probe; by default the first one of the schema.",
            completion: LiveNames.tables
        )
        var table: String?
        @Flag(help: "Ask the server again.")
        var probe = false
        @OptionGroup var output: OutputOptions

        func run() throws {
            var job = target.job(.features, output)
            job.tables = table.map { [$0] } ?? []
            job.isProbing = probe
            try DataProgram.run(job, at: [target.place], output)
        }
    }
}

/// Two tables, which may be those of two servers.
struct TwoTables: ParsableArguments {
    @Argument(help: "The first server and its table.", completion: LiveNames.endpoints)
    var first: TableReference
    @Argument(help: "The second server and its table.", completion: LiveNames.endpoints)
    var second: TableReference
    @OptionGroup var key: KeyFields
    @OptionGroup var connection: DataConnection
    @Option(help: "Login name at the second server.", completion: LiveNames.logins)
    var secondLogin: String?
    @Option(help: "The schema at the second server; by default that of the first.")
    var secondSchema: String?

    func job(_ verb: DataJob.Verb, _ output: OutputOptions) -> DataJob {
        var job = connection.job(verb, output)
        (job.tables, job.keys) = ([first.table, second.table], key.names)
        return job
    }

    var places: [DataPlace] {
        var other = connection.place(second.endpoint)
        // A login belongs to one server.
        other.login = secondLogin ?? (second.endpoint == first.endpoint ? connection.login : nil)
        other.schema = secondSchema ?? connection.schema
        return [connection.place(first.endpoint), other]
    }
}

/// A table of a server as typed: `ENDPOINT:TABLE`. The last colon is the one between them.
struct TableReference: ExpressibleByArgument {
    let endpoint: String
    let table: String

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":") else { return nil }
        endpoint = String(argument[..<colon])
        table = String(argument[argument.index(after: colon)...])
        guard !endpoint.isEmpty, !table.isEmpty else { return nil }
    }
}

extension TableCommand {
    struct Diff: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff",
            abstract: "Compare two tables by their keys.",
            discussion: "The exit status is 17 if they differ."
        )

        @OptionGroup var tables: TwoTables
        @OptionGroup var filter: RowFilter
        @OptionGroup var output: OutputOptions

        func run() throws {
            var job = tables.job(.diff, output)
            try filter.apply(to: &job)
            try DataProgram.run(job, at: tables.places, output)
        }
    }

    struct Copy: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "copy",
            abstract: "Copy the rows of a table into a table of the same fields.",
            discussion: "Rows whose key exists in the second table are refused by its server."
        )

        @OptionGroup var tables: TwoTables
        @OptionGroup var filter: RowFilter
        @OptionGroup var output: OutputOptions

        func run() throws {
            var job = tables.job(.copy, output)
            try filter.apply(to: &job)
            var places = tables.places
            places[1].isWriting = true
            try DataProgram.run(job, at: places, output)
        }
    }
}
