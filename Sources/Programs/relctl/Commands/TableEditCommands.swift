// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import Glibc
import LocalAPI
import Platform

/// Options for a change.
struct EditOptions: ParsableArguments {
    @Flag(help: "Print the changes, and send nothing.")
    var dryRun = false
    @Option(
        help: ArgumentHelp("Add the changes to this file or briefcase instead of applying them.", valueName: "file"),
        completion: .file()
    )
    var pending: String?
    @Flag(help: "Add the changes to the kept tables, without the server.")
    var offline = false
    @OptionGroup var references: ReferenceOption
    @Flag(help: "Overwrite rows that other clients changed.")
    var force = false

    mutating func validate() throws {
        pending = try pending.map { try BriefcasePath.checked($0) }
        if !references.all.isEmpty, pending == nil { throw ValidationError("--ref requires --pending") }
        if pending == "-" { throw ValidationError("--pending requires a file, because changes are added to it") }
        if force, pending != nil { throw ValidationError("--force and --pending cannot be used together") }
        if offline, force || pending != nil {
            throw ValidationError("--offline cannot be used with --pending or --force")
        }
    }

    func apply(to job: inout DataJob, _ output: OutputOptions) {
        (job.edit.isDryRun, job.edit.pendingPath, job.edit.isForced) = (dryRun, pending, force)
        job.edit.references = references.all
        output.apply(to: &job.output)
    }

    /// Runs an edit without a server if `--pending` is a briefcase, or with `--offline`. Then it does not return.
    func runOffline(_ job: DataJob, at target: DataTarget) throws {
        guard let job = try offline(job, at: target) else { return }
        Glibc.exit(try DataProgram.withoutServer.run(job))
    }

    /// The same job without a server; nil if the server is needed.
    func offline(_ job: DataJob, at target: DataTarget) throws -> DataJob? {
        var job = job
        if offline {
            job.kept = try JobKept(target, .always)
        } else {
            guard let pending, BriefcasePath.hasBriefcase(pending) else { return nil }
            if !references.all.isEmpty { throw ValidationError("--ref cannot be used with a briefcase") }
            job.briefcase.path = pending
        }
        return job
    }
}

/// A path of a briefcase or a pending file, which is changed in place.
enum BriefcasePath {
    /// Follows the links of a path.
    ///
    /// - Throws: `PlatformError.notRegular` if something else than a file or a folder is there.
    static func checked(_ path: String) throws(PlatformError) -> String {
        path.isEmpty ? path : try UserPath.ownFile(path, [.regular, .directory])
    }

    /// Whether a path is a folder, or a file that begins as a stream of tables.
    static func hasBriefcase(_ path: String) -> Bool {
        guard FileKind(of: path) != .directory else { return true }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let signature = Array("DABIN".utf8)
        var bytes = [UInt8](repeating: 0, count: signature.count)
        return read(descriptor, &bytes, bytes.count) == bytes.count && bytes == signature
    }
}

extension JobEdit {
    /// Whether changes are sent to the server now.
    var isSent: Bool { !isDryRun && pendingPath == nil }
}

/// The option `--ref`.
struct ReferenceOption: ParsableArguments {
    @Option(
        name: .customLong("ref"),
        help: ArgumentHelp(
            "A reference between tables that the server's schema does not show. May be repeated.",
            valueName: "detail.field=master.field"
        )
    )
    var all: [String] = []
}

/// A value for a field as typed: `FIELD=TEXT`, `FIELD:=null` or `FIELD@FILE`.
struct FieldValueWord {
    private static let mostBytes = 8 << 20

    let value: JobValue

    /// - Throws: the errors of `init`; `ValidationError` if standard input is named twice.
    static func values(_ words: some Sequence<String>) throws -> [JobValue] {
        let ofInput = words.count { word in
            !word.utf8.contains(UInt8(ascii: "=")) && word.utf8.suffix(2).elementsEqual("@-".utf8)
        }
        guard ofInput <= 1 else {
            throw ValidationError("standard input is the value of one field only")
        }
        return try words.map { try Self($0).value }
    }

