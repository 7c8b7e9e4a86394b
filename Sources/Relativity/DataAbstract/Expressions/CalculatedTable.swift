// SPDX-License-Identifier: Apache-2.0

/// A view of a table's rows with extra fields: a `TableView` that fits the columns of the tables.
///
/// The extra values are separate from the row, so that they never become part of a delta.
///
/// ```swift
/// let details = try await adapter.table(TableRequest("OrderDetails"))
/// let total = CalculatedField("Total", try Expression(parsing: "Amount * Price"))
/// let table = try CalculatedTable(TableView("OrderDetails", calculated: [total]), columns: details.columns)
/// try table.forEachRow(of: details.rows) { print($0[0]) }
/// ```
public struct CalculatedTable: Sendable {
    /// The columns of the extra fields: lookups, calculated fields.
    public let extraColumns: [DataColumn]
    /// The columns of the rows.
    public let columns: [DataColumn]
    /// In order of dependency.
    private let steps: [ExpressionNode]
    /// For each extra column, the index of its step.
    private let order: [Int]
    private let plans: [MatchPlan]
    private let layout: RowLayout
    private var indexes: [MatchIndex]

    /// Checks a view.
    ///
    /// - Parameters:
    ///   - columns: those of the rows.
    ///   - tables: the columns of other tables, by table name.
    /// - Throws: any case of `TableViewError`.
    public init(
        _ view: TableView,
        columns: [DataColumn],
        tables: [String: [DataColumn]] = [:]
    ) throws(TableViewError) {
        let fields = view.lookups.map(ExtraField.lookup) + view.calculated.map(ExtraField.calculated)
        let sorted = try ExtraField.sorted(fields, columns)
        let scope = ExpressionScope(
            table: view.table,
            columns: columns,
            tables: tables,
            references: view.references
        )
        var compiler = ExpressionCompiler(scope)
        let codePage = DataRows.codePage(of: columns)
        var steps: [ExpressionNode] = []
        for index in sorted {
            let (node, type): (ExpressionNode, DataType)
            switch fields[index] {
            case .lookup(let field): (node, type) = try compiler.lookup(field)
            case .calculated(let field):
                do throws(ExpressionError) {
                    (node, type) = try compiler.compile(field.expression, as: field.type)
                } catch {
                    throw .expression(field: field.name, error)
                }
            }
            steps.append(node)
            compiler.add(DataColumn(fields[index].name, type, codePage: codePage))
        }
        let order = fields.indices.map { field in sorted.firstIndex(of: field) ?? field }
        let made = Array(compiler.scope.columns.dropFirst(columns.count))
        self.columns = columns
        self.steps = steps
        self.order = order
        extraColumns = order.map { made[$0] }
        plans = compiler.plans
        indexes = compiler.plans.map { MatchIndex(fixed: $0) }
        var used: Set<Int> = []
        for step in steps { step.collectColumns(&used) }
        layout = RowLayout(columns, used: used.filter { $0 < columns.count })
    }

    /// The other tables that the fields read.
    public var tables: Set<String> { Set(plans.filter { $0.fixedRows == nil }.map(\.table)) }

    /// Reads tables. Until then they are taken as empty. A table can be read again after it was changed.
    ///
    /// - Parameters:
    ///   - tables: any tables, by name. The others stay as they are.
    ///   - maximumBytes: the limit of the values that are kept of all tables together, approximately.
    /// - Throws: `ExpressionError.unknownTable` if a table has other columns than in the initializer;
    ///   `GrowthError.matches`, `texts`, `steps`; `CancellationError`.
    public mutating func load(
        _ tables: [String: SourceTable],
        maximumBytes: Int = .max
    ) throws {
        var budget = MatchBudget(maximumBytes)
        for (index, plan) in plans.enumerated() where plan.fixedRows == nil {
            guard let table = tables[plan.table] else { continue }
            indexes[index] = try MatchIndex(plan, checking: table, &budget)
        }
    }

    /// Computes the extra values of a row, in the order of `extraColumns`.
    ///
    /// - Parameter values: one for each of `columns`, of the column's type.
    /// - Throws: `GrowthError.texts`, `steps`; `TableError.valueCount`, `unfit`, `tooLong`.
    public func extraValues(_ values: [DataValue]) throws -> [DataValue] {
        var rows = DataRows(columns)
        try rows.append(values, columns)
        var result: [DataValue] = []
        try forEachRow(of: rows) { result = $0 }
        return result
    }

    /// Computes the extra values of each row, in order.
    ///
    /// - Parameters:
    ///   - indices: the rows; nil for all.
    ///   - body: receives the extra values of a row, in the order of `extraColumns`.
    /// - Throws: `texts`, `steps`.
    /// - Precondition: the rows have columns of the types of `columns`.
    public func forEachRow(
        of rows: DataRows,
        indices: [Int]? = nil,
        _ body: ([DataValue]) -> Void
    ) throws(GrowthError) {
        precondition(rows.types == layout.types, "columns of other types")
        try rows.forEachCellRow(layout, indices) { row throws(GrowthError) in
            body(try compute(row))
            return true
        }
    }

    /// Returns the first rows with their extra values, as many as fit into a batch.
    ///
    /// - Parameters:
    ///   - indices: the rows, ascending; not empty.
    ///   - rowLimit: the maximum bytes of a row as encoded.
    /// - Returns: rows with the columns of the table and `extraColumns`; one at least.
    /// - Throws: `GrowthError.row`, `texts`, `steps`; `TableError.unfit`, `tooLong`.
    /// - Precondition: the rows have columns of the types of `columns`.
    package func batch(of rows: DataRows, _ indices: ArraySlice<Int>, rowLimit: Int) throws -> DataRows {
        precondition(rows.types == layout.types, "columns of other types")
        var builder = DataRowsBuilder(columns + extraColumns)
        var left = indices
        let end = ContinuousClock.now + Self.turn
        try rows.forEachCellRow(layout, Array(indices)) { row in
            let values = try compute(row)
            guard let index = left.popFirst() else { return false }
            try builder.append(rows, index, adding: values, limit: rowLimit)
            return builder.byteCount < TableLimits.batch && (builder.count % 16 != 0 || ContinuousClock.now < end)
        }
        return builder.take()
    }

    /// The time after which a batch ends, although more rows would fit.
    private static let turn = Duration.milliseconds(10)

    /// - Throws: `texts`, `steps`.
    private func compute(_ row: CellRow) throws(GrowthError) -> [DataValue] {
        var evaluation = ExpressionEvaluation(row, indexes)
        var values: [DataValue] = []
        values.reserveCapacity(steps.count)
        for step in steps {
            let value = evaluation.value(step)
            if let overflow = evaluation.overflow { throw overflow }
            evaluation.row.append(value)
            values.append(value)
        }
        return order.map { values[$0] }
    }
}

extension MatchIndex {
    init(_ plan: MatchPlan, checking table: SourceTable, _ budget: inout MatchBudget) throws {
        guard table.columns == plan.columns else {
            throw ExpressionError.unknownTable(UnknownName(plan.table, among: []), column: 1)
        }
        try self.init(plan, table, &budget)
    }

    /// The index of a fixed list, or of a table that was not read yet. A list has no expression that could reach a bound.
    init(fixed plan: MatchPlan) {
        var budget = MatchBudget()
        self = plan.fixedRows.flatMap { try? MatchIndex(plan, $0, &budget) } ?? MatchIndex(plan)
    }
}
