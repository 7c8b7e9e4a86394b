// SPDX-License-Identifier: Apache-2.0

/// Facts about a vault file that need its key. Every tag in the file was right, also those of all login seals.
package struct ProvenVault: Sendable {
    /// The number of logins.
    package let loginCount: Int
    /// The result of the comparison with the anchors; nil if there was nothing to compare with, because the file is a
    /// copy elsewhere.
    package let anchor: AnchorStatus?
}