    /// - Throws: `ValidationError`; `PlatformError` if the file cannot be read.
    init(_ word: String) throws {
        // Not by characters: an equals sign with a combining mark is another one.
        let scalars = word.unicodeScalars
        guard let sign = scalars.firstIndex(where: { $0 == "=" || $0 == "@" }), sign > scalars.startIndex else {
            throw ValidationError("'\(Printable(word))' is no value: use FIELD=TEXT, FIELD:=null or FIELD@FILE")
        }
        let rest = String(scalars[scalars.index(after: sign)...])
        let name = scalars[..<sign]
        if scalars[sign] == "@" {
            value = JobValue(String(name), base64: Base64.encode(try Self.read(rest)))
        } else if name.last == ":" {
            guard rest == "null", name.count > 1 else { throw ValidationError("FIELD:= takes null only") }
            value = JobValue(String(name.dropLast()))
        } else {
            value = JobValue(String(name), text: rest)
        }
    }

    /// - Parameter path: `-` is standard input.
    private static func read(_ path: String) throws -> [UInt8] {
        try UserPath.read(path, maximumBytes: mostBytes)
    }
}

/// The rows of an update or a delete, and the question before several of them change.
struct EditedRowsOptions: ParsableArguments {
    @Option(name: .customLong("where"), help: "Change all rows that this predicate is true for.")
    var predicate: String?
    @Flag(help: "Change several rows without a question.")
    var yes = false

    /// A job for a briefcase, where several rows need `--yes`.
    func offline(_ job: DataJob) -> DataJob {
        var job = job
        job.rows.predicate = predicate
        if predicate != nil, !yes, !job.edit.isDryRun { job.edit.mostRows = 1 }
        return job
    }

    /// Runs a job, after the user has confirmed the number of rows. Does not return.
    func run(_ given: DataJob, at place: DataPlace, _ output: OutputOptions, _ verb: String) throws {
        try DataProgram.with([given.edit.isSent ? place.writing : place.keeping], output) { program in
            var job = given
            job.rows.predicate = predicate
            if predicate != nil, !yes, !job.edit.isDryRun { job.edit.mostRows = try limit(job, program, verb) }
            Glibc.exit(try program.run(job))
        }
    }

    /// Without a terminal one row may change.
    private func limit(_ job: DataJob, _ program: DataProgram, _ verb: String) throws -> Int64 {
        guard Terminal.inputIsTerminal else { return 1 }
        var count = DataJob(.count)
        (count.tables, count.rows.predicate, count.timeoutSeconds) = (job.tables, predicate, job.timeoutSeconds)
        // New rows of the pending file count too.
        count.edit.pendingPath = job.edit.pendingPath
        count.output.isQuiet = true
        let (status, bytes) = try program.output(of: count, maximumBytes: 64)
        guard status == ExitStatus.done.rawValue else { Glibc.exit(status) }
        let rows = Int64(String(decoding: bytes, as: UTF8.self).filter(\.isNumber)) ?? 0
        guard rows > 1 else { return 1 }
        // Ctrl-C is for this process again.
        RunningProgram.releaseSignals()
        let question = "\(verb) \(Counted(rows, "row")) of \(Printable(job.tables[0]))?"
        guard Question.isYes(question) else { throw Failure(.failed, "nothing was changed") }
        return rows
    }
}

