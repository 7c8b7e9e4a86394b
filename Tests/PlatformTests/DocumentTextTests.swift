// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@Suite("Documents of other makers") struct DocumentTextTests {
    private static func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { bigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    @Test("UTF-16 is recognised by its mark, or by its zeros", arguments: [false, true], [false, true])
    func wide(bigEndian: Bool, hasMark: Bool) throws {
        let text = "<?xml version='1.0' encoding='utf-16'?><a b='Größe \u{1F600}'/>"
        let bytes = Self.utf16((hasMark ? "\u{FEFF}" : "") + text, bigEndian: bigEndian)
        #expect(try DocumentText.decode(bytes) == text)
        #expect(try DocumentText.decode(bytes + [0]) == text)
    }

    @Test("8-bit text has the declared encoding, whatever the case and the quotes")
    func declared() throws {
        func text(_ encoding: String) throws -> String {
            let head = "<?xml version=\"1.0\" encoding=\(encoding)?><a>"
            let text = try DocumentText.decode(Array(head.utf8) + [0xE4, 0x80, 0x81] + Array("</a>".utf8))
            return String(text.dropFirst(head.count).dropLast(4))
        }
        #expect(try text("\"ISO-8859-1\"") == "ä\u{80}\u{81}")
        #expect(try text("'windows-1252'") == "ä€\u{FFFD}")
        #expect(try text("\"Windows-1252\" standalone=\"yes\"") == "ä€\u{FFFD}")
        #expect(try text("\"utf-8\"") == "\u{4001}")
        #expect(throws: DocumentText.UnknownEncoding(name: "koi8-r")) { try text("\"koi8-r\"") }
        let long = String(repeating: "x", count: 100)
        #expect(throws: DocumentText.UnknownEncoding(name: String(long.prefix(40)))) { try text("\"\(long)\"") }
    }

    @Test("marks, white space before the declaration, and NULs at the end are removed")
    func edges() throws {
        let text = "<?xml version=\"1.0\" encoding=\"utf-8\"?><a>ä</a>"
        #expect(try DocumentText.decode([0xEF, 0xBB, 0xBF] + Array((" \r\n\t" + text + "\n\0\0").utf8)) == text)
        #expect(try DocumentText.decode(Array("{}".utf8) + [0]) == "{}")
        // The text was converted after it was written.
        let converted = text.replacing("utf-8", with: "UTF-16")
        #expect(try DocumentText.decode(Array(converted.utf8)) == converted)
        for bytes in [[], [0], [0xFF], [0xFF, 0xFE], [0xEF, 0xBB, 0xBF], Array(" \n".utf8)] as [[UInt8]] {
            #expect(try DocumentText.decode(bytes).unicodeScalars.allSatisfy { $0 == "\u{FFFD}" })
        }
    }
}
