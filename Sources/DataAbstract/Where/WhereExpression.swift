// SPDX-License-Identifier: Apache-2.0

/// A condition on the rows of a table, or an operand of one (docs/wire.md, "Dynamic where").
public indirect enum WhereExpression: Hashable, Sendable {
    /// A value as text, with the name of its type as in `DataType` but without `dat`; nil is null.
    case constant(String?, type: String)
    /// A column; the vendor's products other than its JavaScript client name the table too.
    case field(String, table: String? = nil)
    case null
    /// A value that the server fills in.
    case macro(String)
    /// - `size` is left out by default.
    case parameter(String, type: String, size: Int? = nil)
    /// What `in` and `notIn` take on their right.
    case list([WhereExpression])
    /// The names of these operations are not documented; the name may also be missing.
    case unary(WhereOperator?, WhereExpression)
    case binary(WhereOperator, WhereExpression, WhereExpression)
    case between(WhereExpression, WhereExpression, WhereExpression)
}
