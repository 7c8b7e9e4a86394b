// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints

/// What somebody asks for, with everything that the answer depends on.
package struct Access: Sendable {
    /// The caller's user, as the kernel told; nil where the path or the mode of the socket has decided already.
    package var peer: UInt32?
    /// The daemon's own user.
    package var user: UInt32
    package var route: AccessRoute
    package var action: AccessAction
    package var vault: VaultState
    /// What is asked for uses a login that is in the vault.
    package var needsVault: Bool
    package var constraints: AccessConstraints
    /// A person has just agreed to it.
    package var isAgreed: Bool

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

/// Which way a caller has come.
package enum AccessRoute: Sendable, Hashable {
    /// The daemon's own socket.
    case main
    /// An adapter's address.
    case adapter(sharesSession: Bool)
    /// A grant's socket, and whether its time is over.
    case grant(CallFilter, isOver: Bool)
}

/// What is wanted there.
package enum AccessAction: Sendable, Hashable {
    /// To be let in.
    case connect
    /// A method of the local API, by what it does.
    case method(MethodScope)
    /// A call to a server.
    case call(ToolCall)
    /// A poll for a session's events.
    case poll
}

/// What a method of the local API does, as far as permission goes.
package enum MethodScope: String, Sendable, Hashable, CaseIterable {
    /// Tells what is so.
    case look
    /// Changes the list of servers, makes, opens or closes a vault, ends adapters and grants.
    case manage
    /// Needs an unlocked vault whatever else it is given.
    case vault
    /// Uses a login, or opens an adapter: the endpoint's constraints count.
    case use
    /// Makes a session whose ClientID the caller knows.
    case export
}
