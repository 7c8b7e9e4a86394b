// SPDX-License-Identifier: Apache-2.0

/// Whether a vault could be made, or get a slot, with a key provider here and now.
package struct KeyProposal: Sendable, Hashable {
    package let kind: KeyProviderKind
    /// Why not; nil if its probe passed.
    package let obstacle: CredentialError?

    /// What to propose of all that was tried: the first that works in the order of preference.
    package static func best(of proposals: [KeyProposal]) -> KeyProviderKind? {
        KeyProviderKind.proposals.first { kind in proposals.contains { $0.kind == kind && $0.obstacle == nil } }
    }
}
