// SPDX-License-Identifier: Apache-2.0

import RandomRuns
import TestSupport
import Testing

@testable import DataAbstract

@Suite struct TableViewModelTests {
    /// Clients with the key Id.
    private static func clients(_ rows: [(Int64, String?, String)]) throws -> EditableTable {
        var id = EditableField("Id", .autoInc)
        id.isInPrimaryKey = true
        let fields = [id, EditableField("Name", .wideString), EditableField("City", .string)]
        var table = try DataTable(name: "Clients", columns: fields.map { DataColumn($0.name, $0.type) })
        for (id, name, city) in rows {
            try table.append([.integer(id), name.map { .text($0) } ?? .null, .text(city)])
        }
        return try EditableTable(name: "Clients", fields: fields, rows: [table.rows])
    }

    private static func view() throws -> TableViewModel {
        TableViewModel(
            try clients([(1, "Dan", "Ulm"), (2, "Ada", "Bonn"), (3, nil, "Ulm"), (4, "Cyd", "Bonn"), (5, "Bob", "Ulm")])
        )
    }

    /// The keys of the rows that are shown, with a star at the selected one and an exclamation mark at changed ones.
    private func shown(_ view: TableViewModel) -> String {
        zip(0..., view.rows(in: 0..<view.count)).map { index, row in
            "\(row.values[0])".filter { $0.isNumber || $0 == "-" } + (row.state == .unchanged ? "" : "!")
                + (index == view.selectedIndex ? "*" : "")
        }.joined(separator: " ")
    }

    @Test("rows are sorted by several keys, each with its direction, and the row stays selected")
    func sorted() throws {
        var view = try Self.view()
        #expect(shown(view) == "1* 2 3 4 5")
        view.select(3)
        for (order, expected) in [
            ([FieldOrder("City"), FieldOrder("Name")], "2 4* 3 5 1"),
            ([FieldOrder("city"), FieldOrder("Name", isDescending: true)], "4* 2 1 5 3"),
            ([FieldOrder("City", isDescending: true), FieldOrder("Id", isDescending: true)], "5 3 1 4* 2"),
            ([FieldOrder("Name")], "3 2 5 4* 1"),
            ([], "1 2 3 4* 5"),
        ] {
            try view.sort(by: order)
            #expect(shown(view) == expected)
        }
        let unknown = UnknownName("X", among: view.table.fields.map(\.name))
        #expect(throws: EditError.unknownField(unknown)) { try view.sort(by: [FieldOrder("X")]) }
        #expect(shown(view) == "1 2 3 4* 5")
    }

    @Test("a filter keeps the selected row, or selects the one at its place")
    func filtered() throws {
        var view = try Self.view()
        view.select(2)
        try view.filter(by: Expression(predicate: "City == 'Ulm'"))
        #expect(shown(view) == "1 3* 5")
        try view.sort(by: [FieldOrder("Id", isDescending: true)])
        #expect(shown(view) == "5 3* 1")
        try view.filter(by: Expression(predicate: "City == 'Bonn'"))
        #expect(shown(view) == "4 2*")
        try view.filter(by: Expression(predicate: "Id > 9"))
        #expect(shown(view) == "" && view.selection == nil)
        #expect(throws: PredicateError.self) { try view.filter(by: Expression(predicate: "Nothing == 1")) }
        try view.filter(by: nil)
        #expect(shown(view) == "5 4 3 2 1" && view.selection == nil)
        view.select(99)
        #expect(view.selectedIndex == 4)
    }

