// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// The answer to a request that finds out a feature.
package enum ProbeAnswer: Sendable {
    /// The server answered with an exception. Its text does not matter.
    case refused
    /// A table.
    case rows(TableHead, [[DataValue]])
}

/// Finds out by reading one table what a server can do. Nothing that can write is sent.
///
/// Reading rows does not show `schema`, `sqlText`, `commands` and `events`.
package struct FeatureProbe {
    /// The rows that are read to find one with a date and one with NULL.
    package static let sampleRows: Int32 = 100

    private let table: String
    private let wanted: Set<ServerFeature>
    private let ask: (TableRequest) async throws -> ProbeAnswer
    /// The answers so far.
    private var features: ServerFeatures

    /// - Parameters:
    ///   - known: features that are not asked for.
    ///   - wanted: the features that are asked for, unless they are known.
    ///   - ask: sends a request. An error other than an exception of the server ends the probe.
    package init(
        _ table: String,
        known: ServerFeatures = ServerFeatures(),
        wanted: Set<ServerFeature> = Set(ServerFeature.allCases),
        ask: @escaping (TableRequest) async throws -> ProbeAnswer
    ) {
        self.table = table
        self.wanted = wanted
        self.ask = ask
        features = known
    }

    /// Returns all features that are known now.
    ///
    /// - Throws: `ReadError.missingTable` if the server refuses a plain request for the table; the errors of `ask`.
    package mutating func run() async throws -> ServerFeatures {
        guard case .rows(let head, _) = try await ask(TableRequest(table, rowLimit: 0)) else {
            throw ReadError.missingTable(table)
        }
        guard let field = head.columns.first?.name else { return features }
        let statement = "SELECT \(Self.quoted(field)) FROM \(Self.quoted(table))"
        try await find(.daSQL, .sql(statement))
        try await find(.select, .dynamic(DynamicSelection(fields: [field])))
        guard let key = Self.key(of: head) else { return features }
        let column = head.columns[key]
        let constant: WhereExpression =
            switch column.type {
            case .string, .fixedChar: .constant("x", type: "String")
            case .wideString, .fixedWideChar: .constant("x", type: "WideString")
            default: .constant("0", type: "Integer")
            }
        let condition = WhereExpression.binary(.equal, .field(column.name), constant)
        try await find(.where, .dynamic(DynamicSelection(condition: condition)))
        guard features.has(.where), isOpen(.dates) || isOpen(.nullTests),
            case .rows(let head, let rows) = try await ask(sample(of: head.columns)),
            let key = head.columns.firstIndex(where: { $0.name == column.name })
        else { return features }
        let canary = Canary(table, head.columns, rows, key: key, ask)
        if isOpen(.dates) { set(.dates, try await canary.provesDates()) }
        if isOpen(.nullTests) { set(.nullTests, try await canary.provesNullTests()) }
        return features
    }

    /// Requests some rows, without the large fields if the server selects fields.
    private func sample(of columns: [DataColumn]) -> TableRequest {
        let small = columns.filter { column in
            switch column.type {
            case .blob, .memo, .wideMemo, .xml, .cursor, .unknown: false
            default: true
            }
        }
        let isPlain = !features.has(.select) || small.count == columns.count
        let selection = DynamicSelection(fields: small.map(\.name))
        return TableRequest(table, isPlain ? .all() : .dynamic(selection), rowLimit: Self.sampleRows)
    }

    private mutating func find(_ feature: ServerFeature, _ selection: TableRequest.Selection) async throws {
        guard isOpen(feature) else { return }
        let isTaken = if case .rows = try await ask(TableRequest(table, selection, rowLimit: 0)) { true } else { false }
        set(feature, isTaken)
    }

    private func isOpen(_ feature: ServerFeature) -> Bool { wanted.contains(feature) && features[feature] == nil }

    private mutating func set(_ feature: ServerFeature, _ answer: Bool?) {
        if let answer { features[feature] = FeatureFinding(answer, .probed) }
    }

    /// Returns the column that identifies rows: the first one of the primary key that can be compared, otherwise the
    /// first one of the table.
    private static func key(of head: TableHead) -> Int? {
        let usable = head.columns.indices.filter { index in
            switch head.columns[index].type {
            case .autoInc, .integer, .largeInt, .largeAutoInc, .byte, .shortInt, .word, .smallInt, .cardinal,
                .string, .wideString, .fixedChar, .fixedWideChar:
                true
            default: false
            }
        }
        let fields = head.schema?.fields ?? []
        return usable.first { $0 < fields.count && fields[$0].isInPrimaryKey } ?? usable.first
    }

    /// Returns a name in double quotes, as DA SQL takes it.
    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

/// Asks for a known row with its value, then with a wrong one.
private struct Canary {
    private static let day: Int64 = 86_400

    private let table: String
    private let columns: [DataColumn]
    private let rows: [[DataValue]]
    private let key: Int
    private let ask: (TableRequest) async throws -> ProbeAnswer

    init(
        _ table: String,
        _ columns: [DataColumn],
        _ rows: [[DataValue]],
        key: Int,
        _ ask: @escaping (TableRequest) async throws -> ProbeAnswer
    ) {
        self.table = table
        self.columns = columns
        self.rows = rows
        self.key = key
        self.ask = ask
    }

    /// - Returns: nil if no row has a date.
    func provesDates() async throws -> Bool? {
        for row in rows {
            for (index, value) in row.enumerated() {
                guard case .dateTime(let days) = value, columns[index].type == .dateTime, days >= 0,
                    let identity = identity(of: row)
                else { continue }
                let date = PredicateDate(days: days)
                func test(_ date: PredicateDate) -> Expression {
                    .and([identity, .comparison(columns[index].name, .equal, .value(.date(date)))])
                }
                guard try await finds(row, test(date)) == true else { return false }
                for wrong in [date.moved(seconds: 400 * Self.day), date.moved(seconds: -Self.day)] where wrong != date {
                    guard try await finds(row, test(wrong)) == false else { return false }
                }
                return true
            }
        }
        return nil
    }

    /// - Returns: nil if no column has both NULL and values.
    func provesNullTests() async throws -> Bool? {
        for (index, column) in columns.enumerated() where index != key {
            guard let empty = rows.first(where: { $0[index].isNull && identity(of: $0) != nil }),
                let filled = rows.first(where: { !$0[index].isNull && identity(of: $0) != nil })
            else { continue }
            for (row, isNull) in [(empty, true), (filled, false)] {
                guard let identity = identity(of: row) else { return nil }
                let test = Expression.isNull(column.name)
                guard try await finds(row, .and([identity, test])) == isNull,
                    try await finds(row, .and([identity, .not(test)])) == !isNull
                else { return false }
            }
            return true
        }
        return nil
    }

    /// Returns a predicate that a row satisfies, and usually no other one.
    private func identity(of row: [DataValue]) -> Expression? {
        switch row[key] {
        case .integer: break
        case .text(let text) where text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) && !text.isEmpty: break
        default: return nil
        }
        return PredicateValue(row[key]).map { .comparison(columns[key].name, .equal, .value($0)) }
    }

    /// Whether the server finds a row by a condition; nil if it refuses.
    private func finds(_ row: [DataValue], _ predicate: Expression) async throws -> Bool? {
        let plan = try PredicatePlan(
            predicate,
            fields: columns,
            capabilities: [.where, .dates, .nullTests]
        )
        guard let condition = plan.sent, plan.unsent.isEmpty else { return nil }
        let request = TableRequest(table, .dynamic(DynamicSelection(condition: condition)), rowLimit: 10)
        guard case .rows(_, let found) = try await ask(request) else { return nil }
        return found.contains { key < $0.count && $0[key] == row[key] }
    }
}
