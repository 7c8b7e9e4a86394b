// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform
import Remoting
import TableBrowser

/// The failure of a call of the Data API or of a job of relctl: the only mapping from the errors of the modules to the
/// error of the interface, and to the sentence and the exit status of relctl.
struct DataFailure: Error {
    typealias Status = ExitStatus

    let status: Status
    /// The sentence of relctl. Untrusted parts are escaped. Empty to print nothing.
    let message: String
    /// The error of the interface, or of the daemon; nil if no call of the Data API fails in this way.
    private let fault: (any Error)?
    /// The stack trace of the server's exception; nil if there is none. Untrusted.
    private let stackTrace: String?

    /// A failure of relctl only.
    init(_ status: Status, _ message: String) {
        (self.status, self.message, fault, stackTrace) = (status, message, nil, nil)
    }

    /// - Parameters:
    ///   - message: the sentence of relctl; nil for that of the error.
    ///   - advice: the next step of a user of relctl, after the message.
    ///   - status: nil for that of the error's code.
    private init(
        fault: DataError,
        message: String? = nil,
        advice: String? = nil,
        status: Status? = nil,
        stackTrace: String? = nil
    ) {
        self.status = status ?? fault.code.row.exitStatus
        self.message = (message ?? fault.message) + (advice.map { ": \($0)" } ?? "")
        (self.fault, self.stackTrace) = (fault, stackTrace)
    }

    /// A failure of the daemon, by what its adapter answers (docs/local-api.md, "An adapter's address").
    private init(ofDaemon exception: ServerException) {
        message = "\(Printable(exception.message))"
        stackTrace = nil
        let error: DaemonError? =
            switch (exception.status, exception.failure) {
            case (403, _): .notPermitted(message: message)
            case (409, _): .identityConflict(message: message)
            case (502, .badReply): .protocolFailure(message: message)
            case (502, _): .endpointUnreachable(message: message)
            default: nil
            }
        fault = error ?? DataError.connectionLost(message: message)
        let status = error.map { Status($0.code) } ?? .failed
        self.status = status == .failed && exception.isRefusalOfDaemon ? .notSent : status
    }

    init(_ error: any Error) {
        let text = "\(Printable("\(error)"))"
        switch error {
        case let failure as DataFailure: self = failure
        case let error as DataError: self.init(fault: error)
        case let error as TableEditError: self.init(error, edit: 0)
        case is CancellationError: self.init(.failed, AdapterChangeServer.interruption)
        case let error as DataAdapterError: self.init(error, text)
        case let error as TableError: self.init(error, text)
        case is SchemaError: self.init(fault: .badData(message: text))
        case let error as PredicateError: self.init(error, text)
        case let error as EditError: self.init(error, text)
        case let error as ReadError: self.init(error)
        case let error as FormatError: self.init(error, text)
        case let error as GrowthError:
            let advice: String? = if case .temporary = error { "use --max-temp" } else { nil }
            self.init(fault: .tooMuchToRead(message: text, limit: Int64(error.limit)), advice: advice)
        case let error as StatementError: self.init(error, text)
        case let error as TableViewError: self.init(error, text)
        case let error as TableWatchError: self.init(error)
        case let error as ApplyFailure: self.init(fault: .badData(message: error.sentence), status: error.status)
        case let error as TableDiffError: self.init(error)
        case let error as ExportError: self.init(error, text)
        case PlatformError.notRegular: self.init(.usage, "\(Printable(again: "\(error)"))")
        case PlatformError.system(_, _, ENOENT): self.init(.notFound, "\(Printable(again: "\(error)"))")
        case is WhereError: self.init(.usage, "--where-xml: \(text)")
        case is RODLError: self.init(fault: .badData(message: "the server's description: \(text)"))
        case let error as ServicePageError:
            self.init(fault: .unsupported(message: "the server \(error)", feature: "description"))
        case is ColorRuleError: self.init(.usage, "--color: \(text)")
        case let error as ViewTextError: self.init(error)
        case let error as ViewFileError: self.init(error)
        case let error as JSONShapeError: self.init(.failed, "the job is not valid: \(error)")
        default: self.init(.failed, text)
        }
    }

