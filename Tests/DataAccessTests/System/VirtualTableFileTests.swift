// SPDX-License-Identifier: Apache-2.0

import DataAccess
import Glibc
import SQLite
import TestSupport
import Testing

@Suite("Files of virtual tables")
struct VirtualTableFileTests {
    private let folder = TemporaryDirectory()

    private func mode(_ path: String) -> mode_t {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts.st_mode & 0o777 : 0
    }

    @Test("a file has all names, quoted, except those that SQLite cannot have")
    func names() async throws {
        let path = folder.path(of: "shop.db")
        let names = ["Orders", "it's, \"x\"", "ORDERS", "sqlite_a", "SQLite_b", "Größe", "GRÖSSE", "a\0b", "select"]
        let file = try VirtualTableFile(path, server: "Jane's", tables: names, replaces: false)
        #expect(file.omitted == ["ORDERS", "sqlite_a", "SQLite_b", "a\0b"])
        #expect(file.tables == names.filter { !file.omitted.contains($0) })
        #expect(mode(path) == 0o600)
        let rows = try SQLiteDatabase(.file(path), .readOnly).rows("SELECT sql FROM sqlite_schema") { try $0.text(0) }
        #expect(rows.count == file.tables.count)
        #expect(rows[1] == #"CREATE VIRTUAL TABLE "it's, ""x""" USING relativity('Jane''s', 'it''s, "x"')"#)
        // The shell parses all of them, and misses only the module.
        let output = try await Command(["sqlite3", path, "select * from \"it's, \"\"x\"\"\""]).run()
        #expect(output.standardError.contains("no such module: relativity"), "\(output)")
    }

    @Test("a file that exists is replaced only on request, and others cannot read the new one")
    func replaces() throws {
        let path = folder.path(of: "shop.db")
        folder.write(Array("mine".utf8), to: "shop.db")
        chmod(path, 0o644)
        #expect(throws: ExportError.exists(path: path)) {
            try VirtualTableFile(path, server: "shop", tables: ["Orders"], replaces: false)
        }
        #expect(TextFile.text(of: path) == "mine")
        _ = try VirtualTableFile(path, server: "shop", tables: ["Orders"], replaces: true)
        #expect(mode(path) == 0o600)
        #expect(DirectoryListing.names(in: folder.path) == ["shop.db"])
        folder.write([1], to: "shop.db-wal")
        #expect(throws: ExportError.busy(path: path)) {
            try VirtualTableFile(path, server: "shop", tables: ["Orders"], replaces: true)
        }
    }
}
