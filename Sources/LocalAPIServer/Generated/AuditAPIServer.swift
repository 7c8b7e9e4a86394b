// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Audit.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Audit`.
protocol AuditAPIServer: VarlinkInterface {
    /// The newest lines, oldest first: count at most (1 to 1000; 100 without), not before since (seconds since 1970).
    func list(_ call: TypedCall<AuditAPI.ListCall>) async throws

    /// Checks the whole log. Needs an unlocked vault, which has the key.
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
