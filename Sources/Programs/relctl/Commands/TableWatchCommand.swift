// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI

extension TableCommand {
    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch",
            abstract: "Print the changes of a table, until interrupted.",
            discussion: """
                The table is read again and compared by key when the server reports a change, and besides at an \
                interval, because some servers report none. With --json, each line is one object.
                """
        )

        @OptionGroup var target: DataTarget
        @Argument(help: "The name of the table.", completion: LiveNames.tables)
        var table: String
        @Option(help: "The time after which the table is read in any case.")
        var every = TimeSpan(seconds: 60)
        @Flag(help: "Begin with all rows.")
        var initial = false
        @OptionGroup var key: KeyFields
        @OptionGroup var filter: RowFilter
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if every.seconds < 1 { throw ValidationError("--every must be at least 1s") }
        }

        func run() throws {
            var job = target.job(.watch, output)
            job.tables = [table]
            job.keys = key.names
            (job.everySeconds, job.showsAll) = (every.seconds, initial)
            try filter.apply(to: &job)
            var place = target.place
            // A poll for events would take those of other programs in a shared session.
            place.ownsSession = true
            try DataProgram.run(job, at: [place], output)
        }
    }
}
