// SPDX-License-Identifier: Apache-2.0

import Remoting

/// Why a login failed, and what that means for the next.
struct LoginFailure: Error {
    let reason: any Error
    let outcome: SessionState.LoginOutcome

    /// It ended before a byte of the password could go out.
    init(beforeSending reason: any Error) {
        self.reason = (reason as? RemotingError).map { BrokerError($0) } ?? reason
        outcome = .notSent
    }

    /// The message with the password was on its way.
    init(_ error: any Error) {
        switch error {
        case let error as RemotingError:
            reason = BrokerError(error)
            outcome =
                switch error {
                // A server that is down or another gets no password: asking again costs nothing.
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
