// SPDX-License-Identifier: Apache-2.0

/// Who keeps a login.
package enum LoginOrigin: String, Sendable, Hashable {
    /// The user, in the vault.
    case vault
    /// The administrator of the machine, in a file of the credentials directory; read-only, and needs no vault.
    case configured
}
