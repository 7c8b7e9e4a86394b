// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import SQLite
import TestSupport
import Testing

@testable import SampleServer

/// The reply to a delta has the values that the database stores, whether a statement returns them or they are read again.
@Suite("Stored values")
struct StoredValueTests {
    private static let script = """
        CREATE TABLE T (
            Id INTEGER PRIMARY KEY, Parent INTEGER, Name TEXT NOT NULL, Made TEXT DEFAULT 'made', Amount INTEGER,
            Twice INTEGER AS (Amount * 2), Rate REAL, Flag BOOLEAN, Note TEXT COLLATE NOCASE, Bytes BLOB,
            CHECK (Amount <> 7)
        );
        CREATE TABLE Codes (Id INTEGER PRIMARY KEY, Code NUMERIC, Day TEXT);
        CREATE TABLE Keyed (Id INTEGER PRIMARY KEY, Name TEXT) WITHOUT ROWID;
        CREATE TABLE Other (Id INTEGER);
        """
    /// With a trigger the server reads every row again.
    private static let trigger = "CREATE TRIGGER Any AFTER INSERT ON Other BEGIN SELECT 1; END"

    private static let fields = [
        ServedField("Id", .largeAutoInc, isInPrimaryKey: true), ServedField("Parent", .largeInt),
        ServedField("Name", .wideString), ServedField("Made", .wideString), ServedField("Amount", .largeInt),
        ServedField("Twice", .largeInt), ServedField("Rate", .float), ServedField("Flag", .boolean),
        ServedField("Note", .wideMemo), ServedField("Bytes", .blob),
    ]
    private static let key = ServedField("Id", .autoInc, isInPrimaryKey: true)
    private static let schema = ServedSchema(
        name: "s",
        source: .file(""),
        tables: [
            ServedTable("T", fields),
            ServedTable("Codes", [key, ServedField("Code", .wideString), ServedField("Day", .dateTime, dates: .text)]),
            ServedTable("Keyed", [key, ServedField("Name", .wideString)]),
        ],
        relationships: [KeyReference("T", ["Parent"], to: "T", ["Id"])]
    )

    private func delta(_ table: String, without hidden: Set<String> = []) throws -> Delta {
        let fields = try #require(Self.schema.tables?.first { $0.name == table }).fields
        let columns = fields.map(\.dataColumn).filter { !hidden.contains($0.name) }
        return Delta(name: table, fields: columns, keys: ["Id"])
    }

    private func apply(
        _ delta: Delta,
        _ database: borrowing SQLiteDatabase,
        _ search: RowSearch = .key
    ) throws -> DeltaChanges {
        var runner = DeltaRunner(schema: Self.schema, rule: .each, search: search)
        return try #require(try runner.apply(DeltaStream([delta]), database).deltas.first).changes
    }

