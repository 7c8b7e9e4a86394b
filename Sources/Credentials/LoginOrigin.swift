// SPDX-License-Identifier: Apache-2.0

/// The owner of a login, and the place where it is stored.
package enum LoginOrigin: String, Sendable, Hashable {
    /// The user stored it in the vault.
    case vault
    /// The administrator of the machine configured it in a file of the credentials directory. It is read-only and
    /// needs no vault.
    case configured
}
