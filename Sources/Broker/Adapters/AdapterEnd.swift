// SPDX-License-Identifier: Apache-2.0

/// Why an adapter has ended. The raw value stands in the API.
package enum AdapterEnd: String, Sendable, Hashable, CaseIterable {
    case closed
    /// Who held it closed the connection, or ended.
    case holderGone
    case expired
    case vaultLocked
    /// Its login was changed or removed.
    case loginForgotten
    case stopping
}

extension AdapterEnd: CustomStringConvertible {
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
