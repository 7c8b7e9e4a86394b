// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import Glibc
import JSON
import Platform
import TableBrowser

/// The failure of a job: a message and the exit status of relctl.
struct JobFailure: Error {
    /// The exit status; relctl(1) has the table.
    enum Status: Int32 {
        /// The reader has closed the output, which is not a failure.
        case done = 0
        case failed = 1
        case notFound = 11
        case unreachable = 12
        case serverException = 14
        case someFailed = 15
        case beyondServer = 16
        case tablesDiffer = 17
        case usage = 64
        case deadlinePassed = 75
    }

    let status: Status
    /// Untrusted parts are escaped. Empty to print nothing.
    let message: String
    /// The stack trace of the server's exception; nil if there is none. Untrusted.
    private let stackTrace: String?

    init(_ status: Status, _ message: String, stackTrace: String? = nil) {
        self.status = status
        self.message = message
        self.stackTrace = stackTrace
    }

    init(_ error: any Error) {
        switch error {
        case let failure as JobFailure: self = failure
        case DataAdapterError.exception(let exception) where exception.isFromDaemon:
            self.init(exception.isServerUnreachable ? .unreachable : .failed, "\(Printable(exception.message))")
        case DataAdapterError.exception(let exception):
            self.init(
                .serverException,
                "the server answered with \(Printable(exception.className)): \(Printable(exception.message))",
                stackTrace: exception.stackTrace
            )
        case DataAdapterError.timedOut: self.init(.deadlinePassed, "the server sent no byte for the time of --timeout")
        case DataAdapterError.unreachable, DataAdapterError.interrupted, DataAdapterError.closed:
            self.init(.unreachable, "\(Printable("\(error)"))")
        case StatementError.notAQuery: self.init(.usage, "\(StatementError.notAQuery)")
        case StatementError.noRow: self.init(.deadlinePassed, "\(error): use --timeout")
        case StatementError.limit: self.init(.usage, "\(error)")
        case StatementError.unclearDate, StatementError.tooManyDigits, StatementError.unclearDecimals,
            StatementError.inexactSum, StatementError.orderedTime:
            self.init(.usage, "\(Printable("\(error)"))")
        case StatementError.overflow: self.init(.beyondServer, "\(error)")
        case StatementError.noParameter: self.init(.usage, "\(Printable("\(error)")): use --param")
        case GrowthError.temporary: self.init(.beyondServer, "\(error): use --max-temp")
        case let error as GrowthError: self.init(.beyondServer, "\(error)")
        case StatementError.unreadable(let cell), PredicateError.unreadable(let cell): self.init(cell)
        case let error as ReadError: self.init(error)
        case let error as FormatError: self.init(error)
        case let error as TableDiffError: self.init(error)
        case TableWatchError.noKey: self.init(.usage, "the table has no key in its schema: use --key")
        case TableWatchError.duplicateKey(let row): self.init(.failed, "the key of row \(row) exists more than once")
        case TableWatchError.columnsChanged: self.init(.failed, "the table has other fields than before")
        case let error as TableEditError: self.init(error)
        case let error as EditError: self.init(.usage, "\(Printable("\(error)"))")
        case let error as ApplyFailure: self.init(error.status, error.sentence)
        case ExportError.busy(let path): self.init(.failed, "another process writes \(Printable(path))")
        case ExportError.otherTable(let path, let table):
            self.init(
                .failed,
                "\(Printable(path)) got a table \(Printable(table)) meanwhile, which it keeps: try again"
            )
        case ExportError.notDatabase(let path):
            self.init(.usage, "\(Printable(path)) exists and is no SQLite database, so it is not replaced")
        case ExportError.notRegular(let path, let kind): self.init(PlatformError.notRegular(path: path, kind))
        case ExportError.notPart(let path):
            self.init(.usage, "\(Printable(path)) exists and is no interrupted export: rename it, or use another --to")
        case ExportError.changed(let path):
            self.init(
                .failed,
                "\(Printable(path)) is not as it was when the export in pages began: repeat it without --resume"
            )
        case ExportError.tableExists(let table): self.init(.usage, "\(Printable(table)) is exported more than once")
        case ExportError.system(_, let path, let errno):
            self.init(errno == ENOENT ? .notFound : .failed, "\(Printable(path)): \(String(cString: strerror(errno)))")
        case PlatformError.notRegular: self.init(.usage, "\(Printable(again: "\(error)"))")
        case PlatformError.system(_, _, ENOENT): self.init(.notFound, "\(Printable(again: "\(error)"))")
        case let error as WhereError: self.init(.usage, "--where-xml: \(Printable("\(error)"))")
        case let error as RODLError: self.init(.failed, "the server's description: \(Printable("\(error)"))")
        case let error as ServicePageError: self.init(.beyondServer, "the server \(error)")
        case let error as PredicateError: self.init(.usage, "--where: \(Printable("\(error)"))")
        case let error as ColorRuleError: self.init(.usage, "--color: \(Printable("\(error)"))")
        case let error as TableViewError: self.init(.usage, "\(Printable("\(error)"))")
        case let error as ViewTextError: self.init(error)
        case let error as ViewFileError: self.init(error)
        case let error as JSONShapeError: self.init(.failed, "the job is not valid: \(error)")
        default: self.init(.failed, "\(Printable("\(error)"))")
        }
    }

