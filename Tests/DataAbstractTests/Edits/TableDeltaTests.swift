// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import DataAbstract

@Suite struct TableDeltaTests {
    /// The bytes of a stream of deltas in a request or a reply of the vendor's client.
    private func vendorStream(_ name: String) throws -> ByteBuffer {
        try TableVector.deltasInMessages().first { $0.name == name }.unwrapped.bytes.unwrapped
    }

    private func deps() throws -> EditableTable {
        var fields = [
            EditableField("DepId", .autoInc), EditableField("DepName", .wideString), EditableField("DepPhone", .string),
        ]
        fields[0].isInPrimaryKey = true
        let rows = try Orders.rows(
            [("Sales", "1"), ("Security", "2"), ("Support", "3")].enumerated().map {
                [.integer(Int64($0 + 1)), .text($1.0), .text($1.1)]
            },
            fields.map { DataColumn($0.name, $0.type) }
        )
        return try EditableTable(name: "Deps", fields: fields, rows: rows)
    }

    private func users() throws -> EditableTable {
        var fields = [
            EditableField("Login", .string), EditableField("DepId", .integer), EditableField("Since", .dateTime),
            EditableField("Salary", .currency),
        ]
        fields[0].isInPrimaryKey = true
        let rows = try Orders.rows(
            ["ada", "bob"].map { [.text($0), .integer(1), .null, .null] },
            fields.map { DataColumn($0.name, $0.type) }
        )
        return try EditableTable(name: "Users", fields: fields, rows: rows)
    }

    private func edited() throws -> ChangeSet {
        var (deps, users) = (try deps(), try users())
        try deps.append(["DepName": .text("ä€日"), "DepPhone": .text("555")])
        try deps.set("DepPhone", of: RowID(1), to: .null)
        try deps.remove(RowID(0))
        try users.append([
            "Login": .text("eve"), "DepId": .integer(-1), "Salary": .currency(scaled: 123_400),
            "Since": try users.fields[2].value(parsing: "2021-05-06T07:08:09").unwrapped,
        ])
        let reference = try KeyReference("Users.DepId=Deps.DepId").unwrapped
        return try ChangeSet([deps, users], references: [reference])
    }

    @Test("deltas equal those of the vendor's client, byte for byte")
    func vendorDeltas() throws {
        let name = "request UpdateData two tables, insert, update and delete"
        #expect(try edited().deltas().encoded() == vendorStream(name))

        var deps = try deps()
        try deps.append(["DepName": .text("A")])
        try deps.append(["DepName": .text("B"), "DepPhone": .text("")])
        let stream = DeltaStream([try deps.delta().unwrapped])
        #expect(try stream.encoded() == vendorStream("request UpdateData two rows with AutoInc keys"))
    }

    @Test("the vendor's replies are merged: keys, computed fields and failures")
    func vendorReplies() throws {
        func merged(_ name: String) throws -> (EditableTable, EditableTable, TableOutcome) {
            let reply = try DeltaStream(decoding: vendorStream(name))
            var (deps, users) = (try edited().tables[0], try edited().tables[1])
            let sent = try deps.delta(of: deps.changedRows).unwrapped
            let outcome = deps.merge(reply.deltas.first { $0.name == "Deps" }, of: sent)
            if let delta = reply.deltas.first(where: { $0.name == "Users" }) {
                _ = users.merge(delta, of: try users.delta(of: users.changedRows).unwrapped)
            }
            return (deps, users, outcome)
        }

        var (deps, users, outcome) = try merged("response UpdateData AutoInc key resolved in two tables")
        #expect(outcome.keys == ["DepId": [-1: .integer(4)]] && !deps.hasChanges && !users.hasChanges)
        #expect(try deps.row(RowID(3)).unwrapped.values.first == .integer(4) && deps.count == 3)
        #expect(try users.row(RowID(2)).unwrapped.value("DepId") == .integer(4))

        (deps, _, outcome) = try merged("response UpdateData one failed, one resolved")
        #expect(outcome.failed == [RowID(1)] && outcome.accepted == [RowID(3), RowID(0)])
        #expect(outcome.withoutKey == [RowID(3)] && deps.changedRows == [RowID(1)])
        #expect(deps.row(RowID(1))?.failure == "Row is gone: ä€日" && deps.row(RowID(0)) == nil)
        #expect(throws: EditError.keyUnknown(RowID(3))) { try deps.set("DepPhone", of: RowID(3), to: .null) }

        (deps, _, outcome) = try merged("response UpdateData a delta whose changes are all gone")
        #expect(outcome.accepted.count == 3 && !deps.hasChanges)

        var sales = try self.deps()
        try sales.set("DepName", of: RowID(0), to: .text("sales"))
        let reply = try DeltaStream(decoding: vendorStream("response UpdateData server changed other columns"))
        _ = sales.merge(reply.deltas[0], of: try sales.delta(of: sales.changedRows).unwrapped)
        #expect(try sales.row(RowID(0)).unwrapped.value("DepName") == .text("SALES") && !sales.hasChanges)
    }

    @Test("a pending change stays pending, and a change that was not sent is reported")
    func pendingReply() throws {
        var table = try Orders.table()
        try table.set("Status", of: RowID(0), to: .integer(2))
        try table.set("Status", of: RowID(1), to: .integer(2))
        let sent = try table.delta(of: table.changedRows).unwrapped
        var reply = Delta(name: "Orders", fields: sent.delta.fields, keys: [])
        for (record, status) in [(0, .pending), (9, .resolved)] as [(Int32, DeltaChange.Status)] {
            try reply.append(
                .update,
                recordID: record,
                old: Array(sent.delta.changes[0].old),
                new: Array(sent.delta.changes[0].new),
                status: status
            )
        }
        let outcome = table.merge(reply, of: sent)
        #expect(outcome.notProcessed == [RowID(0)] && outcome.accepted == [RowID(1)])
        #expect(outcome.unknownRecords == [9] && table.changedRows == [RowID(0)])
    }

