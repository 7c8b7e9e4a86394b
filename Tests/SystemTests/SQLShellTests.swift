// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import relctl

@Suite("Lines of the SQL shell")
struct LineEditorTests {
    /// Keys as text: `<` left, `>` right, `^` home, `$` end, `_` backspace, `!` delete, `+` up, `-` down, an upper-case
    /// letter a control key.
    private static func typed(_ keys: String, _ editor: inout LineEditor) {
        let named: [Character: TopKey] = [
            "<": .left, ">": .right, "^": .home, "$": .end, "_": .backspace, "!": .delete, "+": .up, "-": .down,
        ]
        for key in keys {
            let scalar = key.unicodeScalars.first ?? " "
            let control = Unicode.Scalar(scalar.value + 0x20) ?? " "
            _ = editor.handle(named[key] ?? (key.isUppercase ? .control(control) : .text(scalar)))
        }
    }

    @Test(
        "keys edit the line",
        arguments: [
            ("abc", "abc", 3), ("abc<<x", "axbc", 2), ("abc^x$y", "xabcy", 5), ("abc__", "a", 1), ("___", "", 0),
            ("abc^!", "bc", 0), ("abc!", "abc", 3), ("ab<<<<>x", "axb", 2), ("abc<U", "c", 0), ("abc<<K", "a", 1),
            ("one two  W", "one ", 4), ("oneW", "", 0), ("W", "", 0), ("abAxEy", "xaby", 4), ("abD", "ab", 2),
            ("ab^D", "b", 0), ("a漢<_", "漢", 0),
        ]
    )
    func editing(_ keys: String, _ text: String, _ cursor: Int) {
        var editor = LineEditor()
        Self.typed(keys, &editor)
        #expect(editor.text == Array(text.unicodeScalars) && editor.cursor == cursor)
    }

    @Test("the history is walked, and the line that is typed is kept")
    func history() {
        var editor = LineEditor(history: ["one", "two"])
        for (keys, text) in [
            ("x+", "two"), ("+", "one"), ("+", "one"), ("-", "two"), ("-", "x"), ("-", "x"), ("P", "two"), ("N", "x"),
        ] {
            Self.typed(keys, &editor)
            #expect(editor.text == Array(text.unicodeScalars), "\(keys)")
        }
        Self.typed("+", &editor)
        #expect(editor.handle(.enter) == .accepted("two") && editor.text.isEmpty)
        #expect(!editor.remember("two") && !editor.remember("") && !editor.remember(" x") && editor.remember("three"))
        Self.typed("+", &editor)
        #expect(editor.text == Array("three".unicodeScalars))
        #expect(editor.handle(.control("c")) == .abandoned && editor.text.isEmpty)
        #expect(editor.handle(.control("d")) == .ended && editor.handle(.tab) == .wantsCompletion)
    }

    @Test("a long line shows the part around the cursor, and control characters are escaped")
    func visible() {
        var editor = LineEditor()
        Self.typed("abcdefgh", &editor)
        #expect(editor.visible(in: 20) == ("abcdefgh", 8))
        #expect(editor.visible(in: 5) == ("efgh", 4))
        Self.typed("^", &editor)
        #expect(editor.visible(in: 5) == ("abcd", 0))
        var command = LineEditor(history: ["\\dt"])
        Self.typed("+", &command)
        #expect(command.visible(in: 20) == ("\\dt", 3))
        var wide = LineEditor()
        Self.typed("漢漢漢", &wide)
        #expect(wide.visible(in: 5) == ("漢漢", 4))
        var hostile = LineEditor(history: ["\u{9B}2J"])
        Self.typed("+", &hostile)
        #expect(!hostile.visible(in: 80).text.unicodeScalars.contains("\u{9B}"))
    }
}

@Suite("Commands and completions of the SQL shell")
struct ShellCommandTests {
    @Test("commands are read as typed")
    func commands() throws {
        let cases: [(String, ShellCommand)] = [
            ("\\dt", .tables), ("\\d", .describe(nil)), ("\\d  Order Details ", .describe("Order Details")),
            ("\\x", .toggleExpanded), ("\\i a b.sql", .include("a b.sql")), ("\\o", .output(nil)),
            ("\\o x", .output("x")), ("\\timing", .toggleTiming), ("\\format csv", .format(.csv)), ("\\q", .quit),
            ("\\q  ", .quit),
        ]
        for (line, command) in cases { #expect(try ShellCommand(line) == command, "\(line)") }
        for line in ["\\", "\\i", "\\format", "\\format bin2", "\\q now", "\\z"] {
            #expect(throws: Failure.self, "\(line)") { try ShellCommand(line) }
        }
        let failure = #expect(throws: Failure.self) { try ShellCommand("\\top\u{1B}") }
        #expect(failure?.message == "unknown command: \\top\\u{1B}")
    }

    private static let names = SchemaNames([
        ("Clients", ["ClientId", "ClientName"]), ("Orders", ["OrderId", "Client", "a b", "\u{1B}[2J"]), ("O;x", []),
    ])

    @Test("names of the schema complete the word before the cursor")
    func completions() {
        let cases: [(String, String, [String])] = [
            ("select * from cl", "cl", ["Clients", "ClientId", "ClientName", "Client"]),
            ("select Orders.", "", ["OrderId", "Client"]), ("select clients.clientn", "clientn", ["ClientName"]),
            ("select o.or", "or", ["OrderId"]), ("selec", "selec", ["select"]), ("\\ti", "\\ti", ["\\timing"]),
            ("\\d Or", "Or", ["Orders"]), ("x = zz", "zz", []),
        ]
        for (prefix, word, candidates) in cases {
            let found = Self.names.completions(of: prefix)
            #expect(found.word == word && found.candidates == candidates, "\(prefix): \(found)")
        }
        #expect(SchemaNames.commonStart(of: ["ClientId", "clientName"]) == "Client")
        #expect(SchemaNames.commonStart(of: ["one"]) == "one" && SchemaNames.commonStart(of: []) == "")
    }
}
