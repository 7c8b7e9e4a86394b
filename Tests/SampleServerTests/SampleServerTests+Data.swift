// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import NIOCore
import Remoting
import SQLite
import TestSupport
import Testing

@testable import SampleServer

/// Tables and schemas, through a running server.
extension SampleServerTests {
    /// Calls a method of a data service over BinMessage.
    func call(
        _ method: String,
        _ values: [RemotingValue],
        over channel: RemotingChannel,
        as id: ClientID,
        service: String = "DataService"
    ) async throws -> [RemotingValue] {
        let signature = try #require(ServiceCatalog.signatures(of: method).first)
        let request = signature.request(values, service: service, clientID: id)
        return try signature.results(of: try await channel.post(request, deadline: deadline))
    }

    /// Calls GetData and decodes the tables.
    func tables(
        _ names: [String],
        _ requests: [RemotingStruct]?,
        over channel: RemotingChannel,
        as id: ClientID,
        service: String = "DataService"
    ) async throws -> [DataTable] {
        let values: [RemotingValue] = [
            .array(names.map { .utf8String($0) }), .array(requests?.map { .structure($0) }),
        ]
        let result = try await call("GetData", values, over: channel, as: id, service: service)
        guard case .binary(let bytes?) = result.first else { return [] }
        return try TableStream(decoding: bytes).tables
    }

    /// A TableRequestInfo, or a V5 for a condition.
    func request(
        schema: Bool = true,
        most: Int32 = -1,
        filter: String = "",
        parameters: [RemotingValue] = [],
        where condition: WhereExpression? = nil
    ) throws -> RemotingStruct {
        let fields: [NamedValue] = [
            .init("IncludeSchema", .boolean(schema)), .init("MaxRecords", .integer(most)),
            .init("Parameters", .array(parameters)), .init("UserFilter", .utf8String(filter)),
        ]
        guard let condition else { return RemotingStruct("TableRequestInfo", fields) }
        let sorting = RemotingStruct(
            "ColumnSorting",
            [.init("FieldName", .utf8String("")), .init("SortDirection", .enumeration(0))]
        )
        return RemotingStruct(
            "TableRequestInfoV5",
            fields + [
                .init("DynamicSelectFieldNames", .array([])), .init("Sorting", .structure(sorting)),
                .init("WhereClause", .xml(try DynamicWhere.xml(condition))),
            ]
        )
    }

