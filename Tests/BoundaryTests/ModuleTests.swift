// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("Modules")
struct ModuleTests {
    @Test("every module is in the table of ARCHITECTURE.md, and the table has no other")
    func tableIsComplete() throws {
        let files = try Repository.files(in: "Sources")
        let modules = Set(files.compactMap { Repository.module(of: $0) })
        #expect(!modules.isEmpty)
        #expect(Set(try ModuleTable().rows.keys) == modules)
    }

    @Test("a module imports only what the table grants it")
    func imports() throws {
        let table = try ModuleTable()
        var count = 0
        for line in try SourceLine.all(in: "Sources") {
            guard let imported = line.importedModule else { continue }
            count += 1
            let row = try #require(Repository.module(of: line.path).flatMap { table.rows[$0] }, "\(line.place)")
            #expect(row.mayImport.union(table.common).contains(imported), "\(line.place) imports \(imported)")
        }
        #expect(count > 300, "the imports are found")
    }

    @Test("the table's arrows go down")
    func arrows() throws {
        let table = try ModuleTable()
        for (module, row) in table.rows {
            for imported in row.mayImport {
                guard let level = table.rows[imported]?.level else { continue }
                #expect(level < row.level, "\(module) may import \(imported)")
            }
        }
    }

    @Test("no module imports Foundation, whole or in part")
    func foundation() throws {
        for line in try SourceLine.all(in: "Sources") {
            #expect(line.importedModule?.hasPrefix("Foundation") != true, "\(line.place)")
        }
    }
}
