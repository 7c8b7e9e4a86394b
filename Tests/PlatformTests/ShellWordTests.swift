// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@Suite("Shell words")
struct ShellWordTests {
    private static let shownAsThemselves = [
        "Büro Süd", "Bu\u{308}ro Su\u{308}d", "事務所 南", "Кабинет №1", "office (north) “A”", "a€b", "🏢 HQ", "x\"$`\\y",
        "नमस्ते", "",
    ]
    private static let escaped = [
        "a\u{1B}[2J", "line\nline", "tab\there", "\u{202E}gpj.exe", "zero\u{200B}width", "no\u{A0}break", "\u{2066}x",
        "it's \u{7F}\\", "\u{308}lone", "e\u{301}\u{301}\u{301}\u{301}", "\u{E000}", "tag\u{E0041}",
        "\u{A0}'; printf ran; #", "\u{202E}'$(printf ran)'", "'\u{1B}'`printf ran`", "\\'\u{A0}; printf ran",
    ]

    @Test("quote keeps text that a terminal shows unchanged")
    func plain() {
        for name in Self.shownAsThemselves { #expect(ShellWord.quote(name) == "'\(name)'") }
        #expect(ShellWord.quote("it's") == #"'it'\''s'"#)
    }

    @Test("quote escapes control, bidi and invisible characters to one line of printable ASCII")
    func unprintable() {
        for name in Self.escaped {
            let word = ShellWord.quote(name)
            #expect(word.hasPrefix("$'") && word.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "\(word)")
        }
    }

    @Test("a shell without this form of quotation executes nothing of a quoted name", arguments: escaped)
    func otherShell(name: String) async throws {
        let output = try await Command(["sh", "-c", "printf '<%s>' \(ShellWord.quote(name))"]).succeed()
        // One word, with nothing after it.
        #expect(output.hasPrefix("<") && output.hasSuffix(">"))
        #expect(output.count { $0 == ">" } == name.count { $0 == ">" } + 1)
    }

    @Test("bash reads each quoted word as the original name")
    func pasted() async throws {
        let names = Self.shownAsThemselves + Self.escaped + ["it's", "-x", "$(id)", "a'; b"]
        for locale in ["C.UTF-8", "C"] {
            let words = names.map { ShellWord.quote($0) + " '|'" }.joined(separator: " ")
            let output = try await Command(["bash", "-c", "printf %s \(words)"], environment: ["LC_ALL": locale])
                .succeed()
            #expect(output == names.map { $0 + "|" }.joined(), "\(locale)")
        }
    }
}