    /// Runs a server with a session of the account Data.
    func withSession(
        schema: String = "PCTrade",
        domain: String = "DASamples",
        _ change: (inout SampleOptions) -> Void = { _ in },
        _ body: (RemotingChannel, ClientID) async throws -> Void
    ) async throws {
        try await withServer(change) { channel, _ async throws in
            let id = ClientID()
            try #require(
                try await logIn(id, over: channel, user: "Data", password: "Relativity", domain: domain, schema: schema)
            )
            try await body(channel, id)
        }
    }

    private func exception(_ body: () async throws -> Void) async -> RemotingException? {
        do {
            try await body()
            return nil
        } catch RemotingError.exception(let exception) {
            return exception
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    @Test("the schema calls return tables and commands as XML; the service's name selects the schema")
    func schemas() async throws {
        try await withSession(schema: "") { channel, id async throws in
            func text(_ method: String, _ value: RemotingValue, _ service: String) async throws -> String {
                let result = try await call(method, [value], over: channel, as: id, service: service)
                guard case .utf8String(let text) = result.first else { return "" }
                return text
            }
            #expect(try await text("GetSchema", .utf8String(""), "DataService").contains("<Name>Deps</Name>"))
            let trade = try await text("GetSchema", .utf8String("x"), "DataService.pctrade")
            #expect(trade.contains("<Name>OrderStatus</Name>") && trade.contains("<Name>SetOrderStatus</Name>"))
            let names = RemotingValue.array([.utf8String("Users"), .utf8String("deps")])
            let tables = try await text("GetTableSchema", names, "DataService.Simple")
            #expect(tables.contains("<DataTables>") && !tables.contains("> <Schema"))
            let commands = try await text("GetCommandSchema", .array([.utf8String("CountUsers")]), "DASampleService")
            #expect(commands.contains("<Commands>"))
            let unknown = await exception {
                _ = try await text("GetTableSchema", .array([.utf8String("X")]), "DataService")
            }
            #expect(unknown?.message.contains("'X'") == true)
            let noSchema = await exception { _ = try await text("GetSchema", .utf8String(""), "DataService.None") }
            #expect(noSchema?.message == "unknown service or method")
        }
        try await withServer { channel, _ async throws in
            let id = ClientID()
            #expect(try await logIn(id, over: channel))
            let refused = await exception {
                _ = try await call(
                    "GetSchema",
                    [.utf8String("")],
                    over: channel,
                    as: id,
                    service: "DataService.PCTrade"
                )
            }
            #expect(refused?.message == "the account has no right to the schema 'PCTrade'")
        }
    }

    @Test("a lost session is an exception of the kind's class", arguments: ServerKind.allCases)
    func lostSession(kind: ServerKind) async throws {
        try await withSession(schema: "Simple", { $0.kind = kind }) { channel, _ async throws in
            let lost = await exception { _ = try await tables(["Users"], nil, over: channel, as: ClientID()) }
            #expect(lost?.isSessionNotFound == true)
            #expect((lost?.className == "EROSessionNotFound") == (kind == .delphi || kind == .noWhere))
        }
    }

    @Test("a UserFilter is refused unless it is allowed, and reads the tables of the schema only")
    func userFilter() async throws {
        for isAllowed in [false, true] {
            try await withSession(schema: "Simple", { $0.allowsUserFilter = isAllowed }) { channel, id async throws in
                let one = WhereExpression.binary(.greater, .field("Id"), .constant("20", type: "Integer"))
                for (filter, count) in [("Id < 23 -- two", 2), ("Id IN (SELECT rootpage FROM sqlite_schema)", nil)] {
                    let refused = await exception {
                        let filtered = try request(filter: filter, where: one)
                        let users = try await tables(["Users"], [filtered], over: channel, as: id)
                        #expect(users[0].rows.count == count)
                    }
                    #expect((refused == nil) == (isAllowed && count != nil))
                }
            }
        }
    }

    @Test("a table can be a query, whose parameters clients send")
    func queryTable() async throws {
        let query = ServedTable(
            "Some",
            query: "SELECT Id AS n, Name FROM Users WHERE Role = :Role -- by role",
            [ServedField("Number", .integer, column: "n", isInPrimaryKey: true), ServedField("Name", .wideString)]
        )
        try await withSession(
            schema: "Simple",
            { $0.catalog.domains[0].schemas[0].tables?.append(query) }
        ) { channel, id async throws in
            let role = parameter("ROLE", .string("Developer"))
            let condition = WhereExpression.binary(.less, .field("Number"), .constant("3", type: "Integer"))
            let developers = (1...30).map(SampleTables.simple[1].row).count { $0[2] == .text("Developer") }
            for (requested, count) in [
                (try request(parameters: [role]), developers), (try request(parameters: [role], where: condition), 2),
            ] {
                let some = try await tables(["Some"], [requested], over: channel, as: id)
                #expect(some[0].columns.map(\.name) == ["Number", "Name"] && some[0].rows.count == count)
            }
            let missing = await exception { _ = try await tables(["Some"], nil, over: channel, as: id) }
            #expect(missing?.message == "the parameter 'Role' has no value")
            let schema = try await call("GetTableSchema", [.array([.utf8String("Some")])], over: channel, as: id)
            #expect("\(schema)".contains("<ReadOnly>True</ReadOnly>"))
        }
    }

    @Test("macros of the session are values of a condition")
    func macros() async throws {
        try await withSession(schema: "Simple") { channel, id async throws in
            for (name, count) in [("Session_USER", 30), ("session_schema", 0), ("USER", nil)] {
                let condition = WhereExpression.binary(.equal, .constant("Data", type: "String"), .macro(name))
                let refused = await exception {
                    let users = try await tables(["Users"], [try request(where: condition)], over: channel, as: id)
                    #expect(users[0].rows.count == count)
                }
                #expect((refused == nil) == (count != nil))
            }
        }
    }

    @Test("a database of an earlier version keeps its rows and gets the missing ones")
    func earlierDatabase() async throws {
        let folder = TemporaryDirectory()
        try SQLiteDatabase(.file(folder.path(of: "sample.sqlite")), .create).execute(
            """
            CREATE TABLE Deps (DepId INTEGER PRIMARY KEY, DepName TEXT NOT NULL, DepPhone TEXT);
            CREATE TABLE Users (Id INTEGER PRIMARY KEY, Name TEXT NOT NULL, Role TEXT, Type INTEGER);
            INSERT INTO Deps (DepName) VALUES ('Own');
            INSERT INTO Users (Name, Role, Type) VALUES ('Ada', 'Developer', 1);
            """
        )
        try await withSession(schema: "Simple", { $0.dataDirectory = folder.path }) { channel, id async throws in
            let read = try await tables(["Deps", "Users"], nil, over: channel, as: id)
            #expect(read[0].rows.map { $0[1] }.first == .text("Own"))
            #expect(read[0].rows.count == 4 && read[1].rows.count == 30)
        }
    }

    @Test("any SQLite file can be served, with its types, keys and NULLs")
    func ownDatabase() async throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "shop.v1.sqlite")
        try SQLiteDatabase(.file(path), .create).execute(
            """
            CREATE TABLE "order" (id INTEGER PRIMARY KEY, "Customer Name" VARCHAR(40) NOT NULL, at DATETIME, paid BOOLEAN,
                amount DECIMAL(10, 2), note BLOB);
            CREATE TABLE part (item INTEGER REFERENCES "order" (id), n INT, PRIMARY KEY (item, n)) WITHOUT ROWID;
            INSERT INTO "order" VALUES (5000000000, 'Zoë', '2020-01-02 03:04:05', 1, 2.5, x'00ff'),
                (2, 'Bob', NULL, NULL, NULL, NULL);
            CREATE VIEW names AS SELECT "Customer Name" FROM "order";
            """
        )
        try await withSession(schema: "", domain: "shop.v1", { $0.catalog = ServedCatalog(databaseFile: path) }) {
            channel,
            id async throws in
            let read = try await tables(["order", "part", "names"], nil, over: channel, as: id)
            #expect(
                read[0].columns.map(\.type) == [.largeAutoInc, .wideString, .dateTime, .boolean, .float, .blob]
            )
            #expect(read[0].columns[1].size == 40)
            #expect(
                read[0].rows.map(Array.init) == [
                    [.integer(2), .text("Bob"), .null, .null, .null, .null],
                    [
                        .integer(5_000_000_000), .text("Zoë"),
                        .dateTime(days: try #require(DateText.read("2020-01-02 03:04:05"))),
                        .boolean(true), .float(2.5), .bytes(ByteBuffer(bytes: [0, 255])),
                    ],
                ]
            )
            #expect(read[2].rows.count == 2)
            let schema = try await call("GetSchema", [.utf8String("")], over: channel, as: id)
            guard case .utf8String(let text) = schema.first else { throw RemotingError.malformed(reason: "no text") }
            #expect(text.contains("<DetailDatasetName>part</DetailDatasetName>"))
        }
    }
}
