// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import Glibc
import LocalAPI
import Platform

extension TableCommand {
    struct Edit: ParsableCommand {
        private static let mostBytes = 64 << 20
        /// The exit statuses of an edit that was certainly not made.
        private static let unmade: Set<ExitStatus?> = [.usage, .someFailed, .serverException]

        static let configuration = CommandConfiguration(
            commandName: "edit",
            abstract: "Edit a row in $EDITOR.",
            discussion: """
                The row is a line FIELD = VALUE for each field, with the value in JSON. Only fields that were changed are \
                set. If another client changed one of them meanwhile, nothing is sent. If the change is not made, the text is \
                kept in a file.
                """
        )

        @OptionGroup var target: DataTarget
        @Argument(help: "The name of the table.", completion: LiveNames.tables)
        var table: String
        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp("The key, such as 5 or Order=1,Product=2.", valueName: "key")
        )
        var given: [String]
        @OptionGroup var edit: EditOptions
        @OptionGroup var output: OutputOptions

        private var keys: [String] { KeyWords(given).words }

        func validate() throws {
            try KeyWords(given).check()
            guard keys.count == 1 else { throw ValidationError("one key is required") }
        }

        func run() throws {
            if let job = try edit.offline(target.job(.row), at: target) {
                try run(job, DataProgram.withoutServer)
            }
            let place = edit.dryRun || edit.pending != nil ? target.place.keeping : target.place.writing
            try DataProgram.with([place], output) { try run(target.job(.row), $0) }
        }

        private func run(_ given: DataJob, _ program: DataProgram) throws -> Never {
            var job = given
            (job.tables, job.edit.key) = ([table], keys.first)
            let (status, bytes) = try program.output(of: job, maximumBytes: Self.mostBytes)
            guard status == ExitStatus.done.rawValue else { Glibc.exit(status) }
            let row = try RowText(parsing: bytes)
            Glibc.exit(try change(row, EditedFile(row.text), job, program))
        }

        /// Lets the user edit the row until the change is made, or the user gives up. A changed text is never removed
        /// before.
        ///
        /// - Returns: the exit status.
        private func change(_ row: RowText, _ file: EditedFile, _ job: DataJob, _ program: DataProgram) throws -> Int32
        {
            while true {
                var failure: Failure?
                var status = ExitStatus.done.rawValue
                do {
                    status = try change(row, to: try file.edit(), job, program)
                } catch {
                    failure = Failure(error)
                    status = failure?.status.rawValue ?? ExitStatus.failed.rawValue
                }
                guard status != ExitStatus.done.rawValue, file.isChanged else {
                    file.remove()
                    if let failure { throw failure }
                    return status
                }
                let place = "the text is kept in \(Printable(file.path))"
                let text = failure.map { Failure($0.status, "\($0.message); \(place)", hint: $0.hint) }
                Terminal.writeError((text ?? Failure(.failed, place)).text)
                // Ctrl-C is for this process again.
                RunningProgram.releaseSignals()
                // After another failure the change may have been made.
                let isUnmade = failure != nil || Self.unmade.contains(ExitStatus(rawValue: status))
                guard isUnmade, Question.isYes("Edit again?") else { return status }
            }
        }

        private func change(_ row: RowText, to text: String, _ job: DataJob, _ program: DataProgram) throws -> Int32 {
            let changes: (new: [JobValue], old: [JobValue])
            do throws(RowText.InvalidLine) {
                changes = try row.changes(in: text)
            } catch {
                throw Failure(.failed, "nothing was changed: line \(error.number) is not FIELD = VALUE of this row")
            }
            guard !changes.new.isEmpty else {
                output.note("nothing to change\n")
                return ExitStatus.done.rawValue
            }
            var job = job
            job.verb = .edit
            (job.edit.kind, job.edit.values) = (.update, changes.new)
            if !edit.force { job.edit.expected = changes.old }
            edit.apply(to: &job, output)
            return try program.run(job)
        }
    }
}
