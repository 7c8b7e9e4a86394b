// SPDX-License-Identifier: Apache-2.0

/// The key of the user name in a login string (docs/wire.md, "Login string").
package enum UserKey: String, Sendable, Hashable, CaseIterable {
    /// `User Id`, the usual key.
    case userID = "User Id"
    /// `User`.
    case user = "User"
}
