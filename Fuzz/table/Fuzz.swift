// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Fuzzing
import NIOCore

private let limits = TableLimits(bytes: 1 << 20, tables: 16, columns: 256, rows: 1 << 14, items: 1 << 12)

/// A stream of tables: a decoded stream survives encoding and decoding. In parts it gives the same tables or an error.
@main
enum TableFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let decoded = try? TableStream(decoding: ByteBuffer(bytes: input), limits: limits)
        decodeInParts(input, decoded)
        guard let stream = decoded else { return }
        guard let again = try? TableStream(decoding: stream.encoded()), again.tables.count == stream.tables.count else {
            fatalError("a stream that is none")
        }
        for (left, right) in zip(stream.tables, again.tables) {
            guard left.schema == right.schema, left.rows.count == right.rows.count else { fatalError("another table") }
            for (left, right) in zip(left.rows, right.rows) { check(left, right) }
        }
    }
}

/// Feeds the stream in parts, whose size depends on the last byte of the input.
private func decodeInParts(_ input: UnsafeRawBufferPointer, _ whole: TableStream?) {
    let names = whole?.tables.map(\.name) ?? ["T", "U"]
    let size = Int(input.last ?? 0) + 1
    var decoder = TableStreamDecoder(tables: names, limits: limits)
    var heads = 0
    var rows: [DataRow] = []
    do {
        for start in stride(from: 0, to: input.count, by: size) {
            decoder.feed(ByteBuffer(bytes: input[start..<min(start + size, input.count)]))
            while let event = try decoder.next() {
                switch event {
                case .table: heads += 1
                case .rows(let batch): rows += batch
                }
            }
        }
        try decoder.finish()
    } catch {
        for row in rows { check(row, row) }
        return
    }
    guard let whole else { return }
    let expected = whole.tables.flatMap(\.rows)
    guard heads == whole.tables.count, rows.count == expected.count else { fatalError("other tables in parts") }
    for (left, right) in zip(rows, expected) { check(left, right) }
}

/// Compares bytes, because a NaN is not equal to itself.
private func check(_ left: DataRow, _ right: DataRow) {
    for (column, value) in left.enumerated() {
        guard left.bytes(column) == right.bytes(column), right.isNull(column) == value.isNull else {
            fatalError("another cell")
        }
    }
}
