// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import NIOCore
import SQLite
import SampleServer
import TestSupport
import Testing

@testable import DataAccess

/// Edits of a tool, on the sample server.
@Suite("Edits of a tool")
struct TableEditorTests {
    private func texts(_ values: KeyValuePairs<String, String>) -> [FieldAssignment] {
        values.map { FieldAssignment($0.key, .text($0.value)) }
    }

    private func rows(_ adapter: RemoteDataAdapter, _ table: String = "Deps") async throws -> [[DataValue]] {
        try await adapter.table(TableRequest(table)).rows.map(Array.init)
    }

    @Test("a condition selects rows of which only those with other values change, within a limit")
    func byCondition() async throws {
        try await withSampleService(schema: "Simple") { adapter in
            var editor = TableEditor(TableReader(adapter), mostRows: 2)
            var set = try ChangeSet([])
            let all = EditedRows.matching(try Expression(predicate: "DepId <= 3"))
            let edit = TableEdit("Deps", .update(all, texts(["DepName": "Sales"])))
            await #expect(throws: TableEditError.tooManyRows(table: "Deps", found: 3, limit: 2)) {
                _ = try await editor.edit(edit, in: &set)
            }
            #expect(set.tables.isEmpty)
            editor.mostRows = 3
            let preview = try await editor.edit(edit, in: &set)
            #expect(preview.rowsFound == 3 && preview.changes.map { $0.key[0].value } == [.integer(2), .integer(3)])
            editor.mostBytes = 20
            await #expect(throws: TableEditError.tooManyBytes(table: "Deps", limit: 20)) {
                _ = try await editor.edit(edit, in: &set)
            }
            let one = TableEdit("Deps", .delete(.key("1")))
            await #expect(throws: ApplyFailure.unreadable("the rows of table \"Deps\" have more than 20 bytes")) {
                _ = try await editor.edit(one, in: &set)
            }
            editor.mostBytes = 100
            _ = try await editor.edit(one, in: &set)
        }
    }

    @Test("a condition is tested on pending values, on those of the server only for other rows")
    func byConditionOfPendingValues() async throws {
        try await withSampleService(schema: "Simple") { adapter in
            let editor = TableEditor(TableReader(adapter), mostRows: 1)
            var set = try ChangeSet([])
            func found(_ predicate: String) async throws -> [DataValue] {
                let rows = EditedRows.matching(try Expression(predicate: predicate))
                let edit = TableEdit("Deps", .update(rows, texts(["DepPhone": "7"])))
                return try await editor.edit(edit, in: &set).changes.map { $0.key[0].value }
            }
            func update(_ key: String, _ name: String) -> TableEdit {
                TableEdit("Deps", .update(.key(key), texts(["DepName": name])))
            }
            let names = try await rows(adapter).map { $0[1].text(as: .wideString) ?? "" }
            _ = try await editor.edit(update("1", "new"), in: &set)
            #expect(try await found("DepName == '\(names[0])'") == [])
            #expect(try await found("DepName == 'new'") == [.integer(1)])
            _ = try await editor.edit(update("2", names[2]), in: &set)
            _ = try await editor.edit(TableEdit("Deps", .delete(.key("3"))), in: &set)
            #expect(try await found("DepName == '\(names[2])'") == [.integer(2)])
            #expect(try await found("DepName == '\(names[2])' AND DepPhone != '7'") == [])
            // The other client's value of a field without a pending change counts.
            var other = try ChangeSet([])
            _ = try await editor.edit(TableEdit("Deps", .update(.key("1"), texts(["DepPhone": "5"]))), in: &other)
            var third = try ChangeSet([])
            _ = try await editor.edit(update("1", "new"), in: &third)
            #expect(try await editor.apply(&other).isComplete)
            set = third
            #expect(try await found("DepName == 'new' AND DepPhone == '5'") == [.integer(1)])
        }
    }

    @Test("a new row with the key of one that another client added is one row of a condition")
    func takenKey() async throws {
        try await withSampleService(schema: "Simple") { adapter in
            let editor = TableEditor(TableReader(adapter))
            let new = TableEdit("Deps", .insert(texts(["DepName": "New"])))
            var other = try ChangeSet([])
            _ = try await editor.edit(new, in: &other)
            var set = try ChangeSet([])
            _ = try await editor.edit(TableEdit("Deps", .insert(texts(["DepId": "5", "DepName": "New"]))), in: &set)
            #expect(try await editor.apply(&other).isComplete)
            #expect(try await rows(adapter).last?.prefix(2) == [.integer(5), .text("New")])
            let found = EditedRows.matching(try Expression(predicate: "DepName == 'New'"))
            let preview = try await editor.edit(TableEdit("Deps", .update(found, texts(["DepPhone": "7"]))), in: &set)
            #expect(
                preview.rowsFound == 1 && preview.changes.count == 1 && preview.conflicts.map(\.kind) == [.keyTaken]
            )
        }
    }

    @Test("only the row with the key is compared with the values that an edit expects")
    func expectedValues() async throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "codes.sqlite")
        try SQLiteDatabase(.file(path), .create).execute(
            """
            CREATE TABLE Codes (Code VARCHAR(10) PRIMARY KEY, N INTEGER);
            INSERT INTO Codes VALUES ('A', 1), ('a', 2);
            """
        )
        let change = { (options: inout SampleOptions) in options.catalog = ServedCatalog(databaseFile: path) }
        try await withSampleService(.relativity, .nocase, schema: "", domain: "codes", change: change) { adapter in
            let editor = TableEditor(TableReader(adapter))
            var edit = TableEdit("Codes", .update(.key("a"), texts(["N": "3"])))
            edit.expected = texts(["N": "1"])
            var set = try ChangeSet([])
            await #expect(throws: TableEditError.self) { _ = try await editor.edit(edit, in: &set) }
            edit.expected = texts(["N": "2"])
            #expect(try await editor.edit(edit, in: &set).changes.map { $0.key[0].value } == [.text("a")])
        }
    }

    @Test("a server that is lost before the rows of an edit are read is reported as such")
    func lostServer() async throws {
        try await withSampleService(schema: "Simple") { adapter in
            let edit = TableEdit("Deps", .update(.key("1"), texts(["DepPhone": "7"])))
            var set = try ChangeSet([])
            _ = try await TableEditor(TableReader(adapter)).edit(edit, in: &set)
            let nowhere = TableEditor(TableReader(try RemoteDataAdapter(socketPath: "/nonexistent")))
            await #expect(throws: DataAdapterError.self) { _ = try await nowhere.edit(edit, in: &set) }
        }
    }

    @Test("a table is cut by its limit, which may be any number")
    func limits() async throws {
        try await withSampleService(.relativity, schema: "Simple") { adapter in
            let editor = TableEditor(TableReader(adapter))
            let whole = try await editor.table(TableQuery("Deps"), limit: .max)
            #expect(whole.table.count == 4 && !whole.isCut)
            for limit in 0...4 {
                let found = try await editor.table(TableQuery("Deps"), limit: limit)
                #expect(found.table.count == limit && found.isCut == (limit < 4))
            }
        }
    }

    @Test("rows of a key of several fields are found, and new details refer to a new order")
    func severalKeyFields() async throws {
        try await withSampleService(domain: "PCTrade Sample") { adapter in
            let editor = TableEditor(TableReader(adapter))
            let schema = try DataSchema(parsing: try await adapter.schema())
            var set = try ChangeSet([], references: KeyReference.references(of: schema))
            let first = try await rows(adapter, "OrderDetails")[0]
            guard case .integer(let order) = first[0], case .integer(let product) = first[1] else { throw Missing() }
            let total = texts(["Total": "1.50"])
            let key = EditedRows.key("Product=\(product),Order=\(order)")
            let preview = try await editor.edit(TableEdit("OrderDetails", .update(key, total)), in: &set)
            #expect(preview.changes.first?.key.map(\.value) == [.integer(order), .integer(product)])
            let wrong = TableEdit("OrderDetails", .delete(.key("1")))
            await #expect(
                throws: TableEditError.notAKey(table: "OrderDetails", text: "1", fields: ["Order", "Product"])
            ) { _ = try await editor.edit(wrong, in: &set) }
            let order2 = texts(["OrderDate": "2026-05-06T10:00", "Client": "1"])
            _ = try await editor.edit(TableEdit("Orders", .insert(order2)), in: &set)
            let detail = texts(["Order": "-1", "Product": "1", "Total": "2"])
            _ = try await editor.edit(TableEdit("OrderDetails", .insert(detail)), in: &set)
            let result = try await editor.apply(&set)
            #expect(result.isComplete && result.rows.count == 3)
            let newOrder = try #require(result.rows.first { $0.change.row.table == "Orders" }).change.key[0].value
            #expect(try await rows(adapter, "OrderDetails").last?.first == newOrder)
        }
    }

    @Test(
        "a text that is too long for its field is refused, if the server has a schema",
        arguments: ServerKind.allCases
    )
    func sizes(_ kind: ServerKind) async throws {
        try await withSampleService(kind, schema: "Simple") { adapter in
            let editor = TableEditor(TableReader(adapter))
            var set = try ChangeSet([])
            // In UTF-16 units.
            for (phone, length) in [(String(repeating: "5", count: 20), 20), (String(repeating: "🙂", count: 11), 22)] {
                for edit in [
                    TableEdit("Deps", .insert(texts(["DepName": "x", "DepPhone": phone]))),
                    TableEdit("deps", .update(.key("1"), texts(["DepPhone": phone]))),
                ] {
                    guard length > 20, kind != .noSchema else {
                        _ = try await editor.edit(edit, in: &set)
                        continue
                    }
                    let refusal = EditError.tooLong(field: "DepPhone", limit: 20, found: length)
                    await #expect(throws: TableEditError.refused(table: "Deps", refusal)) {
                        _ = try await editor.edit(edit, in: &set)
                    }
                }
            }
            #expect(set.changedRows.count == (kind == .noSchema ? 3 : 2))
        }
    }

    @Test("510 rows are compared in several reads, and a server that cannot be reached got nothing")
    func manyRows() async throws {
        try await withSampleService(change: { $0.load = 600 }) { adapter in
            let schema = try DataSchema(parsing: try await adapter.tableSchema(["OrderDetails"]))
            let table = try await adapter.table(TableRequest("OrderDetails"))
            var set = try ChangeSet([try EditableTable(table, schema: schema.table("OrderDetails"))])
            try set.edit("OrderDetails") { table throws(EditError) in
                for row in Array(table.rowIDs).prefix(510) { try table.set("Quantity", of: row, to: .integer(77)) }
            }
            let runner = ApplyRunner(AdapterChangeServer(adapter), store: PendingFile?.none)
            #expect(try await runner.apply(&set).accepted.count == 510)
            try set.edit("OrderDetails") { table throws(EditError) in
                _ = try table.append([
                    "Order": .integer(1), "Product": .integer(1), "Price": .currency(scaled: 1),
                    "Total": .currency(scaled: 1),
                ])
            }
            let nowhere = try RemoteDataAdapter(socketPath: "/nonexistent")
            let report = try await ApplyRunner(AdapterChangeServer(nowhere), store: PendingFile?.none).apply(&set)
            guard case .notSent = report.failure else {
                Issue.record("\(String(describing: report.failure))")
                return
            }
            #expect(set.phase == .idle && set.changedRows.count == 1)
        }
    }

    @Test("a key as text is divided only in front of the name of a field")
    func keyTexts() {
        #expect(KeyText.assignments("a,b=c", fields: ["K"]) == [FieldAssignment("K", .text("a,b=c"))])
        #expect(KeyText.assignments("k=-1", fields: ["K"]) == [FieldAssignment("K", .text("-1"))])
        #expect(KeyText.assignments("K=K=", fields: ["K"]) == [FieldAssignment("K", .text("K="))])
        #expect(KeyText.assignments("k", fields: ["K"]) == [FieldAssignment("K", .text("k"))])
        #expect(
            KeyText.assignments("b=1,2,x=3,A=4=5", fields: ["A", "B"])
                == [FieldAssignment("B", .text("1,2,x=3")), FieldAssignment("A", .text("4=5"))]
        )
        for wrong in ["", "A=1", "A", "x,A=1,B=2", "A=1,B"] {
            #expect(KeyText.assignments(wrong, fields: ["A", "B"]) == nil, "\(wrong)")
        }
    }

    @Test(
        "a number may have an exponent if its value is exact",
        arguments: [
            ("1e3", DataType.currency, DataValue.currency(scaled: 10_000_000)),
            ("-15E-1", .currency, .currency(scaled: -15_000)), ("1.50000e0", .currency, .currency(scaled: 15_000)),
            ("1e-4", .currency, .currency(scaled: 1)), ("1e-5", .currency, nil), ("1e20", .currency, nil),
            ("2.5e+2", .decimal, DataDecimal("250").map { .decimal($0) }), ("1e29", .decimal, nil),
            ("1e2", .integer, .integer(100)), ("15e-1", .integer, nil), ("1e99", .largeInt, nil), ("e1", .decimal, nil),
            ("1.e1", .decimal, nil), ("1e", .decimal, nil), ("1e1e1", .decimal, nil), ("0x1e1", .decimal, nil),
        ] as [(String, DataType, DataValue?)]
    )
    func exponents(text: String, type: DataType, value: DataValue?) {
        #expect((try? EditableField("F", type).value(of: .text(text), table: "T")) == value)
    }

    @Test("the content of a file is a Blob or text in UTF-8")
    func files() throws {
        let bytes = ByteBuffer(bytes: [0x41, 0xFF])
        #expect(try EditableField("F", .blob).value(of: .bytes(bytes), table: "T") == .bytes(bytes))
        #expect(throws: TableEditError.invalidValue(table: "T", field: "F", type: .wideMemo, text: nil)) {
            try EditableField("F", .wideMemo).value(of: .bytes(bytes), table: "T")
        }
        #expect(try EditableField("F", .memo).value(of: .bytes(ByteBuffer(string: "é")), table: "T") == .text("é"))
    }
}

private struct Missing: Error {}
