// SPDX-License-Identifier: Apache-2.0

internal import DataAbstract
internal import TestSupport

/// Applies over a wire with faults. No change is lost, and none is applied twice without a trace.
package enum ApplyRuns {
    /// Breaks a small apply at every byte of its requests and replies, in each way.
    ///
    /// - Parameter step: breaks it at each of so many bytes only.
    /// - Returns: a line of text.
    /// - Throws: `RunFailure` for the first change with a wrong outcome.
    package static func everyByte(step: Int = 1) async throws -> String {
        var lines: [String] = []
        for isRelated in [true, false] {
            let shop = try await ServedShop.start(isRelated: isRelated)
            var whole = try ApplyRun(shop, seed: 0, size: nil, fault: nil)
            let totals = try await whole.run()
            await shop.stop()
            var faults: [WireFault] = []
            for (direction, count) in totals.passed {
                // The ends of requests are the critical ones.
                let ends = direction == .request ? totals.starts + [count] : [0, count]
                let positions = Set(stride(from: 0, to: count, by: isRelated ? step : 4 * step)).union(ends).sorted()
                for kind in [WireFault.Kind.cut, .late, .again] {
                    faults += positions.map { WireFault(kind: kind, direction: direction, position: $0) }
                }
                // All positions in a reply are the same.
                if direction == .reply {
                    faults += stride(from: 0, to: count, by: 40).map {
                        WireFault(kind: .stale, direction: direction, position: $0)
                    }
                }
            }
            let found = try await run(faults.enumerated().map { ($0.offset, nil, $0.element) }) { _ in isRelated }
            let (requests, replies) = (totals.passed[.request] ?? 0, totals.passed[.reply] ?? 0)
            lines.append("an apply of \(requests) bytes and \(replies) of replies: \(found)")
        }
        return lines.joined(separator: "\n")
    }

    /// Breaks larger applies at random bytes.
    ///
    /// - Returns, throws: as `everyByte`.
    package static func random(_ count: Int) async throws -> String {
        var numbers = SeededRandom(seed: 15)
        let runs = (0..<count).map { seed in
            let size = Int.random(in: 3...30, using: &numbers)
            let fault = WireFault(
                kind: WireFault.Kind.allCases.randomElement(using: &numbers) ?? .cut,
                direction: WireFault.Direction.allCases.randomElement(using: &numbers) ?? .request,
                // Of most applies. The others are whole.
                position: Int.random(in: 0...(1_500 + size * 150), using: &numbers)
            )
            return (seed, Optional(size), fault)
        }
        return "larger applies: \(try await run(runs) { $0 % 2 == 0 })"
    }

    /// Runs on four servers at a time.
    ///
    /// - Parameter isRelated: whether a server, by its number, knows the relationship.
    private static func run(
        _ runs: [(seed: Int, size: Int?, fault: WireFault)],
        _ isRelated: @escaping @Sendable (Int) -> Bool
    ) async throws -> ApplyRun.Totals {
        try await withThrowingTaskGroup(of: ApplyRun.Totals.self) { group in
            let width = 4
            for worker in 0..<width {
                group.addTask {
                    let shop = try await ServedShop.start(isRelated: isRelated(worker))
                    var totals = ApplyRun.Totals()
                    for place in stride(from: worker, to: runs.count, by: width) {
                        let (seed, size, fault) = runs[place]
                        do {
                            var run = try ApplyRun(shop, seed: seed, size: size, fault: fault)
                            totals.add(try await run.run())
                        } catch {
                            throw RunFailure("seed \(seed), related \(shop.isRelated), \(fault): \(error)")
                        }
                    }
                    await shop.stop()
                    return totals
                }
            }
            return try await group.reduce(into: ApplyRun.Totals()) { $0.add($1) }
        }
    }
}

/// An apply with a fault, and what a user does after it.
struct ApplyRun {
    struct Totals: CustomStringConvertible {
        var passed: [WireFault.Direction: Int] = [:]
        var starts: [Int] = []
        var runs = 0
        var unknownOutcomes = 0
        var appliedAnyway = 0
        var failures = 0
        var doubledRows = 0

        mutating func add(_ other: Totals) {
            runs += other.runs
            unknownOutcomes += other.unknownOutcomes
            appliedAnyway += other.appliedAnyway
            failures += other.failures
            doubledRows += other.doubledRows
        }

        var description: String {
            "\(runs) runs, \(failures) failed without effect, \(unknownOutcomes) with unknown outcome of which "
                + "\(appliedAnyway) were applied; \(doubledRows) rows twice, because the wire repeated whole calls"
        }
    }

    /// A change, and how it is found in the server's rows.
    private enum Change {
        case newOrder(client: String)
        case newDetail(product: Int64)
        case status(order: Int64, Int64)
        case amount(order: Int64, Int64)
        case removedOrder(Int64)
        case removedDetail(order: Int64)

