// SPDX-License-Identifier: Apache-2.0

/// How a login string calls the user (docs/wire.md, "Login string").
package enum UserKey: String, Sendable, Hashable, CaseIterable {
    case userID = "User Id"
    case user = "User"
}
