// SPDX-License-Identifier: Apache-2.0

import Remoting

/// The reason why a login failed, and the consequence for the next attempt.
struct LoginFailure: Error {
    let reason: any Error
    let outcome: SessionState.LoginOutcome

    /// A failure before any byte of the password was sent.
    init(beforeSending reason: any Error) {
        self.reason = (reason as? RemotingError).map { BrokerError($0) } ?? reason
        outcome = .notSent
    }

    /// A failure after the message with the password was passed to the channel.
    init(_ error: any Error) {
        switch error {
        case let error as RemotingError:
            reason = BrokerError(error)
            outcome =
                switch error {
                // The password was not sent, because there was no connection to the pinned server. Retrying is safe.
                case .unreachable, .overloaded, .closed, .tlsIdentity, .tlsUntrusted: .notSent
                default: .failed
                }
        case let error as BrokerError:
            reason = error
            outcome =
                switch error {
                case .loginRejected: .refused(error)
                case .identityConflict, .ownerUnknown, .plaintextNotAllowed, .unreachable: .notSent
                default: .failed
                }
        default:
            reason = error
            outcome = .failed
        }
    }
}