    /// The failure for a table that a schema does not have.
    init(noTable name: String, _ schema: DataSchema) {
        let unknown = UnknownName(name, among: schema.tables.map(\.name))
        self.init(
            fault: .tableUnknown(message: "no table '\(Printable(name))'\(Printable(unknown.advice()))", table: name)
        )
    }

    /// The failure of a call on a pending file.
    init(_ error: PendingFileError, _ path: String) {
        let isAbsent = if case .system(_, ENOENT) = error { true } else { false }
        let lock = error == .inUse ? ": its lock is \(Printable(path)).lock" : ""
        self.init(isAbsent ? .notFound : .failed, "\(Printable(path)): \(Printable("\(error)"))\(lock)")
    }

    private init(_ error: DataAdapterError, _ text: String) {
        switch error {
        case .exception(let exception) where exception.isFromDaemon: self.init(ofDaemon: exception)
        case .exception(let exception):
            let (name, message) = (exception.className, exception.message)
            self.init(
                fault: .serverException(
                    message: "the server answered with \(Printable(name)): \(Printable(message))",
                    class: name,
                    text: message
                ),
                stackTrace: exception.stackTrace
            )
        case .timedOut:
            let seconds = DataService.idleTimeout.components.seconds
            self.init(
                fault: .timeout(message: "the server sent no byte for \(seconds) s", seconds: seconds),
                message: "the server sent no byte for the time of --timeout"
            )
        case .unreachable, .interrupted, .closed, .overloaded: self.init(fault: .connectionLost(message: text))
        case .tooLarge, .httpStatus, .malformed: self.init(fault: .badData(message: text))
        }
    }

    private init(_ error: TableError, _ text: String) {
        var inner = error
        var (table, row, byte): (String?, Int64?, Int64?)
        while case .within(let outer, let number, let cause) = inner {
            (table, row, inner) = (outer, number.map { Int64($0) }, cause)
        }
        switch inner {
        case .malformed(_, let offset), .tooMany(_, _, let offset): byte = Int64(offset)
        default: break
        }
        self.init(fault: .badData(message: text, table: table, row: row, byte: byte))
    }

    /// - Parameter fault: the error of the interface.
    private init(_ cell: UnreadableCell, _ fault: DataError) {
        let advice = "if the server has another page, set that of the endpoint"
        self.init(fault: fault, message: "\(Printable("\(cell)"))", advice: advice, status: .failed)
    }

    private init(_ error: PredicateError, _ text: String) {
        let fault: DataError
        switch error {
        case .syntax(_, let column), .tooMany(_, _, let column):
            fault = .badPredicate(message: text, column: Int64(column))
        case .unknownField(let field): fault = .fieldUnknown(message: text, field: field.name)
        case .unquoted(let field), .ambiguousField(let field), .mismatch(let field, _, _), .unmappable(let field, _):
            fault = .fieldUnknown(message: text, field: field)
        case .unreadable(let cell):
            self.init(cell, .badData(message: text))
            return
        }
        self.init(fault: fault, message: "--where: \(text)")
    }

    private init(_ error: EditError, _ text: String) {
        switch error {
        case .unknownField(let field): self.init(fault: .fieldUnknown(message: text, field: field.name))
        case .ambiguousField(let field): self.init(fault: .fieldUnknown(message: text, field: field))
        default: self.init(.usage, text)
        }
    }

