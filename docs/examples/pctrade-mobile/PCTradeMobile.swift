// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Glibc
import JSON
import LocalAPI

/// Orders with and without a server, as the vendor's sample of this name shows them on a telephone. A briefcase keeps the
/// tables and the changes that are not applied yet.
///
///     pctrade-mobile ENDPOINT FOLDER VERSION
///     pctrade-mobile ENDPOINT FOLDER VERSION add CLIENT PRODUCT=QUANTITY...
///     pctrade-mobile ENDPOINT FOLDER VERSION apply
///
/// The first start downloads all tables, and so does a start with another version. Any other start downloads the orders
/// again. If the server cannot be reached, the rows of the last download are used.
@main
struct PCTradeMobile {
    private static let references = ["Clients", "OrderStatus", "Products"]
    private static let orders = ["Orders", "OrderDetails"]

    private let file: BriefcaseFile
    /// Nil if the server cannot be reached.
    private let adapter: RemoteDataAdapter?
    private var briefcase: Briefcase
    private var changes: ChangeSet

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        let verb = words.dropFirst(3).first
        let counts = [nil: 3...3, "add": 6...100, "apply": 4...4] as [String?: ClosedRange<Int>]
        guard counts[verb]?.contains(words.count) == true, words.allSatisfy({ !$0.isEmpty }) else {
            fail("usage: pctrade-mobile ENDPOINT FOLDER VERSION [add CLIENT PRODUCT=QUANTITY... | apply]", 64)
        }
        do {
            var app = try await PCTradeMobile(endpoint: words[0], folder: words[1], version: words[2])
            switch verb {
            case "add": try await app.add(client: words[4], lines: Array(words[5...]))
            case "apply": try await app.apply()
            default: try app.show()
            }
        } catch {
            fail("\(error)", 1)
        }
    }

    // MARK: Download

    private init(endpoint: String, folder: String, version: String) async throws {
        // Nothing is written next to other files.
        if access(folder, F_OK) == 0, access(folder + "/Properties.plist", F_OK) != 0 {
            Self.fail("\(folder) exists and is no briefcase", 64)
        }
        file = try BriefcaseFile(folder, form: .folder)
        let loaded = try Briefcase.load(folder, version: version)
        // A briefcase of another version may have changes that were not applied yet.
        briefcase = try Briefcase.load(folder) ?? Briefcase()
        let tables: [String]
        switch loaded {
        case .loaded: tables = Self.orders
        case .outdated(nil), .absent: tables = Self.references + Self.orders
        case .outdated(let old?):
            Self.put("version \(old) is outdated\n")
            tables = Self.references + Self.orders
        }
        adapter = try await Self.download(tables, from: endpoint, version, &briefcase)
        if adapter != nil {
            Self.put("downloaded \(tables.joined(separator: ", "))\n")
            try file.save(briefcase)
        } else if case .loaded = loaded {
            Self.put("offline: rows of \(briefcase.properties[Briefcase.savedKey] ?? "an unknown time")\n")
        } else {
            Self.fail("the server cannot be reached, and the briefcase has no tables of version \(version)", 1)
        }
        let conflicts: [EditConflict]
        (changes, conflicts) = try briefcase.changeSet()
        for conflict in conflicts { Self.put("conflict: \(conflict.table): \(conflict.kind)\n") }
        try changes.add(KeyReference("OrderDetails", ["Order"], to: "Orders", ["Id"], isKnownToServer: true))
    }

    /// Puts tables of the server into the briefcase. The daemon opens an adapter, which needs no password.
    ///
    /// - Returns: nil if the server cannot be reached.
    private static func download(
        _ tables: [String],
        from endpoint: String,
        _ version: String,
        _ briefcase: inout Briefcase
    ) async throws -> RemoteDataAdapter? {
        do {
            let call = BrokerAPI.OpenCall(endpoint: endpoint, form: "socket", ttlSeconds: 600)
            let opened = try DaemonClient().call(call, within: DaemonClient.slow).adapter
            guard let path = opened.socketPath else { return nil }
            let adapter = try RemoteDataAdapter(socketPath: path, service: opened.dataService ?? "DataService")
            for table in try await adapter.tables(tables.map { TableRequest($0) }) { briefcase.put(table) }
            briefcase.version = version
            briefcase.properties[Briefcase.savedKey] = now()
            return adapter
        } catch let error as DaemonError where error.code == .endpointUnreachable {
            return nil
        } catch let error as DataAdapterError where error.isUnreachable {
            return nil
        }
    }

    // MARK: Orders

    /// Prints the last orders with the names of client and state, and the sum of their lines.
    private func show() throws {
        let view = TableView(
            "Orders",
            lookups: [
                LookupField("ClientName", ["Client"], in: .table("Clients", keys: ["Id"], result: "Name")),
                LookupField("State", ["Status"], in: .table("OrderStatus", keys: ["Id"], result: "Name")),
            ],
            calculated: [
                CalculatedField("Sum", try Expression(parsing: "sum(OrderDetails.Total where OrderDetails.Order = Id)"))
            ]
        )
        let sources = try changes.tables.reduce(into: [String: SourceTable]()) { $0[$1.name] = try source($1) }
        guard let orders = changes.table("Orders"), let columns = sources["Orders"]?.columns else { return }
        var extra = try CalculatedTable(view, columns: columns, tables: sources.mapValues(\.columns))
        try extra.load(sources)
        for id in Array(orders.rowIDs).suffix(5) {
            guard let row = orders.row(id) else { continue }
            let mark = row.state == .unchanged ? " " : "*"
            let values = try [row.value("Id"), row.value("Date")] + extra.extraValues(row.values)
            let types = [.integer, .dateTime] + extra.extraColumns.map(\.type)
            let texts = zip(values, types).map { $0.text(as: $1) ?? "none" }
            // Names are foreign text: as JSON no escape sequence of theirs reaches the terminal.
            Self.put(mark + texts.map { JSONValue.string($0).text }.joined(separator: "  ") + "\n")
        }
    }

    /// The rows of a table with their pending changes.
    private func source(_ table: EditableTable) throws -> SourceTable {
        var source = SourceTable(table.fields.map { DataColumn($0.name, $0.type) })
        try source.append(table.rowIDs.compactMap { table.row($0)?.values })
        return source
    }

    /// Adds an order with its lines, and applies it in one call if the server can be reached.
    private mutating func add(client: String, lines: [String]) async throws {
        guard let client = Int64(client) else { Self.fail("the client is a number", 64) }
        let order = try changes.edit("Orders") { table throws(EditError) in
            try table.append([
                "Number": .text(Self.newGUID()), "Date": .dateTime(days: Self.today()), "Client": .integer(client),
            ])
        }
        // A new order has a temporary key until the server makes the real one.
        guard let key = try changes.table("Orders")?.row(order)?.value("Id") else { return }
        for line in lines {
            let words = line.split(separator: "=").compactMap { Int64($0) }
            guard words.count == 2, let price = try price(of: words[0]) else { Self.fail("no product '\(line)'", 64) }
            _ = try changes.edit("OrderDetails") { table throws(EditError) in
                try table.append([
                    "Order": key, "Product": .integer(words[0]), "Quantity": .integer(words[1]),
                    "Price": .currency(scaled: price), "Total": .currency(scaled: price * words[1]),
                ])
            }
        }
        try await apply()
    }

    private func price(of product: Int64) throws -> Int64? {
        guard let table = changes.table("Products"), let id = table.find(key: [.integer(product)]),
            case .currency(let scaled) = try table.row(id)?.value("Price")
        else { return nil }
        return scaled
    }

    /// Applies the pending changes. Without a server they stay in the briefcase.
    private mutating func apply() async throws {
        let count = changes.changedRows.count
        guard let adapter else {
            try briefcase.update(from: changes)
            try file.save(briefcase)
            return Self.put("\(count) changes pending\n")
        }
        let runner = ApplyRunner(AdapterChangeServer(adapter), store: BriefcaseStore(file, briefcase))
        let report = try await runner.apply(&changes)
        try briefcase.update(from: changes)
        try file.save(briefcase)
        Self.put("\(report.accepted.count) applied, \(report.failed.count) failed, \(report.calls) calls\n")
        for row in report.failed {
            let reason = changes.table(row.table)?.row(row.row)?.failure ?? "no reason"
            Self.put("\(row.table): \(JSONValue.string(reason).text)\n", to: STDERR_FILENO)
        }
        if let failure = report.failure { Self.fail("\(failure)", 1) }
        if !report.failed.isEmpty || !report.conflicts.isEmpty { Self.fail("not all changes were applied", 1) }
    }

    // MARK: Values

    /// Days since 1899-12-30, the form of dates in tables.
    private static func today() -> Double { 25_569 + Double(time(nil) / 86_400) }

    private static func now() -> String {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func newGUID() -> String {
        let digits = Array((0..<32).map { _ in "0123456789ABCDEF".randomElement() ?? "0" })
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    private static func put(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
        _ = text.withCString { write(descriptor, $0, strlen($0)) }
    }

    private static func fail(_ message: String, _ status: Int32) -> Never {
        put("pctrade-mobile: \(message)\n", to: STDERR_FILENO)
        exit(status)
    }
}
