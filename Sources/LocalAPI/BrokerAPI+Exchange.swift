// SPDX-License-Identifier: Apache-2.0

extension BrokerAPI.Exchange {
    /// The words of `step`. The hyphen of one keeps them from being an enum of the interface.
    public enum Step: String, Sendable, CaseIterable {
        case expiry, login, exception, schema, logout
        case wrongPassword = "wrong-password"
    }
}
