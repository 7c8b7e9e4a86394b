// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import LocalAPI

extension CredentialsAPI.Anchor {
    /// Also what `relativityd --verify-vault --json` prints.
    package init(_ status: AnchorStatus) {
        self.init(
            verdict: Verdict(status.verdict),
            found: status.verdict.suspectedGeneration.map { Int64(clamping: $0) },
            known: status.known.map { Int64(clamping: $0) },
            places: status.places.map { "\($0)" },
            notes: status.notes
        )
    }
}

extension CredentialsAPI.Anchor.Verdict {
    fileprivate init(_ verdict: AnchorVerdict) {
        self =
            switch verdict {
            case .unanchored: .unanchored
            case .current: .current
            case .newer: .newer
            case .rollbackSuspected: .rollbackSuspected
            case .forkSuspected: .forkSuspected
            }
    }
}
