// SPDX-License-Identifier: Apache-2.0

import Screens
import Testing

@Suite("Lines of the screen")
struct ScreenLineTests {
    private func cut(_ text: String, _ width: Int) -> String {
        var line = ScreenLine(columns: 80)
        line.put(text, at: 0, width: width)
        return line.pieces.first?.text ?? ""
    }

    @Test(
        "a text is cut between letters, which keep their marks",
        arguments: [
            ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("漢字", 4, "漢字"), ("漢字", 3, "漢…"), ("漢字", 2, "…"), ("漢字x", 4, "漢…"),
            ("ae\u{301}bc", 3, "ae\u{301}…"), ("e\u{301}\u{302}x", 2, "e\u{301}\u{302}x"), ("abc", 1, "…"),
            ("abc", 0, ""),
        ]
    )
    func cuts(_ text: String, _ width: Int, _ shown: String) {
        #expect(Array(cut(text, width).unicodeScalars) == Array(shown.unicodeScalars))
    }

    @Test("a mode that the painter sets is reset at the end", arguments: [false, true])
    func modes(hasMouse: Bool) {
        let painter = ScreenPainter(hasColours: true, hasMouse: hasMouse)
        func modes(_ text: String, _ letter: Character) -> Set<Substring> {
            Set(text.split(separator: "\u{1B}").filter { $0.last == letter }.map { $0.dropLast() })
        }
        let cursorAndWrap: Set<Substring> = ["[?25", "[?7"]
        #expect(modes(painter.enter, "h") == modes(painter.leave, "l"))
        #expect(modes(painter.enter, "l") == cursorAndWrap && modes(painter.leave, "h") == cursorAndWrap)
        #expect(painter.enter.contains("?1000h") == hasMouse && painter.enter.contains("?1006h") == hasMouse)
    }
}
