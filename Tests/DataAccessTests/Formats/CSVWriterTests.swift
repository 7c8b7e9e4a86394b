// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Foundation
import NIOCore
import TestSupport
import Testing

@Suite("CSV")
struct CSVWriterTests {
    private static func csv(
        _ type: DataType,
        _ values: [DataValue],
        _ options: FormatOptions = FormatOptions(),
        page: CodePage? = nil
    ) async throws -> [String] {
        let table = try DataTable.column("c", type, values).reading(in: page)
        let text = try await output(of: table, nil, options) { CSVWriter($0, $1) }
        #expect(text.hasSuffix("\r\n"))
        return text.replacing("\r\n", with: "\n").dropLast().split(separator: "\n", omittingEmptySubsequences: false)
            .dropFirst().map(String.init)
    }

    @Test("NULL is nothing, the empty text is quoted, and other text is quoted only if it must be")
    func texts() async throws {
        let texts: [DataValue] = [
            .null, .text(""), .text("a b"), .text("a,b"), .text("say \"x\""), .text("é中😀"), .text("\r"),
        ]
        let found = try await Self.csv(.wideString, texts)
        #expect(found == ["", "\"\"", "a b", "\"a,b\"", "\"say \"\"x\"\"\"", "é中😀", "\"\r\""])
        let narrow = try await Self.csv(.string, [.null, .text(""), .text("a,\"é")])
        #expect(narrow == ["", "\"\"", "\"a,\"\"é\""])
    }

    @Test("with a text for NULL, a text equal to it is quoted and the empty text is nothing")
    func nullText() async throws {
        var options = FormatOptions()
        options.nullText = "\\N"
        let values: [DataValue] = [.null, .text(""), .text("\\N"), .text("\\NN")]
        #expect(try await Self.csv(.wideString, values, options) == ["\\N", "", "\"\\N\"", "\\NN"])
        #expect(try await Self.csv(.memo, values, options) == ["\\N", "", "\"\\N\"", "\\NN"])
        #expect(try await Self.csv(.integer, [.null, .integer(1)], options) == ["\\N", "1"])
        for (type, value, null) in [
            (.integer, .integer(0), "0"), (.float, .float(.nan), "NaN"), (.boolean, .boolean(true), "true"),
            (.string, .text("é"), "é"), (.wideString, .text("x y"), "x y"),
        ] as [(DataType, DataValue, String)] {
            options.nullText = null
            #expect(try await Self.csv(type, [.null, value], options) == [null, "\"\(null)\""], "\(null)")
        }
    }

    @Test("TSV has tabs, and lines that end with LF")
    func tabs() async throws {
        let table = try DataTable.table(
            [("a\tb", .wideString), ("c", .string)],
            [[.text("x,y"), .text("u\tv")], [.null, .text("")]]
        )
        let text = try await output(of: table) { CSVWriter($0, $1, isTabbed: true) }
        #expect(text == "\"a\tb\"\tc\nx,y\t\"u\tv\"\n\t\"\"\n")
    }

    @Test("a Float has the shortest text that reads back as the same number")
    func floats() async throws {
        var random = SeededRandom(seed: 7)
        var numbers: [Double] = [
            0, -0.0, 1, 0.1, 1e15, 1e16, 123_456_789.1234, Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e-4,
            9e-5,
        ]
        for _ in 0..<20_000 {
            numbers.append(Double(bitPattern: random.next()))
            numbers.append(Double(Int64.random(in: -(1 << 60)...(1 << 60), using: &random)))
            numbers.append(Double(Int.random(in: -10_000_000...10_000_000, using: &random)) / 10_000)
            numbers.append(Double(Int.random(in: 0...(1 << 56), using: &random)) / 100)
        }
        numbers = numbers.filter(\.isFinite)
        #expect(try await Self.csv(.float, numbers.map { .float($0) }) == numbers.map(\.description))
        let floats = numbers.map { Float($0) }.filter(\.isFinite)
        #expect(try await Self.csv(.singleFloat, floats.map { .float(Double($0)) }) == floats.map(\.description))
        let special = try await Self.csv(.float, [.float(.nan), .float(.infinity), .float(-.infinity)])
        #expect(special == ["NaN", "Infinity", "-Infinity"])
    }

    @Test("a DateTime is ISO text with milliseconds if there are any; an uncertain one has its day and its bits")
    func times() async throws {
        let certain: [(Double, String)] = [
            (0, "1899-12-30T00:00:00"), (25_569, "1970-01-01T00:00:00"), (-1, "1899-12-29T00:00:00"),
            (43_861.5, "2020-01-31T12:00:00"), (2_958_465, "9999-12-31T00:00:00"), (-693_593, "0001-01-01T00:00:00"),
            (43_861 + 3_723_004.0 / 86_400_000, "2020-01-31T01:02:03.004"), (0.75, "1899-12-30T18:00:00"),
            (36_585, "2000-02-29T00:00:00"), (1_000 + 86_399_999.7 / 86_400_000, "1902-09-27T00:00:00"),
        ]
        let uncertain: [(Double, String)] = [
            (-1.25, "1899-12-29?-1.25"), (-0.5, "1899-12-30?-0.5"), (-53_688.25, "1753-01-01?-53688.25"),
            (-693_593.5, "0001-01-01?-693593.5"), (-693_594, "0000-00-00?-693594.0"),
            (2_958_466, "9999-99-99?2958466.0"), (1e300, "9999-99-99?1e+300"), (.infinity, "9999-99-99?inf"),
            (-.infinity, "0000-00-00?-inf"), (.nan, "9999-99-99?nan"),
        ]
        let all = certain + uncertain
        #expect(try await Self.csv(.dateTime, all.map { .dateTime(days: $0.0) }) == all.map(\.1))
    }

