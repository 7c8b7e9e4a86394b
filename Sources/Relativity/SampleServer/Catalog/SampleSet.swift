// SPDX-License-Identifier: Apache-2.0

import DataAbstract

/// A set of tables with made-up rows. The raw value is the name of its database file.
package enum SampleSet: String, Hashable, Sendable, CaseIterable {
    /// Deps and Users.
    case simple = "sample.sqlite"
    /// A trading company in the shape of the vendor's mobile samples.
    case trade = "pctrade.sqlite"
    /// The same company in the shape of the vendor's texts of 2011.
    case trade2011 = "pctrade-2011.sqlite"
    /// The workers of the vendor's custom server.
    case workers = "workers.sqlite"

    /// The tables, masters before details.
    var tables: [SampleTable] {
        switch self {
        case .simple: SampleTables.simple
        case .trade: SampleTables.trade
        case .trade2011: SampleTables.trade2011
        case .workers: SampleTables.workers
        }
    }

    /// The references between the tables.
    var relationships: [KeyReference] {
        switch self {
        case .simple, .workers: []
        case .trade: SampleTables.tradeRelationships
        case .trade2011: SampleTables.trade2011Relationships
        }
    }

    var commands: [ServedCommand] {
        switch self {
        case .simple:
            [
                ServedCommand(
                    "SetDepPhone",
                    [.init("DepId", .integer), .init("Phone", .wideString)],
                    statement: #"UPDATE "Deps" SET "DepPhone" = :Phone WHERE "DepId" = :DepId"#
                ),
                ServedCommand(
                    "CountUsers",
                    [.init("Role", .wideString), .init("Count", .integer, .output)],
                    statement: nil,
                    output: #"SELECT count(*) AS "Count" FROM "Users" WHERE "Role" = :Role"#
                ),
            ]
        case .trade:
            [
                ServedCommand(
                    "SetOrderStatus",
                    [.init("Id", .integer), .init("Status", .integer), .init("Amount", .currency, .output)],
                    statement: #"UPDATE "Orders" SET "Status" = :Status WHERE "Id" = :Id"#,
                    output: #"SELECT "Amount" FROM "Orders" WHERE "Id" = :Id"#
                )
            ]
        case .trade2011, .workers: []
        }
    }
}

/// A table with the rows of a new database.
struct SampleTable: Sendable {
    let table: ServedTable
    /// The number of rows of a new database.
    let rows: Int
    /// The number of rows for each of the rows that the user requests for load; 0 if the table keeps its size.
    let growth: Int
    /// Returns the values of a row, counted from 1, one for each field.
    let row: @Sendable (Int) -> [DataValue]

    /// - Parameter fields: for example `Id AutoInc key, Name WideString(50) required, Type Integer =1`: name, type with
    ///   its size, what is required, and the default.
    init(
        _ name: String,
        _ fields: String,
        rows: Int,
        growth: Int = 0,
        _ row: @escaping @Sendable (Int) -> [DataValue]
    ) {
        table = ServedTable(name, fields.split(separator: ",").map(Self.field))
        self.rows = rows
        self.growth = growth
        self.row = row
    }

    /// Creates a table with listed rows.
    init(_ name: String, _ fields: String, _ rows: [[DataValue]]) {
        self.init(name, fields, rows: rows.count) { rows[$0 - 1] }
    }

    private static func field(_ text: Substring) -> ServedField {
        let words = text.split(whereSeparator: \.isWhitespace)
        let type = words[1].split { "()".contains($0) }
        return ServedField(
            String(words[0]),
            DataType(name: "dat" + type[0]) ?? .unknown,
            size: type.count > 1 ? Int(type[1]) ?? 0 : 0,
            isInPrimaryKey: words.contains("key"),
            isRequired: words.contains("key") || words.contains("required"),
            defaultValue: words.first { $0.hasPrefix("=") }.map { String($0.dropFirst()) } ?? ""
        )
    }

    /// Returns the number of rows for a requested load.
    func count(load: Int) -> Int { max(rows, load * growth) }
}

/// Reproducible choices for made-up rows.
enum MadeUp {
    /// Returns a number from 0 to `count` - 1 that depends on the row and the purpose only.
    static func number(_ row: Int, _ purpose: UInt64, below count: Int) -> Int {
        // SplitMix64.
        var bits = UInt64(truncatingIfNeeded: row) &* 0x9E37_79B9_7F4A_7C15 &+ purpose &* 0xD1B5_4A32_D192_ED03
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return Int(bits % UInt64(count))
    }

    static func choice<Element>(_ row: Int, _ purpose: UInt64, _ elements: [Element]) -> Element {
        elements[number(row, purpose, below: elements.count)]
    }

    /// Returns a Guid, 36 characters, that depends on the row only.
    static func guid(_ row: Int) -> String {
        let groups = [8, 4, 4, 4, 12].enumerated().map { index, digits in
            let text = String(number(row, UInt64(50 + index), below: 1 << 47), radix: 16)
            return String((String(repeating: "0", count: 12) + text).suffix(digits))
        }
        return groups.joined(separator: "-").uppercased()
    }

    static func phone(_ row: Int) -> String {
        let digits = String(number(row, 40, below: 10_000))
        return "+1 555 " + String(repeating: "0", count: 4 - digits.count) + digits
    }

    static let firstNames = [
        "Ada", "Grace", "Edgar", "Zoë", "Bob", "Alan", "Barbara", "Claude", "Donald", "Edith", "Frances", "Gisela",
        "Håkon", "Inès", "Jürgen", "Katarína", "Leslie", "Margaret", "Niklaus", "Olga", "Peter", "Qiang", "Radia",
        "Søren", "Tim", "Ursula", "Vint", "Wilma", "Xenia", "Yukihiro",
    ]
    static let lastNames = [
        "Abbott", "Bauer", "Čapek", "Dupont", "Eriksen", "Fischer", "García", "Hansen", "Ito", "Jansen", "Kowalski",
        "Lindgren", "Müller", "Novák", "O'Neill", "Petrov", "Quinn", "Rossi", "Smith", "Tanaka",
    ]
    static let cities = [
        ("Berlin", "Germany"), ("Paris", "France"), ("Zürich", "Switzerland"), ("Kraków", "Poland"),
        ("London", "United Kingdom"), ("New York", "United States"), ("São Paulo", "Brazil"), ("Oslo", "Norway"),
        ("Minsk", "Belarus"), ("東京", "Japan"),
    ]
}
