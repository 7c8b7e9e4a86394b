// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LocalAPI
import Platform

struct BriefcaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "briefcase",
        abstract:
            "Tables in a file or a folder, for work without a server: save, load, list, show, diff, refresh, keep.",
        subcommands: [
            Save.self, Load.self, List.self, Show.self, Diff.self, Refresh.self, Delete.self, Keep.self, Unkeep.self,
        ]
    )

    struct Save: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "save",
            abstract: "Download tables of a server into a briefcase.",
            discussion: """
                A briefcase is a file, or with --folder a folder with a file for each table. Its rows are not encrypted; \
                its files have the mode 0600. If it exists, its tables are replaced, and it keeps the properties that are \
                not given.

                relctl briefcase save shop Orders OrderDetails --to shop.daBriefcase --version 2
                """
        )

        @OptionGroup var target: DataTarget
        @Argument(help: "The names of the tables.", completion: LiveNames.tables)
        var tables: [String]
        @Option(help: ArgumentHelp("The file or the folder.", valueName: "path"), completion: .file())
        var to: String
        @Flag(help: "Make a folder.")
        var folder = false
        @Flag(help: "Replace a briefcase also if it has pending changes, which are lost.")
        var force = false
        @OptionGroup var properties: BriefcaseProperties
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if to.isEmpty { throw ValidationError("--to is empty") }
        }

        func run() throws {
            var job = try BriefcaseCommand.job(.save, to, output)
            job.tables = tables
            (job.briefcase.isFolder, job.briefcase.isForced) = (folder, force)
            properties.apply(to: &job)
            try BriefcaseCommand.run(job, target, output)
        }
    }

    struct Load: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "load",
            abstract: "Print the rows of a table of a briefcase, with its pending changes.",
            discussion: """
                With --version the exit status is 11 if the briefcase has another version, or none: then it has to be \
                downloaded again.
                """
        )

        @Argument(help: "The file or the folder.", completion: .file())
        var path: String
        @Argument(help: "The name of the table.")
        var table: String
        @Option(help: ArgumentHelp("The version that the briefcase must have.", valueName: "text"))
        var version: String?
        @OptionGroup var selection: RowSelection
        @Option(
            name: .customLong("where"),
            help: ArgumentHelp("Print only rows that this predicate is true for.", valueName: "predicate")
        )
        var predicate: String?
        @OptionGroup var codePage: CodePageOption
        @OptionGroup var rows: RowOutput

        func validate() throws {
            if rows.format == .bin2 { throw ValidationError("--format bin2 is for rows of a server") }
        }

        func run() throws {
            var job = try BriefcaseCommand.job(.load, path, rows.output)
            job.tables = [table]
            job.briefcase.version = version
            selection.apply(to: &job)
            (job.rows.predicate, job.codePage) = (predicate, codePage.name)
            try rows.apply(to: &job)
            Glibc.exit(try DataProgram.withoutServer.run(job, to: rows.to))
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the briefcases of a directory: files *.daBriefcase and folders *.briefcase.",
            aliases: ["ls"]
        )

        @Argument(help: "The directory; by default the working directory.", completion: .directory)
        var directory: String?
        @Flag(help: "List the kept tables instead.")
        var kept = false
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if kept, directory != nil { throw ValidationError("--kept and DIRECTORY cannot be used together") }
        }

        func run() throws {
            if kept { return try BriefcaseCommand.run(KeptTables.job(.listKept, output)) }
            try BriefcaseCommand.run(BriefcaseCommand.job(.list, directory ?? ".", output))
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the properties, the age, and the tables with their rows and pending changes."
        )

        @Argument(help: "The file or the folder.", completion: .file())
        var path: String
        @OptionGroup var output: OutputOptions

        func run() throws { try BriefcaseCommand.run(BriefcaseCommand.job(.show, path, output)) }
    }

    struct Diff: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff",
            abstract: "Compare the downloaded rows of a briefcase with the server.",
            discussion: "The exit status is 17 if they differ. Pending changes are not compared."
        )

        @OptionGroup var target: DataTarget
        @Argument(help: "The file or the folder.", completion: .file())
        var path: String
        @Argument(help: "The names of the tables; by default all.")
        var tables: [String] = []
        @OptionGroup var key: KeyFields
        @OptionGroup var codePage: CodePageOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            var job = try BriefcaseCommand.job(.diff, path, output)
            job.tables = tables
            job.keys = key.names
            job.codePage = codePage.name
            try BriefcaseCommand.run(job, target, output)
        }
    }

    struct Refresh: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "refresh",
            abstract: "Download the tables of a briefcase again, and keep its pending changes.",
            discussion: """
                A note names each pending change that conflicts with what the server has now; the exit status is 15 then. \
                With --apply the changes are applied first, and only those that fail stay pending.

                relctl briefcase refresh shop shop.daBriefcase
                relctl briefcase refresh --kept
                """
        )

        @Argument(help: "Endpoint ID or unique name.", completion: LiveNames.endpoints)
        var endpoint: String?
        @OptionGroup var connection: DataConnection
        @Argument(help: "The file or the folder.", completion: .file())
        var path: String?
        @Flag(help: "Refresh all kept tables. Nothing prompts: tables whose login cannot be used now are skipped.")
        var kept = false
        @Flag(help: "Apply the pending changes first.")
        var apply = false
        @Flag(help: "With --apply, overwrite rows that other clients changed.")
        var force = false
        @Flag(help: "With --apply, send changes again whose outcome is unknown. A row may then be inserted twice.")
        var retry = false
        @OptionGroup var properties: BriefcaseProperties
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if force || retry, !apply { throw ValidationError("--force and --retry need --apply") }
            guard kept else {
                if endpoint == nil || path == nil { throw ValidationError("either ENDPOINT and PATH or --kept") }
                return
            }
            let hasServer = endpoint != nil || connection.login != nil || connection.anonymous
            if hasServer || connection.schema != nil || connection.service != nil {
                throw ValidationError("--kept uses the servers and the logins of the kept tables")
            }
            if properties.version != nil || !properties.property.isEmpty {
                throw ValidationError("--version and --property cannot be used with --kept")
            }
        }

        func run() throws {
            var job = try BriefcaseCommand.job(.refresh, path ?? "", output)
            (job.briefcase.isApplied, job.edit.isForced, job.edit.isRetried) = (apply, force, retry)
            properties.apply(to: &job)
            job.timeoutSeconds = connection.timeout.seconds
            job.output.showsProgress = !output.isQuiet && Terminal.errorIsTerminal
            if kept {
                job.briefcase.isKept = true
                Glibc.exit(try KeptRefresh(job: job, output: output).run().rawValue)
            }
            let place = connection.place(endpoint ?? "")
            try DataProgram.run(job, at: [apply ? place.writing : place.keeping], output)
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete a briefcase.",
            discussion: "Other files in its folder stay."
        )

        @Argument(help: "The file or the folder.", completion: .file())
        var path: String
        @Flag(help: "Also with pending changes, which are lost.")
        var force = false
        @OptionGroup var output: OutputOptions

        func run() throws {
            var job = try BriefcaseCommand.job(.delete, path, output)
            job.briefcase.isForced = force
            try BriefcaseCommand.run(job)
        }
    }

    fileprivate static func job(
        _ action: JobBriefcase.Action,
        _ path: String,
        _ output: OutputOptions
    ) throws -> DataJob {
        var job = DataJob(.briefcase)
        (job.briefcase.action, job.briefcase.path) = (action, try BriefcasePath.checked(path))
        output.apply(to: &job.output)
        return job
    }

    /// Runs a job without a server. Does not return.
    fileprivate static func run(_ job: DataJob) throws {
        Glibc.exit(try DataProgram.withoutServer.run(job))
    }

    /// Runs a job with a server. Does not return.
    fileprivate static func run(_ job: DataJob, _ target: DataTarget, _ output: OutputOptions) throws {
        var job = job
        job.timeoutSeconds = target.connection.timeout.seconds
        job.output.showsProgress = !output.isQuiet && Terminal.errorIsTerminal
        try DataProgram.run(job, at: [target.place.keeping], output)
    }
}

/// The properties of a briefcase that a command sets.
struct BriefcaseProperties: ParsableArguments {
    @Option(help: ArgumentHelp("The version of the data, which programs compare when they load it.", valueName: "text"))
    var version: String?
    @Option(help: ArgumentHelp("Store a property. May be repeated.", valueName: "name=value"))
    var property: [PropertyWord] = []

    func apply(to job: inout DataJob) {
        job.briefcase.version = version
        job.briefcase.properties = property.map(\.property)
    }
}

/// A property as typed: `NAME=VALUE`.
struct PropertyWord: ExpressibleByArgument {
    let property: JobParameter

    init?(argument: String) {
        guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
        property = JobParameter(String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
    }
}
