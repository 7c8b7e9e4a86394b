// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Fuzzing
import NIOCore
import Platform

/// A pending file: its changes survive writing and reading, and can be edited. The input is also read with repaired
/// lengths and checksums, because few others get beyond these.
@main
enum PendingFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        var journal = PendingJournal()
        _ = try? journal.read(ByteBuffer(bytes: input))
        guard let (read, _) = try? journal.read(repaired(input)) else { return }
        var set = read
        let rows = set.changedRows
        let undecided = set.undecidedRows
        let place = journal.place
        guard let file = try? journal.snapshot(of: &set), let (again, length) = try? journal.read(file),
            length == file.readableBytes, again.changedRows == rows, again.undecidedRows == undecided,
            journal.place == place
        else { fatalError("changes read differently") }
        guard (try? set.deltas().encoded()) == (try? again.deltas().encoded()) else { fatalError("other deltas") }
        set.retry()
        for row in rows {
            _ = try? set.edit(row.table) { table throws(EditError) in
                _ = table.row(row.row)?.changedFields
                try table.edit(row.row)
                try table.post(row.row)
                try table.revert(row.row)
            }
        }
        for table in set.tables {
            _ = try? set.edit(table.name) { table throws(EditError) in
                let row = try table.append()
                try table.remove(row)
                _ = try table.refresh([])
            }
        }
    }
}

private func repaired(_ input: UnsafeRawBufferPointer) -> ByteBuffer {
    let signature = PendingJournal.signature.withUTF8Buffer { Array($0) }
    var file = ByteBuffer(bytes: signature)
    var rest = input.dropFirst(signature.count)
    var chain: [UInt8] = []
    while rest.count > 16 {
        let wanted = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        let count = max(1, min(wanted, rest.count - 16))
        var record = ByteBuffer()
        record.writeInteger(Int32(count), endianness: .little)
        record.writeInteger(~Int32(count), endianness: .little)
        record.writeBytes(rest.dropFirst(8).prefix(count))
        let digest = SHA256.digest(of: chain + Array(record.readableBytesView))
        chain = Array(digest.prefix(8))
        file.writeImmutableBuffer(record)
        file.writeBytes(chain)
        rest = rest.dropFirst(16 + count)
    }
    return file
}
