// SPDX-License-Identifier: Apache-2.0

import Credentials
import VarlinkService

/// An interface whose calls are told in the audit log with the process that made them.
struct Audited: VarlinkInterface {
    let interface: any VarlinkInterface

    var name: String { interface.name }
    var description: String { interface.description }

    func call(_ call: VarlinkCall) async throws {
        try await AuditPeer.$caller.withValue(call.peer.pid) {
            try await interface.call(call)
        }
    }
}
