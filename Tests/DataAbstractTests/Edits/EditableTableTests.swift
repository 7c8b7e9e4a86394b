// SPDX-License-Identifier: Apache-2.0

import NIOCore
import TestSupport
import Testing

@testable import DataAbstract

/// Orders of a shop, for tests of edits.
enum Orders {
    static let head = TableHead(
        name: "Orders",
        schema: try? TableSchema(fields: [
            SchemaEntry(field: "Id", .autoInc, isInPrimaryKey: true, isRequired: true),
            SchemaEntry(field: "Client", .wideString, isRequired: true),
            SchemaEntry(field: "Status", .integer, defaultValue: "1"),
            SchemaEntry(field: "Total", .currency, isReadOnly: true),
            SchemaEntry(field: "Shown", .wideString, logsChanges: false),
        ]),
        columns: columns,
        rowCount: 0
    )
    static let columns = [
        DataColumn("Id", .autoInc), DataColumn("Client", .wideString), DataColumn("Status", .integer),
        DataColumn("Total", .currency), DataColumn("Shown", .wideString),
    ]

    static func row(_ id: Int64, _ client: String, _ status: Int64 = 1) -> [DataValue] {
        [.integer(id), .text(client), .integer(status), .null, .null]
    }

    static func rows(_ rows: [[DataValue]], _ columns: [DataColumn] = columns) throws -> [DataRows] {
        var table = try DataTable(name: "T", columns: columns)
        for row in rows { try table.append(row) }
        return [table.rows]
    }

    static func table(_ rows: [[DataValue]] = [row(1, "Ada"), row(2, "Bob"), row(3, "Cyd")]) throws -> EditableTable {
        try EditableTable(head, rows: self.rows(rows))
    }
}

extension EditableTable {
    /// The values of a field in all visible rows.
    func column(_ field: String) throws -> [DataValue] {
        try rowIDs.map { try row($0).unwrapped.value(field) }
    }
}

@Suite struct EditableTableTests {
    @Test("rows with the same key are found in a search of constant length")
    func sameKeys() throws {
        let rows = try BaseRows(Orders.rows((0..<1000).map { Orders.row(7, "\($0)") }))
        let index = KeyIndex(rows, columns: [0])
        let key = RowKey(values: [.integer(7)])
        #expect(index.find(key, in: rows) == 0 && index.slots.count { $0 != 0 } == 1)
        #expect(index.find(RowKey(values: [.integer(8)]), in: rows) == nil)
    }

    @Test("a time that differs by less than a millisecond is not a change, and stays as it is")
    func times() throws {
        let columns = [DataColumn("Id", .integer), DataColumn("At", .dateTime)]
        var fields = columns.map { EditableField($0.name, $0.type) }
        fields[0].isInPrimaryKey = true
        let days = 45_000.5 + 0.4 / 86_400_000
        let rows = try Orders.rows([[.integer(1), .dateTime(days: days)]], columns)
        var table = try EditableTable(name: "T", fields: fields, rows: rows)
        let row = RowID(0)
        let shown = try #require(table.fields[1].value(parsing: "2023-03-15T12:00:00"))
        try table.set("At", of: row, to: shown)
        #expect(!table.hasChanges && table.row(row)?.values[1] == .dateTime(days: days))
        try table.set("At", of: row, to: .dateTime(days: days + 1.0 / 86_400_000))
        #expect(table.hasChanges)
        try table.set("At", of: row, to: .null)
        #expect(table.hasChanges && table.row(row)?.values[1] == .null)
    }

