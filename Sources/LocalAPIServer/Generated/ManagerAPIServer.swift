// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Manager.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Manager`.
protocol ManagerAPIServer: VarlinkInterface {
    /// What the daemon is doing. notes are sentences about what is wrong, with the remedy.
    func getStatus(_ call: TypedCall<ManagerAPI.GetStatusCall>) async throws

    /// What this daemon can do beyond its first version, as words that never change their meaning; a client asks for a word
    /// instead of comparing versions. GetInfo of org.varlink.service has the interfaces, and each says what it has.
    /// The capabilities are "http": this socket speaks HTTP too; "metrics": GetMetrics; "watch-since": Registry.Watch goes on
    /// from a revision; "interactive": Broker.Open has a person asked; "confirm": an endpoint may be set so that a person is
    /// asked before each use. version is for people.
    func getCapabilities(_ call: TypedCall<ManagerAPI.GetCapabilitiesCall>) async throws

    /// metrics are figures for a monitoring system, in the text format of Prometheus, version 0.0.4. GET /metrics over HTTP
    /// has the same.
    func getMetrics(_ call: TypedCall<ManagerAPI.GetMetricsCall>) async throws
}

extension ManagerAPIServer {
    var name: String { ManagerAPI.name }

    var description: String { ManagerAPI.definition }

    func call(_ call: VarlinkCall) async throws {
        switch call.method {
        case "GetStatus": try await self.getStatus(try TypedCall(call))
        case "GetCapabilities": try await self.getCapabilities(try TypedCall(call))
        case "GetMetrics": try await self.getMetrics(try TypedCall(call))
        default: throw VarlinkError.methodNotImplemented(call.method)
        }
    }
}
