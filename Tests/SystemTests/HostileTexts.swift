// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Texts that attack a terminal, and their expected appearance on it.
struct HostileTexts: TextSource {
    /// Texts that a terminal would interpret, and their escaped forms, determined by hand.
    static let pieces: [(raw: String, shown: String)] = [
        ("\u{1B}[31m", #"\u{1B}[31m"#), ("\u{1B}[2J\u{1B}[H", #"\u{1B}[2J\u{1B}[H"#), ("\u{1B}[1A", #"\u{1B}[1A"#),
        ("\u{1B}]0;title\u{7}", #"\u{1B}]0;title\u{7}"#), ("\u{1B}c", #"\u{1B}c"#),
        ("\u{1B}P+q\u{1B}", #"\u{1B}P+q\u{1B}"#),
        ("\u{1B}]8;;http://x/\u{1B}", #"\u{1B}]8;;http://x/\u{1B}"#),
        ("\u{1B}]52;c;cm0gLXJm\u{7}", #"\u{1B}]52;c;cm0gLXJm\u{7}"#),
        ("\u{9B}2J", #"\u{9B}2J"#), ("\u{9D}0;t\u{9C}", #"\u{9D}0;t\u{9C}"#),
        ("\u{90}\u{98}\u{9E}", #"\u{90}\u{98}\u{9E}"#),
        ("\u{85}", #"\u{85}"#), ("\u{0}", #"\u{0}"#), ("\u{7}", #"\u{7}"#), ("\u{8}\u{8}", #"\u{8}\u{8}"#),
        ("\u{7F}", #"\u{7F}"#), ("\n", #"\u{A}"#), ("\r", #"\u{D}"#), ("\r\n", #"\u{D}\u{A}"#), ("\t", #"\u{9}"#),
        ("\u{B}\u{C}", #"\u{B}\u{C}"#), ("\u{E}", #"\u{E}"#), ("\u{2028}", #"\u{2028}"#), ("\u{2029}", #"\u{2029}"#),
        ("\u{202E}", #"\u{202E}"#), ("\u{2066}\u{2069}", #"\u{2066}\u{2069}"#), ("\u{200F}", #"\u{200F}"#),
        ("\u{200B}", #"\u{200B}"#), ("\u{200D}", #"\u{200D}"#), ("\u{FEFF}", #"\u{FEFF}"#), ("\u{AD}", #"\u{AD}"#),
        ("\u{E0041}", #"\u{E0041}"#), ("\u{FE0F}", #"\u{FE0F}"#), ("\u{3164}", #"\u{3164}"#), ("\u{A0}", #"\u{A0}"#),
        ("\u{3000}", #"\u{3000}"#), ("\u{E000}", #"\u{E000}"#), ("\u{378}", #"\u{378}"#), ("\u{FFFF}", #"\u{FFFF}"#),
        ("o\u{301}\u{301}\u{301}\u{301}\u{301}", "o\u{301}\u{301}\u{301}" + #"\u{301}"# + #"\u{301}"#),
        ("Bu\u{308}ro", "Bu\u{308}ro"), ("日本", "日本"), ("\u{1F600}", "\u{1F600}"), ("\u{FFFD}", "\u{FFFD}"),
        ("relctl: error: no", "relctl: error: no"), ("%s%n", "%s%n"), ("$(reboot)", "$(reboot)"), ("\"'", "\"'"),
        ("../..", "../.."), ("--help", "--help"), (" ", " "), (#"\"#, #"\\"#), (#"\u{1B}"#, #"\\u{1B}"#),
    ]
    /// The number of wide letters in a text that exceeds every limit.
    private static let longest = 600
    /// The number of texts that fit into the 1,024 columns that a verb shows of one text.
    private static let many = 50

    private var random: SeededRandom
    private var count = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    mutating func next() -> ServedText {
        text(of: Int.random(in: 1...3, using: &random), isLong: count % 50 == 49)
    }

    mutating func several() -> [ServedText] { (0..<Self.many).map { _ in text(of: 1, isLong: false) } }

    /// A text with its number, between brackets that no part contains, so that it can be found again.
    private mutating func text(of number: Int, isLong: Bool) -> ServedText {
        count += 1
        let chosen = (0..<number).map { _ in Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)] }
        let tail = (isLong ? String(repeating: "日", count: Self.longest) : "") + ">"
        let shown = "<\(count):" + chosen.map(\.shown).joined() + tail
        return ServedText(
            raw: "<\(count):" + chosen.map(\.raw).joined() + tail,
            shown: shown,
            shownAgain: shown.replacing(#"\\"#, with: #"\"#)
        )
    }
}
