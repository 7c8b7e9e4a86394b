// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import LocalAPI
import Remoting
import Varlink

/// The errors of the modules as errors of the interface.
enum DataFailure {
    /// Calls `body`, and throws errors of the interface, or those that it declares elsewhere, unchanged.
    static func translating<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch {
            throw translated(error)
        }
    }

    /// The HTTP status of an error of this service or of the daemon, by its name.
    static func status(of name: String) -> Int {
        guard let code = DataError.Code(rawValue: name) else {
            return DaemonError.Code(rawValue: name)?.row.httpStatus ?? 500
        }
        switch code {
        case .fieldUnknown, .badPredicate, .badStatement, .badView, .editRefused: return 400
        case .tableUnknown, .pendingNotFound: return 404
        case .tooMuchToRead, .pendingChanged, .pendingElsewhere, .outcomeUnknown: return 409
        case .tooManyAdapters: return 429
        case .failed, .pendingFailed: return 500
        case .unsupported: return 501
        case .serverException, .badData, .connectionLost: return 502
        case .daemonUnavailable: return 503
        case .timeout: return 504
        case .pendingFull: return 507
        }
    }

    /// The error to throw. Untrusted text in a message is escaped.
    static func translated(_ error: any Error) -> any Error {
        switch error {
        case let error as DataAdapterError: translated(error)
        case let error as TableError: badData(error)
        case let error as SchemaError: DataError.badData(message: "\(Printable("\(error)"))")
        case let error as PredicateError: translated(error)
        case EditError.unknownField(let field):
            DataError.fieldUnknown(message: "\(Printable("\(error)"))", field: field.name)
        case EditError.ambiguousField(let field):
            DataError.fieldUnknown(message: "\(Printable("\(error)"))", field: field)
        case let error as ReadError: translated(error)
        case let error as FormatError: translated(error)
        case let error as GrowthError:
            DataError.tooMuchToRead(message: "\(error)", limit: Int64(error.limit))
        case StatementError.noRow(let seconds): DataError.timeout(message: "\(error)", seconds: Int64(seconds))
        case let error as StatementError: DataError.badStatement(message: "\(Printable("\(error)"))")
        case let error as TableViewError: badView(error)
        case TableWatchError.noKey:
            DataError.unsupported(message: "the table has no key: name its fields", feature: "key")
        case TableWatchError.duplicateKey(let row):
            DataError.badData(message: "row \(row) has the key of an earlier row", row: Int64(row) - 1)
        case TableWatchError.columnsChanged: DataError.badData(message: "the columns of the table changed")
        case let error as ApplyFailure: DataError.badData(message: DataAPI.ApplyFailure(error).message)
        default: error
        }
    }

    private static func translated(_ error: DataAdapterError) -> any Error {
        let message = "\(Printable("\(error)"))"
        switch error {
        case .exception(let exception) where exception.isFromDaemon:
            return ofDaemon("\(Printable(exception.message))", status: exception.status)
        case .exception(let exception):
            return DataError.serverException(
                message: "the server answered with \(Printable(exception.className)): \(Printable(exception.message))",
                class: exception.className,
                text: exception.message
            )
        case .timedOut:
            let seconds = DataService.idleTimeout.components.seconds
            return DataError.timeout(message: "no byte of the reply for \(seconds) s", seconds: seconds)
        case .unreachable, .interrupted, .closed, .overloaded: return DataError.connectionLost(message: message)
        case .tooLarge, .httpStatus, .malformed: return DataError.badData(message: message)
        }
    }

    /// A failure of the daemon, by the HTTP status of its adapter (docs/local-api.md, "An adapter's address").
    private static func ofDaemon(_ message: String, status: Int) -> any Error {
        switch status {
        case 403: DaemonError.notPermitted(message: message)
        case 409: DaemonError.identityConflict(message: message)
        case 502: DaemonError.endpointUnreachable(message: message)
        default: DataError.connectionLost(message: message)
        }
    }

    private static func badData(_ error: TableError) -> DataError {
        var inner = error
        var (table, row, byte): (String?, Int?, Int?)
        while case .within(let outer, let number, let cause) = inner { (table, row, inner) = (outer, number, cause) }
        switch inner {
        case .malformed(_, let offset), .tooMany(_, _, let offset): byte = offset
        default: break
        }
        return DataError.badData(
            message: "\(Printable("\(error)"))",
            table: table,
            row: row.map { Int64($0) },
            byte: byte.map { Int64($0) }
        )
    }

    private static func translated(_ error: PredicateError) -> any Error {
        let message = "\(Printable("\(error)"))"
        switch error {
        case .syntax(_, let column), .tooMany(_, _, let column):
            return DataError.badPredicate(message: message, column: Int64(column))
        case .unknownField(let field): return DataError.fieldUnknown(message: message, field: field.name)
        case .unquoted(let field), .ambiguousField(let field), .mismatch(let field, _, _), .unmappable(let field, _):
            return DataError.fieldUnknown(message: message, field: field)
        case .unreadable: return DataError.badData(message: message)
        }
    }

    private static func badView(_ error: TableViewError) -> DataError {
        let (field, column): (String, Int?) =
            switch error {
            case .existingField(let name), .lookup(let name, _), .keyCount(let name), .key(let name, _): (name, nil)
            case .cycle(let names): (names.first ?? "", nil)
            case .expression(let name, let error): (name, error.column)
            }
        return DataError.badView(
            message: "\(Printable("\(error)"))",
            field: field,
            column: column.map { Int64($0) }
        )
    }

    private static func translated(_ error: ReadError) -> any Error {
        switch error {
        case .notOnServer(let note):
            DataError.unsupported(message: "the server does not do this step", feature: note.step.rawValue)
        case .whereNotTaken: DataError.unsupported(message: "the server takes no where clause", feature: "where")
        case .textForServer(_, let page):
            DataError.unsupported(
                message: "the server would convert text beyond ASCII by a page that may not be \(page)",
                feature: "codePage"
            )
        case .tooManyRows(let table, let limit):
            DataError.tooMuchToRead(
                message: "more than \(limit) rows of \(Printable(table)) would have to be read",
                limit: Int64(limit)
            )
        case .unknownField(let table, let field):
            DataError.fieldUnknown(
                message: "no field '\(Printable(field.name))' in \(Printable(table))\(Printable(field.advice()))",
                field: field.name
            )
        case .ambiguousField(_, let field):
            DataError.fieldUnknown(
                message: "several fields differ from '\(Printable(field))' only in case",
                field: field
            )
        case .missingTable(let table):
            DataError.badData(message: "the reply has no table \(Printable(table))", table: table)
        case .changedColumns(let table):
            DataError.badData(message: "the columns of \(Printable(table)) changed", table: table)
        case .noKey(let table):
            DataError.unsupported(message: "\(Printable(table)) has no key", feature: "key")
        }
    }

    private static func translated(_ error: FormatError) -> any Error {
        switch error {
        case .notANumber(let column, let row):
            DataError.badData(message: "row \(row) has NaN or infinity in \(Printable(column))", row: Int64(row))
        case .noColumn(let field):
            DataError.fieldUnknown(message: "no field '\(Printable(field))'", field: field)
        default: error
        }
    }
}
