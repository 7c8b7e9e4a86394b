// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Fuzzing
import NIOCore

private let limits = TableLimits(bytes: 1 << 20, tables: 16, columns: 256, rows: 1 << 14, items: 1 << 12)

/// A stream of deltas: a decoded stream survives encoding and decoding.
@main
enum DeltaFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        guard let stream = try? DeltaStream(decoding: ByteBuffer(bytes: input), limits: limits) else { return }
        guard let again = try? DeltaStream(decoding: stream.encoded()), again.deltas.count == stream.deltas.count else {
            fatalError("a stream that is none")
        }
        for (left, right) in zip(stream.deltas, again.deltas) {
            guard left.keys == right.keys, left.changes.count == right.changes.count else {
                fatalError("another delta")
            }
            for (left, right) in zip(left.changes, right.changes) {
                guard left.kind == right.kind, left.status == right.status, left.message == right.message else {
                    fatalError("another change")
                }
                check(left.old, right.old)
                check(left.new, right.new)
            }
        }
    }
}

/// Compares bytes, because a NaN is not equal to itself.
private func check(_ left: DataRow, _ right: DataRow) {
    for (column, value) in left.enumerated() {
        guard left.bytes(column) == right.bytes(column), right.isNull(column) == value.isNull else {
            fatalError("another cell")
        }
    }
}
