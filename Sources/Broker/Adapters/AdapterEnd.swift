// SPDX-License-Identifier: Apache-2.0

/// The reason why an adapter was closed. The raw value is used in the API.
package enum AdapterEnd: String, Sendable, Hashable, CaseIterable {
    case closed
    /// The process that held the adapter closed its connection or exited.
    case holderGone
    case expired
    case vaultLocked
    /// The adapter's login was changed or removed.
    case loginForgotten
    case stopping
}

extension AdapterEnd: CustomStringConvertible {
    /// A clause that states the reason.
    package var description: String {
        switch self {
        case .closed: "the adapter was closed"
        case .holderGone: "its holder has gone"
        case .expired: "the adapter's time was over"
        case .vaultLocked: "the vault was locked, which ends adapters with a login"
        case .loginForgotten: "the adapter's login was changed or removed"
        case .stopping: "the daemon is stopping"
        }
    }
}
