// SPDX-License-Identifier: Apache-2.0

internal import DataAbstract
internal import TestSupport

/// Random sequences of edits, refreshes and applies, compared with a simple model after each step.
package enum EditRuns {
    /// Runs sequences of 20 steps.
    ///
    /// - Parameter first: the seed of the first one.
    /// - Returns: a line of text.
    /// - Throws: `RunFailure` for the first difference, with the seed.
    package static func sequences(_ count: Int, from first: Int = 0) throws -> String {
        var total = EditRun.Totals()
        for seed in first..<(first + count) {
            var run = try EditRun(seed: UInt64(seed))
            do {
                for _ in 0..<20 { try run.step() }
                try run.end()
            } catch {
                throw RunFailure("seed \(seed): \(error), after \(run.steps)")
            }
            total.add(run.totals)
        }
        return "\(count) sequences of edits: \(total)"
    }
}

/// A sequence of edits.
private struct EditRun {
    struct Totals: CustomStringConvertible {
        var applied = 0
        var conflicts = 0
        var failures = 0
        var unknownOutcomes = 0

        mutating func add(_ other: Totals) {
            applied += other.applied
            conflicts += other.conflicts
            failures += other.failures
            unknownOutcomes += other.unknownOutcomes
        }

        var description: String {
            "\(applied) changes applied, \(failures) failed, \(conflicts) conflicts, \(unknownOutcomes) unknown outcomes"
        }
    }

    /// A row that the client shows, or has removed.
    struct Row {
        var id: RowID
        /// Nil for a new row.
        var old: [DataValue]?
        /// Nil for a removed row.
        var new: [DataValue]?
        var draft: [DataValue]?

        var isPending: Bool { old != new }
    }

    private var numbers: SeededRandom
    private var server: ModelServer
    private var set: ChangeSet
    /// The model: the rows of each table in their order.
    private var model: [[Row]]
    /// New rows that are not posted.
    private var unposted: [(table: Int, id: RowID)] = []
    private var serial: Int64 = 100
    private(set) var steps: [String] = []
    private(set) var totals = Totals()

    init(seed: UInt64) throws {
        numbers = SeededRandom(seed: seed)
        let isRelated = Bool.random(using: &numbers)
        server = ModelShop.server(isRelated: isRelated)
        set = try ModelShop.changes(of: server, isRelated: isRelated)
        model = set.tables.map { table in table.rowIDs.map { EditRun.row(table, $0) } }
    }

    private static func row(_ table: EditableTable, _ id: RowID) -> Row {
        let values = table.row(id)?.values
        return Row(id: id, old: values, new: values)
    }

    mutating func step() throws {
        let index = Int.random(in: 0..<2, using: &numbers)
        let action = Int.random(in: 0..<13, using: &numbers)
        steps.append("\(action):\(index)")
        switch action {
        case 0, 1: try insert(index)
        case 2, 3, 4: try update(index)
        case 5: try remove(index)
        case 6: try revert(index)
        case 7: try begin(index)
        case 8: try endEditMode(index)
        case 9, 10: try changeServer(index)
        case 11: try refresh(index)
        default: try apply(isForced: .random(using: &numbers), canFail: true)
        }
        try compare()
    }

    // MARK: Edits

    private mutating func newValues(_ index: Int) -> [String: DataValue] {
        serial += 1
        guard index == 1 else { return ["Client": .text("c\(serial)")] }
        let orders = model[0].compactMap { $0.new?[0] }
        return ["Order": orders.randomElement(using: &numbers) ?? .integer(1), "Product": .integer(serial)]
    }

    private mutating func insert(_ index: Int) throws {
        let (values, name) = (newValues(index), server.tables[index].name)
        let id = try set.edit(name) { table throws(EditError) in try table.append(values) }
        let new = set.tables[index].row(id)?.values
        model[index].append(Row(id: id, old: nil, new: new))
    }

    /// Chooses a row that the model shows.
    private mutating func choose(_ index: Int, _ condition: (Row) -> Bool) -> Int? {
        model[index].indices.filter { condition(model[index][$0]) }.randomElement(using: &numbers)
    }