    @Test("a new row is selected, after a removal the next one; changed rows are marked until they are applied")
    func edited() throws {
        var view = try Self.view()
        try view.sort(by: [FieldOrder("Name")])
        view.select(2)
        #expect(shown(view) == "3 2 5* 4 1")
        try view.insert(["Name": .text("Aaa"), "City": .text("Ulm")])
        #expect(shown(view) == "3 2 5 -1!* 4 1")
        try view.set(["City": .text("Bonn")])
        try view.remove()
        #expect(shown(view) == "3 2 5 4* 1")
        try view.set(["Name": .text("Cyd II")])
        #expect(shown(view) == "3 2 5 4!* 1")
        try view.remove()
        #expect(shown(view) == "3 2 5 1*")
        try view.remove()
        #expect(shown(view) == "3 2 5*")
        try view.insert(["Name": .text("Zed")])
        #expect(throws: EditError.readOnly(field: "Id")) {
            try view.edit { _ throws(EditError) in throw .readOnly(field: "Id") }
        }
        // An edited row moves with the next order only.
        view.select(0)
        try view.set(["Name": .text("Zzz")])
        #expect(shown(view) == "3!* 2 5 -2!")
        try view.sort(by: [FieldOrder("Name")])
        #expect(shown(view) == "2 5 -2! 3!*")
        // A removed row returns after the selected one.
        let removed = try #require(view.table.changedRows.last)
        try view.edit { table throws(EditError) in try table.revert(removed) }
        #expect(shown(view) == "2 5 -2! 3! 1*")
        try view.revert()
        view.select(2)
        try view.revert()
        #expect(shown(view) == "2 5 3!* 1")
        try view.revert()
        #expect(shown(view) == "2 5 3* 1")
    }

    @Test("rows whose removal is pending can be shown at their places until they are applied or reverted")
    func removed() throws {
        var view = TableViewModel(try Self.view().table, showsRemoved: true)
        view.select(1)
        try view.remove()
        #expect(shown(view) == "1 2!* 3 4 5")
        #expect(view.rows(in: 1..<2).map(\.state) == [.removed])
        #expect(try view.encodedRows(in: 0..<view.count).count == 4)
        #expect(throws: EditError.unknownRow(RowID(1))) { try view.set(["Name": .text("Eve")]) }
        try view.sort(by: [FieldOrder("Name", isDescending: true)])
        #expect(shown(view) == "1 4 5 2!* 3")
        try view.filter(by: Expression(predicate: "City == 'Bonn'"))
        #expect(shown(view) == "4 2!*")
        try view.revert()
        #expect(shown(view) == "4 2*")
        // A new row is gone.
        try view.insert(["Name": .text("New")])
        try view.remove()
        #expect(shown(view) == "4 2*")
    }

    @Test("the selection survives a reload by key, and an apply")
    func reloaded() throws {
        var server = ModelShop.server()
        var set = try ModelShop.changes(of: server)
        var view = TableViewModel(try #require(set.table("Orders")))
        try view.sort(by: [FieldOrder("Client", isDescending: true)])
        view.select(1)
        #expect(shown(view) == "3 2* 1")
        try view.insert(["Client": .text("Zoe")])
        #expect(shown(view) == "3 2 -1!* 1")
        try set.edit("Orders") { table throws(EditError) in table = view.table }
        _ = try server.run(&set)
        #expect(!set.hasChanges)
        view.reload(try #require(set.table("Orders")))
        #expect(shown(view) == "1000* 3 2 1")
        view.select(2)
        server.tables[0].rows.remove(at: 0)
        server.tables[0].rows.insert([.integer(7), .text("Abe"), .null], at: 0)
        var table = view.table
        _ = try table.refresh(server.tables[0].encodedRows())
        view.reload(table)
        #expect(shown(view) == "1000 3 2* 7")
        // The row is gone.
        view.select(3)
        server.tables[0].rows.remove(at: 0)
        view.reload(try EditableTable(name: "Orders", fields: table.fields, rows: server.tables[0].encodedRows()))
        #expect(shown(view) == "1000 3 2*")
        // Another table.
        try view.filter(by: Expression(predicate: "Status == 1"))
        view.reload(try Self.clients([(2, "Ada", "Bonn")]))
        #expect(shown(view) == "2*" && view.order.isEmpty && view.predicate == nil)
    }

    @Test("a read-only view refuses edits")
    func readOnly() throws {
        var view = TableViewModel(try Self.clients([(1, "Ada", "Ulm")]), isReadOnly: true)
        #expect(throws: EditError.readOnlyTable) { try view.insert() }
        #expect(throws: EditError.readOnlyTable) { try view.remove() }
        #expect(throws: EditError.readOnlyTable) { try view.set([:]) }
        #expect(shown(view) == "1*")
    }

    private static let types: [DataType] = [
        .integer, .shortInt, .word, .largeInt, .largeUInt, .boolean, .float, .singleFloat, .dateTime, .currency,
        .string,
        .wideString, .guid, .decimal, .blob,
    ]

    /// `RowSorterTests` compares the keys with the definition of the order.
    @Test("any rows are in the order of their keys", arguments: 0..<60)
    func random(_ seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        let columns = Self.types.map { DataColumn("\($0)", $0) } + [DataColumn("Number", .integer)]
        var all = try DataTable(name: "T", columns: columns)
        func row() throws -> [DataValue] {
            let row = Self.types.map { value($0, &numbers) } + [.integer(Int64(all.rows.count))]
            try all.append(row)
            return row
        }
        let batches = try (0..<Int.random(in: 1...3, using: &numbers)).map { _ in
            var batch = try DataTable(name: "T", columns: columns)
            for _ in 0..<(seed % 10 == 0 ? 300 : 12) { try batch.append(row()) }
            return batch.rows
        }
        var table = try EditableTable(name: "T", fields: columns.map { EditableField($0, nil) }, rows: batches)
        for _ in 0..<3 {
            _ = try table.append(Dictionary(uniqueKeysWithValues: zip(columns.map(\.name), row())))
        }
        var view = TableViewModel(table)
        let order = (0..<Int.random(in: 1...2, using: &numbers)).map { _ in
            SortColumn(Int.random(in: Self.types.indices, using: &numbers), isDescending: .random(using: &numbers))
        }
        try view.sort(by: order.map { FieldOrder(columns[$0.column].name, isDescending: $0.isDescending) })
        let key = SortKey(order, of: columns)
        var keys: [[UInt8]] = []
        all.rows.withCells { bytes, starts in
            for start in starts {
                keys.append([])
                key.append(bytes, row: Int(start), to: &keys[keys.count - 1])
            }
        }
        let sorted = keys.indices.sorted {
            keys[$0] == keys[$1] ? $0 < $1 : keys[$0].lexicographicallyPrecedes(keys[$1])
        }
        let shown = view.rows(in: 0..<view.count).map { $0.values[Self.types.count] }
        #expect(shown == sorted.map { .integer(Int64($0)) }, "\(order)")
    }

    private func value(_ type: DataType, _ numbers: inout SeededRandom) -> DataValue {
        let value = DataValue.random(as: type, &numbers)
        guard case .text = value, type != .guid else { return value }
        let texts = [
            "", "a", "a\0", "ab", "abcdefg", "abcdefgh", "abcdefg\0", "abcdefghijklmn", "abcdefghijklmno", "Z", "ü",
        ]
        let wide = type == .string ? [] : ["\u{FFFD}", "\u{1F600}", "\u{E000}", "日"]
        return .text((texts + wide).randomElement(using: &numbers) ?? "")
    }
}
