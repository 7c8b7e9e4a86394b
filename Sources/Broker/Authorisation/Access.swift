// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints

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
}

/// The permission that a method of the local API needs.
package enum MethodScope: String, Sendable, Hashable, CaseIterable {
    /// Reads state and changes nothing.
    case look
    /// Changes the list of servers, makes, opens or closes a vault, or closes adapters and grants.
    case manage
    /// Needs an unlocked vault, in addition to any other permission.
    case vault
    /// Uses a login or opens an adapter: the endpoint's constraints apply.
    case use
    /// Opens a session whose ClientID the caller knows.
    case export
}
