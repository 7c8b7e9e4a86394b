// SPDX-License-Identifier: Apache-2.0

/// A kind of content of which a vault holds a limited amount.
package enum VaultContent: Sendable, Hashable, CustomStringConvertible {
    case logins
    case pins
    case slots
    case settings
    case grants
    case bytes

    package var description: String {
        switch self {
        case .logins: "logins"
        case .pins: "pinned endpoints"
        case .slots: "key slots"
        case .settings: "settings"
        case .grants: "grants"
        case .bytes: "bytes"
        }
    }
}
