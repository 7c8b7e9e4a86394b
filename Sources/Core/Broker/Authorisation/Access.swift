// SPDX-License-Identifier: Apache-2.0

import Credentials
package import Endpoints
package import Registry

/// A request for access, with everything that the decision depends on.
package struct Access: Sendable {
    /// The caller's user, as the kernel reports it; nil if the path or the mode of the socket already restricts
    /// access.
    package var peer: UInt32?
    /// The daemon's own user.
    package var user: UInt32
    /// The socket that the request arrived on.
    package var route: AccessRoute
    /// The requested action.
    package var action: AccessAction
    /// The vault's current state.
    package var vault: VaultState
    /// Whether the action uses a login that is stored in the vault.
    package var needsVault: Bool
    /// The endpoint's restrictions.
    package var constraints: AccessConstraints
    /// Whether a call goes to an alternate address that the user has not agreed to have the endpoint's database.
    package var isOtherDatabase = false
    /// Whether the user has just approved the action.
    package var isAgreed: Bool

    /// Combines the parts; by default without a vault, restrictions or approval.
    package init(
        peer: UInt32?,
        user: UInt32,
        route: AccessRoute,
        action: AccessAction,
        vault: VaultState,
        needsVault: Bool = false,
        constraints: AccessConstraints = AccessConstraints(),
        isAgreed: Bool = false
    ) {
        self.peer = peer
        self.user = user
        self.route = route
        self.action = action
        self.vault = vault
        self.needsVault = needsVault
        self.constraints = constraints
        self.isAgreed = isAgreed
    }
}

/// The socket that a request arrived on.
package enum AccessRoute: Sendable, Hashable {
    /// The daemon's own socket.
    case main
    /// The daemon's second socket, which only opens adapters.
    case adapters
    /// An adapter's address.
    case adapter(sharesSession: Bool)
    /// A grant's socket, and whether the grant has expired.
    case grant(CallFilter, isOver: Bool)
}

/// The action that a caller requests.
package enum AccessAction: Sendable, Hashable {
    /// Connect to the socket.
    case connect
    /// Call a method of the local API that has this scope.
    case method(MethodScope)
    /// Call a server.
    case call(ToolCall)
    /// Poll for a session's events.
    case poll
    /// Request the server's description of its services.
    case describe
}

/// The permission that a method of the local API needs.
package enum MethodScope: String, Sendable, Hashable, CaseIterable {
    /// Reads state, changes nothing and connects to nothing.
    case look
    /// Changes the list of servers, makes, opens or closes a vault, tests key providers, connects to a server without a
    /// login, or closes adapters and grants.
    case manage
    /// Needs an unlocked vault, in addition to any other permission.
    case vault
    /// Uses a login or opens an adapter: the endpoint's constraints apply.
    case use
}

extension Access {
    /// The reason to refuse the access; nil if it is permitted. All routes use this one decision.
    package var refusal: AccessRefusal? {
        if let peer, peer != user { return .otherUser }
        if case .grant(_, isOver: true) = route { return .grantIsOver }
        switch action {
        case .connect:
            return nil
        case .method(let scope):
            // The holder of an adapter or a grant may use that socket, and nothing else of the daemon.
            guard route == .main || route == .adapters && scope == .use else { return .wrongSocket }
            return refusal(of: scope) ?? missingAgreement(to: scope)
        case .call(let call):
            return refusal(of: call)
        case .poll:
            guard route == .adapter(sharesSession: false) else {
                return route == .main || route == .adapters ? .wrongSocket : .pollNeedsOwnSession
            }
            if constraints.isForGrantsOnly { return .grantsOnly }
            return closedVault
        case .describe:
            switch route {
            case .main, .adapters: return .wrongSocket
            case .grant: return .descriptionNotGranted
            case .adapter: return constraints.isForGrantsOnly ? .grantsOnly : closedVault
            }
        }
    }

    private var closedVault: AccessRefusal? { needsVault && vault != .unlocked ? .vaultNotOpen : nil }

    /// Checked last, so that the user is not prompted for a call that would be refused anyway.
    private func missingAgreement(to scope: MethodScope) -> AccessRefusal? {
        guard constraints.isConfirmed, !isAgreed else { return nil }
        return scope == .look ? nil : .notAgreed
    }

    private func refusal(of scope: MethodScope) -> AccessRefusal? {
        switch scope {
        case .look, .manage: nil
        case .vault: vault == .unlocked ? nil : .vaultNotOpen
        case .use: constraints.isForGrantsOnly ? .grantsOnly : closedVault
        }
    }

    private func refusal(of call: ToolCall) -> AccessRefusal? {
        switch route {
        case .main, .adapters: return .wrongSocket
        case .adapter:
            if constraints.isForGrantsOnly { return .grantsOnly }
        case .grant(let filter, _):
            // The daemon answers logins and logouts itself.
            guard call.isLogin || filter.allows(call) else {
                return .notGranted(service: call.service, method: call.method)
            }
        }
        if constraints.isReadOnly, !call.isLogin, !call.isReading {
            return .readOnly(service: call.service, method: call.method)
        }
        if isOtherDatabase, !call.isLogin, !call.isReading {
            return .otherDatabase(service: call.service, method: call.method)
        }
        return closedVault
    }
}

/// The reason why access is refused.
package enum AccessRefusal: Error, Sendable, Hashable {
    /// The caller is not the daemon's own user.
    case otherUser
    /// The action is not available on this socket.
    case wrongSocket
    /// The vault is not unlocked.
    case vaultNotOpen
    /// The endpoint permits no adapters.
    case grantsOnly
    /// The endpoint permits only calls that read. Both names are untrusted.
    case readOnly(service: String, method: String)
    /// The call may change data, and goes to an address that may have another database. Both names are untrusted.
    case otherDatabase(service: String, method: String)
    /// The grant permits other calls. Both names are untrusted.
    case notGranted(service: String, method: String)
    /// A grant permits calls only.
    case descriptionNotGranted
    /// The grant has expired.
    case grantIsOver
    /// A poll needs an adapter with a separate session.
    case pollNeedsOwnSession
    /// The endpoint requires the user's approval for each adapter or grant, and there is none.
    case notAgreed
}

extension AccessRefusal: CustomStringConvertible {
    /// A part of a sentence. Untrusted text in it is escaped.
    package var description: String {
        switch self {
        case .otherUser: "only the daemon's own user is served"
        case .wrongSocket: "this socket does not give access to it"
        case .vaultNotOpen: "the vault is not unlocked"
        case .grantsOnly: "this server can only be used through grants"
        case .readOnly(let service, let method):
            "this server is read-only, and \(Printable(service)).\(Printable(method)) may change data"
        case .otherDatabase(let service, let method):
            """
            the server is used at an alternate address that is not agreed to have the same database, and \
            \(Printable(service)).\(Printable(method)) may change data
            """
        case .notGranted(let service, let method):
            "the grant does not allow \(Printable(service)).\(Printable(method)) in this form"
        case .descriptionNotGranted: "a grant allows calls, not the description of the server's services"
        case .grantIsOver: "the grant has expired"
        case .pollNeedsOwnSession:
            "polls for events require a separate session, which this adapter does not have"
        case .notAgreed: "use of this server requires the user's approval, which was not given"
        }
    }
}