    @Test("a blob that is written in several pieces is one text")
    func blobs() async throws {
        let bytes = (0..<10_001).map { UInt8(truncatingIfNeeded: $0) }
        let found = try await Self.csv(.blob, [.bytes(ByteBuffer()), .bytes(ByteBuffer(bytes: bytes))])
        #expect(found == ["\"\"", Data(bytes).base64EncodedString()])
    }

    @Test("a text longer than the buffer is complete")
    func longText() async throws {
        let text = String(repeating: "añ\"中😀", count: 50_000)
        let expected = "\"" + text.replacing("\"", with: "\"\"") + "\""
        #expect(try await Self.csv(.wideMemo, [.text(text)]) == [expected])
        let narrow = String(repeating: "añ\"", count: 90_000)
        #expect(try await Self.csv(.memo, [.text(narrow)]) == ["\"" + narrow.replacing("\"", with: "\"\"") + "\""])
    }

    @Test("chosen columns and rows, in their order; equal names get a suffix")
    func choice() async throws {
        let table = try DataTable.table(
            [("a", .integer), ("A", .integer), ("b,c", .wideString)],
            (0..<4).map { [.integer($0), .integer(10 * $0), .text("\($0)")] }
        )
        let all = try await output(of: table, [1, 3]) { CSVWriter($0, $1) }
        #expect(all == "a,A_2,\"b,c\"\r\n1,10,1\r\n3,30,3\r\n")
        var options = FormatOptions()
        options.columns = ["B,C", "a"]
        #expect(try await output(of: table, [2], options) { CSVWriter($0, $1) } == "\"b,c\",a\r\n2,2\r\n")
        options.columns = ["d"]
        await #expect(throws: FormatError.noColumn("d")) {
            try await output(of: table, nil, options) { CSVWriter($0, $1) }
        }
    }

    @Test("the code page of narrow text is chosen; invalid UTF-8 is replaced")
    func codePages() async throws {
        // The bytes E4 80, as Latin-1.
        let value = DataValue.text("\u{E4}\u{80}")
        for (page, text) in [(28_591, "ä\u{80}"), (1252, "ä€"), (1251, "дЂ"), (437, "ΣÇ"), (65_001, "\u{FFFD}")] {
            let found = try await Self.csv(.string, [value], page: CodePage.page(page))
            #expect(found.first?.unicodeScalars.first == text.unicodeScalars.first, "\(page)")
            #expect(found == [text] || page == 65_001, "\(page)")
        }
        #expect(try await Self.csv(.string, [.text("d\u{C3}\u{A9}")], page: .utf8) == ["dé"])
    }

    @Test("an assumed code page records whether that matters")
    func assumedPage() async throws {
        let page = CodePage.assumed()
        let values: [(DataType, DataValue)] = [
            (.string, .text("plain")), (.wideString, .text("ä")), (.string, .null), (.memo, .text("\u{E4}")),
        ]
        for (index, (type, value)) in values.enumerated() {
            #expect(!page.wasGuessed)
            _ = try await Self.csv(type, [value], page: page)
            #expect(page.wasGuessed == (index == 3))
        }
        #expect(page == .latin1 && !CodePage.latin1.wasGuessed)
    }

    @Test("an unpaired surrogate is replaced")
    func surrogates() async throws {
        let units: [UInt16] = [0x61, 0xD800, 0x62, 0xDC00, 0xD83D, 0xDE00, 0xD83D]
        var table = try DataTable.column("c", .wideString, [])
        try table.append([.text(String(repeating: "x", count: units.count))])
        var stream = try TableStream([table]).encoded()
        // The text is the last part of the row, before the directory of the stream.
        let place = try #require(stream.readableBytesView.firstRange(of: "x\0x\0".utf8)?.lowerBound)
        for (index, unit) in units.enumerated() { stream.setInteger(unit, at: place + 2 * index, endianness: .little) }
        let damaged = try TableStream(decoding: stream).tables[0]
        let text = try await output(of: damaged) { CSVWriter($0, $1) }
        #expect(text == "c\r\na\u{FFFD}b\u{FFFD}😀\u{FFFD}\r\n")
    }

    @Test("on a terminal control characters are escaped, in names too; a pipe gets exact bytes")
    func terminal() async throws {
        let table = try DataTable.table(
            [("a\u{1B}", .wideString), ("b", .string)],
            [[.text("x\u{1B}[2J"), .text("\u{9B}")]]
        )
        #expect(try await output(of: table) { CSVWriter($0, $1) } == "a\u{1B},b\r\nx\u{1B}[2J,\u{9B}\r\n")
        var options = FormatOptions()
        options.terminal = .test()
        let shown = try await output(of: table, nil, options) { CSVWriter($0, $1) }
        #expect(shown == "a\\u{1b},b\r\nx\\u{1b}[2J,\\u{9b}\r\n")
    }

    @Test("a second table, and rows of another table, are errors")
    func misuse() async throws {
        let one = try DataTable.column("a", .integer, [.integer(1)])
        let other = try DataTable.column("a", .largeInt, [.integer(1)])
        var writer = CSVWriter(OutputSink())
        #expect(throws: FormatError.rowsWithoutTable) { try writer.add(one.rows, nil) }
        try writer.begin(one.head)
        #expect(throws: FormatError.rowsWithoutTable) { try writer.add(other.rows, nil) }
        #expect(throws: FormatError.severalTables) { try writer.begin(one.head) }
    }
}
