// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import DataAbstract

/// Compares the generated tables with Debian's unicode-data package.
@Suite struct FoldingDataTests {
    private static let folder = "/usr/share/unicode"

    /// The lines of a file, as fields without comments.
    private static func rows(_ name: String) throws -> [[String]] {
        let file = try #require(fopen("\(folder)/\(name)", "r"), "the package unicode-data is installed")
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            let text = line.split(separator: "#", omittingEmptySubsequences: false)[0]
            let fields = text.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
            return fields.count > 1 ? fields : nil
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    private static func scalars(_ text: String) -> [UInt32] {
        text.split(separator: " ").compactMap { UInt32($0, radix: 16) }
    }

    @Test(
        "the tables are those of the package's version of Unicode",
        .enabled(if: isInstalled || Requirement.allMet([.program("\(folder)/CaseFolding.txt")]))
    )
    func data() throws {
        var cases: [UInt32: [UInt32]] = [:]
        for row in try Self.rows("CaseFolding.txt") where ["C", "F"].contains(row[1]) {
            cases[try #require(UInt32(row[0], radix: 16))] = Self.scalars(row[2])
        }
        var diacritics: Set<UInt32> = []
        for row in try Self.rows("PropList.txt") where row[1] == "Diacritic" {
            let ends = row[0].split(separator: ".").compactMap { UInt32($0, radix: 16) }
            diacritics.formUnion(ends[0]...ends[ends.count - 1])
        }
        var decompositions: [UInt32: [UInt32]] = [:]
        for row in try Self.rows("UnicodeData.txt") {
            let scalar = try #require(UInt32(row[0], radix: 16))
            if row[2] == "Mn", diacritics.contains(scalar) { decompositions[scalar] = [] }
            if decompositions[scalar] == nil, !row[5].isEmpty, !row[5].hasPrefix("<") {
                decompositions[scalar] = Self.scalars(row[5])
            }
        }
        #expect(cases.count > 1_000 && diacritics.count > 500 && decompositions.count > 2_000)
        for scalar in UInt32(0)..<0x11_0000 {
            var image = [scalar]
            while image.contains(where: { decompositions[$0] != nil }) {
                image = image.flatMap { decompositions[$0] ?? [$0] }
            }
            let isEqual =
                FoldingTable.ignoringCase.folded([scalar]) == cases[scalar] ?? [scalar]
                && FoldingTable.ignoringDiacritics.folded([scalar]) == image
            if !isEqual { Issue.record("U+\(String(scalar, radix: 16)): run scripts/folding-table.py") }
        }
    }

    private static var isInstalled: Bool { access("\(folder)/CaseFolding.txt", R_OK) == 0 }
}