    private mutating func update(_ index: Int) throws {
        guard let place = choose(index, { $0.new != nil }) else { return }
        let (id, value) = (model[index][place].id, DataValue.integer(.random(in: 1...4, using: &numbers)))
        let field = index == 0 ? "Status" : "Amount"
        try set.edit(server.tables[index].name) { table throws(EditError) in try table.set(field, of: id, to: value) }
        if model[index][place].draft != nil {
            model[index][place].draft?[2] = value
        } else {
            model[index][place].new?[2] = value
        }
    }

    private mutating func remove(_ index: Int) throws {
        guard let place = choose(index, { $0.new != nil }) else { return }
        let id = model[index][place].id
        try set.edit(server.tables[index].name) { table throws(EditError) in try table.remove(id) }
        model[index][place].draft = nil
        if model[index][place].old == nil {
            model[index].remove(at: place)
        } else {
            model[index][place].new = nil
        }
    }

    private mutating func revert(_ index: Int) throws {
        guard let place = choose(index, { $0.isPending }) else { return }
        let id = model[index][place].id
        try set.edit(server.tables[index].name) { table throws(EditError) in try table.revert(id) }
        model[index][place].draft = nil
        if model[index][place].old == nil || !isOnServer(model[index][place].id, index) {
            model[index].remove(at: place)
        } else {
            model[index][place].new = model[index][place].old
        }
    }

    private func isOnServer(_ id: RowID, _ index: Int) -> Bool { set.tables[index].row(id) != nil }

    private mutating func begin(_ index: Int) throws {
        let name = server.tables[index].name
        if Bool.random(using: &numbers), let place = choose(index, { $0.new != nil }) {
            let id = model[index][place].id
            try set.edit(name) { table throws(EditError) in try table.edit(id) }
            if model[index][place].draft == nil { model[index][place].draft = model[index][place].new }
        } else {
            let values = newValues(index)
            let id = try set.edit(name) { table throws(EditError) in
                let id = table.begin()
                try table.set(values, of: id)
                return id
            }
            unposted.append((index, id))
        }
    }

    private mutating func endEditMode(_ index: Int) throws {
        let (name, isPosted) = (server.tables[index].name, Bool.random(using: &numbers))
        let end = { (table: inout EditableTable, id: RowID) throws(EditError) in
            if isPosted { try table.post(id) } else { try table.cancel(id) }
        }
        if let place = unposted.firstIndex(where: { $0.table == index }) {
            let id = unposted.remove(at: place).id
            try set.edit(name) { table throws(EditError) in try end(&table, id) }
            if isPosted { model[index].append(Row(id: id, old: nil, new: set.tables[index].row(id)?.values)) }
        } else if let place = choose(index, { $0.draft != nil }) {
            let id = model[index][place].id
            try set.edit(name) { table throws(EditError) in try end(&table, id) }
            if isPosted { model[index][place].new = model[index][place].draft }
            model[index][place].draft = nil
        }
    }

    // MARK: The server

    /// Another client changes, removes or adds a row.
    private mutating func changeServer(_ index: Int) throws {
        let place = server.tables[index].rows.indices.randomElement(using: &numbers)
        switch (Int.random(in: 0..<4, using: &numbers), place) {
        case (0, let place?): server.tables[index].rows.remove(at: place)
        case (1, _):
            serial += 1
            let values: [DataValue] =
                index == 0
                ? [.integer(serial), .text("s\(serial)"), .integer(1)] : [.integer(1), .integer(serial), .null]
            server.tables[index].rows.append(values)
        case (_, let place?): server.tables[index].rows[place][2] = .integer(.random(in: 1...4, using: &numbers))
        default: break
        }
    }

    private func key(_ row: [DataValue], _ index: Int) -> [DataValue] { Array(row.prefix(index == 0 ? 1 : 2)) }

