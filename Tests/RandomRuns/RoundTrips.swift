// SPDX-License-Identifier: Apache-2.0

internal import DataAbstract
internal import NIOCore
internal import TestSupport

/// Random tables, written and read again.
package enum RoundTrips {
    /// Encodes a stream of two tables each time, one of them empty, and decodes it.
    ///
    /// - Returns: a line of text.
    /// - Throws: `RunFailure` for the first stream that is not the same then, or the error of the decoder.
    package static func tables(_ count: Int) throws -> String {
        var byteCount = 0
        for seed in 0..<count {
            var numbers = SeededRandom(seed: UInt64(seed))
            let tables = try [DataTable.random(rows: 20, &numbers), DataTable.random(rows: 0, &numbers)]
            let bytes = try TableStream(tables).encoded()
            byteCount += bytes.readableBytes
            let read = try TableStream(decoding: bytes)
            let isSame = zip(read.tables, tables).allSatisfy { left, right in
                left.columns == right.columns && left.schema == right.schema && left.rows.elementsEqual(right.rows)
            }
            guard isSame, read.tables.count == tables.count, try read.encoded() == bytes else {
                throw RunFailure("stream of seed \(seed)")
            }
        }
        return "\(count) streams of tables of \(byteCount) bytes survived the round trip"
    }
}
