// SPDX-License-Identifier: Apache-2.0

/// The reason as a clause, for errors of the daemon and for relctl.
extension AdapterCloseReason: CustomStringConvertible {
    /// The reason as a clause.
    public var description: String {
        switch self {
        case .closed: "the adapter was closed"
        case .holderGone: "its client has disconnected"
        case .expired: "the adapter has expired"
        case .vaultLocked: "the vault was locked, which ends adapters with a login"
        case .loginForgotten: "the adapter's login was changed or removed"
        case .stopping: "the daemon is stopping"
        }
    }
}
