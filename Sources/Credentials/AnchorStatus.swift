// SPDX-License-Identifier: Apache-2.0

/// The state of rollback protection, for status.
package struct AnchorStatus: Sendable, Hashable {
    /// The verdict on the vault file.
    package let verdict: AnchorVerdict
    /// The generation of the newest anchor.
    package let known: UInt64?
    /// The locations that have the newest anchor.
    package let places: [AnchorPlace]
    /// Sentences about anchors that were ignored, and about locations in which none could be stored.
    package let notes: [String]
}
