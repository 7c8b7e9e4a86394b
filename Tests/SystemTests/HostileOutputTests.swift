// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite("Five hundred hostile texts in the output of every verb, on a terminal", .timeLimit(.minutes(2)))
struct HostileOutputTests {
    private static let enough = 500
    /// `login show` prints the fewest texts: seven.
    private static let mostRuns = 80

    @Test("the terminal interprets control sequences, so that an unescaped text is detected")
    func model() {
        #expect(ObedientTerminal("a\nb\tc\u{1B}[31md").screen == ["a", "b       cd"])
        #expect(ObedientTerminal("abc\r\u{1B}[Kx\u{8}y\u{1B}]0;t\u{7}z").screen == ["yz"])
        #expect(ObedientTerminal("one\ntwo\u{1B}[1A\u{9B}3Dx\u{85}").screen == ["xne", "two"])
        #expect(ObedientTerminal("日本o\u{301}").screen == ["日本o\u{301}"])
        for (raw, shown) in HostileTexts.pieces {
            let isHarmless = raw == shown || raw.hasPrefix(#"\"#)
            #expect((ObedientTerminal("ab\(raw)c").screen == ["ab\(raw)c"]) == isHarmless, "\(shown)")
            #expect(ObedientTerminal("ab\(shown)c").screen == ["ab\(shown)c"], "\(shown)")
        }
    }

    @Test("the screen has the escaped text, in words and as JSON, and no text is lost")
    func everyVerb() async throws {
        try await VerbUse.each(atOnce: 4) { use in
            try await Self.expectHarmlessJSON(use)
            var seen = 0
            var runs = 0
            while runs < (use.showsText ? Self.mostRuns : 1), seen < Self.enough {
                runs += 1
                seen += try await Self.textsOnScreen(use, seed: UInt64(runs))
            }
            if use.showsText { #expect(seen >= Self.enough, "\(use.verb) showed \(seen) in \(runs) runs") }
        }
    }

    private static func textsOnScreen(_ use: VerbUse, seed: UInt64) async throws -> Int {
        let run = try VerbRun(use, elements: 40, HostileTexts(seed: seed))
        defer { run.end() }
        let (output, told) = try await run()
        #expect([0, 8].contains(output.status), "\(use.verb): \(output.status) \(output.standardError.prefix(500))")
        let text = output.standardOutput + output.standardError
        // It prints a file unchanged, except on a terminal.
        if use.verb != "endpoint export" { expectHarmless(text, use) }
        let brackets = text.utf8.split(separator: UInt8(ascii: "<")).map { $0.prefix { $0 != UInt8(ascii: ">") } }
        let seen = Set(brackets.map { "<" + String(decoding: $0, as: UTF8.self) + ">" })
        return told.count { seen.contains($0.shown) || seen.contains($0.shownAgain) }
    }

    private static func expectHarmlessJSON(_ use: VerbUse) async throws {
        let run = try VerbRun(use, elements: 8, HostileTexts(seed: 0))
        defer { run.end() }
        let output = try await run(["--json"]).output
        expectHarmless(output.standardOutput + output.standardError, use)
        for line in output.standardOutput.split(separator: "\n") { _ = try JSONValue(parsing: String(line)) }
    }

    private static func expectHarmless(_ text: String, _ use: VerbUse) {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let screen = ObedientTerminal(text).screen
        let wrong = zip(screen, lines).first { $0 != $1 }
        #expect(screen.count == lines.count, "\(use.verb)")
        #expect(wrong == nil, "\(use.verb): \(wrong?.0.prefix(500) ?? "")")
    }
}
