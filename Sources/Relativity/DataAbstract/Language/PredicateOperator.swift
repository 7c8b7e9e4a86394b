// SPDX-License-Identifier: Apache-2.0

/// A comparison of two operands.
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

    /// Whether the operator holds for operands whose order is -1, 0 or 1. Not for tests of text.
    func isTrue(forOrder order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        case .beginsWith, .endsWith, .contains, .like: false
        }
    }
}
