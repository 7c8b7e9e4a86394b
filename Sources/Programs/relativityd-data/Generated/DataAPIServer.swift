// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Data.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Data`. Its definition describes them.
protocol DataAPIServer: VarlinkInterface {
    func open(_ call: TypedCall<DataAPI.OpenCall>) async throws
    func listTables(_ call: TypedCall<DataAPI.ListTablesCall>) async throws
    func getSchema(_ call: TypedCall<DataAPI.GetSchemaCall>) async throws
    func read(_ call: TypedCall<DataAPI.ReadCall>) async throws
    func readTables(_ call: TypedCall<DataAPI.ReadTablesCall>) async throws
    func query(_ call: TypedCall<DataAPI.QueryCall>) async throws
    func count(_ call: TypedCall<DataAPI.CountCall>) async throws
    func watch(_ call: TypedCall<DataAPI.WatchCall>) async throws
    func listCommands(_ call: TypedCall<DataAPI.ListCommandsCall>) async throws
    func runCommand(_ call: TypedCall<DataAPI.RunCommandCall>) async throws
    func call(_ call: TypedCall<DataAPI.CallCall>) async throws
    func edit(_ call: TypedCall<DataAPI.EditCall>) async throws
    func apply(_ call: TypedCall<DataAPI.ApplyCall>) async throws
    func listKept(_ call: TypedCall<DataAPI.ListKeptCall>) async throws
    func readKept(_ call: TypedCall<DataAPI.ReadKeptCall>) async throws
    func listPending(_ call: TypedCall<DataAPI.ListPendingCall>) async throws
    func getPending(_ call: TypedCall<DataAPI.GetPendingCall>) async throws
    func checkPending(_ call: TypedCall<DataAPI.CheckPendingCall>) async throws
    func retryPending(_ call: TypedCall<DataAPI.RetryPendingCall>) async throws
    func settlePending(_ call: TypedCall<DataAPI.SettlePendingCall>) async throws
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
