// SPDX-License-Identifier: Apache-2.0

import RandomRuns
import Testing

@testable import DataAbstract

@Suite struct ChangeSetTests {
    /// A set with a new order and two details of it.
    private func newOrder(isRelated: Bool, detailsFirst: Bool = false) throws -> (ModelServer, ChangeSet) {
        let server = ModelShop.server(isRelated: isRelated)
        var set = try ModelShop.changes(of: server, isRelated: isRelated, detailsFirst: detailsFirst)
        try set.edit("Orders") { table throws(EditError) in
            _ = try table.append(["Client": .text("Dan")])
            try table.set("Status", of: RowID(0), to: .integer(2))
        }
        try set.edit("orderdetails") { table throws(EditError) in
            for product in 1...2 as ClosedRange<Int64> {
                _ = try table.append(["Order": .integer(-1), "Product": .integer(product)])
            }
            try table.remove(RowID(0))
        }
        return (server, set)
    }

    @Test("without a relationship in the schema new masters are applied in a call before their details")
    func twoCalls() throws {
        var (server, set) = try newOrder(isRelated: false)
        let report = try server.run(&set)
        #expect(report.calls == 2 && server.calls == 2 && report.failure == nil && !set.hasChanges)
        let note = ApplyNote.separateTransactions(first: ["Orders", "OrderDetails"], later: ["OrderDetails"])
        #expect(report.notes == [note] && report.accepted.count == 5)
        #expect(server.tables[1].rows.suffix(2).map { $0[0] } == [.integer(1000), .integer(1000)])
        #expect(try set.tables[0].column("Id").last == .integer(1000))
        #expect(try set.tables[1].column("Order").suffix(2) == [.integer(1000), .integer(1000)])
    }

    @Test(
        "with a relationship in the schema one call is enough, in whatever order the tables are",
        arguments: [false, true]
    )
    func oneCall(detailsFirst: Bool) throws {
        var (server, set) = try newOrder(isRelated: true, detailsFirst: detailsFirst)
        let report = try server.run(&set)
        #expect(report.calls == 1 && report.notes.isEmpty && !set.hasChanges)
        let details = try #require(set.table("OrderDetails"))
        #expect(try details.column("Order").suffix(2) == [.integer(1000), .integer(1000)])
    }

    @Test("a whole apply sends all changes in one call, and none if they need two")
    func whole() throws {
        var (server, set) = try newOrder(isRelated: false)
        let refused = try server.run(&set, isWhole: true)
        let reason: String = if case .notSent(let text) = refused.failure { text } else { "" }
        #expect(reason.contains("'OrderDetails'") && reason.contains("'Orders'"))
        #expect(server.calls == 0 && refused.accepted.isEmpty && set.changedRows.count == 5 && set.phase == .idle)
        (server, set) = try newOrder(isRelated: true)
        let report = try server.run(&set, isWhole: true)
        #expect(report.failure == nil && report.calls == 1 && !set.hasChanges)
    }

    @Test("a conflict stops a whole apply, and only the changed row of another one")
    func wholeConflict() throws {
        for isWhole in [true, false] {
            var (server, set) = try newOrder(isRelated: true)
            server.tables[0].rows[0][1] = .text("other")
            let report = try server.run(&set, isWhole: isWhole)
            #expect(report.conflicts.map(\.row) == [RowID(0)] && report.failure == nil)
            #expect(server.calls == (isWhole ? 0 : 1) && set.changedRows.count == (isWhole ? 5 : 1))
        }
    }

    /// A row of another client, which is nil if it was removed.
    typealias OtherRow = (client: String, status: Int64)?

