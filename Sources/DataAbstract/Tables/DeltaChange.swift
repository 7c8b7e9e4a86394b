// SPDX-License-Identifier: Apache-2.0

/// One row that was changed, with its values before and after.
///
/// The vendor's client fills both sides always: for an insert the old values repeat the new ones, and for a delete the new
/// ones are the row as it was last. So servers look at the new values of an insert and the old ones of a delete.
public struct DeltaChange: Sendable {
    public enum Kind: Int32, Sendable, CaseIterable {
        case insert
        case update
        case delete
    }

    /// What became of the change: always `pending` in what a client sends.
    public enum Status: Int32, Sendable, CaseIterable {
        case pending
        case resolved
        case failed
    }

    public let kind: Kind
    /// The row, unique in its table: an answer names it again.
    public let recordID: Int32
    public let status: Status
    /// Why it failed; foreign text.
    public let message: String
    public let old: DataRow
    public let new: DataRow
}
