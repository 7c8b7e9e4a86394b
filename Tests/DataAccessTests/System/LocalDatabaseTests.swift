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
        for descriptor in 0..<Int32(256) {
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
}