    private mutating func refresh(_ index: Int) throws {
        let (name, rows) = (server.tables[index].name, try server.tables[index].encodedRows())
        let conflicts = try set.edit(name) { table throws(EditError) in try table.refresh(rows) }
        totals.conflicts += conflicts.count
        var (next, expected): ([Row], Set<RowID>) = ([], [])
        var rest = model[index]
        for theirs in server.tables[index].rows {
            let place = rest.firstIndex { row in
                row.old.map { key($0, index) == key(theirs, index) } ?? false && (row.isPending || row.draft != nil)
            }
            guard let place else {
                next.append(Row(id: RowID(-1), old: theirs, new: theirs))
                continue
            }
            var row = rest.remove(at: place)
            guard let old = row.old, var new = row.new else {
                if row.old != theirs { expected.insert(row.id) }
                next.append(row)
                continue
            }
            // Only the third field of these rows ever changes.
            if var draft = row.draft {
                if draft[2] == new[2] { draft[2] = theirs[2] }
                if draft[2] != theirs[2], theirs[2] != new[2] { expected.insert(row.id) }
                row.draft = draft
            }
            var base = theirs
            if new[2] == old[2] {
                new[2] = theirs[2]
            } else if theirs[2] != old[2], theirs[2] != new[2] {
                base[2] = old[2]
                expected.insert(row.id)
            }
            (row.old, row.new) = (base, new)
            next.append(row)
        }
        for row in rest {
            let isNew = row.old == nil
            let isTaken =
                isNew && server.tables[index].rows.contains { key($0, index) == row.new.map { key($0, index) } }
            if isTaken || row.new != nil && !isNew && (row.isPending || row.draft != nil) { expected.insert(row.id) }
            guard row.isPending, row.new != nil else { continue }
            next.append(row)
            if !isNew { next[next.count - 1].draft = row.draft }
        }
        // Rows without changes have other IDs now.
        let ids = Array(set.tables[index].rowIDs)
        var position = 0
        for place in next.indices where next[place].new != nil {
            guard position < ids.count else { throw RunFailure("too few rows") }
            if next[place].id == RowID(-1) { next[place].id = ids[position] }
            position += 1
        }
        model[index] = next
        guard Set(conflicts.map(\.row)) == expected else { throw RunFailure("conflicts \(conflicts), not \(expected)") }
    }

    private mutating func apply(isForced: Bool, canFail: Bool) throws {
        if canFail {
            server.answers = (0..<6).map { _ in
                Int.random(in: 0..<3, using: &numbers) > 0
                    ? .resolved : ModelServer.Answer.allCases.randomElement(using: &numbers) ?? .failed
            }
        }
        let before = set.changedRows
        var effect = try set.beginApply(isForced: isForced)
        var report: ApplyReport?
        while report == nil {
            switch effect {
            case .read(let requests): effect = try set.rowsRead(requests.map { try server.read($0) })
            case .send(let deltas):
                if canFail, Int.random(in: 0..<4, using: &numbers) == 0 {
                    if Bool.random(using: &numbers) { _ = try server.update(deltas) }
                    effect = try set.stopped(.unknownOutcome("cut"))
                } else {
                    effect = try set.replied(server.update(deltas))
                }
            case .finished(let result): report = result
            }
        }
        server.answers = []
        guard let report else { return }
        let undecided = set.undecidedRows
        let settled = try decide()
        try check(report, before, undecided: undecided, settled: settled)
        take(report.accepted + settled)
        if !settled.isEmpty || report.notes.contains(where: { if case .keyUnknown = $0 { true } else { false } }) {
            try refresh(0)
            try refresh(1)
        }
    }

    /// Settles changes of unknown outcome by the server's rows, and makes the others pending again.
    private mutating func decide() throws -> [ChangedRow] {
        guard !set.undecidedRows.isEmpty else { return [] }
        totals.unknownOutcomes += 1
        let readings = try set.outcomeRequests.map { try server.read($0) }
        guard let verdicts = set.verdicts(readings) else { throw RunFailure("no verdicts") }
        let applied = verdicts.filter { $0.verdict == .applied }.map(\.row)
        set.settle(applied)
        set.retry()
        return applied
    }

    /// Checks that each change has one outcome, and that no row was inserted twice.
    private mutating func check(
        _ report: ApplyReport,
        _ before: [ChangedRow],
        undecided: [ChangedRow],
        settled: [ChangedRow]
    ) throws {
        let conflicts = report.conflicts.map { ChangedRow($0.table, $0.row) }
        let outcomes = report.accepted + report.failed + report.notProcessed + conflicts + undecided
        guard Set(outcomes).count == outcomes.count, Set(outcomes).isSubset(of: before) else {
            throw RunFailure("outcomes \(report)")
        }
        let pending = Set(set.changedRows)
        guard pending == Set(before).subtracting(report.accepted).subtracting(settled) else {
            throw RunFailure("pending \(pending) after \(report)")
        }
        let waiting = Set(report.notes.compactMap { if case .waitsForKey(let row, _) = $0 { row } else { nil } })
        if report.failure == nil, Set(outcomes).union(waiting) != Set(before) { throw RunFailure("lost: \(report)") }
        let clients = server.tables[0].rows.map { $0[1] }
        guard Set(clients).count == clients.count else { throw RunFailure("a row twice: \(clients)") }
        totals.applied += report.accepted.count + settled.count
        totals.failures += report.failed.count
        totals.conflicts += conflicts.count
    }

