// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import TestSupport
import Testing

@Suite("Table differences")
struct TableDiffTests {
    private static func compare(
        _ left: DataTable,
        _ right: DataTable,
        key: [String]? = ["Id"]
    ) async throws -> (TableDiff.Counts, [TableDiff.Difference], TableDiff) {
        let diff = try TableDiff(key: key)
        for (side, table) in [(TableDiff.Side.left, left), (.right, right)] {
            var consumer = diff.consumer(side)
            try await consumer.begin(table.head)
            try await consumer.add(table.rows, nil)
            try await consumer.finish()
        }
        var found: [TableDiff.Difference] = []
        let counts = try diff.compare { found.append($0) }
        return (counts, found, diff)
    }

    @Test("rows are added, removed, changed or the same, in the order of the key")
    func kinds() async throws {
        let columns: [(String, DataType)] = [("Id", .integer), ("Name", .wideString)]
        let left = try DataTable.table(
            columns,
            [[.integer(10), .text("a")], [.integer(9), .null], [.integer(2), .text("x")]]
        )
        let right = try DataTable.table(
            columns,
            [
                [.integer(100), .null], [.integer(2), .text("x")], [.integer(10), .text("b")],
                [.integer(-1), .text("")],
            ]
        )
        let (counts, found, diff) = try await Self.compare(left, right)
        #expect(counts.added == 2 && counts.removed == 1 && counts.changed == 1 && counts.same == 1 && !counts.areEqual)
        #expect(
            found == [
                .added(key: ["-1"], cells: ["-1", ""]), .removed(key: ["9"], cells: ["9", nil]),
                .changed(key: ["10"], [.init(column: "Name", old: "a", new: "b")]),
                .added(key: ["100"], cells: ["100", nil]),
            ]
        )
        #expect(diff.columnsOnly(in: .left).isEmpty && diff.columnsOnly(in: .right).isEmpty)
    }

    @Test("text with a byte without a character is compared by its bytes, also in a key")
    func unreadableText() async throws {
        func table(_ texts: [String]) throws -> DataTable {
            try DataTable.table(
                [("Id", .integer), ("Name", .string)],
                texts.enumerated().map { [.integer(Int64($0)), .text($1)] }
            ).reading(in: CodePage.named("windows-1252"))
        }
        // The page has no character for the bytes 0x81 and 0x8D.
        let left = try table(["a\u{81}", "a\u{8D}", "\u{80}"])
        let right = try table(["a\u{81}", "a\u{81}", "\u{80}"])
        let (counts, found, _) = try await Self.compare(left, right)
        #expect(counts.changed == 1 && counts.same == 2)
        #expect(found == [.changed(key: ["1"], [.init(column: "Name", old: "a\u{FFFD}", new: "a\u{FFFD}")])])
        let (byName, _, _) = try await Self.compare(left, left, key: ["Name"])
        #expect(byName.areEqual && byName.same == 3)
    }

    @Test("differences show values as the tables have them, as text and as JSON")
    func shownValues() async throws {
        let columns: [(String, DataType)] = [
            ("Id", .guid), ("Price", .currency), ("Name", .wideString), ("Day", .dateTime), ("Ok", .boolean),
        ]
        func row(_ id: String, _ price: Int64, _ name: DataValue) -> [DataValue] {
            [.text(id), .currency(scaled: price), name, .dateTime(days: 45_000), .boolean(true)]
        }
        let (a, b) = ("ABCDEF01-0000-0000-0000-00000000000A", "BBCDEF01-0000-0000-0000-00000000000A")
        let left = try DataTable.table(columns, [row(a, 15_000, .text("é\"")), row(b, 1, .null)])
        let right = try DataTable.table(columns, [row(a.lowercased(), 25_000, .text("é\""))])
        let (_, found, diff) = try await Self.compare(left, right)
        #expect(
            found == [
                .changed(key: [a], [.init(column: "Price", old: "1.5000", new: "2.5000")]),
                .removed(key: [b], cells: [b, "0.0001", nil, "2023-03-15T00:00:00", "true"]),
            ]
        )
        #expect(
            found.map { String(decoding: diff.json($0), as: UTF8.self) } == [
                #"{"in":"both","key":{"Id":"\#(a)"},"fields":[{"name":"Price","first":1.5000,"second":2.5000}]}"#,
                #"{"in":"first","key":{"Id":"\#(b)"},"row":{"Id":"\#(b)","Price":0.0001,"Name":null,"#
                    + #""Day":"2023-03-15T00:00:00","Ok":true}}"#,
            ]
        )
        let (_, other, diffOther) = try await Self.compare(right, left)
        #expect(String(decoding: diffOther.json(other[1]), as: UTF8.self).hasPrefix(#"{"in":"second","key":{"Id":"#))
    }

    @Test("equal values of other types are the same; NULL and the empty text are not")
    func types() async throws {
        let left = try DataTable.table(
            [("Id", .integer), ("A", .string), ("B", .currency), ("C", .guid), ("Only", .byte), ("D", .float)],
            [
                [
                    .integer(1), .text("é"), .currency(scaled: -15_000), .text("ABCDEF01-0000-0000-0000-00000000000a"),
                    .integer(1), .float(2),
                ]
            ]
        )
        func right(_ text: DataValue) throws -> DataTable {
            try DataTable.table(
                [("d", .smallInt), ("c", .wideString), ("b", .decimal), ("a", .wideMemo), ("ID", .largeInt)],
                [
                    [
                        .integer(2), .text("abcdef01-0000-0000-0000-00000000000a"),
                        .decimal(try #require(DataDecimal("-1.500"))), text, .integer(1),
                    ]
                ]
            )
        }
        let (counts, _, diff) = try await Self.compare(left, right(.text("é")))
        #expect(counts.same == 1 && counts.areEqual)
        #expect(diff.columnsOnly(in: .left) == ["Only"] && diff.columnsOnly(in: .right).isEmpty)
        let null = try await Self.compare(left, right(.null)).1
        #expect(null == [.changed(key: ["1"], [.init(column: "A", old: "é", new: nil)])])
        let decomposed = try await Self.compare(left, right(.text("e\u{301}"))).0
        #expect(decomposed.changed == 1)
    }

    @Test("random tables differ as dictionaries do")
    func random() async throws {
        var random = SeededRandom(seed: 14)
        let columns: [(String, DataType)] = [("K", .wideString), ("Id", .integer), ("V", .integer)]
        func table() throws -> (DataTable, [String: Int]) {
            var rows: [String: Int] = [:]
            for _ in 0..<400 {
                let key = "\(["a", "B", "é", "中", "😀", "\u{FFFF}"].randomElement(using: &random) ?? "")"
                rows["\(key)|\(Int.random(in: -60...60, using: &random))"] = Int.random(in: 0...2, using: &random)
            }
            let cells = rows.map { key, value in
                let parts = key.split(separator: "|")
                return [
                    DataValue.text(String(parts[0])), .integer(Int64(parts[1]) ?? 0), .integer(Int64(value)),
                ]
            }
            return (try DataTable.table(columns, cells), rows)
        }
        for _ in 0..<20 {
            let ((left, old), (right, new)) = (try table(), try table())
            let (counts, found, _) = try await Self.compare(left, right, key: ["K", "Id"])
            #expect(counts.removed == old.keys.filter { new[$0] == nil }.count)
            #expect(counts.added == new.keys.filter { old[$0] == nil }.count)
            #expect(counts.changed == old.filter { new[$0.key] != nil && new[$0.key] != $0.value }.count)
            #expect(counts.same == old.filter { new[$0.key] == $0.value }.count)
            #expect(found.count == counts.added + counts.removed + counts.changed)
        }
    }

    @Test("without a key, with NULL or a value twice in it, or with other types there is no comparison")
    func errors() async throws {
        let one = try DataTable.column("Id", .integer, [.integer(1)])
        await #expect(throws: TableDiffError.noKey(.left)) { try await Self.compare(one, one, key: nil) }
        await #expect(throws: FormatError.noColumn("X")) { try await Self.compare(one, one, key: ["X"]) }
        let text = try DataTable.column("Id", .wideString, [.text("1")])
        await #expect(throws: TableDiffError.differentKeys) { try await Self.compare(one, text) }
        let null = try DataTable.column("Id", .integer, [.integer(1), .null])
        await #expect(throws: TableDiffError.nullInKey(.right, column: "Id", row: 2)) {
            try await Self.compare(one, null)
        }
        let twice = try DataTable.column("Id", .integer, [.integer(1), .integer(1)])
        await #expect(throws: TableDiffError.duplicateKey(.left, row: 2)) { try await Self.compare(twice, one) }
        let keyed = try DataTable(
            name: "T",
            columns: one.columns,
            schema: TableSchema(fields: [SchemaEntry(field: "Id", .integer, isInPrimaryKey: true)])
        )
        #expect(try await Self.compare(keyed, keyed, key: nil).0.areEqual)
    }
}
