// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LocalAPI

extension BriefcaseCommand {
    struct Keep: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keep",
            abstract: "Download tables, and keep them for times when the server is away.",
            discussion: """
                The tables of an endpoint and a data service are a briefcase in the state directory. 'relctl briefcase \
                refresh --kept' downloads all of them again, with the login of the last download. Their rows are not \
                encrypted.

                relctl briefcase keep shop Orders OrderDetails
                """
        )

        @OptionGroup var target: DataTarget
        @Argument(help: "The names of the tables. They are added to those that are kept.", completion: LiveNames.tables)
        var tables: [String]
        @OptionGroup var output: OutputOptions

        func run() throws {
            try KeptTables.create()
            var job = try KeptTables.job(.keep, output)
            job.tables = tables
            job.timeoutSeconds = target.connection.timeout.seconds
            job.output.showsProgress = !output.isQuiet && Terminal.errorIsTerminal
            try DataProgram.with([target.place.keeping], output) { program in
                let status = try program.run(job)
                if [.done, .someFailed].contains(ExitStatus(rawValue: status)) { try RefreshTimer.note(output) }
                Glibc.exit(status)
            }
        }
    }

    struct Unkeep: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unkeep",
            abstract: "Remove tables from those that are kept.",
            discussion: "Tables with pending changes are not removed. The server is not needed."
        )

        @OptionGroup var target: DataTarget
        @Argument(help: "The names of the tables; by default all of the data service.")
        var tables: [String] = []
        @OptionGroup var output: OutputOptions

        func run() throws {
            var job = try KeptTables.job(.unkeep, output)
            job.kept = try JobKept(target)
            job.tables = tables
            Glibc.exit(try DataProgram.withoutServer.run(job))
        }
    }
}