    @Test("a value of a reply that the field cannot hold is left out, as are NULLs of a reduced delta")
    func unfitReply() throws {
        var table = try Orders.table()
        try table.set("Status", of: RowID(0), to: .integer(2))
        let sent = try table.delta(of: table.changedRows).unwrapped
        let fields = [DataColumn("status", .wideString), DataColumn("Client", .wideString), DataColumn("X", .byte)]
        var reply = Delta(name: "Orders", fields: fields, keys: [], isReduced: true)
        try reply.append(
            .update,
            recordID: 0,
            old: [.null, .text("Ada"), .null],
            new: [.text("x"), .null, .integer(1)],
            status: .resolved
        )
        _ = table.merge(reply, of: sent)
        #expect(try table.row(RowID(0)).unwrapped.values == Orders.row(1, "Ada", 2))
    }

    @Test("changed rows are in table order, removed ones last in their own order, also after an accepted insert")
    func order() throws {
        var table = try Orders.table()
        let dan = try table.append(["Client": .text("Dan")])
        _ = table.merge(nil, of: try table.delta(of: [dan]).unwrapped)
        let eve = try table.append(["Client": .text("Eve")])
        try table.remove(RowID(2))
        try table.remove(RowID(0))
        try table.set("Client", of: RowID(1), to: .text("B"))
        #expect(table.changedRows == [RowID(1), eve, RowID(2), RowID(0)])
        #expect(Array(table.rowIDs) == [RowID(1), dan, eve] && table.count == 3)
    }

    @Test("a removed row whose key another row takes is sent first, so that the key is free")
    func freedKeys() throws {
        var table = try Orders.table()
        try table.remove(RowID(1))
        try table.remove(RowID(2))
        try table.set("Id", of: RowID(0), to: .integer(3))
        #expect(table.changedRows == [RowID(2), RowID(0), RowID(1)])
        let new = try table.append(["Id": .integer(4), "Client": .text("Dan")])
        try table.set("Id", of: new, to: .integer(2))
        #expect(table.changedRows == [RowID(1), RowID(2), RowID(0), new])
        try table.revert(new)
        #expect(table.changedRows == [RowID(2), RowID(0), RowID(1)])
    }
}

@Suite struct RefreshTests {
    private func refreshed(
        _ rows: [[DataValue]],
        _ edit: (inout EditableTable) throws -> Void
    ) throws -> (EditableTable, [EditConflict]) {
        var table = try Orders.table()
        try edit(&table)
        let conflicts = try table.refresh(Orders.rows(rows))
        return (table, conflicts)
    }

    @Test("changes of different fields are merged; a field that both changed is a conflict with both values")
    func merging() throws {
        let rows = [Orders.row(2, "Bert", 1), Orders.row(1, "Ada", 8), Orders.row(4, "Dan")]
        let (table, conflicts) = try refreshed(rows) { table in
            try table.set("Status", of: RowID(0), to: .integer(5))
            try table.set("Status", of: RowID(1), to: .integer(7))
        }
        let row = try table.row(RowID(1)).unwrapped
        #expect(row.values == Orders.row(2, "Bert", 7) && row.changedFields == ["Status"])
        #expect(table.changedRows == [RowID(1), RowID(0)] && table.count == 3)
        #expect(try table.column("Client") == [.text("Bert"), .text("Ada"), .text("Dan")])
        let field = EditConflict.Field(
            name: "Status",
            type: .integer,
            old: .integer(1),
            mine: .integer(5),
            theirs: .integer(8)
        )
        #expect(
            conflicts == [
                EditConflict(table: "Orders", row: RowID(0), kind: .changed, state: .updated, fields: [field])
            ]
        )
        // Not rebased, so that an apply detects the conflict again.
        #expect(try table.row(RowID(0)).unwrapped.oldValue("Status") == .integer(1))
    }

    @Test("new rows and rows in edit mode survive a refresh; a taken key is a conflict")
    func newRows() throws {
        var ids: [RowID] = []
        var (table, conflicts) = try refreshed([Orders.row(3, "Cyd", 6), Orders.row(7, "Joe")]) { table in
            ids.append(try table.append(["Client": .text("Dan"), "Id": .integer(7)]))
            ids.append(try table.append(["Client": .text("Eve")]))
            ids.append(table.begin())
            try table.edit(RowID(2))
            try table.set("Client", of: RowID(2), to: .text("Cy"))
            try table.edit(RowID(0))
        }
        #expect(conflicts.map(\.kind) == [.keyTaken, .missing] && conflicts.map(\.row) == [ids[0], RowID(0)])
        #expect(table.changedRows == [ids[0], ids[1]] && table.count == 4)
        try table.post(RowID(2))
        #expect(try table.row(RowID(2)).unwrapped.values == Orders.row(3, "Cy", 6))
        try table.set("Client", of: ids[2], to: .text("Fay"))
        try table.post(ids[2])
        #expect(table.changedRows == [RowID(2), ids[0], ids[1], ids[2]] && !table.isEditing)
        #expect(throws: EditError.otherColumns) {
            try table.refresh(Orders.rows([[.integer(1)]], [DataColumn("A", .byte)]))
        }
    }
}