    private init(_ error: ReadError) {
        switch error {
        case .notOnServer(let note):
            self.init(fault: .unsupported(message: note.sentence, feature: note.step.rawValue))
        case .tooManyRows(let table, let limit):
            let message = "more than \(Counted(limit, "row")) of \(Printable(table)) to read"
            self.init(fault: .tooMuchToRead(message: message, limit: Int64(limit)), advice: "use --max-read")
        case .whereNotTaken(let table):
            let message = "the server takes no where clause for \(Printable(table))"
            self.init(fault: .unsupported(message: message, feature: "where"))
        case .textForServer(let step, let page):
            let message = "the server would convert text beyond ASCII by a code page that may not be \(page)"
            let advice = step == .sql ? "name the tables by --table, so that it runs here" : "use --where instead"
            self.init(fault: .unsupported(message: message, feature: "codePage"), advice: advice, status: .usage)
        case .unknownField(let table, let field):
            let message = "\(Printable(table)) has no field \(Printable(field.name))\(Printable(field.advice()))"
            self.init(fault: .fieldUnknown(message: message, field: field.name))
        case .ambiguousField(let table, let field):
            let message = "several fields of \(Printable(table)) differ from \(Printable(field)) only in case"
            self.init(fault: .fieldUnknown(message: message, field: field))
        case .missingTable(let table):
            self.init(fault: .badData(message: "the reply has no table \(Printable(table))", table: table))
        case .changedColumns(let table):
            self.init(fault: .badData(message: "the columns of \(Printable(table)) changed", table: table))
        case .noKey(let table):
            let message = "\(Printable(table)) has no key of one number or text to read it in pages"
            self.init(fault: .unsupported(message: message, feature: "key"), status: .failed)
        }
    }

    private init(_ error: FormatError, _ text: String) {
        switch error {
        case .outputClosed: self.init(.done, "")
        case .output(let errno): self.init(.failed, "the output cannot be written: \(String(cString: strerror(errno)))")
        case .noColumn(let name):
            self.init(fault: .fieldUnknown(message: "the table has no field \(Printable(name))", field: name))
        case .notANumber(let column, let row):
            let message = "JSON has no number for field \(Printable(column)) of row \(row)"
            self.init(fault: .badData(message: message, row: Int64(row)), advice: "use --format csv")
        case .tooManyDigits(let column, let row):
            let message = "field \(Printable(column)) of row \(row) has more digits than its type in Arrow"
            self.init(fault: .badData(message: message, row: Int64(row)), advice: "use --decimal")
        case .uncertainTime(let column, let row):
            let message = "field \(Printable(column)) of row \(row) is no certain time, and Arrow has no text for it"
            self.init(fault: .badData(message: message, row: Int64(row)), advice: "use --format csv")
        case .severalTables, .rowsWithoutTable: self.init(.failed, "the reply has other tables than requested")
        }
    }

    private init(_ error: StatementError, _ text: String) {
        switch error {
        case .late(let seconds):
            self.init(fault: .timeout(message: text, seconds: Int64(seconds)), advice: "use --timeout")
        case .unreadable(let cell): self.init(cell, .badStatement(message: text))
        case .noParameter: self.init(fault: .badStatement(message: text), advice: "use --param")
        case .overflow: self.init(fault: .badStatement(message: text), status: .beyondServer)
        case .unordered, .inexact, .sqlite: self.init(fault: .badStatement(message: text), status: .failed)
        case .notAQuery, .unclearDate, .unclearTime, .noDate, .tooManyDigits, .inexactSum, .unclearDecimals,
            .orderedTime, .limit:
            self.init(fault: .badStatement(message: text))
        }
    }

    private init(_ error: TableViewError, _ text: String) {
        let (field, column): (String, Int?) =
            switch error {
            case .existingField(let name), .lookup(let name, _), .keyCount(let name), .key(let name, _): (name, nil)
            case .cycle(let names): (names.first ?? "", nil)
            case .expression(let name, let error): (name, error.column)
            }
        self.init(fault: .badView(message: text, field: field, column: column.map { Int64($0) }))
    }

