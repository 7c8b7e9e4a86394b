// SPDX-License-Identifier: Apache-2.0

internal import DataAbstract
internal import Remoting
internal import SampleServer
internal import TestSupport

/// A random query as DA SQL, as a request of version 5, and as the SQL of the oracle.
struct OracleQuery {
    /// The tables with their aliases; the first has no join.
    private(set) var sources: [(table: OracleTable, alias: String, join: String, condition: OracleCondition?)] = []
    /// The values of `:p0`, `:p1` and so on.
    var parameters: [RemotingVariant] = []
    let collation: ServerCollation
    /// Whether names in the oracle's SQL have the alias before them.
    private let isQualified: Bool

    private init(collation: ServerCollation, isQualified: Bool) {
        self.collation = collation
        self.isQualified = isQualified
    }

    /// Returns a random field that fulfils a condition, with the index of its table.
    func field(_ numbers: inout SeededRandom, _ isFit: (OracleField) -> Bool) -> (Int, OracleField) {
        let all = sources.indices.flatMap { index in sources[index].table.fields.map { (index, $0) } }
        return all.filter { isFit($0.1) }.randomElement(using: &numbers) ?? all[0]
    }

    /// Returns a name in DA SQL: in any case, with or without quotes and table.
    func name(_ field: OracleField, of source: Int, _ numbers: inout SeededRandom) -> String {
        let isUnique = sources.count { $0.table.fields.contains { $0.name == field.name } } == 1
        let name = Self.spelt(field.name, &numbers)
        guard !isUnique || Bool.random(0.5, &numbers) else { return name }
        return Self.spelt(sources[source].alias, &numbers) + "." + name
    }

    private static func spelt(_ name: String, _ numbers: inout SeededRandom) -> String {
        let name = [name, name.uppercased(), name.lowercased()].randomElement(using: &numbers) ?? name
        let needsQuotes = ["GROUP", "ON", "X Y"].contains(name.uppercased())
        let forms = needsQuotes ? 0..<2 : 0..<4
        switch Int.random(in: forms, using: &numbers) {
        case 0: return "[\(name)]"
        case 1: return "\"\(name)\""
        default: return name
        }
    }

    /// The value of a field in the oracle's SQL. A Decimal is a number there.
    func column(_ field: OracleField, of source: Int) -> String {
        var column = OracleSchema.quoted(field.column)
        if isQualified { column = "\(OracleSchema.quoted("s\(source)")).\(column)" }
        return field.kind == .decimal ? "CAST(\(column) AS REAL)" : column
    }

    /// A query in both languages, with the names and the order of its result.
    struct Pair {
        let text: String
        let request: RemotingStruct
        let parameters: [RemotingVariant]
        let sql: String
        /// The expected names of the columns.
        let names: [String]
        /// Whether the order of the rows is determined.
        let isOrdered: Bool
        let collation: ServerCollation
        /// The name of the table of GetData.
        let table: String
        /// Whether `text` is DA SQL for all rows.
        let isStatement: Bool
    }

    private static let collations = ServerCollation.allCases

