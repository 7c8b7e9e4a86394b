// SPDX-License-Identifier: Apache-2.0

import NIOCore
import RandomRuns
import TestSupport
import Testing

@testable import DataAbstract

@Suite struct TableStreamDecoderTests {
    /// Feeds a stream in parts. `size` returns the size of the next part.
    private static func tables(
        _ bytes: ByteBuffer,
        _ names: [String],
        limits: TableLimits = .streaming,
        isSizeKnown: Bool = true,
        size: () -> Int = { .max }
    ) throws(TableError) -> [DataTable] {
        var rest = bytes
        let byteCount = isSizeKnown ? bytes.readableBytes : nil
        var decoder = TableStreamDecoder(tables: names, byteCount: byteCount, limits: limits)
        var tables: [DataTable] = []
        while let part = rest.readSlice(length: min(max(size(), 1), rest.readableBytes)), part.readableBytes > 0 {
            decoder.feed(part)
            while let event = try decoder.next(waitsForBatch: size().isMultiple(of: 2)) { try add(event, to: &tables) }
        }
        while let event = try decoder.next() { try add(event, to: &tables) }
        try decoder.finish()
        return tables
    }

    private static func add(_ event: TableEvent, to tables: inout [DataTable]) throws(TableError) {
        switch event {
        case .table(let head): tables.append(DataTable(head))
        case .rows(let rows): try tables[tables.count - 1].append(rows)
        }
    }

    private func expectSame(_ left: [DataTable], _ right: [DataTable]) {
        #expect(left.count == right.count)
        for (left, right) in zip(left, right) {
            #expect(left.name == right.name && left.schema == right.schema && left.columns == right.columns)
            #expect(left.rows.count == right.rows.count)
            // Compared as text, because a NaN is not equal to itself.
            for (left, right) in zip(left.rows, right.rows) { #expect("\(Array(left))" == "\(Array(right))") }
        }
    }

    @Test("a stream in parts of any size gives the tables of the whole stream", arguments: 0..<20)
    func parts(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        let random = try TableStream([
            .random(rows: 30, &numbers), .random(rows: 0, &numbers), .random(rows: 5, &numbers),
        ])
        for bytes in try TableVector.streams("dataset-stream") + [random.encoded()] {
            let whole = try TableStream(decoding: bytes).tables
            let largest = [9, 30, 100, 5000][Int.random(in: 0..<4, using: &numbers)]
            let tables = try Self.tables(bytes, whole.map(\.name), isSizeKnown: .random(using: &numbers)) {
                Int.random(in: 1...largest, using: &numbers)
            }
            expectSame(tables, whole)
        }
    }

    @Test("a truncated stream is an error")
    func truncated() throws {
        var numbers = SeededRandom(seed: 3)
        let random = try TableStream([.random(rows: 3, &numbers), .random(rows: 2, &numbers)]).encoded()
        for bytes in try TableVector.streams("dataset-stream") + [random] {
            let names = try TableStream(decoding: bytes).tables.map(\.name)
            for length in stride(from: 0, to: bytes.readableBytes, by: bytes.readableBytes / 300 + 1) {
                let cut = bytes.getSlice(at: 0, length: length) ?? ByteBuffer()
                #expect(throws: TableError.self) {
                    try Self.tables(cut, names, isSizeKnown: length.isMultiple(of: 2)) { 99 }
                }
            }
        }
    }

