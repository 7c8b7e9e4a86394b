// SPDX-License-Identifier: Apache-2.0

internal import DataAbstract
internal import Remoting
internal import SQLite
internal import SampleServer
internal import TestSupport

/// A field of the oracle's schema, whose column has another name.
struct OracleField: Sendable {
    enum Kind: Sendable {
        case integer, money, decimal, real, text, flag, date
    }

    let name: String
    let column: String
    let kind: Kind
    let type: DataType
    let isKey: Bool

    init(_ name: String, _ column: String, _ kind: Kind, _ type: DataType, isKey: Bool = false) {
        self.name = name
        self.column = column
        self.kind = kind
        self.type = type
        self.isKey = isKey
    }
}

struct OracleTable: Sendable {
    let name: String
    let source: String
    let fields: [OracleField]
}

/// Two tables with names that mislead: each table has the name of the other in the database, and so have fields.
enum OracleSchema {
    static let tables = [
        OracleTable(
            name: "Items",
            source: "Groups",
            fields: [
                OracleField("Id", "Name", .integer, .autoInc, isKey: true),
                OracleField("Name", "Id", .text, .wideString),
                OracleField("Group", "g\"r\u{301}p", .integer, .integer),
                OracleField("Amount", "B", .money, .currency),
                OracleField("Price", "Amount", .money, .currency),
                OracleField("Cost", "co st", .decimal, .decimal),
                OracleField("Rate", "rate%", .real, .float),
                OracleField("Qty", "select", .integer, .largeInt),
                OracleField("On", "Qty", .flag, .boolean),
                OracleField("Day", "Day'", .date, .dateTime),
            ]
        ),
        OracleTable(
            name: "Groups",
            source: "Items",
            fields: [
                OracleField("Key", "Group", .integer, .autoInc, isKey: true),
                OracleField("Label", "Name", .text, .wideString),
                OracleField("Parent", "Key", .integer, .integer),
                OracleField("Limit", "Label", .money, .currency),
                OracleField("Weight", "weight", .decimal, .decimal),
                OracleField("Since", "since", .date, .dateTime),
            ]
        ),
    ]

    static let schema = ServedSchema(
        name: "Oracle",
        source: .file("unused"),
        tables: tables.map { table in
            ServedTable(
                table.name,
                source: table.source,
                table.fields.map { ServedField($0.name, $0.type, column: $0.column, isInPrimaryKey: $0.isKey) }
            )
        }
    )

    /// Writes the file with random rows.
    static func create(_ path: String, _ numbers: inout SeededRandom) throws {
        let database = try SQLiteDatabase(.file(path), .create)
        for (table, count) in zip(tables, [40, 8]) {
            let columns = table.fields.map { field in
                let type =
                    switch field.kind {
                    case .integer, .money, .flag: "INTEGER"
                    case .real, .date: "REAL"
                    case .text, .decimal: "TEXT"
                    }
                return "\(quoted(field.column)) \(type)\(field.isKey ? " PRIMARY KEY" : "")"
            }
            try database.execute("CREATE TABLE \(quoted(table.source)) (\(columns.joined(separator: ", ")))")
            for row in 1...count {
                let values = table.fields.map { field in
                    if field.isKey { return "\(row)" }
                    if Bool.random(0.15, &numbers) { return "NULL" }
                    if field.kind == .date, Bool.random(0.1, &numbers) { return OracleValue.uncertain(&numbers).sql }
                    let value = OracleValue.random(field.kind, &numbers)
                    // As the server stores it.
                    return field.kind == .decimal ? "'\(value.text)'" : value.sql
                }
                try database.execute(
                    "INSERT INTO \(quoted(table.source)) VALUES (\(values.joined(separator: ", ")))"
                )
            }
        }
    }

    static func quoted(_ name: String) -> String {
        var text = "\""
        for scalar in name.unicodeScalars {
            text.unicodeScalars.append(scalar)
            if scalar == "\"" { text.unicodeScalars.append(scalar) }
        }
        return text + "\""
    }
}

/// A constant in each of the languages.
struct OracleValue: Sendable {
    /// The form of DA SQL.
    let text: String
    /// The form in the oracle's SQL, as the column stores it.
    let sql: String
    /// The form in a where clause.
    let constant: String
    let type: String
    let parameter: RemotingVariant

