// SPDX-License-Identifier: Apache-2.0

/// Whether a vault or a key slot could be made with a key provider, here and now.
package struct KeyProposal: Sendable, Hashable {
    /// The kind of provider.
    package let kind: KeyProviderKind
    /// The reason why not; nil if the probe of the provider succeeded.
    package let obstacle: CredentialError?

    /// The provider to propose: the first in the order of preference that works.
    package static func best(of proposals: [KeyProposal]) -> KeyProviderKind? {
        KeyProviderKind.proposals.first { kind in proposals.contains { $0.kind == kind && $0.obstacle == nil } }
    }
}
