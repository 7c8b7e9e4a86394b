// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Testing

@Suite("Finding out features")
struct FeatureProbeTests {
    private static let columns = [
        DataColumn("Id", .integer), DataColumn("Day", .dateTime), DataColumn("Note", .wideString),
    ]
    private static let rows: [[DataValue]] = [
        [.integer(7), .null, .null], [.integer(8), .dateTime(days: 43_831.25), .text("x")],
    ]

    /// A server with faults.
    private struct Faults {
        var noSQL = false
        var noSelect = false
        var noWhere = false
        /// A where clause is taken and ignored.
        var ignoresWhere = false
        /// A condition on a date holds for no row.
        var readsNoDates = false
        /// A test for NULL is an exception.
        var refusesNull = false
        /// A test for NULL holds for no row.
        var neverNull = false
        var rows = FeatureProbeTests.rows
    }

    /// Evaluates the few conditions that the probe sends.
    private static func holds(_ condition: WhereExpression, _ row: [DataValue], _ faults: Faults) -> Bool? {
        func days(_ text: String) -> Double? {
            // Days since 1899-12-30 by counting from the date of the row, which is all that the probe compares.
            PredicateDate(text).map { Double($0.milliseconds) / 86_400_000 + 25_569 }
        }
        switch condition {
        case .binary(.and, let left, let right):
            guard let left = holds(left, row, faults), let right = holds(right, row, faults) else { return nil }
            return left && right
        case .binary(.equal, .field(let name, _), .null):
            if faults.refusesNull { return nil }
            return !faults.neverNull && row[columns.firstIndex { $0.name == name } ?? 0].isNull
        case .binary(.equal, .field(let name, _), .unary(.not?, .null)):
            if faults.refusesNull { return nil }
            return !row[columns.firstIndex { $0.name == name } ?? 0].isNull
        case .binary(.equal, .field("Id", _), .constant(let text?, _)): return "\(row[0])" == "integer(\(text))"
        case .binary(let operation, .field("Day", _), .constant(let text?, "DateTime")):
            guard !faults.readsNoDates, case .dateTime(let value) = row[1], let bound = days(text) else { return false }
            return operation == .greaterOrEqual ? value >= bound : value <= bound
        default: return nil
        }
    }

    private func probe(
        _ faults: Faults,
        known: ServerFeatures = ServerFeatures(),
        wanted: Set<ServerFeature> = Set(ServerFeature.allCases)
    ) async throws -> [String: Bool] {
        var probe = FeatureProbe("T", known: known, wanted: wanted) { request in
            var rows = faults.rows
            switch request.selection {
            case .all: break
            case .sql(let statement):
                guard !faults.noSQL, statement == #"SELECT "Id" FROM "T""# else { return .refused }
            case .dynamic(let selection):
                guard selection.fields.isEmpty || !faults.noSelect else { return .refused }
                if let condition = selection.condition {
                    guard !faults.noWhere else { return .refused }
                    let results = rows.map { Self.holds(condition, $0, faults) }
                    guard !results.contains(nil) else { return .refused }
                    if !faults.ignoresWhere { rows = zip(rows, results).filter { $1 == true }.map(\.0) }
                }
            }
            let limited = Array(rows.prefix(Int(request.rowLimit ?? .max)))
            return .rows(TableHead(name: "T", columns: Self.columns, rowCount: limited.count), limited)
        }
        let features = try await probe.run()
        var result: [String: Bool] = [:]
        for feature in ServerFeature.allCases { result[feature.rawValue] = features[feature]?.isAvailable }
        return result
    }

    @Test("a complete server has all features that reading shows")
    func complete() async throws {
        let all = ["daSQL": true, "select": true, "where": true, "dates": true, "nullTests": true]
        #expect(try await probe(Faults()) == all)
    }

    @Test("each fault is found")
    func faults() async throws {
        let noSQL = try await probe(Faults(noSQL: true))
        #expect(noSQL["daSQL"] == false && noSQL["select"] == true)
        #expect(try await probe(Faults(noSelect: true))["select"] == false)
        let noWhere = try await probe(Faults(noWhere: true))
        #expect(noWhere["where"] == false && noWhere["dates"] == nil && noWhere["nullTests"] == nil)
        let ignored = try await probe(Faults(ignoresWhere: true))
        #expect(ignored["dates"] == false && ignored["nullTests"] == false)
        #expect(try await probe(Faults(readsNoDates: true))["dates"] == false)
        #expect(try await probe(Faults(refusesNull: true))["nullTests"] == false)
        #expect(try await probe(Faults(neverNull: true))["nullTests"] == false)
    }

    @Test("without a row that has a date or NULL the answer is unknown")
    func noCanary() async throws {
        let noDates = try await probe(Faults(rows: [[.integer(1), .null, .text("x")]]))
        #expect(noDates["where"] == true && noDates["dates"] == nil && noDates["nullTests"] == nil)
    }

    @Test("known features are not asked for")
    func known() async throws {
        var known = ServerFeatures()
        known[.daSQL] = FeatureFinding(false, .refusedByGrant)
        known[.where] = FeatureFinding(false, .refusedByGrant)
        let result = try await probe(Faults(), known: known)
        #expect(result == ["daSQL": false, "select": true, "where": false])
    }

    @Test("only wanted features are asked for", arguments: [ServerFeature.where, .select, .daSQL, .dates])
    func wanted(_ feature: ServerFeature) async throws {
        var known = ServerFeatures()
        if feature == .dates { known[.where] = FeatureFinding(true, .probed) }
        let result = try await probe(Faults(), known: known, wanted: [feature])
        #expect(result == (feature == .dates ? ["where": true, "dates": true] : [feature.rawValue: true]))
    }

    @Test("a table that cannot be read is an error")
    func unreadable() async {
        var probe = FeatureProbe("T") { _ in .refused }
        await #expect(throws: ReadError.missingTable("T")) { try await probe.run() }
    }
}
