// SPDX-License-Identifier: Apache-2.0

extension BrokerError {
    /// The same for who comes later: of a refusal, that the server was not asked once more.
    var remembered: BrokerError {
        guard case .loginRejected(let login, let reason) = self else { return self }
        return .loginRejected(login: login, reason: reason + "; that was before, and it is not sent again by itself")
    }
}
