// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from these interfaces. Change their files, then run `make generate`.
// org.relativityd.Data

public import Varlink

/// An error of one of the interfaces.
public enum DataError: Error, Hashable {
    /// The daemon does not answer on its second socket. The message has the reason.
    case daemonUnavailable(DataAPI.DaemonUnavailableError)
    /// The server replied with an exception. class is its class and text its text; both are untrusted.
    case serverException(DataAPI.ServerExceptionError)
    /// The schema of the server has no table with this name. table is the name.
    case tableUnknown(DataAPI.TableUnknownError)
    /// The table has no field with this name. field is the name.
    case fieldUnknown(DataAPI.FieldUnknownError)
    /// The predicate is invalid. column is the position of the error in its text, counted from 1.
    case badPredicate(DataAPI.BadPredicateError)
    /// The statement is not a query, or cannot run here: it is invalid, a parameter has no value, or there is no space for the
    /// tables.
    case badStatement(DataAPI.BadStatementError)
    /// A lookup or calculated field is invalid. field is its name, and column the position in its expression, from 1.
    case badView(DataAPI.BadViewError)
    /// The server cannot do a part of the call, and it cannot be done here. feature is the part, such as daSQL.
    case unsupported(DataAPI.UnsupportedError)
    /// More rows would have to be read than limit, to find those that were asked for; or what is made of them has a bound, the
    /// limit, which the message names.
    case tooMuchToRead(DataAPI.TooMuchToReadError)
    /// The reply of the server is invalid. table is the name of the table, row the number of the row, counted from 0, and
    /// byte the position in the reply. Those that are unknown are absent.
    case badData(DataAPI.BadDataError)
    /// No byte of a reply came for this time. seconds is that time.
    case timeout(DataAPI.TimeoutError)
    /// The connection to the server or to the daemon was lost during the call. The message has the reason.
    case connectionLost(DataAPI.ConnectionLostError)
    /// The connection uses too many adapters, or all connections together do. limit is the number.
    case tooManyAdapters(DataAPI.TooManyAdaptersError)
    /// An edit was refused, and nothing was changed. edit is its index, from 0. reason: notAKey, noRow, invalidValue,
    /// repeatedField, unknownField, tooManyRows, tooManyBytes, notExpected, readOnly, required, tooLong, duplicateKey, noKey, conflict, or
    /// another word. table and field are the names, if one is concerned.
    case editRefused(DataAPI.EditRefusedError)
    /// There is no pending set with this name.
    case pendingNotFound(DataAPI.PendingNotFoundError)
    /// The pending set has another revision than the call names. revision is the present one; absent if there is no set.
    case pendingChanged(DataAPI.PendingChangedError)
    /// The pending set is for another endpoint or service.
    case pendingElsewhere(DataAPI.PendingElsewhereError)
    /// Changes of the pending set were sent, and no reply came. They must be decided first: CheckPending, then RetryPending,
    /// SettlePending or DropPending. revision is the present one.
    case outcomeUnknown(DataAPI.OutcomeUnknownError)
    /// A limit of pending sets is reached. content is sets, changes or bytes.
    case pendingFull(DataAPI.PendingFullError)
    /// The file of a pending set could not be read or written, or another process uses it.
    case pendingFailed(DataAPI.PendingFailedError)
    /// The call failed for another reason. The log of relativityd-data has the details.
    case failed(DataAPI.FailedError)

    /// The name of an error, with its interface.
    public enum Code: String, Sendable, CaseIterable {
        case daemonUnavailable = "org.relativityd.Data.DaemonUnavailable"
        case serverException = "org.relativityd.Data.ServerException"
        case tableUnknown = "org.relativityd.Data.TableUnknown"
        case fieldUnknown = "org.relativityd.Data.FieldUnknown"
        case badPredicate = "org.relativityd.Data.BadPredicate"
        case badStatement = "org.relativityd.Data.BadStatement"
        case badView = "org.relativityd.Data.BadView"
        case unsupported = "org.relativityd.Data.Unsupported"
        case tooMuchToRead = "org.relativityd.Data.TooMuchToRead"
        case badData = "org.relativityd.Data.BadData"
        case timeout = "org.relativityd.Data.Timeout"
        case connectionLost = "org.relativityd.Data.ConnectionLost"
        case tooManyAdapters = "org.relativityd.Data.TooManyAdapters"
        case editRefused = "org.relativityd.Data.EditRefused"
        case pendingNotFound = "org.relativityd.Data.PendingNotFound"
        case pendingChanged = "org.relativityd.Data.PendingChanged"
        case pendingElsewhere = "org.relativityd.Data.PendingElsewhere"
        case outcomeUnknown = "org.relativityd.Data.OutcomeUnknown"
        case pendingFull = "org.relativityd.Data.PendingFull"
        case pendingFailed = "org.relativityd.Data.PendingFailed"
        case failed = "org.relativityd.Data.Failed"
    }

