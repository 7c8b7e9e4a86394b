// SPDX-License-Identifier: Apache-2.0

package import Credentials

extension AuditResult {
    /// The result of a failed login.
    package init(ofLogin error: any Error) {
        switch error as? BrokerError {
        case .loginRejected, .identityConflict, .ownerUnknown, .plaintextNotAllowed: self = .refused
        default: self = .failed
        }
    }
}

extension AuditLog {
    /// Records a login failure if another server answered.
    func noteConflict(_ error: any Error, of login: Login) {
        guard case .identityConflict? = error as? BrokerError else { return }
        note(AuditEntry(.conflictSeen, .refused, of: login))
    }
}
