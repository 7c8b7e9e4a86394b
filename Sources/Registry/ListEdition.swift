// SPDX-License-Identifier: Apache-2.0

/// Tells one state of the list from another: while it stays the same, so does every endpoint.
package struct ListEdition: Sendable, Hashable {
    /// Changes that were told.
    package let revision: UInt64
    /// Changes of the state, told or not.
    let changes: UInt64
}