    /// - Returns: nil for an error of another interface, and for one that lacks a parameter.
    public init?(_ error: VarlinkError) {
        switch Code(rawValue: error.name) {
        case .daemonUnavailable?:
            guard let record = DataAPI.DaemonUnavailableError(error) else { return nil }
            self = .daemonUnavailable(record)
        case .serverException?:
            guard let record = DataAPI.ServerExceptionError(error) else { return nil }
            self = .serverException(record)
        case .tableUnknown?:
            guard let record = DataAPI.TableUnknownError(error) else { return nil }
            self = .tableUnknown(record)
        case .fieldUnknown?:
            guard let record = DataAPI.FieldUnknownError(error) else { return nil }
            self = .fieldUnknown(record)
        case .badPredicate?:
            guard let record = DataAPI.BadPredicateError(error) else { return nil }
            self = .badPredicate(record)
        case .badStatement?:
            guard let record = DataAPI.BadStatementError(error) else { return nil }
            self = .badStatement(record)
        case .badView?:
            guard let record = DataAPI.BadViewError(error) else { return nil }
            self = .badView(record)
        case .unsupported?:
            guard let record = DataAPI.UnsupportedError(error) else { return nil }
            self = .unsupported(record)
        case .tooMuchToRead?:
            guard let record = DataAPI.TooMuchToReadError(error) else { return nil }
            self = .tooMuchToRead(record)
        case .badData?:
            guard let record = DataAPI.BadDataError(error) else { return nil }
            self = .badData(record)
        case .timeout?:
            guard let record = DataAPI.TimeoutError(error) else { return nil }
            self = .timeout(record)
        case .connectionLost?:
            guard let record = DataAPI.ConnectionLostError(error) else { return nil }
            self = .connectionLost(record)
        case .tooManyAdapters?:
            guard let record = DataAPI.TooManyAdaptersError(error) else { return nil }
            self = .tooManyAdapters(record)
        case .editRefused?:
            guard let record = DataAPI.EditRefusedError(error) else { return nil }
            self = .editRefused(record)
        case .pendingNotFound?:
            guard let record = DataAPI.PendingNotFoundError(error) else { return nil }
            self = .pendingNotFound(record)
        case .pendingChanged?:
            guard let record = DataAPI.PendingChangedError(error) else { return nil }
            self = .pendingChanged(record)
        case .pendingElsewhere?:
            guard let record = DataAPI.PendingElsewhereError(error) else { return nil }
            self = .pendingElsewhere(record)
        case .outcomeUnknown?:
            guard let record = DataAPI.OutcomeUnknownError(error) else { return nil }
            self = .outcomeUnknown(record)
        case .pendingFull?:
            guard let record = DataAPI.PendingFullError(error) else { return nil }
            self = .pendingFull(record)
        case .pendingFailed?:
            guard let record = DataAPI.PendingFailedError(error) else { return nil }
            self = .pendingFailed(record)
        case .failed?:
            guard let record = DataAPI.FailedError(error) else { return nil }
            self = .failed(record)
        case nil: return nil
        }
    }

    /// The name.
    public var code: Code {
        switch self {
        case .daemonUnavailable: .daemonUnavailable
        case .serverException: .serverException
        case .tableUnknown: .tableUnknown
        case .fieldUnknown: .fieldUnknown
        case .badPredicate: .badPredicate
        case .badStatement: .badStatement
        case .badView: .badView
        case .unsupported: .unsupported
        case .tooMuchToRead: .tooMuchToRead
        case .badData: .badData
        case .timeout: .timeout
        case .connectionLost: .connectionLost
        case .tooManyAdapters: .tooManyAdapters
        case .editRefused: .editRefused
        case .pendingNotFound: .pendingNotFound
        case .pendingChanged: .pendingChanged
        case .pendingElsewhere: .pendingElsewhere
        case .outcomeUnknown: .outcomeUnknown
        case .pendingFull: .pendingFull
        case .pendingFailed: .pendingFailed
        case .failed: .failed
        }
    }

    /// The parameters.
    public var record: any VarlinkErrorRecord {
        switch self {
        case .daemonUnavailable(let record): record
        case .serverException(let record): record
        case .tableUnknown(let record): record
        case .fieldUnknown(let record): record
        case .badPredicate(let record): record
        case .badStatement(let record): record
        case .badView(let record): record
        case .unsupported(let record): record
        case .tooMuchToRead(let record): record
        case .badData(let record): record
        case .timeout(let record): record
        case .connectionLost(let record): record
        case .tooManyAdapters(let record): record
        case .editRefused(let record): record
        case .pendingNotFound(let record): record
        case .pendingChanged(let record): record
        case .pendingElsewhere(let record): record
        case .outcomeUnknown(let record): record
        case .pendingFull(let record): record
        case .pendingFailed(let record): record
        case .failed(let record): record
        }
    }
}
