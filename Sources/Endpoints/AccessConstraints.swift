// SPDX-License-Identifier: Apache-2.0

/// How an endpoint may be used through adapters and grants, as the user has set it.
package struct AccessConstraints: Sendable, Hashable {
    /// Calls that may change something are refused.
    package var isReadOnly: Bool
    /// Only grants lead to it, and no adapters.
    package var isForGrantsOnly: Bool
    /// A session may be made for a caller who gets to know its ClientID.
    package var allowsSessionExport: Bool
    /// A person agrees to each adapter, grant and session before it is made.
    package var isConfirmed: Bool
    /// Logins go to a process of this machine although the kernel does not tell whose it is.
    package var acceptsUnknownOwner: Bool

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
