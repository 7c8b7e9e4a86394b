// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Adapters.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Adapters`. Its definition describes them.
protocol AdaptersAPIServer: VarlinkInterface {
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
