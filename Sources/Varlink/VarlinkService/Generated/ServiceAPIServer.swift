// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.varlink.service.varlink. Change that file, then run `make generate`.

import Varlink

/// Carries out the methods of `org.varlink.service`. Its definition describes them.
protocol ServiceAPIServer: VarlinkInterface {
    func getInfo(_ call: TypedCall<ServiceAPI.GetInfoCall>) async throws
    func getInterfaceDescription(_ call: TypedCall<ServiceAPI.GetInterfaceDescriptionCall>) async throws
}

extension ServiceAPIServer {
    var name: String { ServiceAPI.name }

    var description: String { ServiceAPI.definition }

    func call(_ call: VarlinkCall) async throws {
        switch call.method {
        case "GetInfo": try await self.getInfo(try TypedCall(call))
        case "GetInterfaceDescription": try await self.getInterfaceDescription(try TypedCall(call))
        default: throw VarlinkError.methodNotImplemented(call.method)
        }
    }
}
