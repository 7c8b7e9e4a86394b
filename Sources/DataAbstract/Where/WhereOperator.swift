// SPDX-License-Identifier: Apache-2.0

/// The name of an operation in a where clause. Servers may know more than the ones here.
public struct WhereOperator: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let addition = Self(rawValue: "Addition")
    public static let and = Self(rawValue: "And")
    public static let concat = Self(rawValue: "Concat")
    public static let divide = Self(rawValue: "Divide")
    public static let equal = Self(rawValue: "Equal")
    public static let greater = Self(rawValue: "Greater")
    public static let greaterOrEqual = Self(rawValue: "GreaterOrEqual")
    public static let `in` = Self(rawValue: "In")
    public static let less = Self(rawValue: "Less")
    public static let lessOrEqual = Self(rawValue: "LessOrEqual")
    public static let like = Self(rawValue: "Like")
    public static let modulo = Self(rawValue: "Modulo")
    public static let multiply = Self(rawValue: "Multiply")
    public static let notEqual = Self(rawValue: "NotEqual")
    public static let notIn = Self(rawValue: "NotIn")
    public static let notLike = Self(rawValue: "NotLike")
    public static let or = Self(rawValue: "Or")
    public static let subtraction = Self(rawValue: "Subtraction")
    public static let xor = Self(rawValue: "Xor")

    /// The documented operations of two operands. Those of one are not documented.
    public static let binary: [WhereOperator] = [
        .addition, .and, .concat, .divide, .equal, .greater, .greaterOrEqual, .in, .less, .lessOrEqual, .like, .modulo,
        .multiply, .notEqual, .notIn, .notLike, .or, .subtraction, .xor,
    ]
}
