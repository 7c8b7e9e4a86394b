// SPDX-License-Identifier: Apache-2.0

/// Why an adapter has ended.
package enum AdapterEnd: Sendable, Hashable {
    case closed
    case expired
    case vaultLocked
    /// Its login was removed.
    case loginForgotten
    case stopping
}

extension AdapterEnd: CustomStringConvertible {
    package var description: String {
        switch self {
        case .closed: "the adapter was closed"
        case .expired: "the adapter's time was over"
        case .vaultLocked: "the vault was locked, which ends adapters with a login"
        case .loginForgotten: "the adapter's login was removed"
        case .stopping: "the daemon is stopping"
        }
    }
}
