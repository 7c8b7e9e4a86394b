// SPDX-License-Identifier: Apache-2.0

/// What the helper is asked for.
package enum KeyringVerb: UInt8, Sendable, CaseIterable {
    /// Whether an item can be stored, read back and removed.
    case probe = 1
    /// Keeps the bytes that follow the question, in the place of those of the same item.
    case store = 2
    case lookup = 3
    /// Not an error if there is nothing.
    case delete = 4
}
