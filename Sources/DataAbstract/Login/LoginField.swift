// SPDX-License-Identifier: Apache-2.0

/// The parts of a login.
public enum LoginField: String, Sendable, CaseIterable {
    case user
    case password
    case domain
    case schema
    /// The database connection of a MultiDb login.
    case connection
    /// A key of the login string that is none of the others, or its value.
    case other = "further field"
}
