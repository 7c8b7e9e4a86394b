// SPDX-License-Identifier: Apache-2.0

package import Credentials

extension AuditResult {
    /// What came of a login that failed.
    package init(ofLogin error: any Error) {
        switch error as? BrokerError {
        case .loginRejected, .identityConflict, .ownerUnknown, .plaintextNotAllowed: self = .refused
        default: self = .failed
        }
    }
}

extension AuditLog {
    /// Notes a failure of an attempt to log in, where it is that the server is another.
    func noteConflict(_ error: any Error, of login: Login) {
        guard case .identityConflict? = error as? BrokerError else { return }
        note(AuditEntry(.conflictSeen, .refused, of: login))
    }
}