    @Test("values that the database converts or makes come back")
    func made() throws {
        let database = try SQLiteDatabase(.memory, .create)
        try database.execute(Self.script)
        var codes = try delta("Codes")
        let code: [DataValue] = [.integer(-1), .text("007"), .dateTime(days: 1.000_000_001)]
        try codes.append(.insert, recordID: 0, old: code, new: code)
        let converted = try apply(codes, database)[0].new.values
        #expect(converted == [.integer(1), .text("7"), .dateTime(days: 1)])
        var keyed = try delta("Keyed")
        try keyed.append(.insert, recordID: 0, old: [.integer(9), .null], new: [.integer(9), .null])
        try keyed.append(.insert, recordID: 1, old: [.integer(-1), .null], new: [.integer(-1), .null])
        let reply = try apply(keyed, database)
        #expect(reply[0].new[0] == .integer(9) && reply.map(\.status) == [.resolved, .failed])
        var rows = try delta("T", without: ["Twice", "Rate", "Flag", "Note", "Bytes"])
        let row: [DataValue] = [.integer(-1), .null, .text("a"), .null, .integer(1)]
        try rows.append(.insert, recordID: 0, old: row, new: row)
        #expect(
            try apply(rows, database)[0].new.values == [.integer(1), .null, .text("a"), .text("made"), .integer(1)]
        )
    }

    @Test("an update has what another client has changed, and generated values", arguments: RowSearch.allCases)
    func updated(_ search: RowSearch) throws {
        let database = try SQLiteDatabase(.memory, .create)
        try database.execute(Self.script)
        try database.execute("INSERT INTO T (Id, Name, Amount, Rate, Note) VALUES (1, 'a', 1, 1.5, 'THEIRS')")
        var delta = try delta("T")
        let old: [DataValue] = [
            .integer(1), .null, .text("a"), .text("made"), .integer(1), .integer(2), .float(1.5), .null,
            .text("theirs"),
            .null,
        ]
        var new = old
        new[4] = .integer(5)
        try delta.append(.update, recordID: 0, old: old, new: new)
        (new[5], new[8]) = (.integer(10), .text("THEIRS"))
        let stored = try apply(delta, database, search)[0].new.values
        #expect(stored == new)
    }

    @Test("a reference of several fields is that of the database, and its details get the assigned key")
    func severalFields() throws {
        let database = try SQLiteDatabase(.memory, .create)
        try database.execute(
            """
            PRAGMA foreign_keys = ON;
            CREATE TABLE Years (Id INTEGER PRIMARY KEY, Year INTEGER, UNIQUE (Id, Year));
            CREATE TABLE Days (
                Id INTEGER PRIMARY KEY, Of INTEGER, Year INTEGER, FOREIGN KEY (Of, Year) REFERENCES Years (Id, Year)
            )
            """
        )
        let tables = try DatabaseTables.read(database)
        let references = try DatabaseTables.relationships(of: tables, database)
        #expect(references == [KeyReference("Days", ["Of", "Year"], to: "Years", ["Id", "Year"])])
        let schema = ServedSchema(name: "s", source: .file(""), tables: tables, relationships: references)
        #expect(SchemaText.schema(schema, isComplete: true).contains("<DetailFields>Of;Year</DetailFields>"))
        let (id, year) = (DataColumn("Id", .largeAutoInc), DataColumn("Year", .largeInt))
        var years = Delta(name: "Years", fields: [id, year], keys: ["Id"])
        try years.insert(recordID: 0, [.integer(-5), .integer(2020)])
        var days = Delta(name: "Days", fields: [id, DataColumn("Of", .largeInt), year], keys: ["Id"])
        try days.insert(recordID: 0, [.integer(-1), .integer(-5), .integer(2020)])
        var runner = DeltaRunner(schema: schema, rule: .all)
        let reply = try runner.apply(DeltaStream([years, days]), database).deltas
        #expect(reply[1].changes[0].new.values == [.integer(1), .integer(1), .integer(2020)])
    }

    @Test("replies and rows are the same with and without reading rows again", arguments: RowSearch.allCases)
    func same(_ search: RowSearch) throws {
        var random = SeededRandom(seed: 11)
        for round in 0..<8 {
            let hidden: Set<String> = round.isMultiple(of: 2) ? ["Made", "Twice"] : ["Twice"]
            let known = try SQLiteDatabase(.memory, .create)
            let read = try SQLiteDatabase(.memory, .create)
            for script in [
                Self.script, "INSERT INTO T (Id, Name, Amount) VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3)",
            ] {
                try known.execute(script)
                try read.execute(script)
            }
            try read.execute(Self.trigger)
            for _ in 0..<5 {
                let delta = try changes(try delta("T", without: hidden), &random)
                let (left, right) = (try apply(delta, known, search), try apply(delta, read, search))
                #expect(left.map(\.status) == right.map(\.status) && left.map(\.message) == right.map(\.message))
                #expect(left.map(\.new.values) == right.map(\.new.values))
                #expect(left.map(\.old.values) == right.map(\.old.values))
                let (knownRows, readRows) = (try rows(known), try rows(read))
                #expect(knownRows == readRows)
            }
        }
    }

    private func rows(_ database: borrowing SQLiteDatabase) throws -> [[SQLiteValue]] {
        try database.rows("SELECT * FROM T ORDER BY Id") { row in try (0..<row.columnCount).map { try row.value($0) } }
    }

    /// Inserts, updates and deletes with few different keys, temporary and real, so that some of them fail.
    private func changes(_ delta: Delta, _ random: inout SeededRandom) throws -> Delta {
        var delta = delta
        for record in 0..<20 {
            let key = Int64.random(in: -5...6, using: &random)
            let old = row(delta, key, &random)
            var new = row(delta, key, &random)
            for column in new.indices.dropFirst() where Bool.random(using: &random) { new[column] = old[column] }
            let kind = DeltaChange.Kind.allCases[Int(random.next() % 3)]
            try delta.append(kind, recordID: Int32(record), old: old, new: new)
        }
        return delta
    }

    private func row(_ delta: Delta, _ key: Int64, _ random: inout SeededRandom) -> [DataValue] {
        delta.fields.map { field in
            let number = Int64.random(in: -3...7, using: &random)
            if field.name == "Id" { return .integer(key) }
            guard number != 0 || field.name == "Name" else { return .null }
            switch field.type {
            case .largeInt: return .integer(number)
            case .float: return .float(Double(number) / 2)
            case .boolean: return .boolean(number > 0)
            case .blob: return .null
            default: return .text(number > 0 ? "Text \(number)" : "\(number)")
            }
        }
    }
}
