// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Glibc
import LocalAPI
import VarlinkService

/// Wraps an interface: authorises each call first, and records the calling process with what the call writes to the
/// audit log.
struct Guarded: VarlinkInterface {
    let interface: any VarlinkInterface
    /// The socket that the interface is on.
    let route: AccessRoute
    let store: CredentialStore

    var name: String { interface.name }
    var description: String { interface.description }

    func isSafe(_ method: String) -> Bool { MethodScopes.scope(of: "\(name).\(method)") == .look }

    func call(_ call: VarlinkCall) async throws {
        try await DaemonError.translating {
            try await allow(call)
            try await AuditPeer.$caller.withValue(CallingProcess(pid: call.peer.pid)) { try await interface.call(call) }
        }
    }

    private func allow(_ call: VarlinkCall) async throws {
        guard let scope = MethodScopes.scope(of: "\(name).\(call.method)") else {
            throw DaemonError.notPermitted(message: "no scope is declared for this method")
        }
        let access = Access(
            peer: call.peer.uid,
            user: geteuid(),
            route: route,
            action: .method(scope),
            vault: await store.state
        )
        switch access.refusal {
        case nil: break
        // The store throws the reason.
        case .vaultNotOpen: try await store.checkUnlocked()
        case let refusal?: throw BrokerError.refused(refusal)
        }
    }
}

/// The scopes of the methods of the local API. The compiler requires a case for each method.
enum MethodScopes {
    /// The scope of a method.
    ///
    /// - Parameter method: the name with its interface.
    /// - Returns: nil for an unknown method, which is refused.
    static func scope(of method: String) -> MethodScope? {
        if let method = ManagerAPI.Method(rawValue: method) { return scope(of: method) }
        if let method = RegistryAPI.Method(rawValue: method) { return scope(of: method) }
        if let method = CredentialsAPI.Method(rawValue: method) { return scope(of: method) }
        if let method = BrokerAPI.Method(rawValue: method) { return scope(of: method) }
        if let method = AuditAPI.Method(rawValue: method) { return scope(of: method) }
        if let method = AdaptersAPI.Method(rawValue: method) { return scope(of: method) }
        return nil
    }

    private static func scope(of method: ManagerAPI.Method) -> MethodScope {
        switch method {
        case .getStatus, .getCapabilities, .getMetrics, .getConfiguration: .look
        }
    }

    private static func scope(of method: RegistryAPI.Method) -> MethodScope {
        switch method {
        case .list, .get, .watch, .export: .look
        // They connect to the server.
        case .getIdentity, .probe: .manage
        case .add, .import, .remove, .set: .manage
        }
    }

    private static func scope(of method: CredentialsAPI.Method) -> MethodScope {
        switch method {
        case .getStatus: .look
        // It runs the providers, which may store a value to test them.
        case .listProviders: .manage
        case .`init`, .unlock, .lock, .accept, .upgrade, .backup, .restore: .manage
        case .addSlot, .removeSlot, .rewrapSlot, .labelSlot, .changePassphrase, .rotateKey, .export, .import, .listPins,
            .listAddresses:
            .vault
        // Configured logins can be listed without a vault. For the others the store throws the reason.
        case .listLogins: .look
        case .addLogin, .editLogin, .removeLogin: .manage
        // The test logs in and out, and returns neither a session nor a reply of the server.
        case .testLogin: .manage
        case .pinEndpoint, .repinEndpoint, .forgetPin, .addAlternate, .removeAlternate: .manage
        }
    }

    private static func scope(of method: BrokerAPI.Method) -> MethodScope {
        switch method {
        case .list, .watch, .listGrants, .choose: .look
        case .open, .capture: .use
        // It always answers an error.
        case .openSession: .manage
        // Permitted also for a server with grants only. Each call of the grant is checked separately.
        case .addGrant: .manage
        case .close, .revokeGrant: .manage
        }
    }

    private static func scope(of method: AdaptersAPI.Method) -> MethodScope {
        switch method {
        case .open: .use
        }
    }

    private static func scope(of method: AuditAPI.Method) -> MethodScope {
        switch method {
        case .list: .look
        case .verify: .vault
        }
    }
}