    @Test("the index finds each of 5,000 rows in several batches, with keys of two fields")
    func index() throws {
        let columns = [DataColumn("A", .integer), DataColumn("B", .wideString)]
        var fields = columns.map { EditableField($0.name, $0.type) }
        for index in fields.indices { fields[index].isInPrimaryKey = true }
        let keys = (0..<5000).map { [DataValue.integer(Int64($0 / 2)), .text("\($0 % 2)")] }
        let batches = try (0..<10).flatMap { try Orders.rows(Array(keys[$0 * 500..<$0 * 500 + 500]), columns) }
        let table = try EditableTable(name: "T", fields: fields, rows: batches)
        #expect(table.count == 5000)
        for (number, key) in keys.enumerated() { #expect(table.find(key: key) == RowID(Int64(number))) }
        #expect(table.find(key: [.integer(0), .text("2")]) == nil && table.find(key: [.integer(0)]) == nil)
    }

    @Test("a new row has defaults, NULL and a temporary key, and disappears when it is removed")
    func inserting() throws {
        var table = try Orders.table()
        let first = try table.append(["Client": .text("Dan")])
        let second = try table.append(["Client": .text("Eve"), "Status": .null])
        let row = try table.row(first).unwrapped
        #expect(row.values == [.integer(-1), .text("Dan"), .integer(1), .null, .null] && row.state == .inserted)
        #expect(try table.row(second).unwrapped.value("Id") == .integer(-2))
        #expect(try row.oldValue("Client") == .null && row.changedFields == ["Id", "Client", "Status"])
        #expect(table.count == 5 && table.changedRows == [first, second])
        #expect(table.find(key: [.integer(-2)]) == second)
        try table.remove(first)
        #expect(table.count == 4 && table.changedRows == [second] && table.row(first) == nil)
        try table.revert(second)
        #expect(table.count == 3 && !table.hasChanges && Array(table.rowIDs).count == 3)
    }

    @Test("a temporary key is not one that a row of the table has")
    func temporaryKeys() throws {
        var table = try Orders.table([Orders.row(-1, "Ada"), Orders.row(-2, "Bob")])
        let row = try table.append(["Client": .text("Cyd")])
        #expect(try table.row(row).unwrapped.value("Id") == .integer(-3))
        try table.remove(RowID(0))
        let other = try table.append(["Client": .text("Dan")])
        #expect(try table.row(other).unwrapped.value("Id") == .integer(-4))
        // One of a removed row is not used either, and one with a key of its own takes a number too.
        table = try Orders.table([Orders.row(-1, "Ada"), Orders.row(2, "Bob")])
        try table.remove(RowID(0))
        try table.remove(RowID(1))
        let next = try table.append(["Client": .text("Cyd")])
        #expect(try table.row(next).unwrapped.values[0] == .integer(-2))
        #expect(try table.append(["Id": .integer(2), "Client": .text("Bea")]) == RowID(1))
        let last = try table.append(["Client": .text("Eve")])
        #expect(try table.row(last).unwrapped.values[0] == .integer(-4))
    }

    @Test("a removed row keeps its change, cannot be edited, and returns by one revert")
    func removing() throws {
        var table = try Orders.table()
        let bob = try table.find(key: [.integer(2)]).unwrapped
        try table.set("Status", of: bob, to: .integer(7))
        try table.remove(bob)
        let row = try table.row(bob).unwrapped
        #expect(try row.value("status") == .integer(7) && row.oldValue("Status") == .integer(1))
        #expect(row.state == .removed && table.find(key: [.integer(2)]) == nil)
        #expect(throws: EditError.unknownRow(bob)) { try table.set("Status", of: bob, to: .integer(8)) }
        #expect(throws: EditError.unknownRow(bob)) { try table.remove(bob) }
        try table.revert(bob)
        #expect(throws: EditError.unknownRow(bob)) { try table.revert(bob) }
    }

    @Test(
        "a new row with the key of a removed one is a change of that one, and has none of its values that an edit can set"
    )
    func replacing() throws {
        let bob: [DataValue] = [.integer(2), .text("Bob"), .integer(7), .currency(scaled: 3), .text("B")]
        var table = try Orders.table([Orders.row(1, "Ada"), bob])
        let (key, row) = (DataValue.integer(2), RowID(1))
        try table.remove(row)
        #expect(throws: EditError.readOnly(field: "Total")) {
            try table.append(["Id": key, "Client": .text("Bea"), "Total": .null])
        }
        #expect(try table.append(["Id": key, "Client": .text("Bea")]) == row)
        #expect(try table.row(row).unwrapped.values == [key, .text("Bea"), .integer(1)] + bob[3...])
        #expect(try table.row(row).unwrapped.state == .updated && table.changedRows == [row] && table.count == 2)
        #expect(throws: EditError.duplicateKey) { try table.append(["Id": key, "Client": .text("Bob")]) }
        try table.remove(row)
        #expect(try table.append(["Id": key, "Client": .text("Bob"), "Status": .integer(7)]) == row)
        #expect(!table.hasChanges && table.kept.isEmpty && table.find(key: [key]) == row)
        try table.remove(row)
        let draft = table.begin()
        try table.set(["Id": key, "Client": .text("Bea")], of: draft)
        #expect(try table.post(draft) == row)
        #expect(!table.isEditing && table.changedRows == [row] && table.count == 2)
        #expect(try table.row(row).unwrapped.state == .updated)
    }

    @Test("rows that exchange a key are reverted together, and not alone")
    func exchangedKeys() throws {
        var table = try Orders.table()
        let ids = Array(table.rowIDs)
        try table.remove(ids[2])
        for (row, key) in [(ids[0], 9), (ids[1], 1), (ids[0], 3)] {
            try table.set("Id", of: row, to: .integer(Int64(key)))
        }
        for row in [ids[0], ids[2]] {
            #expect(throws: EditError.duplicateKey) { try table.revert(row) }
            #expect(throws: EditError.duplicateKey) { try table.revert([row, ids[2]]) }
        }
        let new = try table.append(["Id": .integer(2), "Client": .text("Dan")])
        try table.revert([ids[0], ids[1], ids[2], new])
        #expect(!table.hasChanges && table.count == 3)
        #expect((1...3).map { table.find(key: [.integer($0)]) } == ids)
    }

