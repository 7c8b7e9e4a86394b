// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Adapters.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Adapters`.
protocol AdaptersAPIServer: VarlinkInterface {
    /// Opens an adapter for the caller, as Broker.Open does, and logs in if necessary. Call with "more": the only reply is
    /// sent when the adapter is open, and the adapter stays open as long as the calling program is connected. The errors are
    /// those of Broker.Open. InvalidParameter with the parameter caller means that no process of this user has those values.
    func open(_ call: TypedCall<AdaptersAPI.OpenCall>) async throws
}

extension AdaptersAPIServer {
    var name: String { AdaptersAPI.name }

    var description: String { AdaptersAPI.definition }

    func call(_ call: VarlinkCall) async throws {
        switch call.method {
        case "Open": try await self.open(try TypedCall(call))
        default: throw VarlinkError.methodNotImplemented(call.method)
        }
    }
}
