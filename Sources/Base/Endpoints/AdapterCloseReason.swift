// SPDX-License-Identifier: Apache-2.0

/// The reason why an adapter was closed. The raw value is used in the API (`Broker.Watch`).
package enum AdapterCloseReason: String, Sendable, Hashable, CaseIterable {
    case closed
    /// The process that held the adapter closed its connection or exited.
    case holderGone
    /// Its lifetime or its idle timeout is over.
    case expired
    /// The vault was locked, which closes adapters with a login.
    case vaultLocked
    /// The adapter's login was changed or removed.
    case loginForgotten
    /// The daemon is stopping.
    case stopping
}

/// The reason as a clause, for errors of the daemon and for relctl.
extension AdapterCloseReason: CustomStringConvertible {
    /// The reason as a clause.
    package var description: String {
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
