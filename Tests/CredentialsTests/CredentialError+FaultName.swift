// SPDX-License-Identifier: Apache-2.0

@testable import Credentials

extension CredentialError {
    /// The name of the fault in docs/vault-format.md, "Faults"; nil for other errors.
    var faultName: String? {
        switch self {
        case .notAVault: "not-a-vault"
        case .versionTooNew: "version"
        case .wrongKey: "wrong-key"
        case .providerUnavailable: "no-slot"
        case .damaged(.size): "size"
        case .damaged(.headerLength): "header-length"
        case .damaged(.headerDigest): "header-digest"
        case .damaged(.header): "header"
        case .damaged(.slot): "slot"
        case .damaged(.slotKey): "slot-key"
        case .damaged(.headerTag): "header-tag"
        case .damaged(.payload): "payload"
        case .damaged(.record): "record"
        case .damaged(.entry): "entry"
        default: nil
        }
    }
}
