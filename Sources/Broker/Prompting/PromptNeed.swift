// SPDX-License-Identifier: Apache-2.0

import Credentials

/// What a person can bring where an adapter could not be opened.
enum PromptNeed: Hashable {
    /// What opens the vault.
    case passphrase
    /// User and password, for an endpoint that has no login.
    case login
    /// Another password, for the login of this name.
    case password(login: String)
    /// A yes, which the endpoint wants before it is used.
    case agreement

    /// - Returns: nil for what no answer would help with.
    init?(_ failure: any Error) {
        switch failure {
        case CredentialError.locked: self = .passphrase
        case BrokerError.loginNeeded: self = .login
        case BrokerError.loginRejected(let login, _): self = .password(login: login)
        case BrokerError.refused(.notAgreed): self = .agreement
        default: return nil
        }
    }
}
