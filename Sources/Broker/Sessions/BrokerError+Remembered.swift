// SPDX-License-Identifier: Apache-2.0

extension BrokerError {
    /// The error for later callers. For a refused login, it says that the login is not sent again.
    var remembered: BrokerError {
        guard case .loginRejected(let login, let reason) = self else { return self }
        return .loginRejected(login: login, reason: reason + "; that was before, and it is not sent again by itself")
    }
}
