// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Data.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Data`.
protocol DataAPIServer: VarlinkInterface {
    /// Opens the adapter of the connection for a server and a login, as any other call for them does first. So a program finds
    /// out at its beginning whether it can use the server.
    func open(_ call: TypedCall<DataAPI.OpenCall>) async throws

    /// Returns the names of the tables that the schema of the server has.
    func listTables(_ call: TypedCall<DataAPI.ListTablesCall>) async throws

    /// Returns the tables of the schema with their fields. If table is given, only the one with that name.
    func getSchema(_ call: TypedCall<DataAPI.GetSchemaCall>) async throws

    /// Reads the rows of a table. Call with "more". The first reply has fields, each later one has rows, and the last one has
    /// count. A reply is made when the caller has read the earlier ones, so a slow caller slows the server down.
    ///
    /// A row is an array with one JSON value for each field, although this language has only the word object for it. NULL is
    /// null. Boolean is true or false. Integers, Float, SingleFloat, Currency and Decimal are numbers with all their digits;
    /// with numbersAsText, LargeInt, LargeAutoInc, LargeUInt, Currency and Decimal are texts. Text is a text. DateTime is a
    /// text such as 2026-01-31T08:00:00 or 2026-01-31T08:00:00.123, without a zone. Guid is a text without braces. Blob is
    /// base64. NaN and infinity end the call with BadData.
    ///
    /// Call with "upgrade" instead to receive the rows as an Apache Arrow IPC stream. The first reply is empty. The stream follows
    /// it on the connection: after its end marker comes one more reply, which is the last one with count or an error, and the
    /// service closes the connection. If the read fails, the stream ends with ff ff ff ff fe ff ff ff instead of the marker, which
    /// readers of Arrow refuse, and the error follows. An error before the stream is the first reply.
    func read(_ call: TypedCall<DataAPI.ReadCall>) async throws

    /// Reads all rows of several tables with one request, which servers answer in one transaction. Call with "more". For each
    /// table there is a reply with table and fields, and then replies with its rows, as of Read. The last reply has count.
    func readTables(_ call: TypedCall<DataAPI.ReadTablesCall>) async throws

    /// Runs a query in DA SQL, and returns its rows as Read does. Call with "more". If the server takes no DA SQL, the tables
    /// that the statement names are read, and the statement runs here, in SQLite. notes then has the step sql. With "upgrade"
    /// the rows are sent as by Read.
    func query(_ call: TypedCall<DataAPI.QueryCall>) async throws

    /// Counts the rows of a table.
    func count(_ call: TypedCall<DataAPI.CountCall>) async throws

    /// Reads a table at intervals, and returns the rows that differ from the reading before, found by their keys. Call with
    /// "more". The first reply has fields and comes after the first reading, whose rows are not sent. Each later one has a
    /// state, or a change and its rows. The call ends when the caller closes the connection, or with an error: a server that
    /// cannot be reached for the first reading, a lost connection to the daemon, a locked vault, two rows with the same key, or
    /// other columns than before.
    func watch(_ call: TypedCall<DataAPI.WatchCall>) async throws

    /// Returns the commands that the schema of the server has.
    func listCommands(_ call: TypedCall<DataAPI.ListCommandsCall>) async throws

    /// Runs a command. It may change data. If the connection is closed before the reply, it is unknown whether it ran.
    func runCommand(_ call: TypedCall<DataAPI.RunCommandCall>) async throws

    /// Calls a method of a service. It may change data. If the connection is closed before the reply, it is unknown whether it
    /// ran. With HTTP, /call/org.relativityd.Data.Call/SERVICE/METHOD names the service and the method in the path.
    ///
    /// Boolean is true or false. Integer, Int64 and Double are numbers, and Int64 may also be a text. Currency and Decimal are
    /// texts, and so is DateTime, as in Read, and Guid, with braces. Binary is base64. An enum is the name of its value. A struct
    /// is an object with its fields; its member __type is the name of its class, and may be absent in a parameter. Binary,
    /// structs and arrays may be null, but not a struct in a parameter. NaN and infinity are null.
    func call(_ call: TypedCall<DataAPI.CallCall>) async throws

