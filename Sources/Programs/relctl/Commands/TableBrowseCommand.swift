// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LocalAPI
import Platform
import Screens

extension TableCommand {
    struct Browse: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "browse",
            abstract: "Look at tables and edit them on the full screen.",
            discussion: """
                Without an ENDPOINT it begins with the list of servers, where + adds one. ? lists the keys. Nothing is \
                sent that changes data before a is pressed and confirmed. Without a terminal, use table get.

                relctl table browse shop Orders --where 'Status < 3' --color 'Amount > 1000=red'
                """
        )

        @Argument(help: "Endpoint ID or unique name, or LOGIN@ENDPOINT.", completion: LiveNames.endpoints)
        var endpoint: String?
        @Argument(help: "The table to begin with.", completion: LiveNames.tables)
        var table: String?
        @OptionGroup var connection: DataConnection
        @Option(
            name: .customLong("where"),
            help: ArgumentHelp("Read only rows of the table that this predicate is true for.", valueName: "predicate")
        )
        var predicate: String?
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "The order of the table; a minus before a field puts its greatest value first.",
                valueName: "field,..."
            )
        )
        var sort: SortOrder?
        @Option(help: ArgumentHelp("Read at most this many rows of a table.", valueName: "rows"))
        var limit: Int64?
        @Option(
            help: ArgumentHelp(
                "Show the rows that a predicate is true for in a colour. May be repeated.",
                valueName: "predicate=text/background"
            )
        )
        var color: [String] = []
        @Flag(help: "Refuse edits.")
        var readOnly = false
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
            if table == nil, predicate != nil || sort != nil {
                throw ValidationError("--where and --sort need the name of a table")
            }
        }

        func run() throws {
            guard let terminal = ScreenTerminal.ofProcess(hasMouse: true) else {
                throw Failure(.usage, "standard input and output are not a terminal with screen control: use table get")
            }
            if let endpoint { Glibc.exit(try browse(endpoint, terminal)) }
            while let endpoint = try chooseServer(terminal) {
                var status = ExitStatus.failed.rawValue
                do {
                    status = try browse(endpoint, terminal)
                } catch {
                    // The user can choose another server.
                    Terminal.writeError(Failure(error)?.text ?? "\(error)\n")
                }
                RunningProgram.releaseSignals()
                switch status {
                case JobBrowse.serversStatus: continue
                case ExitStatus.failed.rawValue, ExitStatus.unreachable.rawValue: Self.waitForEnter()
                default: Glibc.exit(status)
                }
            }
        }

        /// Shows the servers until the user chooses one or leaves. A signal ends the process.
        private func chooseServer(_ terminal: ScreenTerminal) throws -> String? {
            // Whatever follows can be interrupted again.
            defer { RunningProgram.releaseSignals() }
            let needsLogin = !connection.anonymous
            return try TopLoop<ServerPickerState>(terminal, interruptIsKey: true, needsLogin: needsLogin).run()
        }

        private static func waitForEnter() {
            Terminal.write("Press Enter to return to the list: ")
            _ = readLine()
        }

        /// Opens the adapter. If the server has several logins and none is chosen, the user chooses one.
        private func opened(_ endpoint: String, _ body: (DataProgram) throws -> Void) throws {
            var place = connection.place(endpoint)
            do {
                try DataProgram.with([place], output, body)
            } catch let error as DaemonError where error.code == .loginAmbiguous && error.name != nil {
                RunningProgram.releaseSignals()
                place.login = try LoginQuestion(names: error.candidates ?? []).ask()
                try DataProgram.with([place], output, body)
            }
        }

        /// - Returns: the exit status of the helper.
        private func browse(_ endpoint: String, _ terminal: ScreenTerminal) throws -> Int32 {
            var job = connection.job(.browse, output)
            job.tables = table.map { [$0] } ?? []
            (job.rows.predicate, job.rows.order, job.rows.limit) = (predicate, sort?.fields ?? [], limit)
            (job.browse.colors, job.browse.isReadOnly) = (color, readOnly)
            job.browse.hasServerList = self.endpoint == nil
            var status = ExitStatus.failed.rawValue
            try opened(endpoint) { program in
                let keys = try Terminal.inherited(STDIN_FILENO)
                defer { close(keys) }
                job.browse.keysDescriptor = Int64(keys)
                if !readOnly, !output.isQuiet { job.browse.note = program.chosenLogins.first?.note }
                status = try program.run(job)
                terminal.recover()
                if [SIGKILL, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV].contains(status - 128) {
                    Terminal.writeError(
                        "relctl: error: relativityd-data, a helper of relctl, was ended by signal \(status - 128)\n"
                    )
                }
            }
            return status
        }
    }
}
