// SPDX-License-Identifier: Apache-2.0

/// The reason why an edit is refused. Contains no value of a row.
public enum EditError: Error, Hashable, Sendable {
    /// The table has no such field.
    case unknownField(String)
    /// More than one field has this name if case is ignored.
    case ambiguousField(String)
    /// The table has no such row, or the row is removed, or it is not posted yet.
    case unknownRow(RowID)
    /// The type of the field cannot hold the value.
    case unfit(field: String, type: DataType)
    /// The text has more characters than the field can hold.
    case tooLong(field: String, limit: Int, found: Int)
    /// The field must have a value.
    case required(field: String)
    /// Clients must not change the field, or deltas do not include it.
    case readOnly(field: String)
    /// Another row of the table has the same key.
    case duplicateKey
    /// The table has no key, so a server could not find the row.
    case noKey
    /// The row was inserted, but the server did not report its key. Refresh the table first.
    case keyUnknown(RowID)
    /// The row is not in edit mode.
    case notEditing(RowID)
    /// The rows do not have the columns of the table.
    case otherColumns
    /// The set of changes has no such table.
    case unknownTable(String)
    /// The set of changes has two tables of this name.
    case duplicateTable(String)
    /// The set has changes in a call that has not ended, or whose outcome is unknown.
    case inFlight
}