    /// Returns a request of version 5: fields, where and sorting.
    static func dynamic(_ numbers: inout SeededRandom) throws -> Pair {
        var query = OracleQuery(collation: collations.randomElement(using: &numbers) ?? .binary, isQualified: false)
        let table = OracleSchema.tables.randomElement(using: &numbers) ?? OracleSchema.tables[0]
        query.sources = [(table, table.name, "", nil)]
        var fields = Bool.random(0.3, &numbers) ? [] : table.fields.filter { _ in Bool.random(using: &numbers) }
        fields.shuffle(using: &numbers)
        let selected = fields.isEmpty ? table.fields : fields
        var sql = "SELECT \(selected.map { query.column($0, of: 0) }.joined(separator: ", "))"
        sql += " FROM \(OracleSchema.quoted(table.source))"
        var condition: WhereExpression?
        if Bool.random(0.9, &numbers) {
            let random = OracleCondition.random(&query, depth: 3, &numbers)
            condition = random.expression
            sql += " WHERE \(random.sql(query))"
        }
        // Only the key determines an order.
        let sort = Bool.random(0.5, &numbers) ? table.fields.first : nil
        let isDescending = Bool.random(using: &numbers)
        if let sort { sql += " ORDER BY \(OracleSchema.quoted(sort.column))\(isDescending ? " DESC" : "")" }
        let most = sort != nil && Bool.random(0.3, &numbers) ? Int32.random(in: 0...20, using: &numbers) : -1
        if most >= 0 { sql += " LIMIT \(most)" }
        let sorting = RemotingStruct(
            "ColumnSorting",
            [
                .init("FieldName", .utf8String(sort?.name ?? "")),
                .init("SortDirection", .enumeration(isDescending ? 1 : 0)),
            ]
        )
        let xml = try condition.map { try DynamicWhere.xml($0) } ?? ""
        let members: [NamedValue] = [
            .init("DynamicSelectFieldNames", .array(fields.map { .utf8String($0.name.uppercased()) })),
            .init("Sorting", .structure(sorting)), .init("WhereClause", .xml(xml)),
        ]
        return Pair(
            text: "\(table.name) \(xml)",
            request: query.request("TableRequestInfoV5", most: most, members),
            parameters: query.parameters,
            sql: sql,
            names: selected.map(\.name),
            isOrdered: sort != nil,
            collation: query.collation,
            table: table.name,
            isStatement: false
        )
    }

    private func request(_ className: String, most: Int32, _ members: [NamedValue]) -> RemotingStruct {
        let values = parameters.enumerated().map { index, value in
            RemotingValue.structure(
                RemotingStruct(
                    "DataParameter",
                    [.init("Name", .utf8String("P\(index)")), .init("Value", .variant(value))]
                )
            )
        }
        return RemotingStruct(
            className,
            [
                .init("IncludeSchema", .boolean(false)), .init("MaxRecords", .integer(most)),
                .init("Parameters", .array(values)), .init("UserFilter", .utf8String("")),
            ] + members
        )
    }

    /// Returns a request with DA SQL and without parameters.
    static func request(_ text: String) -> RemotingStruct {
        OracleQuery(collation: .binary, isQualified: true)
            .request("TableRequestInfoV6", most: -1, [.init("Sql", .wideString(text))])
    }

    /// Returns a DA SQL statement.
    static func statement(_ numbers: inout SeededRandom) -> Pair {
        var query = OracleQuery(collation: collations.randomElement(using: &numbers) ?? .binary, isQualified: true)
        let count = [1, 1, 2, 2, 3].randomElement(using: &numbers) ?? 1
        // An alias can be the name of the other table.
        let first = ["a", "Items", "Groups"].randomElement(using: &numbers) ?? "a"
        for (index, alias) in [first, "x y", "o"].prefix(count).enumerated() {
            let table = OracleSchema.tables.randomElement(using: &numbers) ?? OracleSchema.tables[0]
            query.sources.append((table, alias, "", nil))
            guard index > 0 else { continue }
            let join = ["JOIN", "LEFT JOIN", "CROSS JOIN"].randomElement(using: &numbers) ?? "JOIN"
            query.sources[index].join = join
            guard join != "CROSS JOIN" else { continue }
            query.sources[index].condition = .random(&query, depth: 1, &numbers)
        }
        // Names are written when all tables are known, because a later one can have the same field.
        var from = ""
        for source in query.sources {
            switch source.join {
            case "": break
            case "CROSS JOIN": from += Bool.random(using: &numbers) ? ", " : " cross join "
            case "LEFT JOIN": from += Bool.random(using: &numbers) ? " LEFT OUTER JOIN " : " left join "
            default: from += Bool.random(using: &numbers) ? " INNER JOIN " : " JOIN "
            }
            from += spelt(source.table.name, &numbers)
            from += (Bool.random(using: &numbers) ? " AS " : " ") + "[\(source.alias)]"
            if let condition = source.condition { from += " ON " + condition.text(query, &numbers) }
        }
        return Bool.random(0.35, &numbers) ? query.grouped(from, &numbers) : query.plain(from, &numbers)
    }

