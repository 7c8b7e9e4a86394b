// SPDX-License-Identifier: Apache-2.0

/// The purpose of a call in a report on a server. One word has a hyphen, so the interface cannot declare them as an enum.
public enum ExchangeStep: String, Sendable, CaseIterable {
    /// A call with a ClientID that the server does not know.
    case expiry
    case login
    /// A call of a method that no service has.
    case exception
    case schema
    case logout
    case wrongPassword = "wrong-password"
}
