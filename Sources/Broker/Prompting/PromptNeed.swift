// SPDX-License-Identifier: Apache-2.0

import Credentials

/// The input that is missing to open an adapter, and that the user can supply.
enum PromptNeed: Hashable {
    /// The passphrase of the vault.
    case passphrase
    /// The user name and password, for an endpoint that has no login.
    case login
    /// A new password for the login of this name.
    case password(login: String)
    /// An approval, which the endpoint requires before each use.
    case agreement

    /// - Returns: nil for a failure that no input can fix.
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
