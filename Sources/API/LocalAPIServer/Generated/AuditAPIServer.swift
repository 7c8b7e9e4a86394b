// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Audit.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Audit`. Its definition describes them.
protocol AuditAPIServer: VarlinkInterface {
    func list(_ call: TypedCall<AuditAPI.ListCall>) async throws
    func verify(_ call: TypedCall<AuditAPI.VerifyCall>) async throws
}

extension AuditAPIServer {
    var name: String { AuditAPI.name }

    var description: String { AuditAPI.definition }

    func call(_ call: VarlinkCall) async throws {
        switch call.method {
        case "List": try await self.list(try TypedCall(call))
        case "Verify": try await self.verify(try TypedCall(call))
        default: throw VarlinkError.methodNotImplemented(call.method)
        }
    }
}