    private var sqlSources: String {
        var text = ""
        for (index, source) in sources.enumerated() {
            text += index == 0 ? " FROM " : " \(source.join) "
            text += "\(OracleSchema.quoted(source.table.source)) AS \(OracleSchema.quoted("s\(index)"))"
            if let condition = source.condition { text += " ON \(condition.sql(self))" }
        }
        return text
    }

    private mutating func condition(_ probability: Double, _ numbers: inout SeededRandom) -> (String, String) {
        guard Bool.random(probability, &numbers) else { return ("", "") }
        let condition = OracleCondition.random(&self, depth: 3, &numbers)
        return (" WHERE " + condition.text(self, &numbers), " WHERE " + condition.sql(self))
    }

    /// Fields and expressions of rows.
    private consuming func plain(_ from: String, _ numbers: inout SeededRandom) -> Pair {
        var items: [(text: String, sql: String, name: String)] = []
        var names: [String] = []
        let isAll = Bool.random(0.15, &numbers)
        let isDistinct = !isAll && Bool.random(0.2, &numbers)
        for index in 0..<(isAll ? 0 : Int.random(in: 1...4, using: &numbers)) {
            let alias: String? = Bool.random(0.4, &numbers) ? "N\(index)" : nil
            let suffix = alias.map { (Bool.random(using: &numbers) ? " AS " : " ") + $0 } ?? ""
            if Bool.random(0.6, &numbers) {
                let (source, field) = self.field(&numbers) { _ in true }
                let text = name(field, of: source, &numbers) + suffix
                items.append((text, column(field, of: source), alias ?? field.name))
            } else {
                let number = OracleNumber.operation(
                    "+",
                    .random(self, depth: 2, &numbers),
                    .random(self, depth: 1, &numbers)
                )
                items.append((number.text(self, &numbers) + suffix, number.sql(self), alias ?? "Column\(index + 1)"))
            }
        }
        names = items.map(\.name)
        if isAll {
            for (index, source) in sources.enumerated() {
                items += source.table.fields.map { ("", column($0, of: index), $0.name) }
            }
            names = items.map(\.name)
        }
        let (condition, sqlCondition) = condition(0.8, &numbers)
        var orders: [(String, String)] = []
        let isOrdered = !isDistinct && Bool.random(0.5, &numbers)
        if isOrdered {
            for place in items.indices where Bool.random(0.3, &numbers) && !isAll {
                // The number of a column; the oracle repeats its expression.
                let down = Bool.random(using: &numbers) ? " DESC" : ""
                let isText = !items[place].sql.hasPrefix("(") && isText(items[place].sql)
                orders.append(("\(place + 1)\(down)", items[place].sql + (isText ? collation.sql : "") + down))
            }
            for (index, source) in sources.enumerated() {
                let key = source.table.fields[0]
                orders.append((name(key, of: index, &numbers) + " asc", column(key, of: index)))
            }
        }
        let top = isOrdered && Bool.random(0.4, &numbers) ? Int.random(in: 0...15, using: &numbers) : nil
        let most: Int32 = isOrdered && Bool.random(0.2, &numbers) ? .random(in: 0...15, using: &numbers) : -1
        // A comment ends with its line.
        let comment = Bool.random(0.1, &numbers) ? " -- it's [no] condition --\n" : ""
        let list = isAll ? "*" : items.map(\.text).joined(separator: ", ")
        let start = isDistinct ? "SELECT DISTINCT " : "SELECT "
        var text = start + (top.map { "TOP \($0) " } ?? "") + "\(list) FROM \(from)\(comment)\(condition)"
        var sql = start + items.map(\.sql).joined(separator: ", ") + sqlSources + sqlCondition
        if isOrdered {
            text += " ORDER BY \(orders.map(\.0).joined(separator: ", "))"
            sql += " ORDER BY \(orders.map(\.1).joined(separator: ", "))"
        }
        if let limit = [top, most < 0 ? nil : Int(most)].compactMap({ $0 }).min() { sql += " LIMIT \(limit)" }
        return pair(text, sql, names, most: most, isOrdered: isOrdered)
    }

