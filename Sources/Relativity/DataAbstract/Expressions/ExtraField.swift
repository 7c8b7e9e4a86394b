// SPDX-License-Identifier: Apache-2.0

import Platform

/// A field of a view, with the fields that it reads.
enum ExtraField {
    case lookup(LookupField)
    case calculated(CalculatedField)

    var name: String {
        switch self {
        case .lookup(let field): field.name
        case .calculated(let field): field.name
        }
    }

    private var reads: Set<String> {
        switch self {
        case .lookup(let field): Set(field.source)
        case .calculated(let field): Set(field.expression.fieldNames)
        }
    }

    /// Returns the indexes of the fields, each after those that it reads.
    static func sorted(_ fields: [ExtraField], _ columns: [DataColumn]) throws(TableViewError) -> [Int] {
        var names = Set(columns.map { NameKey($0.name) })
        for field in fields {
            guard !field.name.isEmpty, names.insert(NameKey(field.name)).inserted else {
                throw .existingField(field.name)
            }
        }
        let all = columns + fields.map { DataColumn($0.name, .unknown) }
        // A name that is not found is an error when the field is compiled.
        let needs = fields.map { field in
            field.reads.compactMap { try? all.resolve($0).column - columns.count }.filter { $0 >= 0 }.sorted()
        }
        var result: [Int] = []
        var isDone = [Bool](repeating: false, count: fields.count)
        while result.count < fields.count {
            let ready = fields.indices.filter { !isDone[$0] && needs[$0].allSatisfy { isDone[$0] } }
            guard !ready.isEmpty else { throw .cycle(cycle(needs, isDone).map { fields[$0].name }) }
            for index in ready { isDone[index] = true }
            result += ready
        }
        return result
    }

    /// Follows fields that wait for each other until one occurs twice.
    private static func cycle(_ needs: [[Int]], _ isDone: [Bool]) -> [Int] {
        var path: [Int] = []
        var next = isDone.firstIndex(of: false)
        while let index = next {
            if let start = path.firstIndex(of: index) { return Array(path[start...]) }
            path.append(index)
            next = needs[index].first { !isDone[$0] }
        }
        return path
    }
}

extension ExpressionCompiler {
    /// Compiles a lookup field to an item of an index.
    mutating func lookup(_ field: LookupField) throws(TableViewError) -> (node: ExpressionNode, type: DataType) {
        let (matched, keys, result, rows) = try content(of: field)
        do throws(ExpressionError) {
            let pairs = zip(keys, field.source).map {
                (matched: Expression(.matchedField($0)), row: Expression(.field($1)))
            }
            let (index, rowNodes) = try plan(matched, pairs)
            plans[index].fixedRows = rows
            let value = try check(Expression(.matchedField(result)), matched)
            let first = add(MatchItem(function: .first, argument: value.node, filter: nil), to: index)
            let found = ExpressionNode.match(index: index, item: first, keys: rowNodes)
            let type = value.column ?? value.type.dataType
            // The only number that changes its type on the way.
            let node = type == .largeUInt ? ExpressionNode.fit(type, found) : found
            guard let missing = field.missing else { return (node, type) }
            guard value.type == .text else {
                throw .mismatch(reason: "a text for a missing key, but '\(result)' is \(type.shortName)", column: 1)
            }
            let count = add(MatchItem(function: .count, argument: nil, filter: nil), to: index)
            let rowCount = ExpressionNode.match(index: index, item: count, keys: rowNodes)
            let isMissing = ExpressionNode.comparison(.equal, rowCount, .constant(.integer(0)), [])
            return (.call(.if, [isMissing, .constant(.text(missing)), node]), type)
        } catch {
            throw .lookup(field: field.name, error)
        }
    }

    private typealias LookupContent = (table: MatchedTable, keys: [String], result: String, rows: SourceTable?)

    /// Returns the table of a lookup field. A fixed list becomes a table of its own.
    private func content(of field: LookupField) throws(TableViewError) -> LookupContent {
        switch field.content {
        case .table(let name, let keys, let result):
            guard !keys.isEmpty, keys.count == field.source.count else { throw .keyCount(field: field.name) }
            do throws(ExpressionError) {
                return (try scope.matchedTable(name, at: 1), keys, result, nil)
            } catch {
                throw .lookup(field: field.name, error)
            }
        case .list(let entries):
            guard let source = field.source.first, field.source.count == 1 else { throw .keyCount(field: field.name) }
            let found: PredicateField
            do throws(PredicateError) {
                found = try scope.columns.resolve(source)
            } catch {
                throw .lookup(field: field.name, ExpressionError(error, table: nil, column: 1))
            }
            // The text of a key may be no Guid.
            let type = found.type == .guid ? .text : ExpressionType(found.type)
            let columns = [DataColumn("Key", type.dataType), DataColumn("Text", .wideString)]
            var rows = DataRows(columns)
            for entry in entries {
                guard let key = Self.key(entry.key, type),
                    (try? rows.append([key, .text(entry.text)], columns)) != nil
                else { throw .key(field: field.name, entry.key) }
            }
            var table = SourceTable(columns)
            table.append(rows)
            // No table of a server has this name, which begins with a character that no text of a stream contains.
            let matched = MatchedTable(name: "\u{0}\(field.name)", columns: columns)
            return (matched, ["Key"], "Text", table)
        }
    }

    /// Returns a literal as a value of a type; nil if it is none.
    private static func key(_ literal: PredicateValue, _ type: ExpressionType) -> DataValue? {
        let value: DataValue
        switch literal {
        case .number(let number) where type.isNumber: value = .decimal(number)
        case .text(let text) where type.isText || type == .date: value = .text(text)
        case .date(let date) where type == .date: value = .dateTime(days: date.days)
        case .boolean(let flag) where type == .boolean: value = .boolean(flag)
        default: return nil
        }
        let converted = ValueConversion.convert(value, to: type)
        if case .decimal(let number) = value, let kept = ValueConversion.decimal(converted) {
            // A key must not be rounded.
            guard ExactNumber(number).compared(to: ExactNumber(kept)) == 0 else { return nil }
        }
        return converted.isNull ? nil : converted
    }
}