    static func random(_ kind: OracleField.Kind, _ numbers: inout SeededRandom) -> OracleValue {
        switch kind {
        case .integer:
            let value = Int32.random(in: 0...9, using: &numbers)
            return OracleValue("\(value)", sql: "\(value)", "\(value)", "Integer", .int32(value))
        case .money:
            let quarters = Int64.random(in: 0...24, using: &numbers)
            let text = "\(Double(quarters) / 4)"
            let parameter: RemotingVariant =
                Bool.random(0.5, &numbers)
                ? .currency(Currency(scaled: quarters * 2_500)) : .double(Double(quarters) / 4)
            return OracleValue(text, sql: "\(quarters * 2_500)", text, "Currency", parameter)
        case .decimal:
            // Binary numbers are exact too, because the server calculates with them. Each value has one scale.
            let eighths = Bool.random(0.1, &numbers) ? 987_654_321_099 : Int64.random(in: -4...40, using: &numbers)
            let text = "\(eighths < 0 ? "-" : "")\(eighths.magnitude / 8)"
            let fraction = ["", ".125", ".25", ".375", ".5", ".625", ".75", ".875"][Int(eighths.magnitude % 8)]
            let parameter = Decimal96(text + fraction).map { RemotingVariant.decimal($0) } ?? .null
            let sql = text + (fraction.isEmpty ? ".0" : fraction)
            return OracleValue(text + fraction, sql: sql, text + fraction, "Decimal", parameter)
        case .real:
            let value = Double(Int.random(in: 0...16, using: &numbers)) / 2
            return OracleValue("\(value)", sql: "\(value)", "\(value)", "Float", .double(value))
        case .text:
            let texts = ["", "a", "A", "ab", "a ", "b%", "é", "a_b", "it's", "\u{301}x", "Zoë", "\"", "1"]
            let text = texts.randomElement(using: &numbers) ?? ""
            let literal = "'" + text.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined() + "'"
            return OracleValue(literal, sql: literal, text, "WideString", .string(text))
        case .flag:
            let flag = Bool.random(using: &numbers)
            let word = flag ? "TRUE" : "false"
            return OracleValue(word, sql: flag ? "1" : "0", flag ? "True" : "0", "Boolean", .boolean(flag))
        case .date where Bool.random(0.2, &numbers):
            // Whole days, which have one meaning, at the ends and around the first day.
            let days = [
                ("0001-01-01", -693_593), ("1753-01-01", -53_688), ("1899-12-29", -1), ("1899-12-30", 0),
                ("9999-12-31", 2_958_465),
            ]
            let (day, number) = days.randomElement(using: &numbers) ?? days[0]
            let text = day + (["", "T00:00:00", " 00:00"].randomElement(using: &numbers) ?? "")
            let parameter = RemotingVariant.dateTime(DateTime(days: Double(number)))
            return OracleValue("'\(text)'", sql: "(\(number).0)", text, "DateTime", parameter)
        case .date:
            let day = Int.random(in: 1...9, using: &numbers)
            let hour =
                ["", "T00:00:00", "T06:00:00", " 12:00:00", "T18:00", " 18:00"].randomElement(using: &numbers) ?? ""
            let text = "2020-01-0\(day)\(hour)"
            let days = 43_830 + Double(day) + (hour.isEmpty ? 0 : Double(hour.dropFirst().prefix(2)) ?? 0) / 24
            return OracleValue(
                "'\(text)'",
                sql: "(julianday('\(text)') - 2415018.5)",
                text,
                "DateTime",
                .dateTime(DateTime(days: days))
            )
        }
    }

    /// A number of days that is no certain time, each with another day. DA SQL has no literal for it.
    static func uncertain(_ numbers: inout SeededRandom) -> OracleValue {
        let days = [-53_688.25, -0.5, -1000.125, 3e6, -7e5].randomElement(using: &numbers) ?? -0.5
        return OracleValue("''", sql: "(\(days))", "", "DateTime", .dateTime(DateTime(days: days)))
    }

    private init(_ text: String, sql: String, _ constant: String, _ type: String, _ parameter: RemotingVariant) {
        self.text = text
        self.sql = sql
        self.constant = constant
        self.type = type
        self.parameter = parameter
    }
}

extension Bool {
    /// Returns true with a probability.
    static func random(_ probability: Double, _ numbers: inout SeededRandom) -> Bool {
        Double.random(in: 0..<1, using: &numbers) < probability
    }
}
