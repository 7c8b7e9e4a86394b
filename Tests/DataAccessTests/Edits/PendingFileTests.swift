// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore
import Platform
import RandomRuns
import SQLite
import TestSupport
import Testing

@testable import DataAbstract
@testable import DataAccess

extension PendingFile {
    /// The changes that another process finds.
    fileprivate static func changes(at path: String, _ codePage: CodePage? = nil) throws -> ChangeSet {
        try #require(try content(of: path, codePage: codePage).changes)
    }
}

@Suite struct PendingFileTests {
    private static let place = PendingFilePlace(endpoint: "b7", service: "Datenbörse")

    /// Changes of each kind in a file that is closed.
    private func saved(_ path: String) throws -> ChangeSet {
        let file = try PendingFile(path, place: Self.place)
        defer { file.close() }
        return try PendingHistory.run { try file.save(&$0) }
    }

    @Test("a file has each saved change, whether it is written or changed")
    func saves() throws {
        let directory = TemporaryDirectory()
        let path = directory.path(of: "pending")
        let file = try PendingFile(path, place: Self.place)
        #expect(file.content.changes == nil && file.content.place == Self.place)
        var states: [KeptChanges] = []
        var set = try PendingHistory.run { set in
            try file.save(&set)
            let content = try PendingFile.content(of: path)
            states.append(try KeptChanges(set))
            #expect(try KeptChanges(#require(content.changes)) == states.last, "\(states.count)")
            #expect(content.place == Self.place && !content.isTorn)
            #expect(directory.names() == ["pending", "pending.lock"])
        }
        #expect(states.count == 6 && states[4].undecided.count == 2 && states[5].failures == ["rejected", nil])
        set = try PendingFile.changes(at: path)
        set.retry()
        try set.add(EditableTable(name: "Third", fields: [EditableField("A", .byte)]))
        try file.save(&set)
        file.close()
        let again = try PendingFile(path, place: PendingFilePlace(endpoint: "other", service: ""))
        #expect(try KeptChanges(#require(again.content.changes)) == KeptChanges(set))
        #expect(again.content.changes?.tables.count == 3 && again.content.place == Self.place)
        try again.remove()
        again.close()
        #expect(directory.names().isEmpty)
        let long = PendingFilePlace(endpoint: String(repeating: "x", count: 1_025), service: "")
        #expect(throws: PendingFileError.invalidPlace) { try PendingFile(path, place: long) }
    }

    @Test("removals keep their order, and a row that is removed after a change is one of them")
    func order() throws {
        let directory = TemporaryDirectory()
        let file = try PendingFile(directory.path(of: "pending"))
        var set = try ModelShop.changes(of: ModelShop.server())
        for row in [1, 0] {
            try set.edit("Orders") { table throws(EditError) in
                try table.set("Status", of: RowID(Int64(row)), to: .integer(7))
            }
        }
        try file.save(&set)
        for row in [2, 1, 0] {
            try set.edit("Orders") { table throws(EditError) in try table.remove(RowID(Int64(row))) }
            try file.save(&set)
        }
        let found = try PendingFile.changes(at: file.path)
        #expect(found.changedRows.map(\.row.number) == [2, 1, 0])
    }

    /// Values of types that SQLite does not have, and bytes that no code page has.
    @Test("values are exact")
    func values() throws {
        let directory = TemporaryDirectory()
        let page = try #require(CodePage.named("windows-1252"))
        var fields = [
            EditableField("Key", .integer), EditableField("When", .dateTime), EditableField("Number", .float),
            EditableField("Large", .largeUInt), EditableField("Price", .currency), EditableField("Text", .string),
            EditableField("Bytes", .blob),
        ]
        fields[0].isInPrimaryKey = true
        for index in fields.indices { fields[index].codePage = page }
        var set = try ChangeSet([EditableTable(name: "T", fields: fields)])
        let values: [DataValue] = [
            .integer(1), .dateTime(days: 43_831.123_456_789_012), .float(-.zero), .unsigned(.max),
            .currency(scaled: .min + 1), .text("100 €"), .bytes(ByteBuffer(bytes: [0, 255])),
        ]
        try set.edit("T") { table throws(EditError) in
            _ = try table.append(Dictionary(uniqueKeysWithValues: zip(fields.map(\.name), values)))
        }
        let file = try PendingFile(directory.path(of: "pending"))
        try file.save(&set)
        let found = try PendingFile.changes(at: file.path)
        #expect(found.table("T")?.row(RowID(0))?.values == values)
        let other = try PendingFile.changes(at: file.path, CodePage.named("windows-1251"))
        #expect(other.table("T")?.row(RowID(0))?.values[5] == .text("100 \u{402}"))
    }

