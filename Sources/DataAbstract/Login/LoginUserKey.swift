// SPDX-License-Identifier: Apache-2.0

/// The two spellings of the user's key that servers are known to take.
public enum LoginUserKey: String, Sendable, CaseIterable {
    /// As the vendor writes it.
    case userID = "User Id"
    case user = "User"
}
