// SPDX-License-Identifier: Apache-2.0

extension ExpressionCompiler {
    /// Plans an aggregate as an item of an index: rows match by equal values, so that no table is read for each row.
    mutating func aggregate(
        _ aggregate: AggregateExpression,
        _ expression: Expression
    ) throws(ExpressionError) -> Typed {
        let matched = try scope.matchedTable(aggregate.table, at: expression.column)
        var argument: Typed?
        if let text = aggregate.argument {
            let typed = try check(text, matched)
            guard Self.applies(aggregate.function, typed.type) else {
                throw mismatch("'\(aggregate.function.rawValue)' does not apply to \(typed.type.name)", text)
            }
            argument = typed
        }
        let condition =
            if let condition = aggregate.condition { condition } else {
                try scope.condition(from: matched, at: expression.column)
            }
        var pairs: [(matched: Expression, row: Expression)] = []
        var filters: [ExpressionNode] = []
        for part in condition.conjuncts {
            if let pair = Self.pair(part) {
                pairs.append(pair)
            } else if !part.reads.row {
                filters.append(try self.condition(part, matched))
            } else {
                let reason = "expected '\(matched.name).Field = …', or a condition on '\(matched.name)' only"
                throw mismatch(reason, part)
            }
        }
        let (index, keys) = try plan(matched, pairs)
        let type = argument?.type ?? .integer
        let (function, result): (MatchItem.Function, ExpressionType) =
            switch aggregate.function {
            case .count: (.count, .integer)
            case .sum: (.sum(type), type)
            case .avg: (.average(type), type == .float ? .float : .decimal)
            case .min: (.min, type)
            case .max: (.max, type)
            }
        let filter = filters.isEmpty ? nil : ExpressionNode.and(filters)
        let item = add(MatchItem(function: function, argument: argument?.node, filter: filter), to: index)
        return Typed(.match(index: index, item: item, keys: keys), result)
    }

    mutating func add(_ item: MatchItem, to index: Int) -> Int {
        plans[index].items.append(item)
        return plans[index].items.count - 1
    }

    private static func applies(_ function: AggregateFunction, _ type: ExpressionType) -> Bool {
        switch function {
        case .count: true
        case .sum, .avg: type.isNumber
        case .min, .max: type != .bytes && type != .null
        }
    }

    /// Returns the two sides of `Table.Field = Field`; nil for another condition.
    private static func pair(_ part: Expression) -> (matched: Expression, row: Expression)? {
        guard case .comparison(.equal, let left, let right, []) = part.node else { return nil }
        let (leftReads, rightReads) = (left.reads, right.reads)
        if leftReads == (false, true), rightReads == (true, false) { return (left, right) }
        if leftReads == (true, false), rightReads == (false, true) { return (right, left) }
        return nil
    }

    /// Finds or plans the index of a table by some values.
    ///
    /// - Returns: the index, and the values of the row to look for.
    mutating func plan(
        _ matched: MatchedTable,
        _ pairs: [(matched: Expression, row: Expression)]
    ) throws(ExpressionError) -> (index: Int, keys: [ExpressionNode]) {
        var keyNodes: [ExpressionNode] = []
        var rowNodes: [ExpressionNode] = []
        for pair in pairs {
            let (key, row) = (try check(pair.matched, matched), try check(pair.row, nil))
            guard key.type != .float, row.type != .float, let (left, right) = Self.comparable(key, row) else {
                throw mismatch("rows cannot match by \(key.type.name) and \(row.type.name)", pair.matched)
            }
            keyNodes.append(left.node)
            rowNodes.append(right.node)
        }
        let keys = pairs.map(\.matched)
        // A Guid is looked up in another form than a text.
        let isGuid = rowNodes.map(\.isComparedGuid)
        let known = plans.firstIndex {
            $0.table == matched.name && $0.keys == keys && $0.keyNodes.map(\.isComparedGuid) == isGuid
        }
        if let known { return (known, rowNodes) }
        plans.append(MatchPlan(table: matched.name, columns: matched.columns, keys: keys, keyNodes: keyNodes))
        return (plans.count - 1, rowNodes)
    }
}

extension ExpressionNode {
    fileprivate var isComparedGuid: Bool {
        if case .comparedGuid = self { true } else { false }
    }
}
