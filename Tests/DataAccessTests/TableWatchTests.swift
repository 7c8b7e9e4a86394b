// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import TestSupport
import Testing

@testable import DataAccess

@Suite("Watched tables")
struct TableWatchTests {
    private static let columns: [(String, DataType)] = [("Id", .integer), ("Name", .wideString)]

    private final class Log {
        var lines: [String] = []
    }

    private static func watch(_ key: [String]? = ["ID"]) -> (TableWatch, Log) {
        let log = Log()
        let watch = TableWatch(key: key) { change, row in
            let cells = try RowTexts(row.head).cells(of: row.rows, row.index)
            let names = row.columns.map { row.table.columns[$0].name }
            log.lines.append("\(change) " + zip(names, cells).map { "\($0)=\($1 ?? "NULL")" }.joined(separator: " "))
        }
        return (watch, log)
    }

    private static func read(_ table: DataTable, _ indices: [Int]? = nil, _ watch: inout TableWatch) throws {
        try watch.begin(table.head)
        try watch.add(table.rows, indices)
        try watch.finish()
    }

    @Test("each reading is compared with the one before, and removed rows come at its end by key")
    func differences() throws {
        var (watch, log) = Self.watch()
        func read(_ rows: [[DataValue]]) throws -> [String] {
            log.lines = []
            try Self.read(DataTable.table(Self.columns, rows), nil, &watch)
            return log.lines
        }
        let (ada, bob) = ([DataValue.integer(1), .text("Ada")], [DataValue.integer(2), .null])
        #expect(try read([ada, bob]) == ["present Id=1 Name=Ada", "present Id=2 Name=NULL"])
        #expect(try read([bob, ada]) == [])
        #expect(
            try read([[.integer(3), .text("")], [.integer(2), .text("")]]) == [
                "inserted Id=3 Name=", "changed Id=2 Name=", "removed Id=1",
            ]
        )
        #expect(try read([ada]) == ["inserted Id=1 Name=Ada", "removed Id=2", "removed Id=3"])
        #expect(try read([]) == ["removed Id=1"])
        #expect(try read([]) == [])
    }

    @Test("only the rows that were selected count; a key may have several fields and be NULL")
    func selection() throws {
        var (watch, log) = Self.watch(["Name", "Id"])
        let table = try DataTable.table(
            Self.columns,
            [[.integer(1), .null], [.integer(1), .text("a")], [.integer(2), .text("a")]]
        )
        try Self.read(table, [0, 2], &watch)
        #expect(log.lines == ["present Id=1 Name=NULL", "present Id=2 Name=a"])
        log.lines = []
        try Self.read(table, [1, 2], &watch)
        #expect(log.lines == ["inserted Id=1 Name=a", "removed Name=NULL Id=1"])
    }

    @Test("the memory of keys is limited, and is free again when rows are removed")
    func memory() throws {
        var watch = TableWatch(key: ["Id"], mostBytes: 250) { _, _ in }
        for ids in [1...2, 3...4, 5...6] as [ClosedRange<Int64>] {
            try Self.read(DataTable.table(Self.columns, []), nil, &watch)
            try Self.read(DataTable.table(Self.columns, ids.map { [.integer($0), .null] }), nil, &watch)
        }
        #expect(throws: ReadError.tooManyRows(table: "T", limit: 2)) {
            try Self.read(DataTable.table(Self.columns, (5...7).map { [.integer($0), .null] }), nil, &watch)
        }
    }

    @Test("readings without a key, with a key twice, or with other columns are errors")
    func errors() throws {
        let table = try DataTable.table(Self.columns, [[.integer(1), .null], [.integer(1), .text("a")]])
        var (watch, _) = Self.watch(nil)
        #expect(throws: TableWatchError.noKey) { try Self.read(table, nil, &watch) }
        (watch, _) = Self.watch(["Nope"])
        #expect(throws: FormatError.noColumn("Nope")) { try Self.read(table, nil, &watch) }
        (watch, _) = Self.watch()
        #expect(throws: TableWatchError.duplicateKey(row: 2)) { try Self.read(table, nil, &watch) }
        (watch, _) = Self.watch()
        try Self.read(table, [0], &watch)
        let wider = try DataTable.table([("Id", .largeInt), ("Name", .wideString)], [])
        #expect(throws: TableWatchError.columnsChanged) { try Self.read(wider, nil, &watch) }
    }

    @Test("a key that is missing in one reading is inserted in the next")
    func digests() throws {
        var digests = RowDigests()
        func read(_ rows: [UInt8: Int]) throws -> (differences: [UInt8: RowDigests.Difference], gone: [[UInt8]]) {
            digests.begin()
            var differences: [UInt8: RowDigests.Difference] = [:]
            for (key, digest) in rows { differences[key] = try digests.add(key: [key], digest: digest) }
            return (differences, digests.finish())
        }
        #expect(try read([1: 1, 2: 2]).differences == [1: .inserted, 2: .inserted])
        #expect(try read([2: 3]) == ([2: .changed], [[1]]))
        #expect(try read([1: 1, 2: 3]) == ([1: .inserted], []))
        #expect(try read([:]) == ([:], [[1], [2]]))
        digests.begin()
        #expect(try digests.add(key: [9], digest: 1) == .inserted)
        #expect(throws: RowDigests.DuplicateKey.self) { try digests.add(key: [9], digest: 1) }
    }

    @Test("a table is read at the interval, or at a report, but not more than half of the time")
    func schedule() {
        let start = ContinuousClock.now
        func at(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }
        var schedule = WatchSchedule(every: .seconds(60), now: start)
        #expect(schedule.pause(at: start) == .zero)
        schedule.begin()
        schedule.read(from: start, to: at(10))
        #expect(schedule.pause(at: at(10)) == .seconds(50))
        #expect(schedule.pause(at: at(61)) == .zero)
        schedule.report()
        #expect(schedule.pause(at: at(10)) == .seconds(10))
        #expect(schedule.pause(at: at(20)) == .zero)
        schedule.begin()
        schedule.read(from: at(20), to: at(21))
        #expect(schedule.pause(at: at(21)) == .seconds(59))
        schedule.report()
        #expect(schedule.pause(at: at(22)) == .zero)
        schedule.begin()
        // A reading that takes longer than the interval.
        schedule.read(from: at(30), to: at(100))
        #expect(schedule.pause(at: at(100)) == .zero)
    }
}
