// SPDX-License-Identifier: Apache-2.0

import NIOCore
import TestSupport
import Testing

@testable import DataAbstract
@testable import DataAccess

@Suite("Sorting rows")
struct RowSorterTests {
    private static let columns =
        [DataColumn("Row", .integer)]
        + DataType.allCases.filter { $0 != .unknown }.map { DataColumn("\($0)", $0) }

    /// Returns a value from a few, so that rows are often equal in some columns.
    private static func value(_ type: DataType, _ random: inout SeededRandom) -> DataValue {
        guard Int.random(in: 0..<5, using: &random) > 0 else { return .null }
        func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &random)] }
        switch type {
        case .unknown: return .null
        case .boolean: return .boolean(one([true, false]))
        case .byte, .word, .cardinal: return .integer(one([0, 1, 255]))
        case .shortInt, .smallInt, .integer, .autoInc: return .integer(one([0, 1, -1, -128, 127]))
        case .largeInt, .largeAutoInc: return .integer(one([0, 1, -1, .min, .max]))
        case .largeUInt: return .unsigned(one([0, 1, .max, 1 << 63]))
        case .float, .singleFloat: return .float(one([0, -0.0, 1.5, -1.5, .infinity, -.infinity, .nan]))
        case .dateTime: return .dateTime(days: one([0, 43_800, 43_800.5, -1, -2.5, 43_800 + 1e-10]))
        case .currency: return .currency(scaled: one([0, 1, -1, .min, .max]))
        case .decimal:
            let texts = ["0", "-0", "1", "1.0", "-1", "-1.1", "0.00001", "79228162514264337593543950335"]
            return DataDecimal(one(texts)).map { .decimal($0) } ?? .null
        case .guid: return .text(one(["0123456789ABCDEF0123456789abcdef0123", "0123456789abcdef0123456789abcdef0123"]))
        case .string, .memo, .fixedChar:
            return .text(one(["", "a", "a\u{0}", "A", "b", "ab", "\u{FF}", "a\u{0}\u{1}"]))
        case .wideString, .wideMemo, .fixedWideChar, .xml:
            return .text(one(["", "a", "ab", "é", "\u{FFFD}", "😀", "e\u{301}", "a\u{0}b"]))
        case .blob, .cursor: return .bytes(ByteBuffer(bytes: one([[], [0], [0, 0], [0, 1], [255], [1]])))
        }
    }

    /// The order of two values, from the definition: -1, 0 or 1.
    private static func order(_ left: DataValue, _ right: DataValue, _ type: DataType) -> Int {
        func compare<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
            left < right ? -1 : left == right ? 0 : 1
        }
        func sequences<Value: Comparable>(_ left: [Value], _ right: [Value]) -> Int {
            left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
        }
        switch (left, right) {
        case (.dateTime(let left), .dateTime(let right)):
            return compare((left * 86_400_000).rounded(), (right * 86_400_000).rounded())
        case (.text(let left), .text(let right)):
            let (left, right) = type == .guid ? (left.lowercased(), right.lowercased()) : (left, right)
            return sequences(left.unicodeScalars.map(\.value), right.unicodeScalars.map(\.value))
        case (.bytes(let left), .bytes(let right)):
            return sequences(Array(left.readableBytesView), Array(right.readableBytesView))
        case (.float(let left), .float(let right)) where left.isNaN || right.isNaN:
            return compare(left.isNaN ? 0 : 1, right.isNaN ? 0 : 1)
        default:
            guard let left = ExactNumber(left), let right = ExactNumber(right) else { return 0 }
            return left.compared(to: right)
        }
    }

    private static func precedes(_ left: [DataValue], _ right: [DataValue], _ order: [SortColumn]) -> Bool {
        for column in order {
            let (a, b) = (left[column.column], right[column.column])
            if a.isNull != b.isNull { return a.isNull != column.isDescending }
            let result = a.isNull ? 0 : self.order(a, b, columns[column.column].type)
            if result != 0 { return (result < 0) != column.isDescending }
        }
        return false
    }

    private func rows(_ count: Int, _ random: inout SeededRandom) throws -> DataTable {
        var table = try DataTable(name: "T", columns: Self.columns)
        for row in 0..<count {
            let values = Self.columns.dropFirst().map { Self.value($0.type, &random) }
            try table.append([.integer(Int64(row))] + values)
        }
        return table
    }

    private func result(_ sorter: RowSorter) throws -> [Int64] {
        var result: [Int64] = []
        while let rows = try sorter.next() {
            for row in rows { if case .integer(let number) = row[0] { result.append(number) } }
        }
        return result
    }

    @Test("rows come in the order of a simple sort, with and without a limit and a file")
    func property() throws {
        let folder = TemporaryDirectory()
        for seed in 0..<UInt64(Soak.count(40, soak: 3000)) {
            var random = SeededRandom(seed: seed)
            let table = try rows(.random(in: 0...200, using: &random), &random)
            let order = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                SortColumn(.random(in: 1..<Self.columns.count, using: &random), isDescending: .random(using: &random))
            }
            let values = table.rows.map(Array.init)
            let kept = values.indices.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
            let sorted = kept.sorted { left, right in
                if Self.precedes(values[left], values[right], order) { return true }
                return !Self.precedes(values[right], values[left], order) && left < right
            }
            for limit in [nil, 0, 1, 7, 1000] {
                for memory in [1 << 20, 4000, 0] {
                    let sorter = RowSorter(
                        Self.columns,
                        by: order,
                        limit: limit,
                        memory: memory,
                        directory: folder.path
                    )
                    try sorter.add(table.rows, kept)
                    let result = try result(sorter)
                    #expect(result == sorted.prefix(limit ?? .max).map { Int64($0) }, "seed \(seed) \(order)")
                }
            }
        }
        #expect(folder.names().isEmpty)
    }

    @Test("every cell survives the file")
    func cells() throws {
        var random = SeededRandom(seed: 1)
        let table = try rows(300, &random)
        let folder = TemporaryDirectory()
        let sorter = RowSorter(Self.columns, by: [SortColumn(3)], memory: 10_000, directory: folder.path)
        try sorter.add(table.rows)
        var count = 0
        while let rows = try sorter.next() {
            for row in rows {
                guard case .integer(let number) = row[0] else { continue }
                // A NaN is not equal to itself.
                #expect("\(Array(row))" == "\(Array(table.rows[Int(number)]))")
                count += 1
            }
        }
        #expect(count == 300)
    }

    @Test("a directory that does not exist is an error only if the file is needed")
    func noDirectory() throws {
        var random = SeededRandom(seed: 2)
        let table = try rows(20, &random)
        let small = RowSorter(Self.columns, by: [SortColumn(1)], directory: "/nonexistent")
        try small.add(table.rows)
        #expect(try result(small).count == 20)
        let large = RowSorter(Self.columns, by: [SortColumn(1)], memory: 100, directory: "/nonexistent")
        #expect(throws: (any Error).self) { try large.add(table.rows) }
    }

    @Test("the limit of temporary files ends a sort")
    func temporaryLimit() throws {
        var random = SeededRandom(seed: 4)
        let table = try rows(200, &random)
        let folder = TemporaryDirectory()
        let sorter = RowSorter(
            Self.columns,
            by: [SortColumn(1)],
            memory: 1000,
            temporary: 16 << 10,
            directory: folder.path
        )
        #expect(throws: GrowthError.temporary(limit: 16 << 10)) {
            try sorter.add(table.rows)
            _ = try result(sorter)
        }
    }

    @Test("columns are selected without decoding them")
    func selection() throws {
        var random = SeededRandom(seed: 3)
        let table = try rows(50, &random)
        let columns = [7, 0, 12, 26, 12, 3, 20, 21, 22, 5]
        let selected = table.rows.selecting(columns, [0, 3, 49])
        #expect(selected.columnTypes == columns.map { Self.columns[$0].type })
        for (row, index) in zip(selected, [0, 3, 49]) {
            #expect("\(Array(row))" == "\(columns.map { table.rows[index][$0] })")
        }
        #expect(table.rows.selecting([1], nil).count == 50)
        #expect(selected.count == 3)
    }
}
