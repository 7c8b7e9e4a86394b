// SPDX-License-Identifier: Apache-2.0

internal import DataAbstract
internal import SampleServer
internal import TestSupport

/// Two clients that edit the same rows. None overwrites an edit of the other in silence, except for edits between its
/// reading and its call if the server finds rows by key.
package enum WriterRuns {
    /// Runs rounds with both ways of the server to find rows.
    ///
    /// - Returns: a line of text.
    /// - Throws: `RunFailure` for the first difference to the model.
    package static func rounds(_ count: Int) async throws -> String {
        var lines: [String] = []
        for search in RowSearch.allCases {
            let shop = try await ServedShop.start(isRelated: true, finding: search)
            var totals: [String: Int] = [:]
            for seed in 0..<count {
                do {
                    var round = WriterRound(shop, search, seed: seed)
                    totals.merge(try await round.run(), uniquingKeysWith: +)
                } catch {
                    throw RunFailure("\(search), seed \(seed): \(error)")
                }
            }
            await shop.stop()
            let facts = totals.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            lines.append("two writers, rows found by \(search): \(count) rounds, \(facts.joined(separator: ", "))")
        }
        return lines.joined(separator: "\n")
    }
}

/// A server whose next UpdateData comes after other work.
private struct DelayedServer: ChangeServer {
    let server: AdapterChangeServer
    let before: @Sendable () async throws -> Void

    func read(_ request: RowRequest) async throws(ApplyFailure) -> RowReading { try await server.read(request) }

    func update(_ deltas: DeltaStream) async throws(ApplyFailure) -> DeltaStream {
        do { try await before() } catch { throw .unreadable("\(error)") }
        return try await server.update(deltas)
    }
}

/// One round: both read, both edit, both apply.
private struct WriterRound {
    private enum Edit: Hashable {
        case status(Int64)
        case client(String)
        case removal
    }

    private typealias Row = (client: String, status: Int64)
    private typealias Edits = [Int64: Edit]

    /// The outcome that the model expects of an apply.
    private struct Expected {
        var accepted: Set<Int64> = []
        var failed: Set<Int64> = []
        var conflicts: [Int64: Row?] = [:]
    }

    private let shop: ServedShop
    private let search: RowSearch
    private var numbers: SeededRandom
    private var rows: [Int64: Row] = [:]
    private var totals: [String: Int] = [:]

    init(_ shop: ServedShop, _ search: RowSearch, seed: Int) {
        (self.shop, self.search, numbers) = (shop, search, SeededRandom(seed: UInt64(seed)))
        for order in 1...ServedShop.orderCount { rows[order] = ("client \(order)", 1) }
    }

    mutating func run() async throws -> [String: Int] {
        try shop.reset()
        let (one, two) = (edits(), edits())
        var (first, second) = (try changes(one), try changes(two))
        let server = AdapterChangeServer(shop.adapter)
        if Bool.random(using: &numbers) {
            let expected = apply(one, read: rows)
            try check(try await ApplyRunner(server, store: PendingFile?.none).apply(&first), first, expected, one)
            let later = apply(two, read: rows)
            try check(try await ApplyRunner(server, store: PendingFile?.none).apply(&second), second, later, two)
        } else {
            // The second one applies between the reading and the call of the first.
            let read = rows
            let expected = apply(two, read: rows)
            let later = apply(one, read: read)
            let other = second
            let delayed = DelayedServer(server: server) {
                var other = other
                let report = try await ApplyRunner(server, store: PendingFile?.none).apply(&other)
                guard report.failure == nil, report.accepted.count == expected.accepted.count else {
                    throw RunFailure("the other: \(report)")
                }
            }
            let report = try await ApplyRunner(delayed, store: PendingFile?.none).apply(&first)
            try check(report, first, later, one)
            let overwritten = one.keys.filter { order in
                guard let other = two[order], other != one[order] else { return false }
                return later.accepted.contains(order) && isOverwritten(order, other)
            }
            guard search == .key || overwritten.isEmpty else { throw RunFailure("overwritten: \(overwritten)") }
            totals["overwritten in the documented moment", default: 0] += overwritten.count
            try await refresh(&first, one)
        }
        let found = try shop.rows().orders
        let isSame = found.allSatisfy { order, row in rows[order].map { $0 == row } ?? false }
        guard found.count == rows.count, isSame else {
            throw RunFailure("the server has \(found), not \(rows)")
        }
        return totals
    }

    /// Whether an edit is no longer in the rows.
    private func isOverwritten(_ order: Int64, _ edit: Edit) -> Bool {
        switch edit {
        case .status(let status): rows[order]?.status != status
        case .client(let client): rows[order]?.client != client
        case .removal: rows[order] != nil
        }
    }

    // MARK: Edits

