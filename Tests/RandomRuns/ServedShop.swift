// SPDX-License-Identifier: Apache-2.0

internal import DataAbstract
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import Remoting
internal import SQLite
internal import SampleServer
internal import TestSupport

/// A sample server with orders and their details, behind a wire with faults, with a session.
final class ServedShop: Sendable {
    static let orderCount: Int64 = 40
    static let reference = KeyReference("OrderDetails", ["Order"], to: "Orders", ["Id"])

    let adapter: RemoteDataAdapter
    let wire: FaultyWire
    let isRelated: Bool
    private let folder: TemporaryDirectory
    private let server: RunningSampleServer
    private var database: String { folder.path(of: "shop.db") }

    private init(
        _ adapter: RemoteDataAdapter,
        _ wire: FaultyWire,
        isRelated: Bool,
        _ folder: TemporaryDirectory,
        _ server: RunningSampleServer
    ) {
        (self.adapter, self.wire, self.isRelated, self.folder, self.server) = (adapter, wire, isRelated, folder, server)
    }

    /// Starts a server.
    ///
    /// - Parameter isRelated: whether the server knows that details refer to orders.
    static func start(isRelated: Bool) async throws -> ServedShop {
        let folder = TemporaryDirectory()
        let database = folder.path(of: "shop.db")
        try create(database, isRelated: isRelated)
        let address = try SocketAddress(unixDomainSocketPath: folder.path(of: "server"))
        var options = SampleOptions(addresses: [address], dataDirectory: folder.path)
        options.catalog = ServedCatalog(databaseFile: database)
        options.isDurable = false
        let server = try await RunningSampleServer.start(
            options,
            loop: MultiThreadedEventLoopGroup.singleton.next(),
            pool: .singleton,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let wire = try FaultyWire(path: folder.path(of: "wire"), server: folder.path(of: "server"))
        let adapter = try await adapter(at: folder.path(of: "wire"))
        return ServedShop(adapter, wire, isRelated: isRelated, folder, server)
    }

    /// Logs in.
    private static func adapter(at path: String) async throws -> RemoteDataAdapter {
        let address = try SocketAddress(unixDomainSocketPath: path)
        let target = try RemotingTarget(address: address, hostHeader: "localhost", security: .plain)
        let channel = try RemotingChannel(target: target, loop: MultiThreadedEventLoopGroup.singleton.next())
        let id = ClientID()
        let request = try Array("Relativity".utf8).withUnsafeBytes {
            try LoginRequest.encode(LoginString(user: "Data", domain: "shop", schema: nil), password: $0, clientID: id)
        }
        let isOpen = try await LoginService(channel: channel).login(request)
        await channel.close()
        guard isOpen else { throw RunFailure("the login is refused") }
        return try RemoteDataAdapter(target: target, clientID: id)
    }

    func stop() async {
        wire.stop()
        await adapter.close()
        await server.stop()
    }

    // MARK: Rows

    private static func create(_ path: String, isRelated: Bool) throws {
        let database = try SQLiteDatabase(.file(path), .create)
        let reference = isRelated ? "REFERENCES Orders (Id)" : ""
        try database.execute(
            """
            CREATE TABLE Orders (Id INTEGER PRIMARY KEY, Client TEXT NOT NULL, Status INTEGER);
            CREATE TABLE OrderDetails (
                "Order" INTEGER NOT NULL \(reference), Product INTEGER NOT NULL, Amount INTEGER,
                PRIMARY KEY ("Order", Product));
            """
        )
        try fill(database)
    }

    /// Each second order has a detail.
    private static func fill(_ database: borrowing SQLiteDatabase) throws {
        try database.execute(
            """
            PRAGMA synchronous = OFF;
            BEGIN;
            DELETE FROM OrderDetails;
            DELETE FROM Orders;
            WITH Numbers (Number) AS (SELECT 1 UNION ALL SELECT Number + 1 FROM Numbers WHERE Number < \(orderCount))
            INSERT INTO Orders SELECT Number, 'client ' || Number, 1 FROM Numbers;
            INSERT INTO OrderDetails SELECT Id, 1, 10 FROM Orders WHERE Id % 2 = 0;
            COMMIT
            """
        )
    }

    /// Makes the rows those of a new server.
    func reset() throws { try Self.fill(try SQLiteDatabase(.file(database), .readWrite)) }

    /// The rows that the server has.
    struct Rows {
        var orders: [Int64: (client: String, status: Int64)] = [:]
        var details: [[Int64]: Int64] = [:]
    }

    func rows() throws -> Rows {
        let database = try SQLiteDatabase(.file(database), .readOnly)
        var rows = Rows()
        for (id, client, status) in try database.rows(
            "SELECT Id, Client, Status FROM Orders",
            [],
            { (try $0.integer(0) ?? 0, try $0.text(1) ?? "", try $0.integer(2) ?? 0) }
        ) {
            rows.orders[id] = (client, status)
        }
        for (order, product, amount) in try database.rows(
            #"SELECT "Order", Product, Amount FROM OrderDetails"#,
            [],
            { (try $0.integer(0) ?? 0, try $0.integer(1) ?? 0, try $0.integer(2) ?? 0) }
        ) {
            rows.details[[order, product]] = amount
        }
        return rows
    }

    /// The tables as a client reads them from a new server.
    static func changes(isRelated: Bool = true) throws -> ChangeSet {
        var orders = [
            EditableField("Id", .largeAutoInc), EditableField("Client", .wideString),
            EditableField("Status", .largeInt),
        ]
        orders[0].isInPrimaryKey = true
        var details = [
            EditableField("Order", .largeInt), EditableField("Product", .largeInt), EditableField("Amount", .largeInt),
        ]
        (details[0].isInPrimaryKey, details[1].isInPrimaryKey) = (true, true)
        let orderRows = (1...orderCount).map { [DataValue.integer($0), .text("client \($0)"), .integer(1)] }
        let detailRows = stride(from: 2, through: orderCount, by: 2).map {
            [DataValue.integer($0), .integer(1), .integer(10)]
        }
        var reference = reference
        reference.isKnownToServer = isRelated
        return try ChangeSet(
            [try table("Orders", orders, orderRows), try table("OrderDetails", details, detailRows)],
            references: [reference]
        )
    }

    private static func table(
        _ name: String,
        _ fields: [EditableField],
        _ rows: [[DataValue]]
    ) throws -> EditableTable {
        var table = try DataTable(name: name, columns: fields.map { DataColumn($0.name, $0.type) })
        for row in rows { try table.append(row) }
        return try EditableTable(name: name, fields: fields, rows: [table.rows])
    }
}
