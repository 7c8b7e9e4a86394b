// SPDX-License-Identifier: Apache-2.0

/// What only a key tells of a vault's file. Every tag in it was right, those of the single logins too.
package struct ProvenVault: Sendable {
    package let loginCount: Int
    /// nil if there was nothing that the file could be held against: a copy somewhere else.
    package let anchor: AnchorStatus?
}