    @Test("a damaged stream is an error, or gives the tables of the whole stream", arguments: 0..<40)
    func mutations(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        let random = try TableStream([.random(rows: 9, &numbers), .random(rows: 2, &numbers)]).encoded()
        for bytes in try TableVector.streams("dataset-stream") + [random] {
            let names = try TableStream(decoding: bytes).tables.map(\.name)
            let changed = bytes.mutated(&numbers)
            let tables = try? Self.tables(changed, names) { Int.random(in: 1...50, using: &numbers) }
            let whole = try? TableStream(decoding: changed).tables
            // The names are the caller's.
            if let tables {
                expectSame(tables, try #require(whole).enumerated().map { $1.named(names[$0]) })
            } else if let whole, try TableStream(whole).encoded() == changed, whole.map(\.name) == names {
                Issue.record("seed \(seed): a stream that can be read is rejected")
            }
        }
    }

    /// A table with a text and a number.
    private static func table(_ texts: [String]) throws -> DataTable {
        var table = try DataTable(name: "T", columns: [DataColumn("A", .string), DataColumn("B", .byte)])
        for text in texts { try table.append([.text(text), .integer(1)]) }
        return table
    }

    @Test("a large head that arrives byte by byte is read in linear time")
    func slowHead() throws {
        let columns = (0..<4000).map { DataColumn("a column with a long name, number \($0)", .integer) }
        var table = try DataTable(name: "T", columns: columns)
        try table.append(columns.map { _ in .null })
        expectSame(try Self.tables(TableStream([table]).encoded(), ["T"], isSizeKnown: false) { 1 }, [table])
    }

    @Test("batches have 64 to 128 KiB, and one is larger only for one large row")
    func batches() throws {
        let row = String(repeating: "x", count: 90)
        var texts = Array(repeating: row, count: 20_000)
        texts[9_000] = String(repeating: "y", count: 1 << 20)
        let bytes = try TableStream([Self.table(texts)]).encoded()
        for size in [1000, 64 << 10, .max] {
            var rest = bytes
            var decoder = TableStreamDecoder(tables: ["T"])
            var batches: [DataRows] = []
            while let part = rest.readSlice(length: min(size, rest.readableBytes)), part.readableBytes > 0 {
                decoder.feed(part)
                while let event = try decoder.next(waitsForBatch: true) {
                    if case .rows(let rows) = event { batches.append(rows) }
                }
            }
            try decoder.finish()
            #expect(batches.reduce(0) { $0 + $1.count } == 20_000)
            let small = batches.filter { $0.bytes.readableBytes <= 128 << 10 }
            #expect(small.dropLast().filter { $0.bytes.readableBytes < 64 << 10 }.count <= 1)
            let large = batches.filter { $0.bytes.readableBytes > 128 << 10 }
            #expect(large.count == 1)
            #expect(large.allSatisfy { $0.bytes.readableBytes < 1 << 20 + 128 << 10 })
            #expect(batches.allSatisfy { $0.bytes.storageCapacity <= 2 * max($0.bytes.readableBytes, 64 << 10) })
        }
    }

    @Test("rows are returned before their batch is full, unless the caller waits")
    func flushing() throws {
        let bytes = try TableStream([Self.table(["a", "b", "c"])]).encoded()
        var decoder = TableStreamDecoder(tables: ["T"])
        // The last row and the directory are missing.
        decoder.feed(try #require(bytes.getSlice(at: 0, length: bytes.readableBytes - 20)))
        guard case .table(let head) = try decoder.next(waitsForBatch: true) else {
            Issue.record("no table")
            return
        }
        #expect(head.rowCount == 3)
        #expect(try decoder.next(waitsForBatch: true) == nil)
        guard case .rows(let rows) = try decoder.next() else {
            Issue.record("no rows")
            return
        }
        #expect(rows.count == 2)
        #expect(rows[0].bytes(0) == ByteBuffer(string: "a"))
    }

    @Test("an error names the table, the row and the byte, and stays")
    func place() throws {
        var bytes = try TableStream([Self.table(["a", "b"]), Self.table(["c"])]).encoded()
        let second = try #require(bytes.readableBytesView.firstIndex(of: UInt8(ascii: "b"))) - 4
        bytes.setInteger(Int32(-1), at: second, endianness: .little)
        let error = TableError.within(
            table: "first",
            row: 2,
            .malformed(reason: "negative length of a cell", offset: second)
        )
        #expect(throws: error) { try Self.tables(bytes, ["first", "other"]) { 3 } }
        #expect(error.description.hasPrefix("table \"first\", row 2: malformed stream: negative length"))

        var decoder = TableStreamDecoder(tables: ["first", "other"])
        decoder.feed(bytes)
        _ = try decoder.next()
        #expect(throws: error) { try decoder.next() }
        #expect(throws: error) { try decoder.next() }
        #expect(throws: error) { try decoder.finish() }
    }

    @Test("a truncated row is an error that names it")
    func cutRow() throws {
        let bytes = try TableStream([Self.table(["a", "b"])]).encoded()
        let cut = try #require(bytes.getSlice(at: 0, length: bytes.readableBytes - 20))
        let error = TableError.within(
            table: "T",
            row: 2,
            .malformed(reason: "stream cut short", offset: cut.readableBytes)
        )
        #expect(throws: error) { try Self.tables(cut, ["T"], isSizeKnown: false) }
    }

    @Test("the directory must match the tables of the caller, and nothing may be around it")
    func directory() throws {
        let tables = try [Self.table(["a"]), Self.table(["b"])]
        let bytes = try TableStream(tables).encoded()
        func reason(_ bytes: ByteBuffer, _ names: [String], isSizeKnown: Bool = false) -> String? {
            do throws(TableError) {
                _ = try Self.tables(bytes, names, isSizeKnown: isSizeKnown)
                return nil
            } catch {
                if case .malformed(let reason, _) = error { return reason }
                return error.description
            }
        }
        #expect(reason(bytes, ["a", "b"]) == nil)
        #expect(reason(bytes, ["a"]) == "bytes after the last table")
        #expect(reason(bytes, ["a", "b", "c"]) == "fewer tables than requested")
        var longer = bytes
        longer.writeInteger(UInt8(0))
        for isSizeKnown in [true, false] {
            #expect(reason(longer, ["a", "b"], isSizeKnown: isSizeKnown) == "bytes after the directory")
        }
        var place = Int(try #require(bytes.getInteger(at: 8, endianness: .little, as: Int32.self)))
        var delta = bytes
        delta.setInteger(Int32(1), at: place + 4, endianness: .little)
        #expect(reason(delta, ["a", "b"]) == "a delta among tables")
        var fewer = bytes
        fewer.setInteger(Int32(1), at: place, endianness: .little)
        #expect(reason(fewer, ["a", "b"]) == "a directory with another number of tables")
        var outside = bytes
        outside.setInteger(Int32(bytes.readableBytes), at: 8, endianness: .little)
        #expect(reason(outside, ["a", "b"], isSizeKnown: true) == "position outside of the stream")
        // The directory begins before the end of a table.
        place -= 1
        var early = bytes
        early.setInteger(Int32(place), at: 8, endianness: .little)
        #expect(reason(early, ["a", "b"])?.hasPrefix("table \"b\", row 1: malformed stream: stream cut short") == true)
    }

    @Test("every limit is enforced, but not those of the number of rows and of bytes by default")
    func limits() throws {
        let (bytes, exact) = try TableStreamTests.limited()
        #expect(throws: Never.self) { try Self.tables(bytes, ["T", "T"], limits: exact, isSizeKnown: false) { 9 } }
        let fields: [WritableKeyPath<TableLimits, Int>] = [\.tables, \.columns, \.rows, \.cell, \.text, \.items]
        for field in fields {
            var limits = exact
            limits[keyPath: field] -= 1
            #expect("\(field)") {
                _ = try Self.tables(bytes, ["T", "T"], limits: limits) { 9 }
            } throws: { error in
                switch error as? TableError {
                case .tooMany, .within(_, _, .tooMany): true
                default: false
                }
            }
        }
        var few = exact
        few.bytes = 100
        #expect(throws: TableError.tooMany("bytes", limit: 100, offset: 0)) {
            try Self.tables(bytes, ["T", "T"], limits: few, isSizeKnown: false)
        }
    }

    @Test("a row larger than a cell may be is rejected before it is in memory")
    func rowLimit() throws {
        let columns = (0..<5).map { DataColumn("\($0)", .blob) }
        var table = try DataTable(name: "T", columns: columns)
        try table.append(Array(repeating: .bytes(ByteBuffer(repeating: 1, count: 1 << 20)), count: 5))
        let bytes = try TableStream([table]).encoded()
        #expect {
            _ = try Self.tables(bytes, ["T"], limits: TableLimits(cell: 1 << 20)) { 1 << 16 }
        } throws: { error in
            guard case .within("T", 1, .tooMany("bytes of a row", _, _)) = error as? TableError else { return false }
            return true
        }
        #expect(try Self.tables(bytes, ["T"], limits: TableLimits(cell: 5 << 20)) { 1 << 16 }[0].rows.count == 1)
    }

    @Test("a row of the maximum size is read, and one that is a byte larger is not")
    func rowBoundary() throws {
        let limits = TableLimits(cell: 1 << 20)
        func stream(_ sizes: [Int]) throws -> ByteBuffer {
            var table = try DataTable(name: "T", columns: [DataColumn("A", .blob), DataColumn("B", .blob)])
            if !sizes.isEmpty { try table.append(sizes.map { .bytes(ByteBuffer(repeating: 1, count: $0)) }) }
            return try TableStream([table]).encoded()
        }
        let overhead = try stream([1, 1]).readableBytes - stream([]).readableBytes - 2
        let rest = limits.row - limits.cell - overhead
        #expect(try Self.tables(stream([limits.cell, rest]), ["T"], limits: limits) { 1 << 16 }[0].rows.count == 1)
        #expect(throws: TableError.self) {
            try Self.tables(stream([limits.cell, rest + 1]), ["T"], limits: limits) { 1 << 16 }
        }
    }
}

extension DataTable {
    /// The same table with another name.
    fileprivate func named(_ name: String) -> DataTable {
        var table = self
        table.name = name
        return table
    }
}