    private mutating func edits() -> Edits {
        var edits: Edits = [:]
        for _ in 0..<Int.random(in: 1...6, using: &numbers) {
            // Orders with an odd number have no details.
            let order = 2 * Int64.random(in: 0..<6, using: &numbers) + 1
            edits[order] =
                switch Int.random(in: 0..<5, using: &numbers) {
                case 0, 1: .status(.random(in: 2...4, using: &numbers))
                case 2, 3: .client("other \(Int.random(in: 0..<3, using: &numbers))")
                default: .removal
                }
        }
        return edits
    }

    private func changes(_ edits: Edits) throws -> ChangeSet {
        var set = try ServedShop.changes()
        for (order, edit) in edits {
            try set.edit("Orders") { table throws(EditError) in
                guard let row = table.find(key: [.integer(order)]) else { return }
                switch edit {
                case .status(let status): try table.set("Status", of: row, to: .integer(status))
                case .client(let client): try table.set("Client", of: row, to: .text(client))
                case .removal: try table.remove(row)
                }
            }
        }
        return set
    }

    private func edited(_ row: Row, _ edit: Edit) -> Row? {
        switch edit {
        case .status(let status): (row.client, status)
        case .client(let client): (client, row.status)
        case .removal: nil
        }
    }

    // MARK: The model

    /// Applies edits to the rows.
    ///
    /// - Parameter read: the rows when the client read them again.
    private mutating func apply(_ edits: Edits, read: [Int64: Row]) -> Expected {
        var expected = Expected()
        for (order, edit) in edits {
            let base: Row = ("client \(order)", 1)
            let wanted = edited(base, edit)
            guard let theirs = read[order] else {
                if edit == .removal { expected.accepted.insert(order) } else { expected.conflicts[order] = .some(nil) }
                continue
            }
            guard theirs == base else {
                if let wanted, wanted == theirs {
                    expected.accepted.insert(order)
                } else {
                    expected.conflicts[order] = theirs
                }
                continue
            }
            // The server finds it by its key or by all values.
            guard let now = rows[order], search == .key || now == base else {
                expected.failed.insert(order)
                continue
            }
            expected.accepted.insert(order)
            rows[order] = edited(now, edit)
        }
        return expected
    }

    private mutating func check(
        _ report: ApplyReport,
        _ set: ChangeSet,
        _ expected: Expected,
        _ edits: Edits
    ) throws {
        func orders(_ rows: [ChangedRow]) -> Set<Int64> { Set(rows.map { $0.row.number + 1 }) }
        guard report.failure == nil, orders(report.accepted) == expected.accepted,
            orders(report.failed) == expected.failed,
            Set(report.conflicts.map { $0.row.number + 1 }) == Set(expected.conflicts.keys)
        else { throw RunFailure("\(report), not \(expected) of \(edits)") }
        guard orders(set.changedRows) == Set(edits.keys).subtracting(expected.accepted) else {
            throw RunFailure("pending \(set.changedRows), not as in \(expected)")
        }
        for conflict in report.conflicts { try check(conflict, expected, edits) }
        totals["accepted", default: 0] += expected.accepted.count
        totals["failed", default: 0] += expected.failed.count
        totals["conflicts", default: 0] += expected.conflicts.count
    }

    /// A conflict has the values of both sides.
    private func check(_ conflict: EditConflict, _ expected: Expected, _ edits: Edits) throws {
        let order = conflict.row.number + 1
        guard let edit = edits[order], let theirs = expected.conflicts[order] else { throw RunFailure("\(conflict)") }
        for field in conflict.fields {
            let value: (Row) -> DataValue? = { row in
                ["Client": .text(row.client), "Status": .integer(row.status), "Id": .integer(order)][field.name]
            }
            let base: Row = ("client \(order)", 1)
            guard field.theirs == theirs.flatMap(value), field.old == value(base),
                edit == .removal || field.mine == edited(base, edit).flatMap(value)
            else { throw RunFailure("\(conflict), not \(String(describing: theirs))") }
        }
        let names = Set(conflict.fields.map(\.name))
        guard let theirs else { return }
        guard theirs.client == "client \(order)" || names.contains("Client"),
            theirs.status == 1 || names.contains("Status")
        else { throw RunFailure("a field is missing in \(conflict)") }
    }

    /// After a change failed at the server, a refresh shows both values.
    private mutating func refresh(_ set: inout ChangeSet, _ edits: Edits) async throws {
        let pending = Set(set.changedRows.map(\.row))
        let read = try await shop.adapter.table(TableRequest("Orders"))
        let conflicts = try set.edit("Orders") { table throws(EditError) in try table.refresh([read.rows]) }
        for conflict in conflicts {
            guard pending.contains(conflict.row), conflict.fields.allSatisfy({ $0.mine != $0.theirs }) else {
                throw RunFailure("\(conflict)")
            }
        }
        totals["conflicts of a refresh", default: 0] += conflicts.count
    }
}