    @Test(
        "what the server has already is accepted, and what another client has changed is a conflict",
        arguments: [
            (2, ("Ada", 1), nil, 1), (2, nil, .missing, 0), (2, ("Ada", 2), nil, 0), (2, ("Ada", 3), .changed, 0),
            (2, ("Bea", 1), .changed, 0), (2, ("Bea", 2), .changed, 0),
            (nil, ("Ada", 1), nil, 1), (nil, nil, nil, 0), (nil, ("Ada", 3), .changed, 0),
        ] as [(Int64?, OtherRow, EditConflict.Kind?, Int)]
    )
    func otherWriter(status: Int64?, theirs: OtherRow, kind: EditConflict.Kind?, calls: Int) throws {
        var server = ModelShop.server()
        var set = try ModelShop.changes(of: server)
        let row = ChangedRow("Orders", RowID(0))
        try set.edit("Orders") { table throws(EditError) in
            guard let status else { return try table.remove(RowID(0)) }
            try table.set("Status", of: RowID(0), to: .integer(status))
        }
        func values(_ client: String, _ status: Int64) -> [String: DataValue] {
            ["Id": .integer(1), "Client": .text(client), "Status": .integer(status)]
        }
        server.tables[0].rows.removeFirst()
        if let theirs { server.tables[0].rows.append([.integer(1), .text(theirs.client), .integer(theirs.status)]) }
        let before = server.tables[0].rows
        let report = try server.run(&set)
        #expect(
            report.failure == nil && report.calls == calls && report.conflicts.map(\.kind) == [kind].compactMap(\.self)
        )
        #expect(report.accepted == (kind == nil ? [row] : []) && set.changedRows == (kind == nil ? [] : [row]))
        #expect(calls == 1 || server.tables[0].rows == before)
        guard let conflict = report.conflicts.first else { return }
        let theirValues = theirs.map { values($0.client, $0.status) }
        for field in conflict.fields {
            #expect(field.old == values("Ada", 1)[field.name] && field.theirs == theirValues?[field.name])
            if let status { #expect(field.mine == values("Ada", status)[field.name]) }
        }
        let names = Set(conflict.fields.map(\.name))
        #expect(theirs == nil || theirs?.client == "Ada" || names.contains("Client"))
        #expect(theirs == nil || theirs?.status == 1 || names.contains("Status"))
        guard kind == .changed else { return }
        #expect(try server.run(&set, isForced: true).accepted == [row])
        #expect(server.tables[0].rows.first { $0[0] == .integer(1) }?[2] == status.map { .integer($0) })
    }

    @Test("a forced apply overwrites the fields that it sets, and no other ones")
    func forced() throws {
        var (server, set) = try newOrder(isRelated: true)
        server.tables[0].rows[0][1] = .text("other")
        server.tables[0].rows[0][2] = .integer(3)
        let report = try server.run(&set, isForced: true)
        #expect(report.conflicts.isEmpty && !set.hasChanges)
        #expect(server.tables[0].rows[0] == [.integer(1), .text("other"), .integer(2)])
    }

    @Test(
        "a merging apply sends a change of a row in which other fields differ, and none of a field that both changed",
        arguments: [
            (2, ("Bea", 1), 1, nil), (2, ("Bea", 2), 0, nil), (2, ("Bea", 3), 0, .changed),
            (nil, ("Bea", 1), 0, .changed),
        ]
            as [(Int64?, (client: String, status: Int64), Int, EditConflict.Kind?)]
    )
    func merging(status: Int64?, theirs: (client: String, status: Int64), calls: Int, kind: EditConflict.Kind?) throws {
        var server = ModelShop.server()
        var set = try ModelShop.changes(of: server)
        try set.edit("Orders") { table throws(EditError) in
            guard let status else { return try table.remove(RowID(0)) }
            try table.set("Status", of: RowID(0), to: .integer(status))
        }
        server.tables[0].rows[0] = [.integer(1), .text(theirs.client), .integer(theirs.status)]
        let report = try server.run(&set, isMerging: true)
        #expect(report.conflicts.map(\.kind) == [kind].compactMap(\.self) && report.calls == calls)
        #expect(set.hasChanges == (kind != nil))
        let sent = kind == nil ? status ?? theirs.status : theirs.status
        #expect(server.tables[0].rows[0] == [.integer(1), .text("Bea"), .integer(sent)])
    }

