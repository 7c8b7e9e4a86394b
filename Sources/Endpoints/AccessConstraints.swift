// SPDX-License-Identifier: Apache-2.0

/// The user's limits on the use of an endpoint through adapters and grants.
package struct AccessConstraints: Sendable, Hashable {
    /// Whether calls that may change data are refused.
    package var isReadOnly: Bool
    /// Whether the endpoint can be used through grants only, and not through adapters.
    package var isForGrantsOnly: Bool
    /// Whether a session may be made for a caller that learns its ClientID.
    package var allowsSessionExport: Bool
    /// Whether the user must approve each adapter, grant and session before it is made.
    package var isConfirmed: Bool
    /// Whether a login may be sent to a process of this machine even if the kernel does not report its owner.
    package var acceptsUnknownOwner: Bool

    /// Constraints with these values. By default every use is allowed without approval, except session export and an
    /// unknown owner.
    package init(
        isReadOnly: Bool = false,
        isForGrantsOnly: Bool = false,
        allowsSessionExport: Bool = false,
        isConfirmed: Bool = false,
        acceptsUnknownOwner: Bool = false
    ) {
        self.isReadOnly = isReadOnly
        self.isForGrantsOnly = isForGrantsOnly
        self.allowsSessionExport = allowsSessionExport
        self.isConfirmed = isConfirmed
        self.acceptsUnknownOwner = acceptsUnknownOwner
    }
}
