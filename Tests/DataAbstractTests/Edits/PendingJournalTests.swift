// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Platform
import RandomRuns
import TestSupport
import Testing

@testable import DataAbstract

/// Writes as 0.2.0 did, and notes the length of the file, and what it keeps, after each save.
private struct OldFile {
    private(set) var bytes = ByteBuffer()
    private(set) var states: [(length: Int, kept: KeptChanges)] = []
    private var chain: [UInt8] = []

    mutating func save(_ set: inout ChangeSet, _ place: PendingFilePlace?) throws {
        let isFirst = states.isEmpty
        if isFirst {
            bytes.writeStaticString(PendingJournal.signature)
            if let place {
                var texts = ByteBuffer()
                for text in place.texts { texts.writeCounted(text) }
                try append(3, texts)
            }
            try append(1, set.encodedTables())
        }
        var record = ByteBuffer()
        var stream = TableStream()
        record.writeCount(set.unansweredRows.count)
        for row in set.unansweredRows {
            record.writeCount(set.index(of: row.table) ?? 0)
            record.writeInteger(row.row.number, endianness: .little)
        }
        for table in set.tables {
            record.writeInteger(table.nextID, endianness: .little)
            record.writeInteger(table.nextTemporaryKey, endianness: .little)
            let (changed, dropped) = isFirst ? (table.changedRows, []) : table.unsavedRows
            record.writeCount(dropped.count)
            for row in dropped { record.writeInteger(row.number, endianness: .little) }
            let records = table.records(of: changed)
            record.writeCount(records.count)
            for change in records {
                record.writeInteger(change.row.number, endianness: .little)
                record.writeBytes([change.state.rawValue, change.isMissing ? 1 : 0, change.failure == nil ? 0 : 1])
                record.writeCounted(change.failure ?? "")
            }
            stream.tables.append(try table.values(of: records))
        }
        record.writeImmutableBuffer(try stream.encoded())
        try append(2, record)
        set.markSaved()
        states.append((bytes.readableBytes, try KeptChanges(set)))
    }

    private mutating func append(_ kind: UInt8, _ content: ByteBuffer) throws {
        var record = ByteBuffer()
        record.writeCount(content.readableBytes + 1)
        record.writeCount(~(content.readableBytes + 1))
        record.writeInteger(kind)
        record.writeImmutableBuffer(content)
        chain = Array(try SHA256.digest(of: chain + Array(record.readableBytesView)).prefix(8))
        bytes.writeImmutableBuffer(record)
        bytes.writeBytes(chain)
    }
}

@Suite struct PendingJournalTests {
    private static let place = PendingFilePlace(endpoint: "b7", service: "DataService")

    private func history(_ place: PendingFilePlace? = nil) throws -> (OldFile, ChangeSet) {
        var file = OldFile()
        let set = try PendingHistory.run { try file.save(&$0, place) }
        return (file, set)
    }

    @Test("a file cut at any byte has the state of the last complete save", arguments: [nil, Self.place])
    func cuts(place: PendingFilePlace?) throws {
        let (history, _) = try history(place)
        #expect(history.states.count == 6 && history.states[4].kept.undecided.count == 2)
        #expect(history.states[5].kept.failures == ["rejected", nil])
        #expect(history.states[5].kept.undecided == [ChangedRow("OrderDetails", RowID(3))])
        let whole = history.bytes.readableBytes
        for length in history.states[0].length...whole {
            var journal = PendingJournal()
            let (set, end) = try journal.read(history.bytes.getSlice(at: 0, length: length).unwrapped)
            let state = try history.states.last { $0.length <= length }.unwrapped
            #expect(try end == state.length && KeptChanges(set) == state.kept, "\(length)")
            guard length.isMultiple(of: 5) else { continue }
            // What the file system has extended is not a record either.
            var padded = try history.bytes.getSlice(at: 0, length: state.length).unwrapped
            padded.writeRepeatingByte(0, count: length - state.length)
            journal = PendingJournal()
            #expect(try KeptChanges(journal.read(padded).set) == state.kept, "\(length)")
        }
        for length in 0..<history.states[0].length {
            var journal = PendingJournal()
            let cut = try history.bytes.getSlice(at: 0, length: length).unwrapped
            #expect(throws: PendingFileError.self, "\(length)") { try journal.read(cut) }
        }
    }

    @Test("a changed byte is detected, or hides the last save only", arguments: [nil, Self.place])
    func damage(place: PendingFilePlace?) throws {
        let (history, _) = try history(place)
        let last = history.states[4]
        for offset in 0..<history.bytes.readableBytes {
            var file = history.bytes
            file.setInteger(try file.getInteger(at: offset, as: UInt8.self).unwrapped ^ 0x41, at: offset)
            var journal = PendingJournal()
            do {
                let (set, length) = try journal.read(file)
                let state = try history.states.last { $0.length == length }.unwrapped
                #expect(try length <= last.length && KeptChanges(set) == state.kept)
            } catch let error as PendingFileError {
                let isSignature = offset < PendingJournal.signature.utf8CodeUnitCount
                #expect(isSignature ? error == .otherFormat : error != .otherFormat, "\(offset)")
            }
        }
    }

    @Test("only the first record can have a place, within its limit")
    func places() throws {
        let set = try ModelShop.changes(of: ModelShop.server())
        let longest = PendingFilePlace(
            endpoint: String(repeating: "x", count: PendingFilePlace.longestText),
            service: ""
        )
        var journal = PendingJournal()
        journal.place = longest
        let whole = try journal.snapshot(of: set)
        var reader = PendingJournal()
        _ = try reader.read(whole)
        #expect(reader.place == longest)
        // The record of the place without a snapshot is not a pending file.
        let signature = PendingJournal.signature.utf8CodeUnitCount
        let record = try 16 + Int(whole.getInteger(at: signature, endianness: .little, as: Int32.self).unwrapped)
        let cut = try whole.getSlice(at: 0, length: signature + record).unwrapped
        #expect(throws: PendingFileError.damaged(offset: signature + record)) { try reader.read(cut) }
    }

    @Test("numbers that would overflow are damage, and so is a row without a number of its table")
    func overflow() throws {
        for (nextID, nextKey) in [(Int64.max, Int64(-1)), (-1, -1), (4, .min), (4, 0), (0, -1)] {
            var (_, set) = try history()
            set.retry()
            set.tables[0].nextID = nextID
            set.tables[0].nextTemporaryKey = nextKey
            var journal = PendingJournal()
            let file = try journal.snapshot(of: set)
            #expect(throws: PendingFileError.self, "\(nextID) \(nextKey)") { try journal.read(file) }
        }
    }

    @Test("a restored set is refreshed, decided and applied")
    func restored() throws {
        let (history, _) = try history()
        var journal = PendingJournal()
        var set = try journal.read(history.bytes).set
        let server = ModelShop.server()
        #expect(set.undecidedRows.count == 1 && set.table("Orders")?.count == 1)
        set.retry()
        try set.edit("Orders") { table throws(EditError) in
            #expect(try table.refresh(rows(server, 0)).isEmpty)
            #expect(table.count == 3 && table.changedRows == [RowID(2)])
            // IDs of the earlier process are not used again.
            #expect(table.find(key: [.integer(1)]).map { $0 > RowID(3) } == true)
        }
        let detail = try set.table("OrderDetails").unwrapped.row(RowID(3)).unwrapped
        #expect(detail.values == [.integer(1000), .integer(5), .null])
    }

    private func rows(_ server: ModelServer, _ table: Int) -> [DataRows] {
        (try? server.tables[table].encodedRows()) ?? []
    }
}
