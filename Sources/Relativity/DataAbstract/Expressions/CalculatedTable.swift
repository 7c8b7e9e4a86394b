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
    private enum Step: Sendable {
        case node(ExpressionNode)
        case closure([Int], DataType, @Sendable ([DataValue]) -> DataValue)
    }

    /// The columns of the extra fields: lookups, calculated fields, closures.
    public let extraColumns: [DataColumn]
    /// The columns of the rows.
    public let columns: [DataColumn]
    /// In order of dependency.
    private let steps: [Step]
    /// For each extra column, the index of its step.
    private let order: [Int]
    private let plans: [MatchPlan]
    private let reversePlans: [MatchPlan]
    private let layout: RowLayout
    private var indexes: [MatchIndex]
    private let lookups: [String: ReverseLookup]
    private var reverseIndexes: [MatchIndex?]

    /// Checks a view.
    ///
    /// - Parameters:
    ///   - columns: those of the rows.
    ///   - tables: the columns of other tables, by table name.
    ///   - closures: further fields.
    /// - Throws: any case of `TableViewError`.
    public init(
        _ view: TableView,
        columns: [DataColumn],
        tables: [String: [DataColumn]] = [:],
        closures: [ClosureField] = []
    ) throws(TableViewError) {
        let fields =
            view.lookups.map(ExtraField.lookup) + view.calculated.map(ExtraField.calculated)
            + closures.map(ExtraField.closure)
        let sorted = try ExtraField.sorted(fields, columns)
        let scope = ExpressionScope(
            table: view.table,
            columns: columns,
            tables: tables,
            references: view.references
        )
        var compiler = ExpressionCompiler(scope)
        var reverse = ExpressionCompiler(ExpressionScope(columns: columns, tables: tables))
        let codePage = DataRows.codePage(of: columns)
        var steps: [Step] = []
        var lookups: [String: ReverseLookup] = [:]
        for index in sorted {
            let column: DataColumn
            switch fields[index] {
            case .lookup(let field):
                let (node, type) = try compiler.lookup(field)
                column = DataColumn(field.name, type, codePage: codePage)
                steps.append(.node(node))
                lookups[field.name] = try reverse.reverse(field)
            case .calculated(let field):
                do throws(ExpressionError) {
                    let (node, type) = try compiler.compile(field.expression, as: field.type)
                    column = DataColumn(field.name, type, codePage: codePage)
                    steps.append(.node(node))
                } catch {
                    throw .expression(field: field.name, error)
                }
            case .closure(let field):
                column = DataColumn(field.name, field.type, codePage: codePage)
                steps.append(.closure(try compiler.columns(of: field), field.type, field.body))
            }
            compiler.add(column)
        }
        let order = fields.indices.map { field in sorted.firstIndex(of: field) ?? field }
        let made = Array(compiler.scope.columns.dropFirst(columns.count))
        self.columns = columns
        self.steps = steps
        self.order = order
        self.lookups = lookups
        extraColumns = order.map { made[$0] }
        plans = compiler.plans
        indexes = compiler.plans.map { MatchIndex(fixed: $0) }
        reversePlans = reverse.plans
        reverseIndexes = reverse.plans.map { plan in plan.fixedRows == nil ? nil : MatchIndex(fixed: plan) }
        var used: Set<Int> = []
        for step in steps {
            switch step {
            case .node(let node): node.collectColumns(&used)
            case .closure(let columns, _, _): used.formUnion(columns)
            }
        }
        layout = RowLayout(columns, used: used.filter { $0 < columns.count })
    }

    /// The other tables that the fields read.
    public var tables: Set<String> { Set(plans.filter { $0.fixedRows == nil }.map(\.table)) }

    /// Reads tables. Until then they are taken as empty. A table can be read again after it was changed.
    ///
    /// - Parameters:
    ///   - tables: any tables, by name. The others stay as they are.
    ///   - forSetting: whether `sourceValues` is used.
    ///   - maximumBytes: the limit of the values that are kept of all tables together, approximately.
    /// - Throws: `ExpressionError.unknownTable` if a table has other columns than in the initializer;
    ///   `GrowthError.matches`, `texts`, `steps`; `CancellationError`.
    public mutating func load(
        _ tables: [String: SourceTable],
        forSetting: Bool = false,
        maximumBytes: Int = .max
    ) throws {
        var budget = MatchBudget(maximumBytes)
        for (index, plan) in plans.enumerated() where plan.fixedRows == nil {
            guard let table = tables[plan.table] else { continue }
            indexes[index] = try MatchIndex(plan, checking: table, &budget)
        }
        for (index, plan) in reversePlans.enumerated() where forSetting && plan.fixedRows == nil {
            guard let table = tables[plan.table] else { continue }
            reverseIndexes[index] = try MatchIndex(plan, checking: table, &budget)
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
            let value =
                switch step {
                case .node(let node): evaluation.value(node)
                case .closure(let columns, let type, let body):
                    ValueConversion.fit(body(columns.map { evaluation.row.value($0) }), to: type)
                }
            if let overflow = evaluation.overflow { throw overflow }
            evaluation.row.append(value)
            values.append(value)
        }
        return order.map { values[$0] }
    }

    /// Returns the values of the source fields that give a lookup field a value: the way to set it.
    ///
    /// - Throws: any case of `LookupError`.
    public func sourceValues(
        of field: String,
        for value: DataValue
    ) throws(LookupError) -> [(field: String, value: DataValue)] {
        guard let lookup = lookups[field] else { throw .notALookup(field) }
        guard let plan = lookup.plan, let count = lookup.count else { throw .readOnly(field) }
        if value.isNull { return lookup.sources.map { ($0.name, .null) } }
        guard let index = reverseIndexes[plan] else { throw .notLoaded(field) }
        var key = MatchKey()
        key.append(lookup.isGuid ? ValueConversion.comparedGuid(value) : value)
        guard case .integer(let found) = index.value(count, key), found > 0 else { throw .unknownValue(field: field) }
        guard found == 1 else { throw .ambiguousValue(field: field, count: Int(found)) }
        var result: [(field: String, value: DataValue)] = []
        for (source, item) in zip(lookup.sources, lookup.items) {
            let value = ValueConversion.fit(index.value(item, key), to: source.type)
            guard !value.isNull else { throw .unknownValue(field: field) }
            result.append((source.name, value))
        }
        return result
    }
}

/// The search for the keys of a lookup field's value.
struct ReverseLookup: Sendable {
    /// The fields of the row that are set.
    var sources: [DataColumn] = []
    /// The index by value; nil if the field cannot be set.
    var plan: Int?
    /// The item with the number of rows.
    var count: Int?
    /// The item of each key.
    var items: [Int] = []
    var isGuid = false
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
