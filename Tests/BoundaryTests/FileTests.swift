// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("Files")
struct FileTests {
    private static let longest = 500

    private static func sources() throws -> [String] {
        try ["Sources", "Tests", "scripts", "Benchmarks", "python"].flatMap { try Repository.files(in: $0) }
    }

    @Test("no source file is longer than 500 lines")
    func length() throws {
        let written = try Self.sources().filter { !$0.contains("/Generated/") }
        let code = [".swift", ".c", ".cpp", ".sh"]
        for path in written where code.contains(where: { path.hasSuffix($0) }) {
            #expect(try Repository.lines(path).count <= Self.longest + 1, "\(path)")
        }
    }

    @Test("every source file has its licence at the top")
    func licence() throws {
        let code = try Self.sources().filter { path in
            [".swift", ".c", ".cpp", ".h", ".sh", ".py"].contains { path.hasSuffix($0) }
        }
        #expect(code.count > 200, "the files are found")
        for path in code {
            let start = try Repository.lines(path).prefix(3)
            #expect(start.contains { $0.contains("SPDX-License-Identifier: Apache-2.0") }, "\(path)")
        }
    }

    @Test("no file contains a path of the machine on which it was written")
    func machinePaths() throws {
        let pattern = /(?:^|[\s"'(=:`])\/(?:root|work|workspace|build|Users|home\/(?!tester\b|x\b|\.|\$|"|`|,|\s)\w+)\//
        for path in try Repository.files() {
            for (offset, line) in try Repository.lines(path).enumerated() where line.utf8.count < 2_000 {
                #expect(!line.contains(pattern), "\(path):\(offset + 1)")
            }
        }
    }

    @Test("every link in a document resolves to a file, and to a heading in it")
    func links() throws {
        var count = 0
        for path in try Repository.files(ending: ".md") {
            let folder = path.split(separator: "/").dropLast().joined(separator: "/")
            for link in try Repository.text(path).matches(of: /\]\(([^)\s]+)\)/) where !link.1.contains("://") {
                count += 1
                let parts = link.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let target = parts[0].isEmpty ? path : Self.resolve(String(parts[0]), in: folder)
                guard Repository.exists(target) else {
                    Issue.record("\(path) links to \(link.1)")
                    continue
                }
                guard parts.count == 2 else { continue }
                #expect(try Self.anchors(in: target).contains(String(parts[1])), "\(path) links to \(link.1)")
            }
        }
        #expect(count > 20, "the links are found")
    }

    @Test("every document and section that the code names exists")
    func sections() throws {
        let pattern = /(docs\/[a-z-]+\.md)(?:, "([^"]+)")?/
        for path in try Self.sources() {
            for reference in try Repository.text(path).matches(of: pattern) {
                let document = String(reference.1)
                guard Repository.exists(document) else {
                    Issue.record("\(path) names \(document)")
                    continue
                }
                guard let section = reference.2 else { continue }
                let headings = try Repository.lines(document).filter { $0.hasPrefix("#") }
                #expect(
                    headings.contains { $0.drop { $0 == "#" || $0 == " " } == section },
                    "\(path) names \(document), \"\(section)\""
                )
            }
        }
    }

    private static func resolve(_ link: String, in folder: String) -> String {
        var parts = folder.split(separator: "/").map(String.init)
        for part in link.split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }

    /// The anchors that GitHub generates: lower case, without punctuation, with hyphens for spaces.
    private static func anchors(in path: String) throws -> Set<String> {
        Set(
            try Repository.lines(path).filter { $0.hasPrefix("#") }.map { line in
                line.drop { $0 == "#" || $0 == " " }.lowercased()
                    .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
                    .replacing(" ", with: "-")
            }
        )
    }
}
