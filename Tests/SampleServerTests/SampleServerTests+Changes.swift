// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import JSON
import NIOCore
import Remoting
import TestSupport
import Testing

@testable import SampleServer

/// Changes, commands, SQL and notifications, through a running server.
extension SampleServerTests {
    private static let depFields = [
        DataColumn("DepId", .autoInc), DataColumn("DepName", .wideString), DataColumn("DepPhone", .wideString),
    ]

    private func message(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch RemotingError.exception(let exception) {
            return exception.message
        } catch {
            return "\(error)"
        }
    }

    private func update(_ deltas: [Delta], over channel: RemotingChannel, as id: ClientID) async throws -> [Delta] {
        let bytes = RemotingValue.binary(try DeltaStream(deltas).encoded())
        let reply = try await call("UpdateData", [bytes], over: channel, as: id)
        guard case .binary(let bytes?) = reply.first else { throw RemotingError.malformed(reason: "a null reply") }
        return try DeltaStream(decoding: bytes).deltas
    }

    private func deps() throws -> Delta {
        var delta = Delta(name: "deps", fields: Self.depFields, keys: ["DepId"])
        let new: [DataValue] = [.integer(-1), .text("New"), .null]
        try delta.append(.insert, recordID: 0, old: new, new: new)
        let old: [DataValue] = [.integer(4), .text("Accounting"), .null]
        try delta.append(.update, recordID: 1, old: old, new: [.integer(4), .text("Finance"), .text("+1")])
        try delta.append(
            .update,
            recordID: 2,
            old: [.integer(99), .text("x"), .null],
            new: [.integer(99), .text("y"), .null]
        )
        try delta.append(
            .update,
            recordID: 3,
            old: [.integer(1), .text("Sales"), .null],
            new: [.integer(1), .null, .null]
        )
        try delta.append(.delete, recordID: 4, old: [.integer(2), .null, .null], new: [.integer(2), .null, .null])
        return delta
    }

    @Test("changes are applied, failures are reported, and the reply has the assigned key")
    func updates() async throws {
        try await withSession(schema: "Simple") { channel, id async throws in
            let reply = try await update([try deps()], over: channel, as: id)
            let changes = try #require(reply.first?.changes)
            #expect(changes.map(\.recordID) == [0, 1, 2, 3, 4])
            #expect(changes.map(\.status) == [.resolved, .resolved, .failed, .failed, .resolved])
            #expect(changes[0].old[0] == .integer(-1) && changes[0].new[0] == .integer(5))
            #expect(changes[2].message.contains("does not exist"))
            #expect(changes[3].message.contains("NOT NULL"))
            let rows = try await tables(["Deps"], nil, over: channel, as: id)[0].rows.map(Array.init)
            #expect(rows.map { $0[0] } == [.integer(1), .integer(3), .integer(4), .integer(5)])
            #expect(rows[2] == [.integer(4), .text("Finance"), .text("+1")])
            #expect(try await update([], over: channel, as: id).isEmpty)
        }
    }

    @Test("with the other rule the first failure undoes all changes")
    func allOrNothing() async throws {
        try await withSession(schema: "Simple", { $0.updates = .all }) { channel, id async throws in
            let before = try await tables(["Deps"], nil, over: channel, as: id)[0].rows.map(Array.init)
            let text = await message { _ = try await update([try deps()], over: channel, as: id) }
            #expect(text?.contains("does not exist") == true)
            let after = try await tables(["Deps"], nil, over: channel, as: id)[0].rows.map(Array.init)
            #expect(before == after)
        }
    }

    /// A new order, and two details, of which the second has an unknown product.
    private func newOrder() throws -> (orders: Delta, details: Delta) {
        var orders = Delta(
            name: "Orders",
            fields: [
                DataColumn("Id", .autoInc), DataColumn("Number", .guid), DataColumn("Date", .dateTime),
                DataColumn("Status", .integer), DataColumn("Type", .integer), DataColumn("Client", .integer),
                DataColumn("Amount", .currency),
            ],
            keys: ["Id"]
        )
        let order: [DataValue] = [
            .integer(-1), .text(MadeUp.guid(1)), .dateTime(days: 44_000), .integer(1), .integer(2), .integer(1),
            .currency(scaled: 12_345),
        ]
        try orders.append(.insert, recordID: 7, old: order, new: order)
        var details = Delta(
            name: "OrderDetails",
            fields: [
                DataColumn("Id", .autoInc), DataColumn("Order", .integer), DataColumn("Product", .integer),
                DataColumn("Quantity", .smallInt), DataColumn("Price", .currency), DataColumn("Total", .currency),
            ],
            keys: ["Id"]
        )
        for (record, product) in [(0, 1), (1, 999)] {
            let detail: [DataValue] = [
                .integer(Int64(-1 - record)), .integer(-1), .integer(Int64(product)), .integer(1),
                .currency(scaled: 1), .currency(scaled: 1),
            ]
            try details.append(.insert, recordID: Int32(record), old: detail, new: detail)
        }
        return (orders, details)
    }

