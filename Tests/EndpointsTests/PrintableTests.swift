// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import TestSupport
import Testing

@Suite("Untrusted text made printable")
struct PrintableTests {
    @Test(
        "plain text is shown unchanged",
        arguments: ["", "Office", "a b", "Büro", "オフィス", "Офис", "مكتب", "e\u{301}", "€ ½ №", "🖥", "~`!@#$%^&*()<>'\""]
    )
    func plain(text: String) {
        #expect(Array(Printable(text).description.utf8) == Array(text.utf8))
    }

    @Test(
        "control, format, separator, private and unassigned characters are escaped",
        arguments: [
            0x00, 0x01, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x1A, 0x1B, 0x1C, 0x1F, 0x7F,
            0x80, 0x84, 0x85, 0x90, 0x9B, 0x9C, 0x9D, 0x9E, 0x9F, 0xA0, 0xAD,
            0x34F, 0x378, 0x61C, 0x70F, 0x115F, 0x1160, 0x1680, 0x17B4, 0x180B, 0x180E,
            0x2000, 0x2007, 0x200A, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2028, 0x2029,
            0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x202F, 0x205F, 0x2060, 0x2061, 0x2064, 0x2065,
            0x2066, 0x2067, 0x2068, 0x2069, 0x206A, 0x206F, 0x3000, 0x3164, 0xE000, 0xF8FF, 0xFDD0,
            0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFB, 0xFFFE, 0xFFFF, 0x110BD, 0x1BCA0, 0x1D173, 0x1FFFE,
            0xE0000, 0xE0001, 0xE0020, 0xE0041, 0xE007F, 0xE0100, 0xF0000, 0x10FFFD, 0x10FFFF,
        ] as [UInt32]
    )
    func escaped(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        let escape = "\\u{\(String(value, radix: 16, uppercase: true))}"
        #expect(Printable("a\(String(scalar))b").description == "a\(escape)b")
        #expect(Printable(String(scalar)).description == escape)
    }