    @Test("SQLite of other programs reads the file while it is in use, with keys and values as JSON")
    func readable() throws {
        let directory = TemporaryDirectory()
        let file = try PendingFile(directory.path(of: "pending"), place: Self.place)
        _ = try PendingHistory.run { try file.save(&$0) }
        let other = try SQLiteDatabase(.file(file.path), .readOnly)
        let sql = """
            SELECT table_name, change, is_undecided, message, row_key ->> 'Id', old ->> 'Status', new ->> 'Order'
            FROM pending_changes ORDER BY position
            """
        let rows = try other.rows(sql) { row in try (0..<7).map { try row.value($0) } }
        #expect(
            rows == [
                ["Orders", "updated", 0, "rejected", 3, 1, nil],
                ["OrderDetails", "inserted", 1, nil, nil, nil, 1_000],
            ]
        )
        let places = try other.rows("SELECT endpoint, service FROM pending_set") { try [$0.text(0), $0.text(1)] }
        #expect(places == [["b7", "Datenbörse"]])
    }

    @Test("nothing of a dropped change stays in the file, which only the user can read")
    func erased() throws {
        let directory = TemporaryDirectory()
        let file = try PendingFile(directory.path(of: "pending"))
        var set = try ModelShop.changes(of: ModelShop.server())
        for client in ["first", String(repeating: "secret", count: 9_000), "last"] {
            try set.edit("Orders") { table throws(EditError) in
                _ = try table.append(["Client": .text(client)])
            }
            try file.save(&set)
        }
        try set.edit("Orders") { table throws(EditError) in try table.revert(RowID(4)) }
        try file.save(&set)
        var facts = stat()
        #expect(stat(file.path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        #expect(directory.names() == ["pending", "pending.lock"])
        file.close()
        let bytes = TextFile.bytes(of: file.path)
        let text = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
        #expect(text.contains("first") && text.contains("last") && !text.contains("secret"))
    }

    @Test("a file of 0.2.0 stays until the first save, which keeps its place and its unknown outcomes")
    func old() throws {
        let directory = TemporaryDirectory()
        let path = directory.path(of: "pending")
        let set = try PendingHistory.run { _ in }
        var journal = PendingJournal()
        journal.place = Self.place
        let old = try journal.snapshot(of: set)
        directory.write(Array(old.readableBytesView) + [9, 0, 0, 0, 2], to: "pending")
        #expect(try KeptChanges(PendingFile.changes(at: path)) == KeptChanges(set))
        let file = try PendingFile(path)
        #expect(file.content.isTorn && file.content.place == Self.place)
        #expect(TextFile.bytes(of: path) == Array(old.readableBytesView) + [9, 0, 0, 0, 2])
        var found = try #require(file.content.changes)
        try file.save(&found)
        file.close()
        #expect(throws: PendingFileError.otherFormat) {
            try journal.read(ByteBuffer(bytes: TextFile.bytes(of: path)))
        }
        let content = try PendingFile.content(of: path)
        #expect(try KeptChanges(#require(content.changes)) == KeptChanges(set))
        #expect(content.place == Self.place && !content.isTorn && !found.undecidedRows.isEmpty)
        #expect(directory.names() == ["pending"])
    }

    @Test(
        "a database with another schema is not read",
        arguments: [
            "CREATE TRIGGER spy AFTER INSERT ON pending_changes BEGIN DELETE FROM pending_set; END",
            "CREATE VIEW spy AS SELECT 1", "CREATE TABLE spy (a)", "CREATE INDEX spy ON pending_changes (message)",
            "DROP TABLE pending_set", "ALTER TABLE pending_tables ADD COLUMN spy TEXT", "PRAGMA user_version = 2",
            "PRAGMA application_id = 0",
        ]
    )
    func foreign(_ change: String) throws {
        let directory = TemporaryDirectory()
        let path = directory.path(of: "pending")
        var set = try saved(path)
        let file = try PendingFile(path)
        try SQLiteDatabase(.file(path), .readWrite).execute(change)
        let isSchema = !change.hasPrefix("PRAGMA")
        let error = #expect(throws: PendingFileError.self) { try PendingFile.content(of: path) }
        switch error {
        case .foreign(let name): #expect(isSchema && ["spy", "pending_set", "pending_tables"].contains(name))
        default: #expect(!isSchema && error == .otherFormat)
        }
        #expect(throws: PendingFileError.changed) { try file.save(&set) }
        // It is no longer known who changed the file, so the schema is checked.
        #expect(throws: try #require(error)) { try file.save(&set) }
    }

    @Test(
        "changes that are none of the tables are refused",
        arguments: [
            "UPDATE pending_changes SET change = 'unchanged'", "UPDATE pending_changes SET row_number = 99",
            "UPDATE pending_changes SET table_number = 1 - table_number", "UPDATE pending_changes SET content = x'00'",
            "UPDATE pending_changes SET row_number = -1 WHERE table_number = 1", "DELETE FROM pending_tables",
            "UPDATE pending_tables SET next_key = 1", "UPDATE pending_tables SET next_row = 9223372036854775807",
            "UPDATE pending_set SET definition = x'00'", "UPDATE pending_tables SET name = 'Other'",
        ]
    )
    func invalid(_ change: String) throws {
        let directory = TemporaryDirectory()
        let path = directory.path(of: "pending")
        _ = try saved(path)
        try SQLiteDatabase(.file(path), .readWrite).execute(change)
        let error = #expect(throws: PendingFileError.self) { try PendingFile.content(of: path) }
        guard case .invalid = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("the lock of another program is waited for, and a change of another program is not overwritten")
    func others() throws {
        let directory = TemporaryDirectory()
        let path = directory.path(of: "pending")
        var set = try saved(path)
        let file = try PendingFile(path, busyTimeout: .milliseconds(50))
        let other = try SQLiteDatabase(.file(path), .readWrite)
        try other.execute("BEGIN EXCLUSIVE")
        #expect(throws: PendingFileError.locked) { try file.save(&set) }
        try other.execute("COMMIT")
        try file.save(&set)
        try other.execute("UPDATE pending_changes SET message = 'other'")
        #expect(throws: PendingFileError.changed) { try file.save(&set) }
        #expect(try PendingFile.content(of: path).changes?.changedRows.count == 2)
    }

    @Test("an empty file is a new one; a file is read without a right to change it, not through a link")
    func contents() throws {
        let directory = TemporaryDirectory()
        let path = directory.path(of: "pending")
        #expect(try PendingFile.content(of: path).changes == nil)
        directory.write([], to: "pending")
        #expect(try PendingFile.content(of: path).changes == nil)
        let set = try saved(path)
        chmod(path, 0o400)
        #expect(try KeptChanges(PendingFile.changes(at: path)) == KeptChanges(set))
        symlink(path, directory.path(of: "link"))
        symlink(directory.path, directory.path(of: "folder"))
        #expect(throws: PendingFileError.otherFormat) { try PendingFile.content(of: directory.path(of: "link")) }
        #expect(try PendingFile.content(of: directory.path(of: "folder/pending")).changes != nil)
        mkfifo(directory.path(of: "fifo"), 0o600)
        #expect(throws: PendingFileError.otherFormat) { try PendingFile.content(of: directory.path(of: "fifo")) }
    }

    @Test("a journal that is not of the file stays")
    func journal() throws {
        let directory = TemporaryDirectory()
        directory.write(Array("notes".utf8), to: "pending-journal")
        let path = directory.path(of: "pending")
        #expect(throws: PendingFileError.notOurs(path + "-journal")) { try saved(path) }
        #expect(directory.names() == ["pending-journal"])
    }

    @Test("files of the user whose names are like ours stay", arguments: ["lock", ""])
    func neighbours(_ lock: String) throws {
        let directory = TemporaryDirectory()
        let path = directory.path + "/order"
        directory.write(Array("new".utf8), to: "order.new")
        directory.write(Array(lock.utf8), to: "order.lock")
        var set = try PendingHistory.run { _ in }
        if lock.isEmpty {
            let file = try PendingFile(path)
            #expect(throws: PendingFileError.inUse) { try PendingFile(path) }
            try file.save(&set)
            try file.remove()
        } else {
            #expect(throws: PendingFileError.notOurs(path + ".lock")) { try PendingFile(path) }
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
        var set = try PendingHistory.run { _ in }
        #expect(throws: PendingFileError.self) { try other.save(&set) }
        #expect(directory.names().isEmpty && file == nil)
    }
}
