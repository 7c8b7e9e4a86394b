// SPDX-License-Identifier: Apache-2.0

/// The elements of a where clause.
enum WhereElement: String {
    case query
    case `where`
    case constant
    case field
    case null
    case macro
    case parameter
    case list
    case unaryoperation
    case binaryoperation
    case between

    /// What may stand in it.
    func takes(_ child: WhereElement) -> Bool {
        switch self {
        case .query: child == .where
        case .where, .list, .unaryoperation, .binaryoperation, .between: child != .query && child != .where
        case .constant, .field, .null, .macro, .parameter: false
        }
    }

    var hasText: Bool {
        switch self {
        case .constant, .field, .macro, .parameter: true
        default: false
        }
    }
}
