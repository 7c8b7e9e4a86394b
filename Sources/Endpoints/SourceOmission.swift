// SPDX-License-Identifier: Apache-2.0

/// What a source leaves out of what it was told.
package enum SourceOmission: Sendable, Hashable {
    /// Addresses outside of the networks that are allowed for the source.
    case addressesRefused(count: Int)
    /// Listed instances beyond the limit, twice, or of another domain.
    case instancesIgnored(count: Int)
    /// Listed instances without a usable SRV record.
    case instancesUnplaced(count: Int)
    /// Entries of a list that are not valid: the name of one, made printable, and what is wrong with it.
    case entriesIgnored(count: Int, example: String, reason: String)
    /// Entries of a list without an address in the networks that are allowed for it.
    case entriesUnplaced(count: Int)
    /// The list has more entries than `limit`; the rest is not read.
    case listCut(limit: Int)
    /// The list is at its limit, and entries were left out so often.
    case listFull(limit: Int, dropped: Int)
}