    @Test(
        "complete attacks are escaped",
        arguments: [
            ("\u{1B}[2J\u{1B}[H", #"\u{1B}[2J\u{1B}[H"#), ("\u{1B}]0;title\u{07}", #"\u{1B}]0;title\u{7}"#),
            (
                "\u{1B}]8;;http://evil\u{1B}\\here\u{1B}]8;;\u{1B}\\",
                #"\u{1B}]8;;http://evil\u{1B}\\here\u{1B}]8;;\u{1B}\\"#
            ),
            ("\u{9B}31mred", #"\u{9B}31mred"#), ("ok\r\nLevel: error", #"ok\u{D}\u{A}Level: error"#),
            ("a\rb", #"a\u{D}b"#), ("abc\u{8}\u{8}\u{8}xyz", #"abc\u{8}\u{8}\u{8}xyz"#),
            ("user\u{202E}gpj.exe", #"user\u{202E}gpj.exe"#), ("a\u{2066}b\u{2069}", #"a\u{2066}b\u{2069}"#),
            ("pay\u{200B}pal", #"pay\u{200B}pal"#), ("\u{FEFF}x", #"\u{FEFF}x"#), (#"\u{A}"#, #"\\u{A}"#),
            (#"C:\new"#, #"C:\\new"#), ("a\\", #"a\\"#), ("\\\n", #"\\\u{A}"#),
        ]
    )
    func attacks(text: String, shown: String) {
        #expect(Printable(text).description == shown)
    }

    @Test(
        "bytes that are not UTF-8 are escaped",
        arguments: [
            ([0xFF], #"\xFF"#), ([0x80], #"\x80"#), ([0xC0, 0x80], #"\xC0\x80"#), ([0xC1, 0xBF], #"\xC1\xBF"#),
            ([0xE0, 0x80, 0x80], #"\xE0\x80\x80"#), ([0xF0, 0x80, 0x80, 0x80], #"\xF0\x80\x80\x80"#),
            ([0xED, 0xA0, 0x80], #"\xED\xA0\x80"#), ([0xED, 0xBF, 0xBF], #"\xED\xBF\xBF"#),
            ([0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], #"\xED\xA0\xBD\xED\xB8\x80"#),
            ([0xF4, 0x90, 0x80, 0x80], #"\xF4\x90\x80\x80"#), ([0xF5, 0x80], #"\xF5\x80"#),
            ([0xFE, 0xFF], #"\xFE\xFF"#),
            ([0x61, 0xC3], #"a\xC3"#), ([0xC3, 0x61], #"\xC3a"#), ([0xE2, 0x82], #"\xE2\x82"#),
            ([0xE2, 0x82, 0x1B], #"\xE2\x82\u{1B}"#), ([0xC3, 0xC3, 0xBC], #"\xC3ü"#), ([0x9B, 0x33], #"\x9B3"#),
            ([0x5C, 0x78, 0x46, 0x46], #"\\xFF"#), ([0x00, 0xFF, 0x00], #"\u{0}\xFF\u{0}"#),
        ] as [([UInt8], String)]
    )
    func invalid(bytes: [UInt8], shown: String) {
        #expect(Printable(bytes: bytes).description == shown)
    }

    @Test(
        "text that is too wide is truncated visibly",
        arguments: [
            ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("ab", 1, "…"), ("a", 1, "a"), ("日本", 4, "日本"), ("日本語", 4, "日…"),
            ("日本語", 5, "日本…"), ("ab\n", 7, #"ab\u{A}"#), ("ab\n", 6, "ab…"), ("", 1, ""), ("🖥🖥", 3, "🖥…"),
        ]
    )
    func cut(text: String, columns: Int, shown: String) {
        #expect(Printable(text, columns: columns).description == shown)
    }

    @Test(
        "a mark is shown on a letter, but not alone and not with too many others",
        arguments: [
            ("e\u{301}", "e\u{301}"), ("a\u{302}\u{301}\u{323}", "a\u{302}\u{301}\u{323}"), ("\u{301}", #"\u{301}"#),
            (
                "a\u{301}\u{302}\u{303}\u{304}\u{305}b\u{301}",
                "a\u{301}\u{302}\u{303}" + #"\u{304}\u{305}"# + "b\u{301}"
            ),
            ("\n\u{301}", #"\u{A}\u{301}"#), ("\\\u{301}", #"\\\u{301}"#), ("a\u{20DD}", "a\u{20DD}"),
        ]
    )
    func marks(text: String, shown: String) {
        #expect(Array(Printable(text).description.utf8) == Array(shown.utf8))
    }

    @Test("marks, which have no width of their own, do not make a text endless")
    func stackedMarks() {
        let stacked = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(Printable(stacked, columns: 20).description.utf8.count < 40)
    }

    @Test("no letter is wider on a terminal than its computed width")
    func widths() throws {
        let locale = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
        defer { freelocale(locale) }
        let previous = uselocale(locale)
        defer { uselocale(previous) }
        // Swift's module Glibc does not export it.
        let symbol = try #require(dlsym(nil, "wcwidth"))
        let wcwidth = unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> Int32).self)
        var compared = 0
        for value in UInt32(0x20)...0x10_FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(scalar)
            guard Printable(text).description.unicodeScalars.elementsEqual([scalar]) else { continue }
            compared += 1
            let columns = Int(wcwidth(wchar_t(value)))
            if Printable.width(of: text) < columns {
                Issue.record("U+\(String(value, radix: 16)) takes \(columns) columns")
            }
        }
        #expect(compared > 100_000, "only \(compared) letters are safe")
    }

    @Test("20,000 random texts become safe characters within the width, and no two look the same")
    func properties() {
        var random = SeededRandom(seed: 3)
        var texts: [[UInt8]: [UInt8]] = [:]
        for _ in 0..<20_000 {
            let bytes = Self.bytes(&random)
            let shown = Printable(bytes: bytes, columns: .max).description
            #expect(shown.unicodeScalars.allSatisfy(Self.isSafe), "\(bytes)")
            let earlier = texts.updateValue(bytes, forKey: Array(shown.utf8))
            #expect(earlier == nil || earlier == bytes, "\(bytes) and \(earlier ?? [])")
            let columns = Int.random(in: 1...20, using: &random)
            #expect(Printable.width(of: Printable(bytes: bytes, columns: columns).description) <= columns, "\(bytes)")
        }
    }

    /// Implemented a second time on purpose, from Unicode's categories.
    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        case .spaceSeparator: scalar == " "
        default: !(0xFE00...0xFE0F).contains(scalar.value) && scalar.value < 0xE0000
        }
    }

    private static func bytes(_ random: inout SeededRandom) -> [UInt8] {
        let pieces: [[UInt8]] = [
            Array("\\".utf8), Array("x".utf8), Array("u{".utf8), Array("}".utf8), Array("A".utf8), Array("…".utf8),
            [0x1B], [0x0A], [0x9B], [0xFF], [0xC3], [0xBC], Array("ü".utf8), Array("\u{301}".utf8), Array("日".utf8),
            Array("\u{202E}".utf8), Array("\u{E0041}".utf8), Array("🖥".utf8), [0xED, 0xA0, 0x80],
        ]
        return (0..<Int.random(in: 0...8, using: &random)).flatMap { _ -> [UInt8] in
            Bool.random(using: &random)
                ? pieces.randomElement(using: &random) ?? []
                : [UInt8.random(in: 0...255, using: &random)]
        }
    }

    @Test("printable text is not escaped a second time, and other text is")
    func again() {
        let name = "B\u{1B}\\x"
        let sentence = "no '\(Printable(name))' here"
        #expect(Printable(again: sentence).description == sentence)
        #expect(Printable(again: "a\u{7}\\b").description == "a\\u{7}\\b")
    }
}