    /// Takes over the outcome: accepted changes and replaced keys.
    private mutating func take(_ accepted: [ChangedRow]) {
        for index in model.indices {
            let table = set.tables[index]
            model[index].removeAll { $0.new == nil && accepted.contains(ChangedRow(table.name, $0.id)) }
            for place in model[index].indices {
                let row = model[index][place]
                guard let values = table.row(row.id)?.values else { continue }
                if accepted.contains(ChangedRow(table.name, row.id)) {
                    (model[index][place].old, model[index][place].new) = (values, values)
                    if let draft = row.draft { model[index][place].draft = [values[0], values[1], draft[2]] }
                } else if row.isPending, row.new != nil {
                    // The key of a new order, and what a forced change is based on.
                    if case .integer(let number) = row.new?[0], number < 0 { model[index][place].new?[0] = values[0] }
                    if row.draft != nil { model[index][place].draft?[0] = values[0] }
                }
                rebase(index, place)
            }
        }
    }

    /// A forced change that was not applied is based on the server's values.
    private mutating func rebase(_ index: Int, _ place: Int) {
        guard model[index][place].old != nil, let row = set.tables[index].row(model[index][place].id),
            let old = try? server.tables[index].fields.map({ try row.oldValue($0.name) })
        else { return }
        if let before = model[index][place].old, let new = model[index][place].new {
            model[index][place].new = new.indices.map { new[$0] == before[$0] ? old[$0] : new[$0] }
        }
        model[index][place].old = old
    }

    // MARK: Comparison

    private func compare() throws {
        for (table, rows) in zip(set.tables, model) {
            let shown = rows.filter { $0.new != nil }
            let ids = Array(table.rowIDs)
            guard ids == shown.map(\.id), table.count == ids.count else {
                throw RunFailure("rows \(ids), not \(shown.map(\.id))")
            }
            for row in shown {
                guard let found = table.row(row.id), found.values == row.new else {
                    throw RunFailure("\(row.id): \(table.row(row.id)?.values ?? []), not \(row)")
                }
                guard table.draft(row.id) == row.draft else {
                    throw RunFailure("draft \(table.draft(row.id) ?? []) of \(row)")
                }
                if let key = row.new.map({ Array($0.prefix(table.name == "Orders" ? 1 : 2)) }),
                    rows.filter({ $0.new.map { Array($0.prefix(key.count)) } == key }).count == 1,
                    table.find(key: key) != row.id
                {
                    throw RunFailure("\(row.id) is not found by its key")
                }
            }
            let pending = Set(rows.filter(\.isPending).map(\.id))
            guard Set(table.changedRows) == pending, table.hasChanges == !pending.isEmpty,
                try table.delta()?.changes.count ?? 0 == pending.count
            else { throw RunFailure("changes \(table.changedRows), not \(pending)") }
        }
    }

    /// Applies all changes that can be applied, drops the others, and compares the tables with the server's.
    mutating func end() throws {
        for (index, id) in unposted {
            try set.edit(server.tables[index].name) { table throws(EditError) in try table.cancel(id) }
        }
        for index in 0..<2 { try refresh(index) }
        try compare()
        try apply(isForced: true, canFail: false)
        for row in set.changedRows {
            try set.edit(row.table) { table throws(EditError) in try table.revert(row.row) }
        }
        for (index, table) in server.tables.enumerated() {
            let rows = try table.encodedRows()
            let conflicts = try set.edit(table.name) { table throws(EditError) in try table.refresh(rows) }
            let shown = set.tables[index].rowIDs.compactMap { set.tables[index].row($0)?.values }
            guard shown == table.rows, !set.tables[index].hasChanges else {
                throw RunFailure("the client shows \(shown), the server has \(table.rows), \(conflicts)")
            }
        }
    }
}
