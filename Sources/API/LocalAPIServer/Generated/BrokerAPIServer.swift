// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Broker.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Broker`. Its definition describes them.
protocol BrokerAPIServer: VarlinkInterface {
    func open(_ call: TypedCall<BrokerAPI.OpenCall>) async throws
    func choose(_ call: TypedCall<BrokerAPI.ChooseCall>) async throws
    func openSession(_ call: TypedCall<BrokerAPI.OpenSessionCall>) async throws
    func list(_ call: TypedCall<BrokerAPI.ListCall>) async throws
    func close(_ call: TypedCall<BrokerAPI.CloseCall>) async throws
    func watch(_ call: TypedCall<BrokerAPI.WatchCall>) async throws
    func addGrant(_ call: TypedCall<BrokerAPI.AddGrantCall>) async throws
    func listGrants(_ call: TypedCall<BrokerAPI.ListGrantsCall>) async throws
    func revokeGrant(_ call: TypedCall<BrokerAPI.RevokeGrantCall>) async throws
    func capture(_ call: TypedCall<BrokerAPI.CaptureCall>) async throws
}

extension BrokerAPIServer {
    var name: String { BrokerAPI.name }

    var description: String { BrokerAPI.definition }

    func call(_ call: VarlinkCall) async throws {
        switch call.method {
        case "Open": try await self.open(try TypedCall(call))
        case "Choose": try await self.choose(try TypedCall(call))
        case "OpenSession": try await self.openSession(try TypedCall(call))
        case "List": try await self.list(try TypedCall(call))
        case "Close": try await self.close(try TypedCall(call))
        case "Watch": try await self.watch(try TypedCall(call))
        case "AddGrant": try await self.addGrant(try TypedCall(call))
        case "ListGrants": try await self.listGrants(try TypedCall(call))
        case "RevokeGrant": try await self.revokeGrant(try TypedCall(call))
        case "Capture": try await self.capture(try TypedCall(call))
        default: throw VarlinkError.methodNotImplemented(call.method)
        }
    }
}
