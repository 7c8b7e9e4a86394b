// SPDX-License-Identifier: Apache-2.0

/// The parts of a login string.
public enum LoginField: String, Sendable, CaseIterable {
    case user
    case password
    case domain
    case schema

    /// As it stands in the string before `=`.
    var key: String {
        switch self {
        case .user: "User Id"
        case .password: "Password"
        case .domain: "Domain"
        case .schema: "Schema"
        }
    }
}
