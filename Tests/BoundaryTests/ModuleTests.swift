// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("Modules")
struct ModuleTests {
    @Test("the table of ARCHITECTURE.md lists exactly the existing modules")
    func tableIsComplete() throws {
        let files = try Repository.files(in: "Sources")
        let modules = Set(files.compactMap { Repository.module(of: $0) })
        #expect(!modules.isEmpty)
        #expect(Set(try ModuleTable().rows.keys) == modules)
    }

    @Test("a module imports only the modules that the table permits")
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

    @Test("the arrows of the table point down")
    func arrows() throws {
        let table = try ModuleTable()
        for (module, row) in table.rows {
            for imported in row.mayImport {
                guard let level = table.rows[imported]?.level else { continue }
                #expect(level < row.level, "\(module) may import \(imported)")
            }
        }
    }

    @Test("no module imports Foundation or a part of it")
    func foundation() throws {
        for line in try SourceLine.all(in: "Sources") {
            #expect(line.importedModule?.hasPrefix("Foundation") != true, "\(line.place)")
        }
    }
}
