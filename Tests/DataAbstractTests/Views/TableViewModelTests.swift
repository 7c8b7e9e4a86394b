// SPDX-License-Identifier: Apache-2.0

import NIOCore
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
            ([FieldOrder("city"), FieldOrder("Name", isDescending: true)], "4* 2 3 1 5"),
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
        #expect(shown(view) == "3 1 4 5 2!*")
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

    @Test("any rows are in the order of their values", arguments: 0..<60)
    func random(_ seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        let columns = Self.types.map { DataColumn("\($0)", $0) } + [DataColumn("Number", .integer)]
        var batches: [DataRows] = []
        var count = 0
        for _ in 0..<Int.random(in: 1...3, using: &numbers) {
            var table = try DataTable(name: "T", columns: columns)
            for _ in 0..<(seed % 10 == 0 ? 300 : 12) {
                try table.append(Self.types.map { value($0, &numbers) } + [.integer(Int64(count))])
                count += 1
            }
            batches.append(table.rows)
        }
        var table = try EditableTable(name: "T", fields: columns.map { EditableField($0, nil) }, rows: batches)
        for _ in 0..<3 {
            _ = try table.append(
                Dictionary(
                    uniqueKeysWithValues: zip(
                        columns.map(\.name),
                        Self.types.map { value($0, &numbers) } + [.integer(Int64(count))]
                    )
                )
            )
            count += 1
        }
        var view = TableViewModel(table)
        let keys = (0..<Int.random(in: 1...2, using: &numbers)).map { _ in
            SortColumn(Int.random(in: Self.types.indices, using: &numbers), isDescending: .random(using: &numbers))
        }
        try view.sort(by: keys.map { FieldOrder(columns[$0.column].name, isDescending: $0.isDescending) })
        let rows = view.rows(in: 0..<count).map(\.values)
        #expect(rows.count == count)
        for (left, right) in zip(rows, rows.dropFirst()) {
            let orders = keys.map { key -> Int in
                let order = order(left[key.column], right[key.column], Self.types[key.column])
                let isNull = left[key.column].isNull || right[key.column].isNull
                return key.isDescending && !isNull ? -order : order
            }
            let isStable = order(left[Self.types.count], right[Self.types.count], .integer) < 0
            #expect(orders.first { $0 != 0 } ?? (isStable ? -1 : 1) < 0, "\(keys): \(left), \(right)")
        }
        #expect(Set(rows.map { "\($0[Self.types.count])" }).count == count)
    }

    private func value(_ type: DataType, _ numbers: inout SeededRandom) -> DataValue {
        guard Int.random(in: 0..<6, using: &numbers) > 0 else { return .null }
        let number = Int64.random(in: -3...3, using: &numbers)
        let texts = [
            "", "a", "a\0", "ab", "abcdefg", "abcdefgh", "abcdefg\0", "abcdefghijklmn", "abcdefghijklmno", "Z", "ü",
        ]
        switch type {
        case .integer, .largeInt, .shortInt: return .integer(number)
        case .word: return .integer(abs(number))
        case .largeUInt: return .unsigned([0, 1, .max, 1 << 63][Int(abs(number))])
        case .boolean: return .boolean(number > 0)
        case .float, .singleFloat:
            return .float([-Double.infinity, -1.5, -0.0, 0, 1e30, .nan, 3][Int(number + 3)])
        case .dateTime: return .dateTime(days: Double(number) / 4)
        case .currency: return .currency(scaled: number)
        case .decimal:
            return .decimal(
                DataDecimal(
                    magnitude: UInt128(abs(number)) * 100,
                    scale: [0, 2, 3, 28][Int(abs(number))],
                    isNegative: number < 0
                )
                    ?? DataDecimal(0)
            )
        case .guid:
            return .text(
                "{0\(number < 0 ? "a" : "B")345678-1234-1234-1234-12345678901\(abs(number))}".prefix(38).dropFirst()
                    .dropLast().description
            )
        case .blob: return .bytes(ByteBuffer(string: texts[Int(abs(number))]))
        case .string: return .text(texts.randomElement(using: &numbers) ?? "")
        default:
            return .text((texts + ["\u{FFFD}", "\u{1F600}", "\u{E000}", "日"]).randomElement(using: &numbers) ?? "")
        }
    }

    /// Compares two values: negative if the left one is first.
    private func order(_ left: DataValue, _ right: DataValue, _ type: DataType) -> Int {
        func compare<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
            left < right ? -1 : left == right ? 0 : 1
        }
        switch (left, right) {
        case (.null, .null): return 0
        case (.null, _): return -1
        case (_, .null): return 1
        case (.integer(let left), .integer(let right)), (.currency(let left), .currency(let right)):
            return compare(left, right)
        case (.unsigned(let left), .unsigned(let right)): return compare(left, right)
        case (.boolean(let left), .boolean(let right)): return compare(left ? 1 : 0, right ? 1 : 0)
        case (.float(let left), .float(let right)), (.dateTime(let left), .dateTime(let right)):
            return left.isNaN || right.isNaN ? compare(left.isNaN ? 0 : 1, right.isNaN ? 0 : 1) : compare(left, right)
        case (.decimal(let left), .decimal(let right)):
            return compare(Double("\(left)") ?? .nan, Double("\(right)") ?? .nan)
        case (.text(let left), .text(let right)):
            let (left, right) = type == .guid ? (left.lowercased(), right.lowercased()) : (left, right)
            let (first, second) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
            return first == second ? 0 : first.lexicographicallyPrecedes(second) ? -1 : 1
        case (.bytes(let left), .bytes(let right)):
            let (first, second) = (Array(left.readableBytesView), Array(right.readableBytesView))
            return first == second ? 0 : first.lexicographicallyPrecedes(second) ? -1 : 1
        default: return 99
        }
    }
}
