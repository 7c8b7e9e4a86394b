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

/// What each method of the local API does, as far as permission goes. The compiler asks for a case for each method.
enum MethodScopes {
    /// - Parameter method: with its interface.
    /// - Returns: nil for what is no method of ours, which is refused.
    static func scope(of method: String) -> MethodScope? {
        if let method = ManagerAPI.Method(rawValue: method) { return scope(of: method) }
        if let method = RegistryAPI.Method(rawValue: method) { return scope(of: method) }
        if let method = CredentialsAPI.Method(rawValue: method) { return scope(of: method) }
        if let method = BrokerAPI.Method(rawValue: method) { return scope(of: method) }
        if let method = AuditAPI.Method(rawValue: method) { return scope(of: method) }
        return nil
    }

    private static func scope(of method: ManagerAPI.Method) -> MethodScope {
        switch method {
        case .getStatus, .getCapabilities, .getMetrics: .look
        }
    }

    private static func scope(of method: RegistryAPI.Method) -> MethodScope {
        switch method {
        case .list, .get, .getIdentity, .probe, .watch, .export: .look
        case .add, .import, .remove, .set: .manage
        }
    }

    private static func scope(of method: CredentialsAPI.Method) -> MethodScope {
        switch method {
        case .getStatus, .listProviders: .look
        case .`init`, .unlock, .lock, .accept, .upgrade, .backup, .restore: .manage
        case .addSlot, .removeSlot, .rewrapSlot, .labelSlot, .changePassphrase, .rotateKey, .export, .import, .listPins:
            .vault
        // Those of the administrator are there without a vault; the store says which it needs one for.
        case .listLogins: .look
        case .addLogin, .editLogin, .removeLogin: .manage
        // Logs in and out, and gives nobody a session or an answer of the server's.
        case .testLogin: .manage
        case .pinEndpoint, .repinEndpoint, .forgetPin: .manage
        }
    }

    private static func scope(of method: BrokerAPI.Method) -> MethodScope {
        switch method {
        case .list, .watch, .listGrants: .look
        case .open, .capture: .use
        // Whether the endpoint allows it is known when it has been found.
        case .openSession: .manage
        // The way that a server for grants only leaves open; what the grant's calls may be is looked at with each.
        case .addGrant: .manage
        case .close, .revokeGrant: .manage
        }
    }

    private static func scope(of method: AuditAPI.Method) -> MethodScope {
        switch method {
        case .list: .look
        case .verify: .vault
        }
    }
}
