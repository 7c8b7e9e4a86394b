// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform
import Screens

/// The shell of `relctl sql`: reads statements at a terminal, and runs each in the helper on the same adapter.
final class SQLShell {
    private static let prompts = (first: "sql> ", next: "...> ")
    private static let maximumSchemaBytes = 64 << 20

    private let program: DataProgram
    private var job: DataJob
    private let output: OutputOptions
    /// The format of `--format` and `\format`; nil for none.
    private var chosenFormat: JobOutput.Format?
    private var splitter = StatementSplitter()
    private var isTimed = false
    private var isOver = false
    /// The file of `\o`; nil for the terminal.
    private var file: (path: String, descriptor: Int32)?
    private var names: SchemaNames?

    /// - Parameter job: has the options of the command.
    init(_ program: DataProgram, _ job: DataJob, _ rows: RowOutput) {
        (self.program, self.job, output, chosenFormat) = (program, job, rows.output, rows.chosenFormat)
    }

    /// Runs until the user ends it. A signal ends the process.
    func run() throws {
        guard let terminal = try ShellTerminal() else {
            throw Failure(.usage, "no statement, and standard output is not a terminal: use --file FILE")
        }
        output.note("relctl: statements end with a semicolon; \\? lists the commands, \\q or Ctrl-D ends the shell\n")
        var history = try ShellHistory()
        var editor = LineEditor(history: history.lines)
        while !isOver {
            let prompt = splitter.isInside ? Self.prompts.next : Self.prompts.first
            guard let line = terminal.line(prompt, &editor, { complete(&$0, terminal) }) else { return }
            do {
                switch line {
                case .discarded: discard()
                case .typed(let text):
                    if editor.remember(text) { history.add(text) }
                    try take(text)
                }
            } catch {
                Terminal.writeError(Failure(error)?.text ?? "\(error)\n")
            }
        }
    }

    private func discard() {
        if splitter.isInside { note("the statement was discarded") }
        splitter = StatementSplitter()
    }

    private func take(_ line: String) throws {
        let words = line.drop { $0 == " " }
        if words.hasPrefix("\\"), !splitter.isInText { return try obey(try ShellCommand(String(words))) }
        for statement in splitter.add(line + "\n") {
            guard try run(statement) else { return }
        }
    }

    private func obey(_ command: ShellCommand) throws {
        switch command {
        case .help: Terminal.write(ShellCommand.list)
        case .tables: _ = try run(facts(.list))
        case .describe(let table):
            var job = facts(.schema)
            job.tables = table.map { [$0] } ?? []
            _ = try run(table == nil ? facts(.list) : job)
        case .toggleExpanded:
            job.output.isExpanded.toggle()
            note("rows are shown as \(job.output.isExpanded ? "lists of fields" : "a table")")
        case .include(let path):
            var included = StatementSplitter()
            for statement in included.add(try InputText.read(path)) + [included.finish()].compactMap(\.self) {
                guard try run(statement) else { return }
            }
        case .output(let path): try writeRows(to: path)
        case .toggleTiming:
            isTimed.toggle()
            note("timing is \(isTimed ? "on" : "off")")
        case .format(let format):
            chosenFormat = format
            if let file { try noteFormat(of: file.path) }
        case .quit: isOver = true
        }
    }

    private func note(_ text: String) { output.note("relctl: \(text)\n") }

    private func writeRows(to path: String?) throws {
        if let file { close(file.descriptor) }
        file = nil
        guard let path else { return }
        try noteFormat(of: path)
        file = (path, try ResultPlace(path).open(path))
    }

    /// Prints a note if the name of a file shows another format than that of its rows.
    private func noteFormat(of path: String) throws {
        let choice = try FileFormat(path, chosen: chosenFormat)
        // The rows of several statements would follow each other.
        guard !choice.format.isBinary else {
            throw Failure(.usage, "\(Printable(path)): rows of the shell are text: use --to outside of the shell")
        }
        if let note = choice.note { output.note("relctl: note: \(note)\n") }
    }

    /// A job for facts about the schema, with the connection of the command.
    private func facts(_ verb: DataJob.Verb) -> DataJob {
        var facts = DataJob(verb)
        facts.timeoutSeconds = job.timeoutSeconds
        output.apply(to: &facts.output)
        return facts
    }

    private func run(_ statement: String) throws -> Bool {
        var job = job
        job.statement = statement
        try output.apply(to: &job.output, writingTo: file?.path)
        job.output.format =
            try file.map { try FileFormat($0.path, chosen: chosenFormat).format } ?? chosenFormat ?? .table
        return try run(job)
    }

    /// - Returns: whether the job succeeded. If not, the helper has printed the reason.
    private func run(_ job: DataJob) throws -> Bool {
        let start = ContinuousClock.now
        let status = try program.run(job, output: job.verb == .sql ? file?.descriptor : nil)
        // The signal has ended the helper; without this process it would have ended this process.
        if status == 128 + SIGTERM || status == 128 + SIGHUP { exit(status) }
        if status == 128 + SIGINT { Terminal.write("\n") }
        if isTimed {
            let microseconds = (ContinuousClock.now - start) / .microseconds(1)
            let thousandths = String(Int(microseconds) % 1_000 + 1_000).dropFirst()
            Terminal.writeError("time: \(Int(microseconds) / 1_000).\(thousandths) ms\n")
        }
        return status == ExitStatus.done.rawValue
    }

    private func complete(_ editor: inout LineEditor, _ terminal: ShellTerminal) {
        let (word, candidates) = known().completions(of: editor.prefix)
        let start = SchemaNames.commonStart(of: candidates)
        if candidates.count == 1 || start.count > word.count {
            editor.complete(word.unicodeScalars.count, with: start + (candidates.count == 1 ? " " : ""))
        } else if candidates.count > 1 {
            Terminal.write("\r\n" + candidates.prefix(100).joined(separator: "  ") + "\r\n")
        }
    }

    /// The names of the schema, read once.
    private func known() -> SchemaNames {
        if let names { return names }
        let read = (try? readNames()) ?? SchemaNames()
        names = read
        return read
    }

    private func readNames() throws -> SchemaNames {
        var job = facts(.schema)
        (job.output.format, job.output.isTerminal, job.output.showsProgress) = (.document, false, false)
        let text = try program.capture(job, maximumBytes: Self.maximumSchemaBytes)
        let limits = JSONLimits(depth: 16, bytes: Self.maximumSchemaBytes, values: 1 << 22)
        let tables = try JSONObject(jsonValue: JSONValue(parsing: text, limits: limits)).objects("tables")
        return SchemaNames(
            try tables.map { table in
                (try table.string("name"), try table.objects("fields").map { try $0.string("name") })
            }
        )
    }
}
