// SPDX-License-Identifier: Apache-2.0

/// An expression prepared for rows with certain columns.
public struct CompiledExpression: Sendable {
    /// The type of the values.
    public let type: DataType
    private let node: ExpressionNode
    private let layout: RowLayout
    private let plans: [MatchPlan]

    /// Checks the types of an expression.
    ///
    /// - Parameter type: the type of the values; nil for the one that follows from the expression.
    /// - Throws: `unknownField`, `ambiguousField`, `unknownTable`, `noReference`, `mismatch`.
    public init(
        _ expression: Expression,
        scope: ExpressionScope,
        type: DataType? = nil
    ) throws(ExpressionError) {
        var compiler = ExpressionCompiler(scope)
        (node, self.type) = try compiler.compile(expression, as: type)
        plans = compiler.plans
        var used: Set<Int> = []
        node.collectColumns(&used)
        layout = RowLayout(scope.columns, used: used)
    }

    /// The tables that are read to compute a value.
    public var tables: Set<String> { Set(plans.map(\.table)) }

    /// Reads the rows of tables, once for each set of keys by which they match.
    ///
    /// - Throws: `ExpressionError.unknownTable` if a table of `tables` is missing, or has other columns than in the
    ///   scope; `GrowthError.texts`, `steps`; `CancellationError`.
    public func indexes(of tables: [String: SourceTable]) throws -> TableIndexes {
        try TableIndexes(plans, tables)
    }

    /// Computes the value for a row of values.
    ///
    /// - Parameters:
    ///   - values: one for each column of the scope, of the column's type.
    ///   - indexes: made by this expression; not needed if `tables` is empty.
    /// - Throws: `texts`, `steps`.
    /// - Precondition: there are as many values as columns, and the indexes are of this expression.
    public func value(_ values: [DataValue], _ indexes: TableIndexes = .none) throws(GrowthError) -> DataValue {
        precondition(values.count == layout.types.count, "as many values as columns")
        precondition(indexes.list.count == plans.count, "indexes of this expression")
        return try value(of: ValueRow(values: values), indexes)
    }

    /// Computes the value for a row.
    ///
    /// - Throws: `texts`, `steps`.
    /// - Precondition: the row has columns of the types of the scope, and the indexes are of this expression.
    public func value(_ row: DataRow, _ indexes: TableIndexes = .none) throws(GrowthError) -> DataValue {
        precondition(row.types == layout.types, "columns of other types")
        precondition(indexes.list.count == plans.count, "indexes of this expression")
        return try row.withCellRow(layout) { row throws(GrowthError) in try value(of: row, indexes) }
    }

    /// Computes the values for rows, in order.
    ///
    /// - Throws: `texts`, `steps`.
    /// - Precondition: the rows have columns of the types of the scope, and the indexes are of this expression.
    public func values(_ rows: DataRows, _ indexes: TableIndexes = .none) throws(GrowthError) -> [DataValue] {
        precondition(rows.types == layout.types, "columns of other types")
        precondition(indexes.list.count == plans.count, "indexes of this expression")
        var values: [DataValue] = []
        values.reserveCapacity(rows.count)
        try rows.forEachCellRow(layout, nil) { row throws(GrowthError) in
            values.append(try value(of: row, indexes))
            return true
        }
        return values
    }

    private func value(of row: some RowValues, _ indexes: TableIndexes) throws(GrowthError) -> DataValue {
        var evaluation = ExpressionEvaluation(row, indexes.list)
        let value = evaluation.value(node)
        if let overflow = evaluation.overflow { throw overflow }
        return value
    }
}

/// The indexes of the tables that aggregates and lookups read.
public struct TableIndexes: Sendable {
    let list: [MatchIndex]

    /// For expressions without aggregates.
    public static let none = TableIndexes([])

    private init(_ list: [MatchIndex]) {
        self.list = list
    }

    init(_ plans: [MatchPlan], _ tables: [String: SourceTable]) throws {
        var list: [MatchIndex] = []
        var budget = MatchBudget()
        for plan in plans {
            guard let table = tables[plan.table] else {
                throw ExpressionError.unknownTable(UnknownName(plan.table, among: []), column: 1)
            }
            list.append(try MatchIndex(plan, checking: table, &budget))
        }
        self.list = list
    }
}
