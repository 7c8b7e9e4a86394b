// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataJobs
import Endpoints
import Glibc
import Platform

extension TableCommand {
    struct Edit: ParsableCommand {
        private static let mostBytes = 64 << 20

        static let configuration = CommandConfiguration(
            commandName: "edit",
            abstract: "Edit a row in $EDITOR.",
            discussion: """
                The row is a line FIELD = VALUE for each field, with the value in JSON. Only fields that were changed are \
                set. If another client changed one of them meanwhile, nothing is sent.
                """
        )

        @OptionGroup var target: DataTarget
        @Argument(help: "The name of the table.", completion: LiveNames.tables)
        var table: String
        @Argument(help: "The key, such as 5 or Order=1,Product=2.")
        var key: String
        @OptionGroup var edit: EditOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            try DataProgram.with([target.place], output) { program in
                var job = target.job(.row)
                (job.tables, job.edit.key) = ([table], key)
                let (status, bytes) = try program.output(of: job, maximumBytes: Self.mostBytes)
                guard status == ExitStatus.done.rawValue else { Glibc.exit(status) }
                let row = try RowText(parsing: bytes)
                let text = try EditedText(row.text).result
                let changes: (new: [JobValue], old: [JobValue])
                do throws(RowText.InvalidLine) {
                    changes = try row.changes(in: text)
                } catch {
                    throw Failure(.failed, "nothing was changed: line \(error.number) is not FIELD = VALUE of this row")
                }
                guard !changes.new.isEmpty else {
                    output.note("nothing to change")
                    Glibc.exit(ExitStatus.done.rawValue)
                }
                job.verb = .edit
                (job.edit.kind, job.edit.values) = (.update, changes.new)
                if !edit.force { job.edit.expected = changes.old }
                edit.apply(to: &job, output)
                Glibc.exit(try program.run(job))
            }
        }
    }
}

/// A text that the user has changed in an editor.
struct EditedText {
    private static let mostBytes = 64 << 20

    /// The text after the editor has ended.
    let result: String

    /// Runs `$VISUAL` or `$EDITOR`, by default `vi`, with a file that has the text.
    ///
    /// - Throws: a failure if the editor cannot be run or fails; `PlatformError`.
    init(_ text: String) throws {
        let folder = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(folder)/relctl.XXXXXX.toml".utf8CString)
        let file = mkstemps(&template, 5)
        guard file >= 0 else { throw PlatformError.system(call: "mkstemps", subject: folder, errno: errno) }
        let path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        defer {
            close(file)
            unlink(path)
        }
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        let code = Array(text.utf8).withUnsafeBytes { OpenFile.writeAll($0, to: file) }
        guard code == 0 else { throw PlatformError.system(call: "write", subject: path, errno: code) }
        let editor = Self.editor
        // As in git: the variable is a command line for a shell.
        let status = try RunningProgram(["/bin/sh", "-c", "\(editor) \"$@\"", editor, path]).waitForEnd()
        guard status == 0 else {
            throw Failure(.failed, "nothing was changed: '\(Printable(editor))' ended with status \(status)")
        }
        // An editor may have replaced the file.
        let changed = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard changed >= 0 else { throw PlatformError.system(call: "open", subject: path, errno: errno) }
        defer { close(changed) }
        let bytes = try OpenFile.readAll(changed, path: path, maximumBytes: Self.mostBytes)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.failed, "nothing was changed: the text is not UTF-8")
        }
        result = text
    }

    private static var editor: String {
        for name in ["VISUAL", "EDITOR"] {
            if let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty { return value }
        }
        return "vi"
    }
}