    /// Edits tables. Without pending, the changes are sent in one call of UpdateData, in the order of their tables, and are not
    /// kept if that fails. With pending, they are added to this set, and nothing is sent before Apply. Rows to change are read
    /// completely. Either all edits are done or, if one is refused, none.
    ///
    /// A set is made by its first edit. Later ones name the revision that the caller has seen. If the set has another one, the
    /// call is refused (PendingChanged), so that two callers do not overwrite each other.
    func edit(_ call: TypedCall<DataAPI.EditCall>) async throws

    /// Sends the changes of a pending set. Rows to update or delete are read again before, and those that others have changed
    /// are conflicts, which are not sent. A set without further changes is removed. If no reply comes, the outcome is unknown:
    /// the set then takes only CheckPending, RetryPending, SettlePending and DropPending.
    func apply(_ call: TypedCall<DataAPI.ApplyCall>) async throws

    /// Returns the kept tables, which relctl briefcase keep and refresh download.
    func listKept(_ call: TypedCall<DataAPI.ListKeptCall>) async throws

    /// Reads rows of a kept table, with its pending changes. Needs neither the server nor a login. Call with "more", or with
    /// "upgrade" for Arrow. The replies are those of Read; the last one has the time of the download.
    func readKept(_ call: TypedCall<DataAPI.ReadKeptCall>) async throws

    /// Returns the pending sets.
    func listPending(_ call: TypedCall<DataAPI.ListPendingCall>) async throws

    /// Returns a pending set and its changes.
    func getPending(_ call: TypedCall<DataAPI.GetPendingCall>) async throws

    /// Reads the rows that show what the server did with the changes of unknown outcome in the set pending. Changes nothing.
    func checkPending(_ call: TypedCall<DataAPI.CheckPendingCall>) async throws

    /// Makes all changes of unknown outcome pending again. The next Apply sends them, and if the server did make them, an
    /// insert is made twice. revision is the one that the caller has seen; the reply has the new one.
    func retryPending(_ call: TypedCall<DataAPI.RetryPendingCall>) async throws

    /// Regards changes of unknown outcome as made by the server.
    func settlePending(_ call: TypedCall<DataAPI.SettlePendingCall>) async throws

    /// Drops changes of a pending set. A new row is dropped only with the changes that refer to it, otherwise the call fails
    /// with InvalidParameter.
    func dropPending(_ call: TypedCall<DataAPI.DropPendingCall>) async throws
}

extension DataAPIServer {
    var name: String { DataAPI.name }

    var description: String { DataAPI.definition }

    func call(_ call: VarlinkCall) async throws {
        switch call.method {
        case "Open": try await self.open(try TypedCall(call))
        case "ListTables": try await self.listTables(try TypedCall(call))
        case "GetSchema": try await self.getSchema(try TypedCall(call))
        case "Read": try await self.read(try TypedCall(call))
        case "ReadTables": try await self.readTables(try TypedCall(call))
        case "Query": try await self.query(try TypedCall(call))
        case "Count": try await self.count(try TypedCall(call))
        case "Watch": try await self.watch(try TypedCall(call))
        case "ListCommands": try await self.listCommands(try TypedCall(call))
        case "RunCommand": try await self.runCommand(try TypedCall(call))
        case "Call": try await self.call(try TypedCall(call))
        case "Edit": try await self.edit(try TypedCall(call))
        case "Apply": try await self.apply(try TypedCall(call))
        case "ListKept": try await self.listKept(try TypedCall(call))
        case "ReadKept": try await self.readKept(try TypedCall(call))
        case "ListPending": try await self.listPending(try TypedCall(call))
        case "GetPending": try await self.getPending(try TypedCall(call))
        case "CheckPending": try await self.checkPending(try TypedCall(call))
        case "RetryPending": try await self.retryPending(try TypedCall(call))
        case "SettlePending": try await self.settlePending(try TypedCall(call))
        case "DropPending": try await self.dropPending(try TypedCall(call))
        default: throw VarlinkError.methodNotImplemented(call.method)
        }
    }
}