    @Test(
        "changes are applied in the order of the update rules, and the reply has the order of the call",
        arguments: [true, false]
    )
    func updateRules(_ hasRules: Bool) async throws {
        let rules = [SchemaUpdateRule("orders", [.insert]), SchemaUpdateRule("OrderDetails", [.insert, .update])]
        try await withSession {
            guard hasRules else { return }
            $0.catalog.domains[0].schemas[1].updateRules = rules
        } _: { channel, id async throws in
            var (orders, details) = try newOrder()
            let first = details.changes[0]
            try details.append(.delete, recordID: 2, old: [.integer(1)] + first.old.dropFirst(), new: Array(first.new))
            var statuses = Delta(
                name: "OrderStatus",
                fields: [DataColumn("Id", .autoInc), DataColumn("Name", .wideString)],
                keys: ["Id"]
            )
            let (old, new): ([DataValue], [DataValue]) = ([.integer(1), .text("New")], [.integer(1), .text("Fresh")])
            try statuses.append(.update, recordID: 0, old: old, new: new)
            let reply = try await update([details, statuses, orders], over: channel, as: id)
            #expect(reply.map(\.name) == ["OrderDetails", "OrderStatus", "Orders"])
            let made = reply[0].changes
            #expect(made.map(\.recordID) == [0, 1, 2])
            #expect(made.map(\.status) == (hasRules ? [.resolved, .failed, .failed] : [.failed, .failed, .resolved]))
            #expect(made[0].new[1] == .integer(hasRules ? 201 : -1))
            #expect(made[2].message.contains("update rule") == hasRules)
            #expect(reply[1].changes[0].status == .resolved && reply[2].changes[0].new[0] == .integer(201))
        }
    }

    @Test("a delta for an unknown table or field fails the whole call, and a reading account may not change rows")
    func refusedUpdates() async throws {
        let reader = ServedAccount(user: "Data", password: "Relativity", rights: [ServedRight(mayWrite: false)])
        try await withSession(schema: "Simple") { channel, id async throws in
            for delta in [
                Delta(name: "None", fields: [], keys: []),
                {
                    var delta = Delta(name: "Deps", fields: [DataColumn("None", .integer)], keys: [])
                    try? delta.append(.delete, recordID: 0, old: [.integer(1)], new: [.integer(1)])
                    return delta
                }(),
            ] {
                #expect(await message { _ = try await update([delta], over: channel, as: id) } != nil)
            }
        }
        try await withSession(schema: "Simple", { $0.catalog.accounts = [reader] }) { channel, id async throws in
            let delta = try deps()
            let updated = await message { _ = try await update([delta], over: channel, as: id) }
            #expect(updated == "the account may not change rows")
            let sql = RemotingValue.utf8String("DELETE FROM Deps")
            let executed = await message { _ = try await call("SQLExecuteCommand", [sql], over: channel, as: id) }
            #expect(executed == "the database reports: not authorized")
        }
    }

