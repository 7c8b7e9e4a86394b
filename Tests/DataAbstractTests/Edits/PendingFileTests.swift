// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore
import RandomRuns
import TestSupport
import Testing

@testable import DataAbstract

/// All that a pending file keeps of a set, in a form that can be compared.
private struct Kept: Equatable {
    let deltas: ByteBuffer
    let rows: [ChangedRow]
    let failures: [String?]
    let keys: [Int64]
    let references: [KeyReference]
    let undecided: [ChangedRow]

    init(_ set: ChangeSet) throws {
        deltas = try set.deltas().encoded()
        rows = set.changedRows
        failures = try set.changedRows.map { try set.table($0.table).unwrapped.row($0.row)?.failure }
        keys = set.tables.flatMap { [$0.nextTemporaryKey, $0.nextID] }
        references = set.references
        undecided = set.phase == .applying ? set.sentRows : set.undecidedRows
    }
}

/// A store in memory that notes the length of the file, and what it keeps, after each save.
private struct History {
    var journal = PendingJournal()
    var file = ByteBuffer()
    var states: [(length: Int, kept: Kept)] = []

    mutating func save(_ set: inout ChangeSet) throws {
        file.writeImmutableBuffer(states.isEmpty ? try journal.snapshot(of: &set) : try journal.changes(of: &set))
        states.append((file.readableBytes, try Kept(set)))
    }
}

@Suite struct PendingFileTests {
    private static let place = PendingFilePlace(endpoint: "b7", service: "DataService")

    /// Saves a set after each kind of change, and stops while a call is sent.
    private func history(_ place: PendingFilePlace? = nil) throws -> (History, ChangeSet) {
        var server = ModelShop.server()
        var set = try ModelShop.changes(of: server)
        try set.add(KeyReference("Other", ["A", "B"], to: "Orders", ["Id", "Status"], isKnownToServer: true))
        var history = History()
        history.journal.place = place
        try set.edit("Orders") { table throws(EditError) in try table.set("Client", of: RowID(1), to: .text("Bär")) }
        try history.save(&set)
        try set.edit("Orders") { table throws(EditError) in
            _ = try table.append(["Client": .text("Dan")])
            try table.remove(RowID(0))
            try table.set("Status", of: RowID(2), to: .null)
        }
        try history.save(&set)
        try set.edit("OrderDetails") { table throws(EditError) in
            _ = try table.append(["Order": .integer(-1), "Product": .integer(5)])
        }
        try history.save(&set)
        try set.edit("Orders") { table throws(EditError) in
            try table.revert(RowID(0))
            try table.set("Client", of: RowID(1), to: .text("Bob"))
        }
        try history.save(&set)
        var effect = try set.beginApply()
        // The update fails, then the masters' details are sent.
        server.answers = [.failed]
        for _ in 0..<2 {
            if case .read(let requests) = effect { effect = try set.rowsRead(requests.map { try server.read($0) }) }
            guard case .send(let deltas) = effect else { throw Optional<Int>.IsNil() }
            try history.save(&set)
            if history.states.count < 6 { effect = try set.replied(server.update(deltas)) }
        }
        return (history, set)
    }

    @Test("a file cut at any byte has the state of the last complete save", arguments: [nil, Self.place])
    func cuts(place: PendingFilePlace?) throws {
        let (history, _) = try history(place)
        #expect(history.states.count == 6 && history.states[4].kept.undecided.count == 2)
        #expect(history.states[5].kept.failures == ["rejected", nil])
        #expect(history.states[5].kept.undecided == [ChangedRow("OrderDetails", RowID(3))])
        let whole = history.file.readableBytes
        for length in history.states[0].length...whole {
            var journal = PendingJournal()
            let (set, end) = try journal.read(history.file.getSlice(at: 0, length: length).unwrapped)
            let state = try history.states.last { $0.length <= length }.unwrapped
            #expect(try end == state.length && Kept(set) == state.kept, "\(length)")
            guard length.isMultiple(of: 5) else { continue }
            // What the file system has extended is not a record either.
            var padded = try history.file.getSlice(at: 0, length: state.length).unwrapped
            padded.writeRepeatingByte(0, count: length - state.length)
            journal = PendingJournal()
            #expect(try Kept(journal.read(padded).set) == state.kept, "\(length)")
        }
        for length in 0..<history.states[0].length {
            var journal = PendingJournal()
            let cut = try history.file.getSlice(at: 0, length: length).unwrapped
            #expect(throws: PendingFileError.self, "\(length)") { try journal.read(cut) }
        }
    }

