// SPDX-License-Identifier: Apache-2.0

internal import DataAbstract
internal import Glibc
internal import TestSupport

/// Processes that edit with a pending file, apply, and are killed. A later process finds each confirmed change.
package enum EditorRuns {
    /// The number of edits of a process.
    private static let editCount = 24
    private static let longestMicroseconds = 80_000

    // MARK: The process

    /// Edits and applies until the end or until it is killed. Prints the number of each saved edit.
    package static func edit(file: String, socket: String) async throws {
        let server = AdapterChangeServer(try await ServedShop.adapter(at: socket))
        let store = try PendingFile(file)
        var set = try ServedShop.changes()
        report("ready")
        for number in 0..<editCount {
            try Edit(number).make(in: &set)
            try store.save(&set)
            report("\(number)")
            if number % 3 == 2 { _ = try await ApplyRunner(server, store: store).apply(&set) }
        }
        report("end")
    }

    /// Adds four rows and saves each, to be killed or to fail at a system call.
    ///
    /// - Parameter report: receives the number of each saved row.
    /// - Throws: `PendingFileError`, `EditError`.
    package static func save(file: String, _ report: (Int) -> Void = { EditorRuns.report("\($0)") }) throws {
        let store = try open(file)
        var set = try store.changes ?? ServedShop.changes()
        let first = set.changedRows.count
        // The third row makes the file so long that it is written again.
        for number in first..<first + 4 {
            try Edit(2 * number).make(in: &set, padding: number == first + 2 ? 300 << 10 : 0)
            try store.save(&set)
            report(number)
        }
    }

    /// Returns the number of rows in a file of `save`, which must be consecutive.
    ///
    /// - Throws: `PendingFileError`, `RunFailure`.
    package static func countSaved(file: String) throws -> Int {
        guard let set = try open(file).changes else { return 0 }
        let count = set.changedRows.count
        for number in 0..<count where Edit(2 * number).row(in: set) == nil { throw RunFailure("row \(number) is lost") }
        return count
    }

    /// Opens a file. A program that another thread starts has the lock of a closed file until it runs.
    private static func open(_ file: String) throws -> PendingFile {
        for _ in 0..<1_000 {
            do throws(PendingFileError) {
                return try PendingFile(file)
            } catch {
                guard error == .inUse else { throw error }
                usleep(5_000)
            }
        }
        return try PendingFile(file)
    }

    package static func report(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        write(STDOUT_FILENO, bytes, bytes.count)
    }

    /// One of the edits: each second one is a new order, the others change an order each.
    private struct Edit {
        let number: Int
        private let order: Int64
        private let status: Int64
        private let client: String
        private let isInsert: Bool

        init(_ number: Int) {
            self.number = number
            order = Int64(number / 2 + 1)
            status = Int64(1_000 + number)
            client = "killed \(number) "
            isInsert = number.isMultiple(of: 2)
        }

        func make(in set: inout ChangeSet, padding: Int = 0) throws {
            try set.edit("Orders") { table throws(EditError) in
                if isInsert {
                    let text = client + String(repeating: ".", count: padding)
                    _ = try table.append(["Client": .text(text), "Status": .integer(status)])
                } else if let row = table.find(key: [.integer(order)]) {
                    try table.set("Status", of: row, to: .integer(status))
                }
            }
        }

        /// The pending row.
        func row(in set: ChangeSet) -> ChangedRow? {
            set.changedRows.first { row in
                guard let values = set.table(row.table)?.row(row.row)?.values, values[2] == .integer(status) else {
                    return false
                }
                guard isInsert else { return values[0] == .integer(order) }
                guard case .text(let text) = values[1] else { return false }
                return text.hasPrefix(client)
            }
        }

        /// The number of times that the server has applied it.
        func count(in rows: ServedShop.Rows) -> Int {
            isInsert
                ? rows.orders.values.count { $0.client.hasPrefix(client) }
                : rows.orders[order]?.status == status ? 1 : 0
        }
    }

    // MARK: Kills

    /// Kills processes at random moments.
    ///
    /// - Parameter program: random-probe.
    /// - Returns: a line of text.
    /// - Throws: `RunFailure` for the first change that is lost or applied twice.
    package static func killed(_ count: Int, program: String) async throws -> String {
        let totals = try await withThrowingTaskGroup(of: [String: Int].self) { group in
            let width = 4
            for worker in 0..<width {
                group.addTask {
                    let shop = try await ServedShop.start(isRelated: true)
                    var totals: [String: Int] = [:]
                    for round in stride(from: worker, to: count, by: width) {
                        do {
                            totals.merge(try await kill(round, shop, program), uniquingKeysWith: +)
                        } catch {
                            throw RunFailure("round \(round): \(error)")
                        }
                    }
                    await shop.stop()
                    return totals
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
        let facts = totals.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return "\(count) kills: \(facts.joined(separator: ", "))"
    }

    private static func kill(_ round: Int, _ shop: ServedShop, _ program: String) async throws -> [String: Int] {
        try shop.reset()
        shop.wire.arm(nil) {}
        let folder = TemporaryDirectory()
        let file = folder.path(of: "changes.pending")
        let child = try ChildProcess([program, "editor", file, shop.socketPath])
        var lines = child.outputLines(silence: .seconds(60)).makeAsyncIterator()
        guard await lines.next() == "ready" else { throw RunFailure("the process does not start") }
        var numbers = SeededRandom(seed: UInt64(round))
        let pause = useconds_t.random(in: 0..<useconds_t(longestMicroseconds), using: &numbers)
        _ = try await BlockingWork.run { usleep(pause) }
        child.signal(SIGKILL)
        var confirmed = -1
        var isEnded = false
        while let line = await lines.next() {
            if let number = Int(line) { confirmed = number } else { isEnded = line == "end" }
        }
        guard child.wait() == -SIGKILL || isEnded else { throw RunFailure("the process failed") }
        _ = await shop.wire.disarm()
        return try await judge(file, confirmed, shop)
    }

    /// Checks the file and the server's rows, then does what a user does.
    private static func judge(_ file: String, _ confirmed: Int, _ shop: ServedShop) async throws -> [String: Int] {
        var totals: [String: Int] = [:]
        let store = try open(file)
        guard var set = store.changes else {
            guard confirmed < 0 else { throw RunFailure("no file after edit \(confirmed)") }
            return ["before the first save": 1]
        }
        if store.wasTorn { totals["torn records"] = 1 }
        let rows = try shop.rows()
        let undecided = Set(set.undecidedRows)
        // The last edit may be saved and not confirmed.
        let edits = (0...confirmed + 1).map(Edit.init).filter { $0.number <= confirmed || $0.row(in: set) != nil }
        for edit in edits {
            let (count, row) = (edit.count(in: rows), edit.row(in: set))
            guard count <= 1 else { throw RunFailure("edit \(edit.number) \(count) times") }
            guard count == 1 || row != nil else { throw RunFailure("edit \(edit.number) of \(confirmed) is lost") }
            guard count == 0 || row.map({ undecided.contains($0) }) ?? true else {
                throw RunFailure("edit \(edit.number) is applied and pending")
            }
        }
        let server = AdapterChangeServer(shop.adapter)
        if !undecided.isEmpty {
            totals["unknown outcomes"] = 1
            let verdicts = try await server.verdicts(on: set)
            for edit in edits {
                guard let row = edit.row(in: set), undecided.contains(row) else { continue }
                let expected: OutcomeVerdict.Verdict = edit.count(in: rows) == 1 ? .applied : .notApplied
                guard let verdict = verdicts.first(where: { $0.row == row })?.verdict, verdict == expected else {
                    throw RunFailure("edit \(edit.number): \(verdicts)")
                }
            }
            set.settle(verdicts.filter { $0.verdict == .applied }.map(\.row))
            set.retry()
        }
        let read = try await shop.adapter.table(TableRequest("Orders"))
        let conflicts = try set.edit("Orders") { table throws(EditError) in try table.refresh([read.rows]) }
        let report = try await ApplyRunner(server, store: store).apply(&set)
        guard conflicts.isEmpty, report.failure == nil, !set.hasChanges else {
            throw RunFailure("\(conflicts) \(report)")
        }
        let last = try shop.rows()
        for edit in edits where edit.count(in: last) != 1 {
            throw RunFailure("edit \(edit.number) \(edit.count(in: last)) times at the end")
        }
        totals["edits"] = edits.count
        return totals
    }
}
