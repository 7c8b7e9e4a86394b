// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Registry.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Registry`. Its definition describes them.
protocol RegistryAPIServer: VarlinkInterface {
    func list(_ call: TypedCall<RegistryAPI.ListCall>) async throws
    func get(_ call: TypedCall<RegistryAPI.GetCall>) async throws
    func getIdentity(_ call: TypedCall<RegistryAPI.GetIdentityCall>) async throws
    func probe(_ call: TypedCall<RegistryAPI.ProbeCall>) async throws
    func watch(_ call: TypedCall<RegistryAPI.WatchCall>) async throws
    func add(_ call: TypedCall<RegistryAPI.AddCall>) async throws
    func `import`(_ call: TypedCall<RegistryAPI.ImportCall>) async throws
    func export(_ call: TypedCall<RegistryAPI.ExportCall>) async throws
    func remove(_ call: TypedCall<RegistryAPI.RemoveCall>) async throws
    func set(_ call: TypedCall<RegistryAPI.SetCall>) async throws
}

extension RegistryAPIServer {
    var name: String { RegistryAPI.name }

    var description: String { RegistryAPI.definition }

    func call(_ call: VarlinkCall) async throws {
        switch call.method {
        case "List": try await self.list(try TypedCall(call))
        case "Get": try await self.get(try TypedCall(call))
        case "GetIdentity": try await self.getIdentity(try TypedCall(call))
        case "Probe": try await self.probe(try TypedCall(call))
        case "Watch": try await self.watch(try TypedCall(call))
        case "Add": try await self.add(try TypedCall(call))
        case "Import": try await self.`import`(try TypedCall(call))
        case "Export": try await self.export(try TypedCall(call))
        case "Remove": try await self.remove(try TypedCall(call))
        case "Set": try await self.set(try TypedCall(call))
        default: throw VarlinkError.methodNotImplemented(call.method)
        }
    }
}