    @Test("a changed byte is detected, or hides the last save only", arguments: [nil, Self.place])
    func damage(place: PendingFilePlace?) throws {
        let (history, _) = try history(place)
        let last = history.states[4]
        for offset in 0..<history.file.readableBytes {
            var file = history.file
            file.setInteger(try file.getInteger(at: offset, as: UInt8.self).unwrapped ^ 0x41, at: offset)
            var journal = PendingJournal()
            do {
                let (set, length) = try journal.read(file)
                let state = try history.states.last { $0.length == length }.unwrapped
                #expect(try length <= last.length && Kept(set) == state.kept)
            } catch let error as PendingFileError {
                let isSignature = offset < PendingJournal.signature.utf8CodeUnitCount
                #expect(isSignature ? error == .otherFormat : error != .otherFormat, "\(offset)")
            }
        }
    }

    @Test("a file keeps the place of its creator; only the first record can have one, within its limit")
    func places() throws {
        let directory = TemporaryDirectory()
        let path = directory.path + "/pending"
        let shop = PendingFilePlace(endpoint: "b7", service: "Datenbörse")
        var set = try ModelShop.changes(of: ModelShop.server())
        try PendingFile(path, place: shop).save(&set)
        var file: PendingFile? = try PendingFile(path, place: PendingFilePlace(endpoint: "other", service: "Other"))
        #expect(file?.place == shop)
        // A table makes the next save write the whole file.
        set = try file.unwrapped.changes.unwrapped
        try set.add(EditableTable(name: "Third", fields: [EditableField("A", .byte)]))
        try file.unwrapped.save(&set)
        file = nil
        file = try PendingFile(path)
        #expect(try file?.place == shop && file.unwrapped.changes.unwrapped.tables.count == 3)
        file = nil
        let old = directory.path + "/old"
        var other = try ModelShop.changes(of: ModelShop.server())
        try PendingFile(old).save(&other)
        #expect(try PendingFile(old, place: shop).place == nil)

        let long = String(repeating: "x", count: PendingFilePlace.longestText + 1)
        #expect(throws: PendingFileError.invalidPlace) {
            try PendingFile(directory.path + "/long", place: PendingFilePlace(endpoint: long, service: ""))
        }
        let longest = PendingFilePlace(endpoint: String(long.dropLast()), service: "")
        var journal = PendingJournal()
        journal.place = longest
        let whole = try journal.snapshot(of: &set)
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
            let file = try journal.snapshot(of: &set)
            #expect(throws: PendingFileError.self, "\(nextID) \(nextKey)") { try journal.read(file) }
        }
    }

    @Test("a restored set is refreshed, decided and applied")
    func restored() throws {
        let (history, _) = try history()
        var journal = PendingJournal()
        var set = try journal.read(history.file).set
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

    @Test("a row that an earlier process has removed is changed by a new row with its key")
    func madeAgain() throws {
        var set = try ModelShop.changes(of: ModelShop.server())
        let row = RowID(1)
        let key = try set.tables[0].row(row).unwrapped.values[0]
        try set.edit("Orders") { table throws(EditError) in try table.remove(row) }
        var journal = PendingJournal()
        var file = try journal.snapshot(of: &set)

        journal = PendingJournal()
        set = try journal.read(file).set
        let found = try set.edit("Orders") { table throws(EditError) in
            try table.append(["Id": key, "Client": .text("Bea")])
        }
        #expect(found == row && set.tables[0].changedRows == [row] && Array(set.tables[0].rowIDs) == [row])
        file.writeImmutableBuffer(try journal.changes(of: &set))

        journal = PendingJournal()
        set = try journal.read(file).set
        let read = try set.tables[0].row(row).unwrapped
        #expect(set.tables[0].changedRows == [row] && read.state == .updated)
        #expect(try read.value("Client") == .text("Bea"))
    }

    private func rows(_ server: ModelServer, _ table: Int) -> [DataRows] {
        (try? server.tables[table].encodedRows()) ?? []
    }

    @Test("a file is appended to, written again if tables are added or it is long, and removed")
    func files() throws {
        let directory = TemporaryDirectory()
        let path = directory.path + "/pending"
        var set = try ModelShop.changes(of: ModelShop.server())
        do {
            let file = try PendingFile(path)
            #expect(file.changes == nil && !file.wasTorn)
            #expect(throws: PendingFileError.inUse) { try PendingFile(path) }
            var lengths: [Int] = []
            for number in 0..<5 {
                let client = String(repeating: "\(number)", count: 60_000)
                try set.edit("Orders") { table throws(EditError) in
                    try table.set("Client", of: RowID(0), to: .text(client))
                }
                try file.save(&set)
                lengths.append(TestSupport.TextFile.bytes(of: path).count)
            }
            // The first save and the one after 256 KiB of records write the whole file.
            #expect(lengths.dropLast() == lengths.dropLast().sorted()[...] && lengths[4] == lengths[0])
            try set.add(EditableTable(name: "Third", fields: [EditableField("A", .byte)]))
            try file.save(&set)
        }
        var file: PendingFile? = try PendingFile(path)
        #expect(try Kept(file.unwrapped.changes.unwrapped) == Kept(set) && file?.changes?.tables.count == 3)
        file = nil

        // A torn tail is cut off, and the next save follows the last complete one.
        directory.write(TestSupport.TextFile.bytes(of: path) + [9, 0, 0, 0, 2], to: "pending")
        file = try PendingFile(path)
        #expect(try file.unwrapped.wasTorn)
        var again = try file.unwrapped.changes.unwrapped
        try again.edit("Orders") { table throws(EditError) in try table.revert(RowID(0)) }
        try file.unwrapped.save(&again)
        file = nil
        file = try PendingFile(path)
        #expect(try file.unwrapped.changes.unwrapped.changedRows.isEmpty && !file.unwrapped.wasTorn)
        try file.unwrapped.remove()
        file = nil
        #expect(try PendingFile(path).changes == nil)
        #expect(directory.names().isEmpty)
    }

    @Test("a file in use is opened after its user has ended, and refused if that takes too long")
    func waiting() async throws {
        let directory = TemporaryDirectory()
        let path = directory.path + "/pending"
        let first = try PendingFile(path)
        #expect(throws: PendingFileError.inUse) { try PendingFile(path, waiting: .milliseconds(50)) }
        async let second = BlockingWork.run { try PendingFile(path, waiting: .seconds(60)).path }
        first.close()
        #expect(try await second == path)
    }

    @Test("an empty file is a new one; a file is read without a right to change it, and while it is in use")
    func contents() throws {
        let directory = TemporaryDirectory()
        let path = directory.path + "/pending"
        #expect(try PendingFile.content(of: path).changes == nil)
        directory.write([], to: "pending")
        #expect(try PendingFile.content(of: path).changes == nil)
        var (_, set) = try history()
        let file = try PendingFile(path, place: Self.place)
        #expect(file.changes == nil)
        try file.save(&set)
        chmod(path, 0o400)
        let content = try PendingFile.content(of: path)
        #expect(try content.place == Self.place && !content.isTorn && Kept(content.changes.unwrapped) == Kept(set))
    }

    @Test("files of the user whose names are like ours stay", arguments: ["lock", ""])
    func neighbours(_ lock: String) throws {
        let directory = TemporaryDirectory()
        let path = directory.path + "/order"
        directory.write(Array("new".utf8), to: "order.new")
        directory.write(Array(lock.utf8), to: "order.lock")
        var (_, set) = try history()
        if lock.isEmpty {
            let file = try PendingFile(path)
            #expect(throws: PendingFileError.inUse) { try PendingFile(path) }
            try file.save(&set)
            try file.remove()
        } else {
            #expect(throws: PendingFileError.notLock(path + ".lock")) { try PendingFile(path) }
            let briefcase = try BriefcaseFile(path + ".b")
            try briefcase.save(Briefcase())
            try briefcase.remove()
        }
        #expect(directory.names() == ["order.lock", "order.new"])
        #expect(directory.content(of: "order.new") == Array("new".utf8))
        #expect(directory.content(of: "order.lock") == Array(lock.utf8))
    }

    @Test("a lock that a killed process left is used and removed")
    func leftLock() throws {
        let directory = TemporaryDirectory()
        directory.write(Array("relativityd lock\n".utf8), to: "pending.lock")
        try PendingFile(directory.path + "/pending").close()
        #expect(directory.names().isEmpty)
    }

    @Test("the lock is removed after use, but not one that another process has made in its place")
    func locks() throws {
        let directory = TemporaryDirectory()
        let path = directory.path + "/pending"
        var file: PendingFile? = try PendingFile(path)
        #expect(directory.names() == ["pending.lock"])
        unlink(path + ".lock")
        let other = try PendingFile(path)
        file = nil
        #expect(directory.names() == ["pending.lock"])
        #expect(throws: PendingFileError.inUse) { try PendingFile(path) }
        other.close()
        #expect(directory.names().isEmpty)
        var (_, set) = try history()
        #expect(throws: PendingFileError.self) { try other.save(&set) }
        #expect(directory.names().isEmpty && file == nil)
    }
}
