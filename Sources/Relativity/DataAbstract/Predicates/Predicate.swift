// SPDX-License-Identifier: Apache-2.0

/// A condition on the rows of a table: a syntax tree with what the vendor's samples use of NSPredicate.
///
/// NULL is SQL's, unlike in NSPredicate: a comparison with NULL is never true, nor is its negation. Only `isNull` is
/// true or false for every row. A Float that is not a number compares like NULL, but is not NULL.
public indirect enum Predicate: Hashable, Sendable {
    /// `TRUEPREDICATE` or `FALSEPREDICATE`: true or false for every row.
    case constant(Bool)
    /// `field IS NULL`.
    case isNull(String)
    /// `field operator operand`.
    case comparison(String, PredicateOperator, PredicateOperand, PredicateFolding = [])
    /// `field IN {a, b}`.
    case isIn(String, [PredicateValue], PredicateFolding = [])
    /// `field BETWEEN {low, high}`, both included.
    case between(String, PredicateValue, PredicateValue)
    case not(Predicate)
    /// True if there are no parts. The parser makes two parts or more.
    case and([Predicate])
    /// False if there are no parts. The parser makes two parts or more.
    case or([Predicate])
}

/// A comparison of a field with an operand.
public enum PredicateOperator: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    /// Text is ordered by Unicode scalars, as are all order comparisons.
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    /// Compares with a pattern: `*` is any text, `?` any Unicode scalar. A backslash before `*`, `?` or a backslash
    /// removes its meaning.
    case like = "LIKE"

    /// Whether the operator applies only to text.
    public var isTextTest: Bool {
        switch self {
        case .beginsWith, .endsWith, .contains, .like: true
        default: false
        }
    }

    /// The operator with its operands exchanged; nil for tests of text.
    var flipped: PredicateOperator? {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .beginsWith, .endsWith, .contains, .like: nil
        }
    }

    /// The operator that is true where an order comparison is false; nil for other operators.
    var opposite: PredicateOperator? {
        switch self {
        case .less: .greaterOrEqual
        case .lessOrEqual: .greater
        case .greater: .lessOrEqual
        case .greaterOrEqual: .less
        default: nil
        }
    }

    /// Whether the operator is `<`, `<=`, `>` or `>=`.
    var isOrder: Bool { opposite != nil }
}

/// The right side of a comparison.
public enum PredicateOperand: Hashable, Sendable {
    case field(String)
    case value(PredicateValue)
}

/// A literal.
///
/// Numbers are compared by value with fields of any number type, exactly. The exception is a literal for a Float
/// field, which is rounded to the type of the field first, so that `Price == 0.1` finds the Float 0.1.
public enum PredicateValue: Hashable, Sendable {
    /// A number without an exponent.
    case number(DataDecimal)
    /// A number with an exponent, or with more than 28 decimals or 96 bits, rounded to 64 bits. A number that is not
    /// finite has no text.
    case float(Double)
    case text(String)
    case date(PredicateDate)
    /// In a comparison with a number, true is 1 and false is 0.
    case boolean(Bool)
}

/// Differences of texts that a comparison ignores. Fields that are not text ignore this.
public struct PredicateFolding: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `[c]`: case, by Unicode's full case folding, so that `ß` equals `ss`. Composed and decomposed letters remain
    /// different.
    public static let ignoresCase = Self(rawValue: 1)
    /// `[d]`: diacritics. Letters are decomposed canonically (except Hangul syllables), then nonspacing marks with
    /// Unicode's property Diacritic are removed.
    public static let ignoresDiacritics = Self(rawValue: 2)

    /// Parses `c`, `d`, `cd` or `dc` in either case.
    init?(option: some Sequence<UInt8>) {
        var folding: PredicateFolding = []
        for byte in option {
            let added: PredicateFolding
            switch byte | 0x20 {
            case UInt8(ascii: "c"): added = .ignoresCase
            case UInt8(ascii: "d"): added = .ignoresDiacritics
            default: return nil
            }
            guard folding.insert(added).inserted else { return nil }
        }
        guard !folding.isEmpty else { return nil }
        self = folding
    }

    /// The option after an operator, such as `[cd]`; empty for none.
    var option: String {
        isEmpty ? "" : "[\(contains(.ignoresCase) ? "c" : "")\(contains(.ignoresDiacritics) ? "d" : "")]"
    }
}

/// Limits for parsing a predicate.
public struct PredicateLimits: Hashable, Sendable {
    /// Bytes of the text, as UTF-8.
    public var bytes: Int
    /// Nesting depth of parentheses and NOT.
    public var depth: Int

    /// Creates limits; the defaults are those of `standard`.
    public init(bytes: Int = 1 << 16, depth: Int = 64) {
        self.bytes = bytes
        self.depth = depth
    }

    /// 64 KiB, 64 levels.
    public static let standard = PredicateLimits()
}

/// The reason why a predicate cannot be parsed, or does not apply to the fields of a table.
public enum PredicateError: Error, Hashable, Sendable {
    /// The text violates the language at `column`, counted in Unicode scalars from 1.
    case syntax(reason: String, column: Int)
    /// The text exceeds `PredicateLimits` at `column`.
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

extension DataType {
    /// The name without `dat`, as in a constant of a where clause.
    package var shortName: String { String(name.dropFirst("dat".count)) }
}
