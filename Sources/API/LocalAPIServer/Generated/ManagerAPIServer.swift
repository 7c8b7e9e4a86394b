// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Manager.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Manager`. Its definition describes them.
protocol ManagerAPIServer: VarlinkInterface {
    func getStatus(_ call: TypedCall<ManagerAPI.GetStatusCall>) async throws
    func getCapabilities(_ call: TypedCall<ManagerAPI.GetCapabilitiesCall>) async throws
    func getMetrics(_ call: TypedCall<ManagerAPI.GetMetricsCall>) async throws
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
