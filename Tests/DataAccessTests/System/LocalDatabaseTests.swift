// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Glibc
import TestSupport
import Testing

@testable import DataAccess

@Suite("The database for statements")
struct LocalDatabaseTests {
    @Test("its file has no name, and was never readable for others")
    func mode() throws {
        let folder = TemporaryDirectory()
        let database = try LocalDatabase(in: folder.path)
        #expect(folder.names().isEmpty)
        var modes: [mode_t] = []
        for descriptor in 0..<Int32(4096) {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
            let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            var facts = stat()
            guard path.hasPrefix(folder.path + "/relativityd-"), fstat(descriptor, &facts) == 0 else { continue }
            modes.append(facts.st_mode & 0o777)
        }
        #expect(modes == [0o600])
        try database.create("T", [DataColumn("A", .integer)])
    }

    @Test("a statement makes no value that is longer than the limit")
    func length() async throws {
        let folder = TemporaryDirectory()
        let database = try LocalDatabase(in: folder.path, valueBytes: 1000)
        #expect(folder.names().isEmpty)
        for (size, isMade) in [(1000, true), (1001, false)] {
            var rows = RowCount()
            let sql = "SELECT length(zeroblob(\(size)) || '')"
            let count = try? await database.run(sql, tables: [:], parameters: [:], into: &rows)
            #expect(count == (isMade ? 1 : nil) && rows.count == count ?? 0)
        }
    }
}

private struct RowCount: RowConsumer {
    private(set) var count = 0

    func begin(_ table: TableHead) {}

    mutating func add(_ rows: DataRows, _ indices: [Int]?) { count += indices?.count ?? rows.count }

    func finish() {}
}