    /// The failure for a table that a schema does not have.
    init(noTable name: String, _ schema: DataSchema) {
        let unknown = UnknownName(name, among: schema.tables.map(\.name))
        self.init(.notFound, "no table '\(Printable(name))'\(Printable(unknown.advice()))")
    }

    /// The failure of a call on a pending file.
    init(_ error: PendingFileError, _ path: String) {
        let isAbsent = if case .system(_, ENOENT) = error { true } else { false }
        self.init(isAbsent ? .notFound : .failed, "\(Printable(path)): \(Printable("\(error)"))")
    }

    private init(_ cell: UnreadableCell) {
        self.init(
            .failed,
            "\(Printable("\(cell)")): if the server has another page, set that of the endpoint"
        )
    }

    private init(_ error: ReadError) {
        switch error {
        case .notOnServer(let note): self.init(.beyondServer, note.sentence)
        case .tooManyRows(let table, let limit):
            self.init(
                .beyondServer,
                "more than \(Counted(limit, "row")) of \(Printable(table)) to read: use --max-read"
            )
        case .whereNotTaken(let table):
            self.init(.beyondServer, "the server takes no where clause for \(Printable(table))")
        case .textForServer(let step, let page):
            let advice = step == .sql ? "name the tables by --table, so that it runs here" : "use --where instead"
            self.init(
                .usage,
                "the server would convert text beyond ASCII by a code page that may not be \(page): \(advice)"
            )
        case .unknownField(let table, let field):
            self.init(.usage, "\(Printable(table)) has no field \(Printable(field.name))\(Printable(field.advice()))")
        case .noKey(let table):
            self.init(.failed, "\(Printable(table)) has no key of one number or text to read it in pages")
        case .ambiguousField(let table, let field):
            self.init(.usage, "several fields of \(Printable(table)) differ from \(Printable(field)) only in case")
        default: self.init(.failed, "the rows cannot be read: \(Printable("\(error)"))")
        }
    }

    private init(_ error: ViewTextError) {
        switch error {
        case .form(let text):
            let forms = "NAME=FIELD:TABLE.KEY:SHOWN, NAME=EXPRESSION or DETAIL.FIELD=MASTER.FIELD"
            self.init(.usage, "invalid field '\(Printable(text))': expected \(forms)")
        case .type(let name): self.init(.usage, "no type \(Printable(name))")
        case .expression(let field, let error):
            self.init(.usage, "field '\(Printable(field))': \(Printable("\(error)"))")
        }
    }

    private init(_ error: ViewFileError) {
        let text =
            switch error {
            case .syntax(let reason, let line, let column): "line \(line), column \(column): \(reason)"
            case .unknownKey(let key): "unknown key '\(key)'"
            case .value(let key): "the value of '\(key)' is missing or invalid"
            case .expression(let key, let error): "\(key): \(error)"
            }
        self.init(.usage, "--views: \(Printable(text))")
    }

