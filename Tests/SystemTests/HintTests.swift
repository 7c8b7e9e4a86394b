// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import relctl

/// relctl must accept every command in a message unchanged.
@Suite struct HintTests {
    /// Placeholders for values of the user, and the values that the test uses.
    private static let stands = [
        "LOGIN": "clerk", "ENDPOINT": "e1", "NAME": "n", "HOST": "h", "ADDRESS": "127.0.0.1", "USER": "u", "FILE": "f",
        "BACKUP": "f", "§": "7",
    ]
    /// Verbs that are mentioned, and need not be complete.
    private static let mentions = [["hide"], ["vault", "import"], ["vault", "backup"], ["endpoint", "set"]]

    private static func sources(in folder: String) -> [String] {
        var found: [String] = []
        var folders = [folder]
        while let folder = folders.popLast() {
            for name in DirectoryListing.names(in: "\(Sources.root)/\(folder)") {
                if name.hasSuffix(".swift") {
                    found.append("\(folder)/\(name)")
                } else {
                    folders.append("\(folder)/\(name)")
                }
            }
        }
        return found.sorted()
    }

    /// The words after `relctl` in the string literals of a line, as far as they are a command.
    private static func commands(in line: Substring) -> [[String]] {
        guard line.contains("relctl "), !line.trimming().hasPrefix("//") else { return [] }
        // Only within quotes: a text without quotes is the description of a verb.
        let pieces = filled(line).replacing("\\n", with: " ; ").split(separator: "\"", omittingEmptySubsequences: false)
        return pieces.enumerated().filter { $0.offset % 2 == 1 }.map(\.element).flatMap { literal in
            literal.ranges(of: "relctl ").compactMap { start in
                let words = literal[start.upperBound...].prefix { !"';,)".contains($0) }.split(separator: " ")
                return command(words.map(String.init))
            }
        }
    }

    /// Verbs, options with their values, and placeholders; nil for prose about relctl.
    private static func command(_ words: [String]) -> [String]? {
        var taken: [String] = []
        for word in words {
            let isVerb = !taken.contains { $0.hasPrefix("-") || $0 == "7" } && Relctl.hasVerb(taken + [word])
            let isValue = taken.last?.hasPrefix("--") == true && !["if", "all", "to", "too"].contains(word)
            guard isVerb || isValue || word.hasPrefix("-") || stands[word] != nil || word.hasPrefix("https://") else {
                break
            }
            taken.append(taken.last == "--provider" ? "passphrase" : stands[word] ?? word)
        }
        guard let verb = taken.first, Relctl.hasVerb([verb]), !mentions.contains(taken) else { return nil }
        return taken
    }

    /// Replaces each interpolation by one character, and removes quotes inside it.
    private static func filled(_ line: Substring) -> String {
        var result = ""
        var rest = line[...]
        while let start = rest.firstRange(of: "\\(") {
            result += rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            var depth = 1
            while depth > 0, let letter = rest.popFirst() { depth += letter == "(" ? 1 : letter == ")" ? -1 : 0 }
            result += "§"
        }
        return (result + rest).replacing("'§'", with: "§").replacing("§§", with: "§")
    }

    @Test("relctl accepts every command in our messages")
    func commands() throws {
        var count = 0
        for path in Self.sources(in: "Sources/Programs/relctl") {
            let text = TextFile.text(of: "\(Sources.root)/\(path)")
            for line in text.split(separator: "\n") {
                for words in Self.commands(in: line) {
                    count += 1
                    #expect(Relctl.takes(words), "\(path): relctl \(words.joined(separator: " "))")
                }
            }
        }
        print("\(count) commands of messages parsed")
        #expect(count > 60)
    }

    /// The first words of hints.
    private static let programs: Set = ["relctl", "relativityd", "systemctl"]

    /// A notification is shown by the desktop, not by relctl.
    private static let notifications = "Sources/Programs/relativityd/DesktopNotices.swift"
    /// The next steps of errors are data, which relctl shows.
    private static let rows = "Sources/API/LocalAPI/DaemonError+Row.swift"

    @Test("a hint begins with a command, and only relctl, rows of errors and notifications name relctl's commands")
    func places() {
        var hints = 0
        let paths = Self.sources(in: "Sources")
        #expect(paths.count > 300)
        for path in paths where !path.hasPrefix("Sources/API/LocalAPI/Generated/") {
            let isOurs = path.hasPrefix("Sources/Programs/relctl/") || [Self.notifications, Self.rows].contains(path)
            for line in TextFile.text(of: "\(Sources.root)/\(path)").split(separator: "\n") {
                if !isOurs { #expect(Self.commands(in: line).isEmpty, "\(path): \(line)") }
                guard isOurs, let hint = line.firstMatch(of: /\bhint: "(\w+)/)?.1 else { continue }
                hints += 1
                #expect(Self.programs.contains(String(hint)), "\(path): \(line)")
            }
        }
        #expect(hints > 25)
    }
}

extension Substring {
    fileprivate func trimming() -> Substring { drop { $0 == " " } }
}
