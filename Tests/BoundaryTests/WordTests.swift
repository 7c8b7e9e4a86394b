// SPDX-License-Identifier: Apache-2.0

import Testing

/// Compares the table of words in CONTRIBUTING.md with the comments of the sources.
@Suite("Words")
struct WordTests {
    /// The first column of the table: words, and phrases of several words.
    private static func avoided() throws -> [String] {
        let lines = try Repository.lines("CONTRIBUTING.md")
        let rows = lines.drop { $0 != "| Not | But |" }.dropFirst(2).prefix { $0.hasPrefix("|") }
        return rows.flatMap { row in
            row.split(separator: "|")[0].split(separator: ",").map { $0.trimming(" ").lowercased() }
        }
    }

    /// The words of a comment, one space around each; nil for a line of code.
    private static func words(of line: Substring) -> String? {
        let line = line.trimming(" ")
        guard line.hasPrefix("//") else { return nil }
        // Text in backquotes is code.
        let prose = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 0 }.map(\.element).joined(separator: " ")
        let words = prose.lowercased().split { !($0.isLetter || $0 == "'") }
        return " " + words.joined(separator: " ") + " "
    }

    @Test("no comment contains a word to avoid")
    func comments() throws {
        let avoided = try Self.avoided()
        #expect(avoided.count > 20, "the table is found")
        for path in try Repository.files(in: "Sources", ending: ".swift") where !path.contains("/Generated/") {
            for (offset, line) in try Repository.lines(path).enumerated() {
                guard let words = Self.words(of: line) else { continue }
                guard let word = avoided.first(where: { words.contains(" \($0) ") }) else { continue }
                Issue.record("\(path):\(offset + 1): '\(word)'")
            }
        }
    }
}
