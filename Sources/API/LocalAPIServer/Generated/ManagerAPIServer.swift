// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Manager.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Manager`.
protocol ManagerAPIServer: VarlinkInterface {
    /// Returns the state of the daemon.
    func getStatus(_ call: TypedCall<ManagerAPI.GetStatusCall>) async throws

    /// Returns the capabilities that this daemon has in addition to its first version. A client looks for a value instead of
    /// comparing versions.
    func getCapabilities(_ call: TypedCall<ManagerAPI.GetCapabilitiesCall>) async throws

    /// Returns figures for a monitoring system, as GET /metrics does. metrics is in the text format of Prometheus, version
    /// 0.0.4.
    func getMetrics(_ call: TypedCall<ManagerAPI.GetMetricsCall>) async throws

    /// Returns the configuration, which the daemon read when it started.
    func getConfiguration(_ call: TypedCall<ManagerAPI.GetConfigurationCall>) async throws
}

extension ManagerAPIServer {
    var name: String { ManagerAPI.name }

    var description: String { ManagerAPI.definition }

    func call(_ call: VarlinkCall) async throws {
        switch call.method {
        case "GetStatus": try await self.getStatus(try TypedCall(call))
        case "GetCapabilities": try await self.getCapabilities(try TypedCall(call))
        case "GetMetrics": try await self.getMetrics(try TypedCall(call))
        case "GetConfiguration": try await self.getConfiguration(try TypedCall(call))
        default: throw VarlinkError.methodNotImplemented(call.method)
        }
    }
}
