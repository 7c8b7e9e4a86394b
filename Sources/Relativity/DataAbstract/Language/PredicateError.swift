// SPDX-License-Identifier: Apache-2.0

/// The reason why a predicate cannot be parsed, or does not apply to the fields of a table.
public enum PredicateError: Error, Hashable, Sendable {
    /// The text violates the language at `column`, counted in Unicode scalars from 1.
    case syntax(reason: String, column: Int)
    /// The text exceeds `ExpressionLimits` at `column`.
    case tooMany(_ what: String, limit: Int, column: Int)
    /// The table has no such field.
    case unknownField(UnknownName)
    /// The value on the right is a word that is no field of the table: probably a text without quotation marks.
    case unquoted(String)
    /// Several fields differ from the name only in case.
    case ambiguousField(String)
    /// A field of this type cannot be compared in this way.
    case mismatch(field: String, type: DataType, reason: String)
    /// The code page of the field does not have a character of the literal, so that no row can be compared with it.
    case unmappable(field: String, UnmappableCharacter)
    /// The text of a cell is not known, so that it cannot be compared.
    case unreadable(UnreadableCell)

    /// The same error, if it is of a cell, for a row with this name.
    package func inRow(_ row: UnreadableCell.Row) -> PredicateError {
        guard case .unreadable(var cell) = self else { return self }
        cell.row = row
        return .unreadable(cell)
    }

    /// The column of the text, counted in Unicode scalars from 1, if the text cannot be parsed.
    public var column: Int? {
        switch self {
        case .syntax(_, let column), .tooMany(_, _, let column): column
        case .unknownField, .unquoted, .ambiguousField, .mismatch, .unmappable, .unreadable: nil
        }
    }
}

extension PredicateError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .syntax(let reason, let column): "invalid predicate at column \(column): \(reason)"
        case .tooMany(let what, let limit, let column):
            "invalid predicate at column \(column): more than \(limit) \(what)"
        case .unknownField(let field): "no field '\(field.name)'\(field.advice())"
        case .unquoted(let name): "no field '\(name)'; a text needs quotation marks: '\(name)'"
        case .ambiguousField(let name): "several fields differ from '\(name)' only in case"
        case .mismatch(let field, let type, let reason): "field '\(field)' (\(type.shortName)) \(reason)"
        case .unmappable(let field, let character): "field '\(field)': \(character)"
        case .unreadable(let cell): "\(cell)"
        }
    }
}
