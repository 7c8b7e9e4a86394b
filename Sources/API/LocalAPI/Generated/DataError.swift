// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from these interfaces. Change their files, then run `make generate`.
// org.relativityd.Data

public import JSON
public import Varlink

/// An error of one of the interfaces. Their definitions describe them.
public struct DataError: VarlinkFault {
    public enum Code: String, Sendable, CaseIterable {
        case daemonUnavailable = "org.relativityd.Data.DaemonUnavailable"
        case serverException = "org.relativityd.Data.ServerException"
        case tableUnknown = "org.relativityd.Data.TableUnknown"
        case fieldUnknown = "org.relativityd.Data.FieldUnknown"
        case badPredicate = "org.relativityd.Data.BadPredicate"
        case badStatement = "org.relativityd.Data.BadStatement"
        case badView = "org.relativityd.Data.BadView"
        case badCall = "org.relativityd.Data.BadCall"
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

    public let code: Code
    public let parameters: JSONObject

    public init(_ code: Code, _ parameters: JSONObject) {
        self.code = code
        self.parameters = parameters
    }
}

extension DataError {
    public static func daemonUnavailable(message: String) -> DataError {
        DataError(.daemonUnavailable, ("message", message))
    }
    public static func serverException(message: String, `class`: String, text: String) -> DataError {
        DataError(.serverException, ("message", message), ("class", `class`), ("text", text))
    }
    public static func tableUnknown(message: String, table: String) -> DataError {
        DataError(.tableUnknown, ("message", message), ("table", table))
    }
    public static func fieldUnknown(message: String, field: String) -> DataError {
        DataError(.fieldUnknown, ("message", message), ("field", field))
    }
    public static func badPredicate(message: String, column: Int64) -> DataError {
        DataError(.badPredicate, ("message", message), ("column", column))
    }
    public static func badStatement(message: String) -> DataError {
        DataError(.badStatement, ("message", message))
    }
    public static func badView(message: String, field: String, column: Int64? = nil) -> DataError {
        DataError(.badView, ("message", message), ("field", field), ("column", column))
    }
    public static func badCall(message: String) -> DataError {
        DataError(.badCall, ("message", message))
    }
    public static func unsupported(message: String, feature: String) -> DataError {
        DataError(.unsupported, ("message", message), ("feature", feature))
    }
    public static func tooMuchToRead(message: String, limit: Int64) -> DataError {
        DataError(.tooMuchToRead, ("message", message), ("limit", limit))
    }
    public static func badData(
        message: String,
        table: String? = nil,
        row: Int64? = nil,
        byte: Int64? = nil
    ) -> DataError {
        DataError(.badData, ("message", message), ("table", table), ("row", row), ("byte", byte))
    }
    public static func timeout(message: String, seconds: Int64) -> DataError {
        DataError(.timeout, ("message", message), ("seconds", seconds))
    }
    public static func connectionLost(message: String) -> DataError {
        DataError(.connectionLost, ("message", message))
    }
    public static func tooManyAdapters(message: String, limit: Int64) -> DataError {
        DataError(.tooManyAdapters, ("message", message), ("limit", limit))
    }
    public static func editRefused(
        message: String,
        edit: Int64,
        reason: String,
        table: String,
        field: String? = nil
    ) -> DataError {
        DataError(.editRefused, ("message", message), ("edit", edit), ("reason", reason), ("table", table), ("field", field))
    }
    public static func pendingNotFound(message: String, pending: String) -> DataError {
        DataError(.pendingNotFound, ("message", message), ("pending", pending))
    }
    public static func pendingChanged(message: String, pending: String, revision: Int64? = nil) -> DataError {
        DataError(.pendingChanged, ("message", message), ("pending", pending), ("revision", revision))
    }
    public static func pendingElsewhere(
        message: String,
        pending: String,
        endpoint: String,
        service: String
    ) -> DataError {
        DataError(.pendingElsewhere, ("message", message), ("pending", pending), ("endpoint", endpoint), ("service", service))
    }
    public static func outcomeUnknown(message: String, pending: String, revision: Int64) -> DataError {
        DataError(.outcomeUnknown, ("message", message), ("pending", pending), ("revision", revision))
    }
    public static func pendingFull(message: String, content: String, limit: Int64) -> DataError {
        DataError(.pendingFull, ("message", message), ("content", content), ("limit", limit))
    }
    public static func pendingFailed(message: String, pending: String) -> DataError {
        DataError(.pendingFailed, ("message", message), ("pending", pending))
    }
    public static func failed(message: String) -> DataError {
        DataError(.failed, ("message", message))
    }
}

/// The parameters; nil for an error without the parameter.
extension DataError {
    public var message: String { description }
    public var byte: Int64? { read("byte") }
    public var `class`: String? { read("class") }
    public var column: Int64? { read("column") }
    public var content: String? { read("content") }
    public var edit: Int64? { read("edit") }
    public var endpoint: String? { read("endpoint") }
    public var feature: String? { read("feature") }
    public var field: String? { read("field") }
    public var limit: Int64? { read("limit") }
    public var pending: String? { read("pending") }
    public var reason: String? { read("reason") }
    public var revision: Int64? { read("revision") }
    public var row: Int64? { read("row") }
    public var seconds: Int64? { read("seconds") }
    public var service: String? { read("service") }
    public var table: String? { read("table") }
    public var text: String? { read("text") }
}
