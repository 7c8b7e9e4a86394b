// SPDX-License-Identifier: Apache-2.0

import Credentials
import Glibc

/// What `relativityd --verify-vault` found out, as far as it came.
struct VaultReport {
    let path: String
    var seen: SeenVault?
    /// What was asked for the key; nil if the form alone was looked at.
    var openedBy: KeyProviderKind?
    var proven: ProvenVault?
    var fault: CredentialError?

    /// What is wrong: a fault of the file, or an anchor that speaks against it.
    var problem: CredentialError? { fault ?? proven?.anchor?.verdict.suspicion }

    var warnings: [String] {
        guard let seen else { return [] }
        var warnings = seen.warnings
        if proven == nil, fault == nil {
            warnings.append("only the form and the digest were checked: this does not show who wrote the file")
        }
        if let anchor = proven?.anchor {
            if anchor.verdict == .unanchored {
                warnings.append("no anchor of it was found: an older file in its place would not be noticed")
            }
            warnings += anchor.notes
        }
        return warnings
    }

    /// The table of relctl(1).
    var exitStatus: Int32 {
        switch problem {
        case nil: EXIT_SUCCESS
        case .rollbackSuspected, .forkSuspected: 4
        case .providerUnavailable: 6
        case .wrongKey: 7
        case .damaged, .notAVault: 8
        case .versionTooNew: 10
        case .invalid: 64
        default: EXIT_FAILURE
        }
    }
}
