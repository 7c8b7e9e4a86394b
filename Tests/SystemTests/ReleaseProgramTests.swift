// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@Suite("The programs under test")
struct ReleaseProgramTests {
    @Test(
        "are the release programs, without a symbol table",
        arguments: ["relativityd", "relctl", "relativityd-data"]
    )
    func stripped(program: String) throws {
        guard Products.released != nil else {
            let isCI = getenv("CI").map { String(cString: $0) } == "true"
            #expect(!isCI, "RELATIVITYD_PROGRAMS names no folder")
            return
        }
        let sections = try #require(ELFSections(of: TextFile.bytes(of: Products.path(of: program))))
        #expect(sections.types.contains(ELFSections.dynamic))
        #expect(!sections.types.contains(ELFSections.symbolTable))
    }
}

/// The types of the sections of a 64-bit little-endian ELF file (elf(5)).
private struct ELFSections {
    static let symbolTable: UInt64 = 2
    static let dynamic: UInt64 = 6

    let types: [UInt64]

    init?(of bytes: [UInt8]) {
        func number(at offset: Int, _ count: Int) -> UInt64? {
            guard offset >= 0, offset + count <= bytes.count else { return nil }
            return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]),
            let start = number(at: 0x28, 8).map({ Int(truncatingIfNeeded: $0) }),
            let size = number(at: 0x3a, 2), let count = number(at: 0x3c, 2)
        else { return nil }
        types = (0..<Int(count)).compactMap { number(at: start &+ $0 * Int(size) &+ 4, 4) }
        guard types.count == Int(count) else { return nil }
    }
}
