// SPDX-License-Identifier: Apache-2.0

import Screens
import TestSupport
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
        #expect(modes(painter.enter, "h").isSubset(of: modes(ScreenPainter.leave, "l")))
        #expect(modes(painter.enter, "l") == cursorAndWrap && modes(ScreenPainter.leave, "h") == cursorAndWrap)
        #expect(painter.enter.contains("?1000h") == hasMouse && painter.enter.contains("?1006h") == hasMouse)
    }

    @Test("nothing is put outside the line")
    func outside() {
        for columns in [-1, 0, 1, 5] {
            var line = ScreenLine(columns: columns)
            for column in [Int.min, -1, columns, columns + 1, Int.max] { line.put("text", at: column) }
            line.put("text", at: 0, width: -1)
            #expect(line.pieces.isEmpty)
            line.fill("漢字漢字", .chosen)
            #expect(line.pieces.map(\.text) == [columns == 5 ? "漢字…" : columns == 1 ? "…" : ""])
        }
    }

    @Test("no text reaches beyond the edge of the screen")
    func edge() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<1_000 {
            let size = ScreenSize(columns: .random(in: 1...12, using: &random), lines: 2)
            var lines = Array(repeating: ScreenLine(columns: size.columns), count: size.lines)
            for _ in 0..<3 {
                let column = Int.random(in: -2...size.columns + 1, using: &random)
                let width = Int.random(in: -1...14, using: &random)
                lines[0].put(Self.text(&random), at: column, width: width, .chosen)
            }
            lines[1].fill(Self.text(&random), .bad)
            var painter = ScreenPainter(hasColours: true, hasMouse: true)
            var terminal = TerminalModel(columns: size.columns, lines: size.lines)
            terminal.write(painter.enter + painter.update(to: lines) + ScreenPainter.leave)
            #expect(terminal.faults.isEmpty, "\(lines)")
        }
    }

    /// A text of letters, marks, wide letters, control characters and any others.
    private static func text(_ random: inout SeededRandom) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0x300...0x36F, 0x4E00...0x4EFF, 0x900...0x94F, 0x1100...0x11FF, 0x1F1E6...0x1F64F, 0x0...0x9F,
            0x2000...0x206F, 0x0...0x10_FFFF,
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let range = ranges[Int.random(in: ranges.indices, using: &random)]
            text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? "\u{FFFD}")
        }
        return text
    }
}