    private init(_ error: ViewTextError) {
        switch error {
        case .form(let text):
            let forms = "NAME=FIELD:TABLE.KEY:SHOWN, NAME=EXPRESSION or DETAIL.FIELD=MASTER.FIELD"
            self.init(.usage, "invalid field '\(Printable(text))': expected \(forms)")
        case .type(let name): self.init(.usage, "no type \(Printable(name))")
        case .expression(let field, let error):
            let message = "field '\(Printable(field))': \(Printable("\(error)"))"
            self.init(fault: .badView(message: message, field: field, column: Int64(error.column)))
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

    private init(_ error: TableWatchError) {
        switch error {
        case .noKey:
            let message = "the table has no key in its schema"
            self.init(fault: .unsupported(message: message, feature: "key"), advice: "use --key", status: .usage)
        case .duplicateKey(let row):
            self.init(fault: .badData(message: "the key of row \(row) exists more than once", row: Int64(row) - 1))
        case .columnsChanged: self.init(fault: .badData(message: "the table has other fields than before"))
        }
    }

    private init(_ error: ExportError, _ text: String) {
        switch error {
        case .exists(let path): self.init(.failed, "\(Printable(path)) exists: --force replaces it")
        case .busy(let path): self.init(.failed, "another process writes \(Printable(path))")
        case .otherTable(let path, let table):
            let names = (Printable(path), Printable(table))
            self.init(.failed, "\(names.0) got a table \(names.1) meanwhile, which it keeps: try again")
        case .notDatabase(let path):
            self.init(.usage, "\(Printable(path)) exists and is no SQLite database, so it is not replaced")
        case .notRegular(let path, let kind): self.init(PlatformError.notRegular(path: path, kind))
        case .notPart(let path):
            self.init(.usage, "\(Printable(path)) exists and is no interrupted export: rename it, or use another --to")
        case .changed(let path):
            let reason = "is not as it was when the export in pages began: repeat it without --resume"
            self.init(.failed, "\(Printable(path)) \(reason)")
        case .tableExists(let table): self.init(.usage, "\(Printable(table)) is exported more than once")
        case .system(_, let path, let errno):
            let status: Status = errno == ENOENT ? .notFound : .failed
            self.init(status, "\(Printable(path)): \(String(cString: strerror(errno)))")
        default: self.init(.failed, text)
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

    /// - Parameter edit: the index of the edit in a call of the Data API.
    init(_ error: TableEditError, edit: Int) {
        func key(_ values: [DataValue]) -> String { values.map { $0.shown(nil) }.joined(separator: ", ") }
        var status = Status.usage
        var (field, command): (String?, String?)
        let (reason, name, sentence): (String, String, String)
        switch error {
        case .notAKey(let table, let text, let fields):
            let given = text.map { "'\(Printable($0))' is" } ?? "these fields are"
            let form = fields.map { "\(Printable($0))=..." }.joined(separator: ",")
            (reason, name) = ("notAKey", table)
            sentence = "\(given) no key of \(Printable(table)): use \(form)"
        case .noRow(let table, let values):
            (reason, name, status) = ("noRow", table, .notFound)
            sentence = "\(Printable(table)) has no row \(key(values))"
        case .invalidValue(let table, let wrong, let type, let text):
            (reason, name, field) = ("invalidValue", table, wrong)
            let value = text.map { "the value '\(Printable($0, columns: 60))'" } ?? "the value"
            let place = "\(Printable(table)).\(Printable(wrong))"
            sentence = "\(value) of \(place) is no \(type.shortName): expected \(type.expected(insteadOf: text))"
        case .repeatedField(let table, let twice):
            (reason, name, field) = ("repeatedField", table, twice)
            sentence = "\(Printable(table)).\(Printable(twice)) has more than one value"
        case .temporaryKey(let table, let wrong):
            (reason, name, field) = ("invalidValue", table, wrong)
            let place = "\(Printable(table)).\(Printable(wrong))"
            sentence = "\(place) of a new row cannot be negative: servers replace such values by other keys"
        case .tooManyRows(let table, let found, let limit):
            (reason, name) = ("tooManyRows", table)
            let rows = "\(Counted(found, "row")) of \(Printable(table)), and at most \(limit)"
            sentence = "the condition selects \(rows) can be changed at a time"
            if limit < TableEditor.standardRows {
                command = "the condition selects \(rows) may be changed without --yes"
            }
        case .tooManyBytes(let table, let limit):
            (reason, name) = ("tooManyBytes", table)
            let size = "more than \(limit >> 20) MiB"
            sentence = "the condition selects rows of \(Printable(table)) with \(size): select fewer rows"
        case .notExpected(let table, let values, let fields):
            (reason, name, field, status) = ("notExpected", table, fields.first?.field, .someFailed)
            let list = fields.map { field in
                "\(Printable(field.field)) was \(field.expected.shown(nil)) and is \(field.found.shown(nil))"
            }
            let row = "\(Printable(table)) \(key(values))"
            sentence = "another client changed \(row): \(list.joined(separator: "; "))"
        case .refused(let table, let inner):
            (reason, field) = inner.reason
            name = table
            sentence = "\(Printable(table)): \(Printable(again: "\(inner)"))"
        }
        let fault = DataError.editRefused(
            message: sentence,
            edit: Int64(edit),
            reason: reason,
            table: name,
            field: field
        )
        if case .refused(_, .unreadable(let cell)) = error {
            self.init(cell, fault)
        } else {
            self.init(fault: fault, message: command ?? sentence, status: status)
        }
    }

    /// Prints the error.
    func write() {
        if !message.isEmpty { Main.writeError("relctl: error: \(Printable(again: message))\n") }
    }

    /// Prints the error and exits.
    ///
    /// - Parameter isVerbose: whether the stack trace is printed too.
    func report(isVerbose: Bool = false) -> Never {
        write()
        if isVerbose, let stackTrace {
            for line in stackTrace.split(whereSeparator: \.isNewline) {
                Main.writeError("  \(Printable(String(line)))\n")
            }
        }
        exit(status.rawValue)
    }

    /// Calls `body`, and throws errors of the interface, or those that it declares elsewhere or not at all, unchanged.
    static func translating<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch {
            throw DataFailure(error).fault ?? error
        }
    }

    /// The HTTP status of an error of the interface or of the daemon, by its name.
    static func httpStatus(of name: String) -> Int {
        DataError.Code(rawValue: name)?.row.httpStatus ?? DaemonError.Code(rawValue: name)?.row.httpStatus ?? 500
    }
}

extension ExitStatus {
    /// The status of a job that had made so many changes when it failed. Without changes the command may be repeated.
    func after(changes count: Int) -> ExitStatus {
        count > 0 && [.notSent, .unreachable].contains(self) ? .failed : self
    }
}

extension DataError.Code {
    /// The HTTP status, and the exit status of relctl unless the failure has another one.
    fileprivate var row: (httpStatus: Int, exitStatus: ExitStatus) {
        switch self {
        case .fieldUnknown, .badPredicate, .badStatement, .badView, .badCall, .editRefused: (400, .usage)
        case .tableUnknown, .pendingNotFound: (404, .notFound)
        case .tooMuchToRead: (409, .beyondServer)
        case .pendingChanged, .pendingElsewhere: (409, .failed)
        case .outcomeUnknown: (409, .unknownOutcome)
        case .tooManyAdapters: (429, .failed)
        case .failed, .pendingFailed: (500, .failed)
        case .unsupported: (501, .beyondServer)
        case .serverException: (502, .serverException)
        case .badData: (502, .failed)
        case .connectionLost: (502, .unreachable)
        case .daemonUnavailable: (503, .unreachable)
        case .timeout: (504, .deadlinePassed)
        case .pendingFull: (507, .failed)
        }
    }
}

extension EditError {
    /// The word for programs, and the field if one is concerned.
    fileprivate var reason: (word: String, field: String?) {
        switch self {
        case .unknownField(let field): ("unknownField", field.name)
        case .ambiguousField(let field): ("ambiguousField", field)
        case .unknownRow: ("noRow", nil)
        case .unfit(let field, _): ("invalidValue", field)
        case .tooLong(let field, _, _): ("tooLong", field)
        case .unmappable(let field, _): ("unmappable", field)
        case .unreadable(let cell): ("unreadable", cell.field)
        case .required(let field): ("required", field)
        case .readOnly(let field): ("readOnly", field)
        case .readOnlyTable: ("readOnly", nil)
        case .duplicateKey: ("duplicateKey", nil)
        case .noKey: ("noKey", nil)
        case .keyUnknown: ("keyUnknown", nil)
        case .notEditing: ("notEditing", nil)
        case .otherColumns: ("otherColumns", nil)
        case .unknownTable: ("unknownTable", nil)
        case .duplicateTable: ("duplicateTable", nil)
        case .inFlight: ("inFlight", nil)
        }
    }
}