    @Test("registered sessions get the changes of a table by polls, until they unregister")
    func notifications() async throws {
        try await withSession(schema: "Simple") { channel, id async throws in
            let other = ClientID()
            #expect(try await logIn(other, over: channel))
            func poll(_ id: ClientID) async throws -> [EventMessage] {
                let request = PollRequest(clientID: id, eventLimit: 10).encoded()
                return try PollReply(decoding: try await channel.post(request, deadline: deadline)).events
            }
            let table = [RemotingValue.utf8String("DEPS")]
            _ = try await call("RegisterForDataChangeNotification", table, over: channel, as: other)
            _ = try await update([try deps()], over: channel, as: id)
            let events = try await poll(other)
            #expect(events.map(\.name) == ["OnDataTableChanged"] && events.map(\.sink) == ["DataChangeNotification"])
            var parameters = BinMessageReader(try #require(events.first).parameters)
            #expect(try parameters.readUTF8() == "Deps")
            let delta = try DeltaStream(decoding: try #require(try parameters.readBinary())).deltas[0]
            #expect(delta.changes.map(\.recordID) == [0, 1, 4])
            #expect(try await poll(id).isEmpty)
            _ = try await call("UnregisterForDataChangeNotification", table, over: channel, as: other)
            _ = try await update([try deps()], over: channel, as: id)
            #expect(try await poll(other).isEmpty)
            _ = try await call("RegisterForDataChangeNotification", table, over: channel, as: other)
            let phone = [parameter("DepId", .int32(1)), parameter("Phone", .string("1"))]
            _ = try await call("ExecuteCommand", [.utf8String("SetDepPhone"), .array(phone)], over: channel, as: id)
            for sql in ["DELETE FROM Deps WHERE DepId = 3", "DELETE FROM Deps WHERE DepId = 3", "DELETE FROM Users"] {
                _ = try await call("SQLExecuteCommand", [.utf8String(sql)], over: channel, as: id)
            }
            let executed = try await poll(other)
            #expect(executed.map(\.name) == ["OnDataTableChanged", "OnDataTableChanged"])
            var last = BinMessageReader(try #require(executed.last).parameters)
            #expect(try last.readUTF8() == "Deps")
            #expect(try DeltaStream(decoding: try #require(try last.readBinary())).deltas.isEmpty)
            let unknown = await message {
                let values = [RemotingValue.utf8String("None")]
                _ = try await call("RegisterForDataChangeNotification", values, over: channel, as: other)
            }
            #expect(unknown == "the table 'None' does not exist")
        }
    }

    func parameter(_ name: String, _ value: RemotingVariant) -> RemotingValue {
        .structure(
            RemotingStruct("DataParameter", [.init("Name", .utf8String(name)), .init("Value", .variant(value))])
        )
    }

    @Test("SQL texts read and change tables of the schema, and nothing else")
    func sqlTexts() async throws {
        try await withSession { channel, id async throws in
            func read(
                _ method: String,
                _ sql: String,
                most: Int32 = -1,
                _ more: [RemotingValue] = []
            ) async throws -> DataTable {
                let values = [RemotingValue.utf8String(sql), .boolean(true), .integer(most)] + more
                let reply = try await call(method, values, over: channel, as: id)
                guard case .binary(let bytes?) = reply.first else { throw RemotingError.malformed(reason: "null") }
                return try #require(try TableStream(decoding: bytes).tables.first)
            }
            let sums = try await read(
                "SQLGetData",
                "SELECT Amount, Amount / 3.0 AS x, 1, NULL, 'a' FROM Orders",
                most: 2
            )
            #expect(sums.name == "SQLResult" && sums.rows.count == 2)
            #expect(sums.columns.map(\.type) == [.currency, .float, .largeInt, .wideString, .wideString])
            let where1 = try DynamicWhere.xml(.binary(.equal, .field("Name"), .constant("Paid", type: "String")))
            let paid = try await read("SQLGetDataEx", "SELECT Id, Name FROM OrderStatus -- all", [.wideString(where1)])
            #expect(paid.rows.map(Array.init) == [[.integer(4), .text("Paid")]])
            let changed = try await call(
                "SQLExecuteCommand",
                [.utf8String("UPDATE Workers SET Position = 'x' WHERE Id < 3")],
                over: channel,
                as: id
            )
            #expect(changed == [.integer(2)])
            for sql in [
                "DROP TABLE Workers", "PRAGMA user_version = 3", "ATTACH 'x' AS y", "VACUUM", "BEGIN",
                "DELETE FROM sqlite_sequence", "CREATE TABLE x (y)",
            ] {
                let text = await message {
                    _ = try await call(
                        "SQLExecuteCommandEx",
                        [.utf8String(sql), .wideString("")],
                        over: channel,
                        as: id
                    )
                }
                #expect(text != nil, "\(sql)")
            }
            for sql in [
                "SELECT * FROM sqlite_schema", "DELETE FROM Workers",
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT * FROM n",
            ] {
                #expect(await message { _ = try await read("SQLGetData", sql) } != nil, "\(sql)")
            }
        }
    }

    @Test(
        "names are separated as Delphi does",
        arguments: [
            ("a,b", ["a", "b"]), (" a  b,,c ", ["a", "b", "c"]), ("\"a b\",\"c\"\"d\"", ["a b", "c\"d"]), ("", []),
            ("\"x", ["x"]),
        ]
    )
    func commaText(text: String, names: [String]) {
        #expect(CommaText.split(text) == names)
    }
}
