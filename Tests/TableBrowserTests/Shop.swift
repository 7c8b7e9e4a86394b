// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Screens
import Testing

@testable import TableBrowser

/// A browser of a small shop in memory: clients, their orders, and the details of these. Each action is answered at once.
struct Shop {
    private(set) var browser: Browser
    /// The actions of the browser, in order.
    private(set) var actions: [BrowserAction] = []
    /// The tables of the server.
    var tables: [String: EditableTable]
    /// The rows that the server rejects when they are sent, and its message.
    var rejection: String?
    /// Whether readings of rows are not answered.
    var holdsRows = false
    /// The path of a file that exists.
    var existing: String?
    let size: ScreenSize

    init(
        _ size: ScreenSize = ScreenSize(columns: 64, lines: 14),
        _ change: (inout Browser.Settings) -> Void = { _ in }
    ) async throws {
        var settings = Browser.Settings(server: "shop")
        change(&settings)
        self.size = size
        browser = Browser(settings, size: size)
        tables = try Self.tables()
        try await carryOut(browser.start())
    }

    // MARK: Tables

    static let schemaText: String = {
        func table(_ name: String, _ fields: String) -> String {
            let fields = fields.split(separator: " ").map { field in
                let parts = field.split(separator: ":")
                return "<F Name='\(parts[0])' DataType='dat\(parts[1])' InPrimaryKey='\(parts.count > 2)'/>"
            }
            return "<T Name='\(name)'><Fields>\(fields.joined())</Fields></T>"
        }
        func relation(_ detail: String, _ field: String, _ master: String) -> String {
            "<R MasterDataTableName='\(master)' MasterFields='Id' DetailDataTableName='\(detail)' "
                + "DetailFields='\(field)'/>"
        }
        let tables = [
            table("Clients", "Id:AutoInc:k Name:WideString City:WideString Since:DateTime Note:WideMemo Photo:Blob"),
            table("Orders", "Id:AutoInc:k Client:Integer Date:DateTime Total:Currency Paid:Boolean"),
            table("OrderDetails", "Id:AutoInc:k Order:Integer Product:WideString Amount:Integer"),
        ]
        let relations = [relation("Orders", "Client", "Clients"), relation("OrderDetails", "Order", "Orders")]
        return "<S><Tables>\(tables.joined())</Tables><Relationships>\(relations.joined())</Relationships></S>"
    }()

    static func tables() throws -> [String: EditableTable] {
        let clients: [[DataValue]] = [
            [.integer(1), .text("Ada"), .text("Ulm"), date("2019-03-01"), .text("first line\nsecond line"), .null],
            [.integer(2), .text("Bob\u{1B}[2J"), .text("Bonn"), date("2020-07-15"), .null, .null],
            [.integer(3), .text("山田 太郎"), .text("東京"), .null, .null, .null],
            [.integer(4), .text("Cyd"), .null, date("2021-12-31"), .null, .null],
        ]
        let orders: [[DataValue]] = (0..<5).map { (index: Int64) -> [DataValue] in
            let (day, total) = (date("2024-05-0\(index + 1)"), DataValue.currency(scaled: 125_000 * (index + 1)))
            return [.integer(10 + index), .integer(index < 3 ? 1 : 2), day, total, .boolean(index == 0)]
        }
        let details: [[DataValue]] = [
            [.integer(100), .integer(10), .text("Bolts"), .integer(5)],
            [.integer(101), .integer(10), .text("Nuts"), .integer(7)],
        ]
        let schema = try DataSchema(parsing: schemaText)
        var tables: [String: EditableTable] = [:]
        for (name, rows) in [("Clients", clients), ("Orders", orders), ("OrderDetails", details)] {
            tables[name] = try table(try #require(schema.table(name)), rows)
        }
        return tables
    }

    static func table(_ schema: SchemaTable, _ rows: [[DataValue]]) throws -> EditableTable {
        let columns = schema.fields.map { DataColumn($0.name, $0.type) }
        var table = try DataTable(name: schema.name, columns: columns)
        for row in rows { try table.append(row) }
        return try EditableTable(table, schema: schema)
    }

    private static func date(_ text: String) -> DataValue { .dateTime(days: PredicateDate(text)?.days ?? 0) }

    // MARK: Events

    mutating func press(_ keys: Key...) async throws { try await press(keys) }

    mutating func press(_ keys: [Key]) async throws {
        for key in keys { try await carryOut(browser.handle(.key(key))) }
    }

    mutating func type(_ text: String) async throws { try await press(Key.typing(text)) }

    mutating func handle(_ event: BrowserEvent) async throws { try await carryOut(browser.handle(event)) }

    private mutating func carryOut(_ list: [BrowserAction]) async throws {
        for action in list {
            actions.append(action)
            guard let event = try await event(of: action) else { continue }
            try await carryOut(browser.handle(event))
        }
    }

    private mutating func event(of action: BrowserAction) async throws -> BrowserEvent? {
        switch action {
        case .readSchema:
            return .schema(try DataSchema(parsing: Self.schemaText), tables: ["Clients", "OrderDetails", "Orders"])
        case .load(let name, let predicate, let limit):
            if holdsRows { return nil }
            guard let table = tables[name] else { return .failed(action, message: "no table \u{1B}") }
            var view = TableViewModel(table)
            try view.filter(by: predicate)
            let count = min(limit ?? .max, view.count)
            let rows = try view.encodedRows(in: 0..<count)
            let cut = try EditableTable(name: table.name, fields: table.fields, rows: [rows])
            return .loaded(cut, isCut: count < view.count)
        case .apply(var changes, let isForced):
            let server = ShopServer(tables: tables, rejection: rejection)
            let before = changes.pendingRows
            let report = try await ApplyRunner(server, store: PendingFile?.none).apply(&changes, isForced: isForced)
            return .applied(changes, EditResult(report, before, changes))
        case .check(let changes):
            return .checked(try await ShopServer(tables: tables, rejection: nil).verdicts(on: changes))
        case .export(let path, let view, _, let replaces):
            return path == existing && !replaces ? .exists(path: path) : .exported(path: path, rows: view.count)
        case .cancel, .end: return nil
        }
    }

    // MARK: What it shows

    /// The lines of the screen. Records a fault if a real terminal would show it wrongly.
    func screen(_ location: SourceLocation = #_sourceLocation) -> [String] {
        let screen = Screen(browser.lines, size)
        #expect(screen.faults.isEmpty, sourceLocation: location)
        #expect(screen.text.count == size.lines, sourceLocation: location)
        return screen.text
    }

    /// The ways in which the browser has ended.
    var ends: [BrowserEnd] { actions.compactMap { if case .end(let end) = $0 { end } else { nil } } }

    /// The sets that were sent.
    var sent: [(changes: ChangeSet, isForced: Bool)] {
        actions.compactMap { if case .apply(let changes, let isForced) = $0 { (changes, isForced) } else { nil } }
    }
}

/// A server that accepts all changes, or refuses all.
struct ShopServer: ChangeServer {
    let tables: [String: EditableTable]
    let rejection: String?

    func read(_ request: RowRequest) async throws(ApplyFailure) -> RowReading {
        guard let table = tables[request.table] else { throw .unreadable("no table") }
        return RowReading(columns: table.fields.map { DataColumn($0.name, $0.type) }, rows: table.readRows)
    }

    func update(_ deltas: DeltaStream) async throws(ApplyFailure) -> DeltaStream {
        switch rejection {
        case nil: return DeltaStream()
        case "lost"?: throw .unknownOutcome("connection lost")
        case let reason?: throw .refused(reason)
        }
    }
}