    @Test("an overlay hides the rows that were changed, and has those that are visible")
    func overlay() throws {
        let (_, set) = try newOrder(isRelated: true)
        let orders = PendingOverlay(try #require(set.table("Orders")))
        #expect(orders.keyNames == ["Id"] && orders.hidesRows)
        let keys = (1...3).map { orders.hides([.integer($0)]) }
        #expect(keys == [true, false, false] && !orders.hides([.integer(-1)]))
        #expect(orders.rows.map { $0[0] } == [.integer(1), .integer(-1)])
        let details = PendingOverlay(try #require(set.table("OrderDetails")))
        #expect(details.rows.count == 2 && details.hidesRows, "a removed row is hidden and not visible")
    }

    @Test("rows that refer to a removed new row are orphans of the state before")
    func orphans() throws {
        let (_, before) = try newOrder(isRelated: false)
        var set = before
        #expect(set.orphans(since: before).isEmpty)
        try set.edit("Orders") { table throws(EditError) in try table.revert(RowID(0)) }
        #expect(set.orphans(since: before).isEmpty)
        try set.edit("Orders") { table throws(EditError) in try table.revert(RowID(3)) }
        #expect(set.orphans(since: before) == [3, 4].map { ChangedRow("OrderDetails", RowID($0)) })
        try set.edit("OrderDetails") { table throws(EditError) in try table.revert(RowID(4)) }
        #expect(set.orphans(since: before) == [ChangedRow("OrderDetails", RowID(3))])
        try set.edit("OrderDetails") { table throws(EditError) in try table.revert(RowID(3)) }
        #expect(set.orphans(since: before).isEmpty)
    }

    @Test("details of a new master that failed are not sent, and both stay pending")
    func failedMaster() throws {
        for isRelated in [false, true] {
            var (server, set) = try newOrder(isRelated: isRelated)
            // The update, the insert of the order.
            server.answers = [.resolved, .failed]
            if isRelated { server.answers += [.failed, .failed] }
            let report = try server.run(&set)
            let order = ChangedRow("Orders", RowID(3))
            #expect(report.failed.contains(order) && set.changedRows.count == 3 && set.phase == .idle)
            #expect(set.tables[0].row(RowID(3))?.failure == "rejected")
            if !isRelated {
                #expect(
                    report.notes.suffix(2) == [
                        .waitsForKey(ChangedRow("OrderDetails", RowID(3)), of: "Orders"),
                        .waitsForKey(ChangedRow("OrderDetails", RowID(4)), of: "Orders"),
                    ]
                )
            }
            let again = try server.run(&set)
            #expect(again.accepted.count == 3 && !set.hasChanges)
            #expect(try set.tables[1].column("Order").suffix(2) == [.integer(1000), .integer(1000)])
        }
    }

    @Test("a detail of a removed new master, or of one without a reported key, is never sent")
    func danglingReference() throws {
        var (server, set) = try newOrder(isRelated: false)
        try set.edit("Orders") { table throws(EditError) in try table.remove(RowID(3)) }
        var report = try server.run(&set)
        #expect(report.calls == 1 && report.notes.count == 2 && set.changedRows.count == 2)
        #expect(server.tables[1].rows.count == 2)

        (server, set) = try newOrder(isRelated: false)
        server.answers = [.resolved, .absent]
        report = try server.run(&set)
        #expect(report.calls == 1 && report.notes.contains(.keyUnknown(ChangedRow("Orders", RowID(3)))))
        #expect(set.changedRows.map(\.row) == [RowID(3), RowID(4)])
    }

    @Test("while changes are applied, and after an unknown outcome, edits and applies are refused")
    func phases() throws {
        var (_, set) = try newOrder(isRelated: true)
        try set.edit("OrderDetails") { table throws(EditError) in try table.revert(RowID(0)) }
        try set.edit("Orders") { table throws(EditError) in try table.revert(RowID(0)) }
        guard case .send(let deltas) = try set.beginApply() else { throw Expected() }
        #expect(deltas.deltas.map(\.name) == ["Orders", "OrderDetails"])
        #expect(throws: EditError.inFlight) { try set.beginApply() }
        #expect(throws: EditError.inFlight) { try set.rowsRead([]) }
        #expect(throws: EditError.inFlight) { try set.edit("Orders") { $0.count } }
        guard case .finished(let report) = try set.stopped(.unknownOutcome("cut")) else { throw Expected() }
        #expect(report.failure == .unknownOutcome("cut") && set.undecidedRows == set.changedRows)
        #expect(throws: EditError.inFlight) { try set.beginApply() }
        #expect(throws: EditError.inFlight) { try set.replied(DeltaStream()) }
        #expect(throws: EditError.inFlight) { try set.edit("Orders") { $0.count } }
        set.retry()
        #expect(set.phase == .idle && set.changedRows.count == 3)
        guard case .send = try set.beginApply(),
            case .finished = try set.stopped(.refused("no"))
        else { throw Expected() }
        #expect(set.phase == .idle && set.changedRows.count == 3)
        let unknown = UnknownName("X", among: set.tables.map(\.name))
        #expect(throws: EditError.unknownTable(unknown)) { try set.edit("X") { $0.count } }
    }

    private struct Expected: Error {}

    @Test("references are parsed and checked")
    func references() throws {
        let reference = try KeyReference("Order.Details.Order=Orders.Id").unwrapped
        #expect(reference == KeyReference("Order.Details", ["Order"], to: "Orders", ["Id"]))
        for text in ["", "A=B", "A.b", "A.b=C", ".b=C.d", "A.=C.d", "A.b=C.d=E.f"] {
            #expect(KeyReference(text) == nil, "\(text)")
        }
        let tables = try ModelShop.changes(of: ModelShop.server()).tables
        func names(_ table: EditableTable) -> [String] { table.fields.map(\.name) }
        #expect(throws: EditError.unknownField(UnknownName("X", among: names(tables[1])))) {
            try ChangeSet(tables, references: [KeyReference("OrderDetails.X=Orders.Id").unwrapped])
        }
        #expect(throws: EditError.unknownField(UnknownName("Y", among: names(tables[0])))) {
            try ChangeSet(tables, references: [KeyReference("OrderDetails", ["Order"], to: "Orders", ["Id", "Y"])])
        }
        #expect(throws: EditError.duplicateTable("Orders")) { try ChangeSet([tables[0], tables[0]]) }
    }

    @Test("a temporary key is found in a reference of several fields, and replaced in its field only")
    func severalFields() throws {
        var server = ModelShop.server()
        let reference = KeyReference("OrderDetails", ["Product", "Order"], to: "Orders", ["Status", "Id"])
        var set = try ChangeSet(ModelShop.changes(of: server).tables, references: [reference])
        try set.edit("Orders") { table throws(EditError) in _ = try table.append(["Client": .text("Dan")]) }
        let detail = try set.edit("OrderDetails") { table throws(EditError) in
            try table.append(["Order": .integer(-1), "Product": .integer(-1)])
        }
        let found = set.temporaryReferences(of: detail, in: set.tables[1])
        #expect(found.map(\.column) == [0] && found[0].master == RowID(3) && found[0].reference == reference)
        let report = try server.run(&set)
        #expect(report.calls == 2 && report.failure == nil && !set.hasChanges)
        #expect(try set.tables[1].column("Order").last == .integer(1000))
        #expect(try set.tables[1].column("Product").last == .integer(-1))
    }
}

@Suite struct EditRunTests {
    @Test("random edits, refreshes and applies agree with a model, and end with the server's rows")
    func sequences() throws {
        _ = try EditRuns.sequences(300)
    }

    /// Of 240,000 sequences the only one in which a reply is lost after the server has stored a detail without its master,
    /// the master follows later, and the detail is in edit mode.
    @Test("a key that the server has stays under a row in edit mode")
    func storedKey() throws {
        _ = try EditRuns.sequences(1, from: 165_129)
    }
}
