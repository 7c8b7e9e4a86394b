// SPDX-License-Identifier: Apache-2.0

/// What status tells of the protection against an older file.
package struct AnchorStatus: Sendable, Hashable {
    package let verdict: AnchorVerdict
    /// The generation of the newest anchor.
    package let known: UInt64?
    /// Where it stands now.
    package let places: [AnchorPlace]
    /// What was ignored, and where none could be kept; sentences.
    package let notes: [String]
}
