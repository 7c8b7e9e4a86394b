// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Glibc
import LocalAPI
import VarlinkService

/// An interface whose calls are allowed first, and are told in the audit log with the process that made them.
struct Guarded: VarlinkInterface {
    let interface: any VarlinkInterface
    let store: CredentialStore

    var name: String { interface.name }
    var description: String { interface.description }

    func isSafe(_ method: String) -> Bool { MethodScopes.scope(of: "\(name).\(method)") == .look }

    func call(_ call: VarlinkCall) async throws {
        try await DaemonError.translating {
            try await allow(call)
            try await AuditPeer.$caller.withValue(call.peer.pid) { try await interface.call(call) }
        }
    }

    private func allow(_ call: VarlinkCall) async throws {
        guard let scope = MethodScopes.scope(of: "\(name).\(call.method)") else {
            throw ManagerAPI.NotPermittedError(message: "no scope is declared for this method")
        }
        let access = Access(
            peer: call.peer.uid,
            user: geteuid(),
            route: .main,
            action: .method(scope),
            vault: await store.state
        )
        switch access.refusal {
        case nil: break
        // The store knows why.
        case .vaultNotOpen: try await store.checkUnlocked()
        case let refusal?: throw BrokerError.refused(refusal)
        }
    }
}