    private func isText(_ column: String) -> Bool {
        sources.indices.contains { index in
            sources[index].table.fields.contains { $0.kind == .text && self.column($0, of: index) == column }
        }
    }

    /// Groups with aggregates.
    private consuming func grouped(_ from: String, _ numbers: inout SeededRandom) -> Pair {
        let keys = (0..<Int.random(in: 0...2, using: &numbers)).map { _ in
            // A group of texts that differ in case has no determined value.
            field(&numbers) { $0.kind != .text || collation == .binary }
        }
        var items = keys.map { key in
            (name(key.1, of: key.0, &numbers), column(key.1, of: key.0), key.1.name)
        }
        for index in 0..<Int.random(in: 1...3, using: &numbers) {
            let (text, sql) = aggregate(&numbers)
            items.append(("\(text) AS A\(index)", sql, "A\(index)"))
        }
        let (condition, sqlCondition) = condition(0.6, &numbers)
        var text = "SELECT \(items.map(\.0).joined(separator: ", ")) FROM \(from)\(condition)"
        var sql = "SELECT \(items.map(\.1).joined(separator: ", "))\(sqlSources)\(sqlCondition)"
        if !keys.isEmpty {
            text += " GROUP BY \(items.prefix(keys.count).map(\.0).joined(separator: ", "))"
            sql += " GROUP BY \(items.prefix(keys.count).map(\.1).joined(separator: ", "))"
            if Bool.random(0.4, &numbers) {
                let (left, sqlLeft) = aggregate(&numbers, isCount: true)
                text += " HAVING \(left) >= 2 OR \(left) = 1"
                sql += " HAVING ((\(sqlLeft) >= 2) OR (\(sqlLeft) = 1))"
            }
        }
        return pair(text, sql, items.map(\.2), most: -1, isOrdered: false)
    }

    private func aggregate(_ numbers: inout SeededRandom, isCount: Bool = false) -> (String, String) {
        if isCount || Bool.random(0.2, &numbers) { return ("COUNT(*)", "count(*)") }
        let word = ["COUNT", "sum", "MIN", "Max", "AVG", "COUNT(DISTINCT"].randomElement(using: &numbers) ?? "SUM"
        let isSum = ["sum", "AVG"].contains(word)
        let (source, field) = field(&numbers) { field in
            isSum ? [.integer, .money, .decimal, .real].contains(field.kind) : true
        }
        let open = word.contains("(") ? " " : "("
        var column = column(field, of: source)
        if word == "AVG", field.kind == .money { column += " / 10000.0" }
        return ("\(word)\(open)\(name(field, of: source, &numbers)))", "\(word)\(open)\(column))")
    }

    private func pair(_ text: String, _ sql: String, _ names: [String], most: Int32, isOrdered: Bool) -> Pair {
        Pair(
            text: text,
            request: request("TableRequestInfoV6", most: most, [.init("Sql", .wideString(text))]),
            parameters: parameters,
            sql: sql,
            names: names,
            isOrdered: isOrdered,
            collation: collation,
            table: "any",
            isStatement: most < 0 && !text.hasPrefix("SELECT TOP")
        )
    }
}

extension ServerCollation {
    /// The part of the oracle's SQL after a text.
    var sql: String {
        switch self {
        case .binary: " COLLATE BINARY"
        case .nocase: " COLLATE NOCASE"
        case .trim: " COLLATE RTRIM"
        }
    }
}
