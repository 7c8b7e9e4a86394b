// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Glibc
import NIOCore

/// Measures briefcases and views of a table.
enum Views {
    /// Benchmarks/tables.py has the same orders in SQL.
    private static let orders = [
        [FieldOrder("City"), FieldOrder("Name", isDescending: true)],
        [FieldOrder("Orders"), FieldOrder("Since", isDescending: true)],
    ]
    private static let pageRows = 50

    /// Sorts a view, and reads pages at many places. Prints a line of JSON for each order with p50 in nanoseconds and the
    /// Id of the row in the middle, and one for the slowest page.
    static func sort(_ path: String, rounds: Int) throws {
        guard let briefcase = try Briefcase.load(path) else { exit(1) }
        var view = try TableViewModel(briefcase.tables[0])
        for (number, order) in orders.enumerated() {
            let time = try median(rounds) { try view.sort(by: order) }
            let middle = view.rows(in: view.count / 2..<view.count / 2 + 1).first?.values[0] ?? .null
            guard case .integer(let id) = middle else { exit(1) }
            print("{\"name\": \"sort \(number)\", \"p50\": \(time), \"row\": \(id)}")
        }
        var slowest = 0
        var cells = 0
        for place in stride(from: 0, to: view.count, by: max(1, view.count / 1_000)) {
            let start = Probe.nanoseconds()
            for row in view.rows(in: place..<place + pageRows) { cells += row.values.count }
            slowest = max(slowest, Probe.nanoseconds() - start)
        }
        guard cells > 0 else { exit(1) }
        print("{\"name\": \"page of a view\", \"p50\": \(slowest)}")
    }

    /// Decodes the bytes of a file in memory, and loads the briefcase of the same file, alternately, every value made.
    /// Prints a line of JSON for each: p50 in nanoseconds and a checksum.
    static func briefcase(_ path: String, rounds: Int) throws {
        let aside = path + ".daBriefcase"
        var briefcase = Briefcase()
        guard let table = try Briefcase.load(path)?.tables.first else { exit(1) }
        briefcase.put(table)
        let file = try BriefcaseFile(aside, form: .file)
        try file.save(briefcase)
        let bytes = try briefcase.encoded()
        let limits = TableLimits(bytes: bytes.readableBytes)
        var sums: [UInt64] = [0, 0]
        var times: [[Int]] = [[], []]
        for _ in 0..<rounds {
            times[0].append(
                try time { sums[0] = checksum(try TableStream(decoding: bytes, limits: limits).tables[1]) }
            )
            times[1].append(try time { sums[1] = checksum(try Briefcase.load(aside)?.tables[0] ?? table) })
        }
        try file.remove()
        for (name, (times, sum)) in zip(["decode in memory", "open briefcase"], zip(times, sums)) {
            print("{\"name\": \"\(name)\", \"p50\": \(times.sorted()[times.count / 2]), \"checksum\": \(sum)}")
        }
    }

    private static func checksum(_ table: DataTable) -> UInt64 {
        var sum: UInt64 = 0
        table.rows.forEachValue { _, _, value in sum &+= Probe.checksum(value) }
        return sum
    }

    private static func median(_ rounds: Int, _ body: () throws -> Void) throws -> Int {
        var times: [Int] = []
        for _ in 0..<rounds { times.append(try time(body)) }
        return times.sorted()[times.count / 2]
    }

    private static func time(_ body: () throws -> Void) throws -> Int {
        let start = Probe.nanoseconds()
        try body()
        return Probe.nanoseconds() - start
    }
}
