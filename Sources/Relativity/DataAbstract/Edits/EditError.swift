// SPDX-License-Identifier: Apache-2.0

/// The reason why an edit is refused. Contains no value of a row.
public enum EditError: Error, Hashable, Sendable {
    /// The table has no such field.
    case unknownField(UnknownName)
    /// More than one field has this name if case is ignored.
    case ambiguousField(String)
    /// The table has no such row, or the row is removed, or it is not posted yet.
    case unknownRow(RowID)
    /// The type of the field cannot hold the value.
    case unfit(field: String, type: DataType)
    /// The code page of the field does not have a character of the text.
    case unmappable(field: String, UnmappableCharacter)
    /// The present text of the cell has a byte without a character, so that another one would replace what is not known.
    case unreadable(UnreadableCell)
    /// The text has more characters than the field can hold.
    case tooLong(field: String, limit: Int, found: Int)
    /// The field must have a value.
    case required(field: String)
    /// Clients must not change the field, or deltas do not include it.
    case readOnly(field: String)
    /// A view permits no edits.
    case readOnlyTable
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
    case unknownTable(UnknownName)
    /// The set of changes has two tables of this name.
    case duplicateTable(String)
    /// The set has changes in a call that has not ended, or whose outcome is unknown.
    case inFlight
}

extension EditError: CustomStringConvertible {
    /// A sentence fragment. Names of fields and tables are escaped.
    public var description: String {
        switch self {
        case .unknownField(let field): "no field \(field.name.debugDescription)\(field.advice(\.debugDescription))"
        case .ambiguousField(let field): "several fields differ from \(field.debugDescription) only in case"
        case .unknownRow(let row): "no row \(row.number)"
        case .unfit(let field, let type):
            "no \(type.shortName) in field \(field.debugDescription): expected \(type.expectedForm)"
        case .unmappable(let field, let character): "field \(field.debugDescription): \(character)"
        case .unreadable(let cell): "\(cell)"
        case .tooLong(let field, let limit, let found):
            "\(found) characters in field \(field.debugDescription): the limit is \(limit)"
        case .required(let field): "field \(field.debugDescription) must have a value"
        case .readOnly(let field): "field \(field.debugDescription) cannot be changed"
        case .readOnlyTable: "the table cannot be changed here"
        case .duplicateKey: "another row has the same key"
        case .noKey: "the table has no key"
        case .keyUnknown(let row): "the key of the new row \(row.number) is not known: refresh the table"
        case .notEditing(let row): "row \(row.number) is not in edit mode"
        case .otherColumns: "the rows have other columns than the table"
        case .unknownTable(let table): "no table \(table.name.debugDescription)\(table.advice(\.debugDescription))"
        case .duplicateTable(let table): "table \(table.debugDescription) is in the set already"
        case .inFlight: "changes are in a call that has not ended, or whose outcome is unknown"
        }
    }
}