    private init(_ error: FormatError) {
        switch error {
        case .outputClosed: self.init(.done, "")
        case .output(let errno): self.init(.failed, "the output cannot be written: \(String(cString: strerror(errno)))")
        case .noColumn(let name): self.init(.usage, "the table has no field \(Printable(name))")
        case .notANumber(let column, let row):
            self.init(.failed, "JSON has no number for field \(Printable(column)) of row \(row): use --format csv")
        case .severalTables, .rowsWithoutTable: self.init(.failed, "the reply has other tables than requested")
        }
    }

    private init(_ error: TableEditError) {
        func key(_ values: [DataValue]) -> String { values.map { $0.shown(nil) }.joined(separator: ", ") }
        switch error {
        case .notAKey(let table, let text, let fields):
            let form = fields.map { "\(Printable($0))=..." }.joined(separator: ",")
            self.init(.usage, "'\(Printable(text ?? ""))' is no key of \(Printable(table)): use \(form)")
        case .noRow(let table, let values): self.init(.notFound, "\(Printable(table)) has no row \(key(values))")
        case .invalidValue(let table, let field, let type, let text):
            let name = "\(Printable(table)).\(Printable(field))"
            let value = text.map { "the value '\(Printable($0, columns: 60))'" } ?? "the value"
            self.init(.usage, "\(value) of \(name) is no \(type.shortName): expected \(type.textForm)")
        case .repeatedField(let table, let field):
            self.init(.usage, "\(Printable(table)).\(Printable(field)) has more than one value")
        case .temporaryKey(let table, let field):
            let name = "\(Printable(table)).\(Printable(field))"
            self.init(.usage, "\(name) of a new row cannot be negative: servers replace such values by other keys")
        case .tooManyRows(let table, let found, let limit):
            let rows = "\(Counted(found, "row")) of \(Printable(table))"
            let limits = limit < TableEditor.standardRows ? "may be changed without --yes" : "can be changed at a time"
            self.init(.usage, "the condition selects \(rows), and at most \(limit) \(limits)")
        case .tooManyBytes(let table, let limit):
            self.init(
                .usage,
                "the condition selects rows of \(Printable(table)) with more than \(limit >> 20) MiB: select fewer rows"
            )
        case .notExpected(let table, let values, let fields):
            let list = fields.map { field in
                "\(Printable(field.field)) was \(field.expected.shown(nil)) and is \(field.found.shown(nil))"
            }
            let row = "\(Printable(table)) \(key(values))"
            self.init(.someFailed, "another client changed \(row): \(list.joined(separator: "; "))")
        case .refused(_, .unreadable(let cell)): self.init(cell)
        case .refused(let table, let error): self.init(.usage, "\(Printable(table)): \(Printable(again: "\(error)"))")
        }
    }

    private init(_ error: TableDiffError) {
        func name(_ side: TableDiff.Side) -> String { side == .left ? "the first table" : "the second table" }
        switch error {
        case .noKey(let side): self.init(.usage, "\(name(side)) has no key in its schema: use --key")
        case .differentKeys: self.init(.usage, "the keys of the tables have other fields or types: use --key")
        case .nullInKey(let side, let column, let row):
            self.init(.failed, "\(name(side)) has NULL in the key field \(Printable(column)), in row \(row)")
        case .duplicateKey(let side, let row):
            self.init(.failed, "\(name(side)) has the key of row \(row) more than once")
        }
    }

    /// Prints the error and exits.
    ///
    /// - Parameter isVerbose: whether the stack trace is printed too.
    func report(isVerbose: Bool = false) -> Never {
        if !message.isEmpty { Main.writeError("relctl: error: \(Printable(again: message))\n") }
        if isVerbose, let stackTrace {
            for line in stackTrace.split(whereSeparator: \.isNewline) {
                Main.writeError("  \(Printable(String(line)))\n")
            }
        }
        exit(status.rawValue)
    }
}
