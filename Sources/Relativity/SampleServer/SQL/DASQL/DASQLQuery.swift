// SPDX-License-Identifier: Apache-2.0

/// A parsed DA SQL statement. Names are not resolved yet.
struct DASQLQuery: Hashable, Sendable {
    enum Item: Hashable, Sendable {
        /// All fields, of one source if it is named.
        case all(of: String?)
        case expression(DASQLExpression, name: String?)
    }

    struct Source: Hashable, Sendable {
        enum Join: Hashable, Sendable {
            case inner
            case left
            case cross
        }

        let table: String
        /// The name of the table if there is no other.
        let alias: String
        let join: Join
        let condition: DASQLExpression?
    }

    struct Order: Hashable, Sendable {
        let expression: DASQLExpression
        let isDescending: Bool
    }

    var isDistinct = false
    var top: Int?
    var items: [Item] = []
    var sources: [Source] = []
    var condition: DASQLExpression?
    var groups: [DASQLExpression] = []
    var having: DASQLExpression?
    var orders: [Order] = []
}

/// An expression of DA SQL or of a dynamic where.
indirect enum DASQLExpression: Hashable, Sendable {
    case text(String)
    case number(String)
    /// A value of a dynamic where, with the name of its type without `dat`.
    case typed(String, type: String)
    case boolean(Bool)
    case null
    case parameter(String)
    case field(source: String?, name: String)
    /// The name in upper case; no argument is `*`.
    case function(String, isDistinct: Bool, [DASQLExpression])
    case not(DASQLExpression)
    case minus(DASQLExpression)
    /// The operator in upper case.
    case operation(String, DASQLExpression, DASQLExpression)
    case isNull(DASQLExpression, isNegated: Bool)
    case membership(DASQLExpression, [DASQLExpression], isNegated: Bool)
    case between(DASQLExpression, DASQLExpression, DASQLExpression, isNegated: Bool)

    /// Whether the value takes its form from what it is compared with.
    var isConstant: Bool {
        switch self {
        case .text, .number, .typed, .boolean, .null, .parameter: true
        case .minus(let operand): operand.isConstant
        default: false
        }
    }
}
