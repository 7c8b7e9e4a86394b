// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Screens
import TestSupport
import Testing

/// What a terminal shows of some lines.
struct Screen {
    /// The sizes that the screens are tested at, and some that are too small for anything.
    static let sizes = [(40, 10), (80, 24), (200, 60), (20, 6), (3, 2), (1, 1)].map {
        ScreenSize(columns: $0.0, lines: $0.1)
    }
    static let usual = ScreenSize(columns: 80, lines: 24)
    static let small = ScreenSize(columns: 40, lines: 10)

    /// Texts that a server may send.
    static let hostile = [
        "\u{1B}[2Jgone", "漢字かな交じり文の長いテキスト漢字かな交じり文の長いテキスト", "e\u{301}\u{301}\u{301}\u{301}\u{301}x",
        "\u{301}first", "\u{202E}right to left", "a\nb\tc\u{7F}", "👩‍👩‍👧 family", String(repeating: "x", count: 5_000), "",
        "back\\slash", "\u{FFFF}",
    ]

    /// The lines, without spaces at their ends.
    let text: [String]
    /// What a terminal would show wrongly.
    let faults: [String]

    init(_ lines: [ScreenLine], _ size: ScreenSize) {
        var painter = ScreenPainter(hasColours: true)
        var terminal = TerminalModel(columns: size.columns, lines: size.lines)
        terminal.write(painter.update(to: lines))
        text = terminal.text
        faults = terminal.faults + (lines.count == size.lines ? [] : ["\(lines.count) lines"])
    }
}

extension Key {
    /// Any key, more often those that screens use.
    static func random(_ random: inout SeededRandom, _ size: ScreenSize) -> Key {
        let plain: [Key] = [
            .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .enter, .enter, .enter, .tab, .backTab,
            .backspace,
            .delete, .insert, .wheelUp, .wheelDown, .control("u"), .control("w"), .control("d"), .function(1),
        ]
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<10:
            let letters = Array("abcdefghijklmnopqrstuvwxyz<>?/'0123456789-. é漢\u{301}".unicodeScalars)
            return .text(letters.randomElement(using: &random) ?? "a")
        case 10:
            return .click(
                column: .random(in: 0..<size.columns, using: &random),
                line: .random(in: 0..<(size.lines + 2), using: &random)
            )
        case 11 where Int.random(in: 0..<4, using: &random) == 0: return .escape
        default: return plain.randomElement(using: &random) ?? .up
        }
    }

    /// The keys that type a text.
    static func typing(_ text: String) -> [Key] { text.unicodeScalars.map { .text($0) } }
}