        /// The number of times that the server has applied it.
        func count(in rows: ServedShop.Rows) -> Int {
            switch self {
            case .newOrder(let client): rows.orders.values.count { $0.client == client }
            case .newDetail(let product): rows.details.keys.count { $0[1] == product }
            case .status(let order, let status): rows.orders[order]?.status == status ? 1 : 0
            case .amount(let order, let amount): rows.details[[order, 1]] == amount ? 1 : 0
            case .removedOrder(let order): rows.orders[order] == nil ? 1 : 0
            case .removedDetail(let order): rows.details[[order, 1]] == nil ? 1 : 0
            }
        }

        var isInsert: Bool {
            switch self {
            case .newOrder, .newDetail: true
            case .status, .amount, .removedOrder, .removedDetail: false
            }
        }
    }

    private let shop: ServedShop
    private let fault: WireFault?
    private let server: AdapterChangeServer
    private var set: ChangeSet
    private var changes: [ChangedRow: Change] = [:]
    /// The client of the order that a new detail refers to.
    private var masters: [ChangedRow: String] = [:]
    private var totals = Totals(runs: 1)

    /// - Parameter size: the number of random changes; nil for one of each kind.
    init(_ shop: ServedShop, seed: Int, size: Int?, fault: WireFault?) throws {
        (self.shop, self.fault, server) = (shop, fault, AdapterChangeServer(shop.adapter))
        try shop.reset()
        set = try ServedShop.changes(isRelated: shop.isRelated)
        guard let size else {
            for (kind, order) in zip(0..<6, [1, 2, 1, 2, 3, 4] as [Int64]) { try edit(kind, order) }
            return
        }
        var numbers = SeededRandom(seed: UInt64(seed))
        for _ in 0..<size {
            try edit(.random(in: 0..<6, using: &numbers), .random(in: 1...ServedShop.orderCount, using: &numbers))
        }
    }

    // MARK: Edits

    /// Changes an order or its detail, unless that is done or impossible.
    private mutating func edit(_ kind: Int, _ order: Int64) throws {
        let serial = changes.count
        let (orders, details) = (set.table("Orders"), set.table("OrderDetails"))
        let orderRow = orders?.find(key: [.integer(order)])
        let detailRow = details?.find(key: [.integer(order), .integer(1)])
        switch kind {
        case 0:
            let client = "new \(serial)"
            let row = try set.edit("Orders") { table throws(EditError) in try table.append(["Client": .text(client)]) }
            changes[ChangedRow("Orders", row)] = .newOrder(client: client)
        case 1:
            let product = Int64(100 + serial)
            let new = changes.filter { if case .newOrder = $0.value { true } else { false } }.keys.map(\.row).max()
            guard let row = new ?? orderRow, let values = orders?.row(row)?.values,
                case .text(let client) = values[1]
            else { return }
            let detail = try set.edit("OrderDetails") { table throws(EditError) in
                try table.append(["Order": values[0], "Product": .integer(product), "Amount": .integer(1)])
            }
            changes[ChangedRow("OrderDetails", detail)] = .newDetail(product: product)
            masters[ChangedRow("OrderDetails", detail)] = client
        case 2:
            guard let orderRow, changes[ChangedRow("Orders", orderRow)] == nil else { return }
            let status = Int64(2 + serial)
            try set.edit("Orders") { table throws(EditError) in
                try table.set("Status", of: orderRow, to: .integer(status))
            }
            changes[ChangedRow("Orders", orderRow)] = .status(order: order, status)
        case 3:
            guard let detailRow, changes[ChangedRow("OrderDetails", detailRow)] == nil else { return }
            let amount = Int64(20 + serial)
            try set.edit("OrderDetails") { table throws(EditError) in
                try table.set("Amount", of: detailRow, to: .integer(amount))
            }
            changes[ChangedRow("OrderDetails", detailRow)] = .amount(order: order, amount)
        case 4:
            // An order with details cannot be removed.
            let client = "client \(order)"
            guard let orderRow, changes[ChangedRow("Orders", orderRow)] == nil, order % 2 == 1,
                !masters.values.contains(client)
            else { return }
            try set.edit("Orders") { table throws(EditError) in try table.remove(orderRow) }
            changes[ChangedRow("Orders", orderRow)] = .removedOrder(order)
        default:
            guard let detailRow, changes[ChangedRow("OrderDetails", detailRow)] == nil else { return }
            try set.edit("OrderDetails") { table throws(EditError) in try table.remove(detailRow) }
            changes[ChangedRow("OrderDetails", detailRow)] = .removedDetail(order: order)
        }
    }

    // MARK: The run

    mutating func run() async throws -> Totals {
        let (signals, signal) = AsyncStream<Void>.makeStream()
        shop.wire.arm(fault) { signal.yield() }
        let apply = Task { [set, server] in
            var set = set
            let report = try await ApplyRunner(server, store: PendingFile?.none).apply(&set)
            return (set, report)
        }
        let watch = Task { for await _ in signals { apply.cancel() } }
        let report: ApplyReport
        (set, report) = try await apply.value
        signal.finish()
        await watch.value
        let (passed, starts, hasRepeatedCall) = await shop.wire.disarm()
        (totals.passed, totals.starts) = (passed, starts)
        if report.failure != nil { totals.failures += 1 }
        try await check(report, hasRepeatedCall: hasRepeatedCall)
        try await finish(hasRepeatedCall: hasRepeatedCall)
        return totals
    }

