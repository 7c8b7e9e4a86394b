// SPDX-License-Identifier: Apache-2.0

import Screens
import Testing

@Suite("Lines that are typed")
struct LineEditorTests {
    /// Keys as text: `<` left, `>` right, `^` home, `$` end, `_` backspace, `!` delete, `+` up, `-` down, an upper-case
    /// letter a control key.
    private static func typed(_ keys: String, _ editor: inout LineEditor) {
        let named: [Character: Key] = [
            "<": .left, ">": .right, "^": .home, "$": .end, "_": .backspace, "!": .delete, "+": .up, "-": .down,
        ]
        for scalar in keys.unicodeScalars {
            let control = Unicode.Scalar(scalar.value + 0x20) ?? " "
            let isControl = ("A"..."Z").contains(scalar)
            _ = editor.handle(named[Character(scalar)] ?? (isControl ? .control(control) : .text(scalar)))
        }
    }

    @Test(
        "keys edit the line",
        arguments: [
            ("abc", "abc", 3), ("abc<<x", "axbc", 2), ("abc^x$y", "xabcy", 5), ("abc__", "a", 1), ("___", "", 0),
            ("abc^!", "bc", 0), ("abc!", "abc", 3), ("ab<<<<>x", "axb", 2), ("abc<U", "c", 0), ("abc<<K", "a", 1),
            ("one two  W", "one ", 4), ("oneW", "", 0), ("W", "", 0), ("abAxEy", "xaby", 4), ("abD", "ab", 2),
            ("ab^D", "b", 0), ("a漢<_", "漢", 0),
            // A letter with marks on it.
            ("ae\u{301}\u{302}b<<x", "axe\u{301}\u{302}b", 2), ("ae\u{301}b<<!", "ab", 1),
            ("e\u{301}x^>y", "e\u{301}yx", 3), ("e\u{301}_", "e", 1),
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
        var marked = LineEditor()
        Self.typed("xe\u{301}bc", &marked)
        #expect(marked.visible(in: 3) == ("bc", 2) && marked.visible(in: 4) == ("e\u{301}bc", 3))
        var alone = LineEditor()
        Self.typed("\u{301}\u{302}e\u{301}", &alone)
        #expect(alone.visible(in: 40) == (#"\u{301}\u{302}"# + "e\u{301}", 15), "a mark without its letter is escaped")
        var hostile = LineEditor(history: ["\u{9B}2J"])
        Self.typed("+", &hostile)
        #expect(!hostile.visible(in: 80).text.unicodeScalars.contains("\u{9B}"))
    }
}
