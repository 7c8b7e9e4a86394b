// SPDX-License-Identifier: Apache-2.0

import Screens
import TestSupport
import Testing

@Suite("Keys from the bytes of a terminal")
struct KeyDecoderTests {
    private static let cases: [(String, [Key])] = [
        ("q", [.text("q")]), ("\u{1B}[A\u{1B}OB", [.up, .down]), ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
        ("\u{1B}[H\u{1B}[4~", [.home, .end]), ("\r\n\t\u{7F}\u{08}", [.enter, .enter, .tab, .backspace, .backspace]),
        ("ü漢", [.text("ü"), .text("漢")]),
        ("\u{01}\u{9B}\u{1A}\u{1C}", [.control("a"), .control("z")]), ("\u{1B}[1;5Ax", [.up, .text("x")]),
        ("\u{1B}\u{1B}[A", [.escape, .up]), ("\u{1B}xq", [.text("q")]),
        ("\u{1B}[D\u{1B}OC\u{1B}[3~", [.left, .right, .delete]),
        ("\u{1B}[Z\u{1B}[2~\u{1B}OP\u{1B}[15~", [.backTab, .insert, .function(1), .function(5)]),
        ("\u{1B}[24;2~\u{1B}[[Cx", [.function(12), .function(3), .text("x")]),
        ("\u{1B}[<0;10;3M\u{1B}[<0;10;3m", [.click(column: 9, line: 2)]),
        ("\u{1B}[<64;1;1M\u{1B}[<65;1;1M\u{1B}[<16;1;2M", [.wheelUp, .wheelDown, .click(column: 0, line: 1)]),
        // The right button, a motion, a place before the first, and a report of the oldest form.
        ("\u{1B}[<2;1;1M\u{1B}[<35;1;1M\u{1B}[<0;0;1M\u{1B}[M !!x", [.text("x")]),
        ("\u{1B}[200~a\r\u{1B}[A\u{03}b\u{1B}[201~\r", [.pasted("a"), .pasted(" "), .pasted("b"), .enter]),
        ("\u{1B}[?1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19Aq", [.text("q")]),
        ("\u{1B}[1\rx\u{1B}O5x", [.enter, .text("x")]),
    ]

    @Test("the keys do not depend on how the bytes are split", arguments: 0..<cases.count)
    func cut(number: Int) {
        let (text, keys) = Self.cases[number]
        let bytes = Array(text.utf8)
        for length in 1...bytes.count {
            var decoder = KeyDecoder()
            var decoded: [Key] = []
            for start in stride(from: 0, to: bytes.count, by: length) {
                decoded += decoder.keys(for: Array(bytes[start..<min(start + length, bytes.count)]))
            }
            #expect(decoded == keys && decoder.flush() == nil)
        }
    }

    @Test("a single Escape is a key if nothing follows")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.keys(for: [0x1B]).isEmpty && decoder.isUndecided)
        #expect(decoder.flush() == .escape && !decoder.isUndecided)
    }

    @Test("Escape ends a paste whose end was lost")
    func lostPasteEnd() {
        var decoder = KeyDecoder()
        #expect(decoder.keys(for: Array("\u{1B}[200~a\u{1B}".utf8)) == [.pasted("a")])
        #expect(decoder.flush() == .escape)
        #expect(decoder.keys(for: Array("q".utf8)) == [.text("q")])
    }

    @Test("no bytes prevent the decoder from reading the next key")
    func noise() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<2_000 {
            var decoder = KeyDecoder()
            _ = decoder.keys(for: (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) })
            _ = decoder.flush()
            #expect(decoder.keys(for: Array("q".utf8)) == [.text("q")])
        }
    }
}