    /// Checks that the report or the verdicts say what the server did.
    private mutating func check(_ report: ApplyReport, hasRepeatedCall: Bool) async throws {
        let rows = try shop.rows()
        let (pending, undecided) = (Set(set.changedRows), Set(set.undecidedRows))
        for (row, change) in changes {
            let count = change.count(in: rows)
            guard count <= 1 || hasRepeatedCall && change.isInsert else { throw RunFailure("\(change) \(count) times") }
            guard !undecided.contains(row) else { continue }
            // A call that the wire repeated fails the second time for a row that is gone already.
            guard count == 0 || !pending.contains(row) || hasRepeatedCall else {
                throw RunFailure("\(change) is applied and pending, \(report)")
            }
            guard count > 0 || pending.contains(row) else { throw RunFailure("\(change) is lost, \(report)") }
            guard report.accepted.contains(row) != pending.contains(row) else { throw RunFailure("\(report)") }
        }
        guard !undecided.isEmpty else { return }
        totals.failures -= 1
        totals.unknownOutcomes += 1
        let verdicts = try await server.verdicts(on: set)
        guard Set(verdicts.map(\.row)) == undecided else { throw RunFailure("verdicts \(verdicts)") }
        for verdict in verdicts {
            let isApplied = (changes[verdict.row]?.count(in: rows) ?? 0) > 0
            guard verdict.verdict == (isApplied ? .applied : .notApplied) else {
                throw RunFailure("verdict \(verdict) on \(String(describing: changes[verdict.row])), \(rows)")
            }
        }
        let applied = verdicts.filter { $0.verdict == .applied }.map(\.row)
        if !applied.isEmpty { totals.appliedAnyway += 1 }
        set.settle(applied)
        set.retry()
    }

    /// Applies what is pending, as a user does, and checks that the server has each change once.
    private mutating func finish(hasRepeatedCall: Bool) async throws {
        try await refresh(hasRepeatedCall: hasRepeatedCall)
        try nameMasters()
        let report = try await ApplyRunner(server, store: PendingFile?.none).apply(&set)
        guard report.failure == nil, report.conflicts.isEmpty, hasRepeatedCall || set.changedRows.isEmpty else {
            throw RunFailure("\(report), \(set.changedRows.map { changes[$0] as Any })")
        }
        try await refresh(hasRepeatedCall: hasRepeatedCall)
        let rows = try shop.rows()
        for (row, change) in changes {
            let count = change.count(in: rows)
            guard count == 1 || count == 2 && hasRepeatedCall && change.isInsert else {
                throw RunFailure("\(change) \(count) times at the end")
            }
            totals.doubledRows += count - 1
            // A detail has the order that it was made for.
            guard case .newDetail(let product) = change, let client = masters[row] else { continue }
            guard rows.details.keys.allSatisfy({ $0[1] != product || rows.orders[$0[0]]?.client == client }) else {
                throw RunFailure("\(change) has another order")
            }
        }
        // Whatever happened, the user sees it.
        guard set.table("Orders")?.count == rows.orders.count || !set.changedRows.isEmpty else {
            throw RunFailure("the client shows \(set.table("Orders")?.count ?? 0) orders of \(rows.orders.count)")
        }
    }

    private mutating func refresh(hasRepeatedCall: Bool) async throws {
        for name in ["Orders", "OrderDetails"] {
            let read = try await shop.adapter.table(TableRequest(name))
            let conflicts = try set.edit(name) { table throws(EditError) in try table.refresh([read.rows]) }
            // The second copy of a call failed for a row that the first one has inserted. The user drops it.
            for conflict in conflicts {
                guard hasRepeatedCall, conflict.kind == .keyTaken else { throw RunFailure("conflicts \(conflicts)") }
                try set.edit(name) { table throws(EditError) in try table.revert(conflict.row) }
            }
        }
    }

    /// A new order that was settled has its key after a refresh only, so its pending details still have the temporary
    /// one.
    private mutating func nameMasters() throws {
        for row in set.changedRows {
            guard let client = masters[row], case .integer(let order) = set.table(row.table)?.row(row.row)?.values[0],
                order < 0, let orders = set.table("Orders"), orders.find(key: [.integer(order)]) == nil
            else { continue }
            let master = orders.rowIDs.lazy.compactMap { orders.row($0)?.values }.first { $0[1] == .text(client) }
            guard let key = master?[0] else { throw RunFailure("no order of \(client)") }
            try set.edit(row.table) { table throws(EditError) in try table.set("Order", of: row.row, to: key) }
        }
    }
}