extension TableCommand {
    struct Insert: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "insert",
            abstract: "Insert a row.",
            discussion: """
                Fields without a value have their defaults. With --pending, other rows refer to a new row by its \
                temporary key, such as -1.
                """
        )

        @OptionGroup var target: DataTarget
        @Argument(help: "The name of the table.", completion: LiveNames.tables)
        var table: String
        @Argument(
            help: ArgumentHelp("Values: FIELD=TEXT, FIELD:=null for NULL, FIELD@FILE.", valueName: "field=value"),
            completion: LiveNames.values
        )
        var values: [String] = []
        @OptionGroup var edit: EditOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var job = target.job(.edit)
            job.tables = [table]
            job.edit.values = try FieldValueWord.values(values)
            edit.apply(to: &job, output)
            try edit.runOffline(job, at: target)
            try DataProgram.run(job, at: [job.edit.isSent ? target.place.writing : target.place.keeping], output)
        }
    }

    struct Update: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "update",
            abstract: "Set fields of a row, or of all rows of a condition.",
            discussion: """
                The rows are read first. If another client changes one before the change is sent, the change is a \
                conflict and is not sent.
                """
        )

        @OptionGroup var target: DataTarget
        @Argument(help: "The name of the table.", completion: LiveNames.tables)
        var table: String
        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp(
                "The key, such as 5 or Order=1,Product=2, unless --where is given; then values as for insert.",
                valueName: "key-or-value"
            ),
            completion: LiveNames.values
        )
        var given: [String]
        @OptionGroup var rows: EditedRowsOptions
        @OptionGroup var edit: EditOptions
        @OptionGroup var output: OutputOptions

        private var words: [String] { KeyWords(given).words }

        func validate() throws {
            try KeyWords(given).check()
            if words.count < (rows.predicate == nil ? 2 : 1) {
                throw ValidationError(rows.predicate == nil ? "a key and a value are required" : "a value is required")
            }
        }

        func run() throws {
            var job = target.job(.edit)
            job.tables = [table]
            job.edit.kind = .update
            if rows.predicate == nil { job.edit.key = words[0] }
            let values = rows.predicate == nil ? words.dropFirst() : words[...]
            job.edit.values = try FieldValueWord.values(values)
            edit.apply(to: &job, output)
            try edit.runOffline(rows.offline(job), at: target)
            try rows.run(job, at: target.place, output, "Update")
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete a row, or all rows of a condition."
        )

        @OptionGroup var target: DataTarget
        @Argument(help: "The name of the table.", completion: LiveNames.tables)
        var table: String
        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp(
                "The key, such as 5 or Order=1,Product=2, unless --where is given.",
                valueName: "key"
            )
        )
        var given: [String] = []
        @OptionGroup var rows: EditedRowsOptions
        @OptionGroup var edit: EditOptions
        @OptionGroup var output: OutputOptions

        private var keys: [String] { KeyWords(given).words }

        func validate() throws {
            try KeyWords(given).check()
            if keys.count > 1 { throw ValidationError("more than one key: use KEY or --where") }
            if keys.isEmpty == (rows.predicate == nil) { throw ValidationError("either a key or --where is required") }
        }

        func run() throws {
            var job = target.job(.edit)
            job.tables = [table]
            (job.edit.kind, job.edit.key) = (.delete, keys.first)
            edit.apply(to: &job, output)
            try edit.runOffline(rows.offline(job), at: target)
            try rows.run(job, at: target.place, output, "Delete")
        }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Insert or update the rows of a file of CSV, TSV, JSON or JSONL.",
            discussion: """
                Without --format, a name that ends in .csv, .tsv, .json or .jsonl shows the format. Otherwise the file is \
                JSON if its first character is { or [. A row that the table has is updated, by the fields of --match. \
                Rows are sent in parts of 5,000, each of which is a transaction of its own.
                """
        )

        @OptionGroup var target: DataTarget
        @Argument(help: "The name of the table.", completion: LiveNames.tables)
        var table: String
        @Argument(
            help: "The file; - is standard input.",
            completion: .file(extensions: ["csv", "tsv", "json", "jsonl"])
        )
        var file: String
        @Option(help: ArgumentHelp("The fields by which a row is found; by default the key.", valueName: "field,..."))
        var match: FieldList?
        @OptionGroup var form: ImportOptions
        @Flag(help: "Read and check everything, and send nothing.")
        var dryRun = false
        @Option(
            help: ArgumentHelp(
                "Add the changes to this briefcase instead of applying them, without the server.",
                valueName: "briefcase"
            ),
            completion: .file()
        )
        var pending: String?
        @Flag(help: "Add the changes to the kept tables, without the server.")
        var offline = false
        @OptionGroup var output: OutputOptions

        mutating func validate() throws {
            pending = try pending.map { try BriefcasePath.checked($0) }
            if offline, pending != nil { throw ValidationError("--offline and --pending cannot be used together") }
            if let pending, !BriefcasePath.hasBriefcase(pending) {
                throw ValidationError("'\(Printable(pending))' is no briefcase")
            }
        }

        func run() throws {
            // A file that cannot be read costs no login.
            let input = try UserPath.openForReading(file)
            var job = target.job(.importRows, output)
            job.tables = [table]
            job.keys = match?.names ?? []
            (job.input, job.edit.isDryRun) = (form.input(file), dryRun)
            job.output.showsProgress = !output.isQuiet && Terminal.errorIsTerminal
            if offline { job.kept = try JobKept(target, .always) }
            job.briefcase.path = pending ?? ""
            if offline || pending != nil { try run(job, DataProgram.withoutServer, input) }
            try DataProgram.with([dryRun ? target.place : target.place.writing], output) { try run(job, $0, input) }
        }

        /// - Parameter input: the open file.
        private func run(_ given: DataJob, _ program: DataProgram, _ input: Int32) throws -> Never {
            var job = given
            job.input.descriptor = Int64(try Terminal.inherited(input))
            Glibc.exit(try program.run(job))
        }
    }

    struct Apply: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apply",
            abstract: "Apply the changes of a pending file or a briefcase.",
            discussion: """
                Changes that the server accepts leave the file, others stay in it. A briefcase gets the rows that the \
                server has then. If the outcome of an earlier call is \
                unknown, the rows that the server has are shown, and --retry sends the changes again.
                """
        )

        @OptionGroup var target: DataTarget
        @Option(help: ArgumentHelp("The file or the briefcase.", valueName: "file"), completion: .file())
        var pending: String
        @OptionGroup var references: ReferenceOption
        @Flag(help: "Overwrite rows that other clients changed.")
        var force = false
        @Flag(help: "Send changes again whose outcome is unknown. A row may then be inserted twice.")
        var retry = false
        @OptionGroup var output: OutputOptions

        mutating func validate() throws { pending = try BriefcasePath.checked(pending) }

        func run() throws {
            var job = target.job(.apply, output)
            (job.edit.pendingPath, job.edit.references) = (pending, references.all)
            (job.edit.isForced, job.edit.isRetried) = (force, retry)
            if BriefcasePath.hasBriefcase(pending) { job.briefcase.path = pending }
            try DataProgram.run(job, at: [target.place.writing], output)
        }
    }

    struct Pending: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pending",
            abstract: "The changes of a pending file or a briefcase: list, drop.",
            subcommands: [List.self, Drop.self]
        )

        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "list",
                abstract: "Print the changes of a pending file, with their numbers.",
                aliases: ["ls"]
            )

            @Argument(help: "The file with the changes.", completion: .file())
            var file: String
            @OptionGroup var output: OutputOptions

            func run() throws { try Pending.run(.pendingList, file, [], output) }
        }

        struct Drop: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "drop",
                abstract: "Drop changes of a pending file."
            )

            @Argument(help: "The file with the changes.", completion: .file())
            var file: String
            @Argument(help: "The numbers of the changes, as 'list' prints them; without any, all.")
            var numbers: [Int64] = []
            @OptionGroup var output: OutputOptions

            func run() throws { try Pending.run(.pendingDrop, file, numbers, output) }
        }

        /// Runs a job without a server.
        private static func run(
            _ verb: DataJob.Verb,
            _ file: String,
            _ numbers: [Int64],
            _ output: OutputOptions
        ) throws {
            var job = DataJob(verb)
            let file = try BriefcasePath.checked(file)
            (job.edit.pendingPath, job.edit.numbers) = (file, numbers)
            if BriefcasePath.hasBriefcase(file) { job.briefcase.path = file }
            output.apply(to: &job.output)
            Glibc.exit(try DataProgram.withoutServer.run(job))
        }
    }
}