    @Test("a row is posted or cancelled once, and a new one with its required fields only")
    func editMode() throws {
        var table = try Orders.table()
        let (new, ada) = (table.begin(), RowID(0))
        #expect(throws: EditError.required(field: "Client")) { try table.post(new) }
        #expect(table.isEditing && table.row(new) == nil)
        try table.cancel(new)
        #expect(throws: EditError.unknownRow(new)) { try table.set("Status", of: new, to: .null) }
        try table.edit(ada)
        try table.post(ada)
        #expect(!table.isEditing && !table.hasChanges)
        try table.edit(ada)
        try table.set("Status", of: ada, to: .null)
        try table.cancel(ada)
        #expect(!table.isEditing && !table.hasChanges && table.kept.isEmpty, "the row is only in the base")
        #expect(throws: EditError.notEditing(ada)) { try table.post(ada) }
        #expect(throws: EditError.notEditing(ada)) { try table.cancel(ada) }
    }

    @Test("values are checked against the schema, and a refused edit changes nothing")
    func checks() throws {
        var fields = Orders.head.columns.enumerated().map { EditableField($1, Orders.head.schema?.fields[$0]) }
        fields[1].size = 3
        var table = try EditableTable(
            name: "Orders",
            fields: fields,
            rows: Orders.rows([Orders.row(1, "Ada"), Orders.row(2, "Bob")])
        )
        let cases: [(String, DataValue, EditError)] = [
            ("Nope", .null, .unknownField(UnknownName("Nope", among: fields.map(\.name)))),
            ("Client", .integer(1), .unfit(field: "Client", type: .wideString)),
            ("Client", .text("ab😀"), .tooLong(field: "Client", limit: 3, found: 4)),
            ("Client", .null, .required(field: "Client")),
            ("Status", .integer(1 << 40), .unfit(field: "Status", type: .integer)),
            ("Total", .currency(scaled: 1), .readOnly(field: "Total")),
            ("Shown", .text("x"), .readOnly(field: "Shown")),
            ("Id", .null, .required(field: "Id")),
            ("Id", .integer(2), .duplicateKey),
        ]
        for (field, value, error) in cases {
            #expect(throws: error) {
                try table.set(["Status": .integer(9)].merging([field: value]) { $1 }, of: RowID(0))
            }
        }
        #expect(throws: EditError.required(field: "Client")) { try table.append() }
        #expect(throws: EditError.duplicateKey) { try table.append(["Client": .text("Eve"), "Id": .integer(2)]) }
        #expect(!table.hasChanges && table.count == 2)
        #expect(throws: EditError.otherColumns) { try EditableTable(name: "T", fields: fields, rows: cells()) }

        var keyless = try EditableTable(name: "T", fields: [EditableField("A", .byte)], rows: cells())
        try keyless.append(["A": .integer(2)])
        #expect(throws: EditError.noKey) { try keyless.set("A", of: RowID(0), to: .integer(2)) }
        #expect(throws: EditError.noKey) { try keyless.remove(RowID(0)) }
    }

    private func cells() throws -> [DataRows] { try Orders.rows([[.integer(1)]], [DataColumn("A", .byte)]) }

    @Test(
        "text is parsed by type",
        arguments: [
            (.integer, "-5", .integer(-5)), (.integer, "5.0", nil), (.byte, "256", nil),
            (.boolean, "TRUE", .boolean(true)),
            (.currency, "1.25", .currency(scaled: 12500)), (.wideString, "", .text("")), (.blob, "00", nil),
            (.dateTime, "1900-01-01T12:00", .dateTime(days: 2.5)), (.float, "1e3", .float(1000)),
            (.guid, "{01234567-89ab-cdef-0123-456789abcdef}", .text("01234567-89ab-cdef-0123-456789abcdef")),
            (.largeUInt, "18446744073709551615", .unsigned(.max)), (.string, "€", nil),
        ] as [(DataType, String, DataValue?)]
    )
    func parsing(type: DataType, text: String, value: DataValue?) {
        #expect(EditableField("F", type).value(parsing: text) == value)
    }

    @Test("equal values compare as equal, whatever their form; different bytes of a text do not")
    func comparing() throws {
        func same(_ left: DataValue, _ right: DataValue, _ type: DataType) -> Bool {
            ComparableValue(left, type) == ComparableValue(right, type)
        }
        let (short, long) = (try DataDecimal("1.5").unwrapped, try DataDecimal("1.50").unwrapped)
        #expect(same(.decimal(short), .decimal(long), .decimal))
        #expect(same(.float(0), .float(-0.0), .float) && same(.float(.nan), .float(.nan), .float))
        #expect(same(.text("aB"), .text("Ab"), .guid) && !same(.text("aB"), .text("Ab"), .wideString))
        #expect(!same(.text("\u{E9}"), .text("e\u{301}"), .wideString))
        #expect(!same(.null, .text(""), .wideString))
        #expect(DataValue.text("\u{E9}") != .text("e\u{301}") && DataValue.text("e\u{301}") == .text("e\u{301}"))
        let written = DataValue.float(Double(Float(0.1)))
        #expect(same(.float(0.1), written, .singleFloat) && !same(.float(0.1), written, .float))
        #expect(!same(.float(0.1), .float(Double(Float(0.1).nextUp)), .singleFloat))
    }
}
