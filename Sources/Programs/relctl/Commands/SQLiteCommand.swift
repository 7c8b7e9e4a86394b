// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI

struct SQLiteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sqlite",
        abstract: "Databases for programs that use SQLite: new.",
        subcommands: [New.self]
    )

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Write an SQLite file with virtual tables for the tables of a server.",
            discussion: """
                Programs that load the extension relativity read the tables of the server through the file. It has the \
                names of the server and of its tables, and no rows and no login: who opens it uses a login of their own.

                relctl sqlite new office.db office && sqlite3 office.db -cmd '.load relativity'
                """
        )

        @Argument(help: "The new file.", completion: .file())
        var file: String
        @Argument(help: "Endpoint ID or unique name, or LOGIN@ENDPOINT.", completion: LiveNames.endpoints)
        var endpoint: String
        @OptionGroup var login: LoginOption
        @Flag(help: "Replace a file that exists.")
        var force = false
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if file.isEmpty { throw ValidationError("the name of the file is empty") }
        }

        func run() throws {
            var job = DataJob(.virtualTables)
            output.apply(to: &job.output)
            (job.output.path, job.output.isReplaced) = (file, force)
            try DataProgram.run(job, at: [DataPlace(endpoint: endpoint, login: login.name)], output)
        }
    }
}
